#include "apps/write-throughput/secrets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace throughput {
namespace {

TEST(Secrets, AConnectionStringIsHiddenWhole) {
  EXPECT_EQ(Shown("dsn=host=a password=b"), "dsn=(hidden)");
  EXPECT_EQ(Shown("dsn="), "dsn=");
  EXPECT_EQ(Shown("--engine-option=dsn=host=a"), "--engine-option=dsn=(hidden)");
}

TEST(Secrets, WhatLooksLikeOneInTheWrongPlaceIsHiddenToo) {
  EXPECT_EQ(Shown("host=a PassWord = b"), "(hidden)");
  EXPECT_EQ(Shown("postgresql://u:p@h/d"), "(hidden)");
  EXPECT_EQ(Shown("--database=x://u:p@h/d"), "--database=(hidden)");
}

TEST(Secrets, EverythingElseStays) {
  const std::vector<std::string> words = {
      "--data-file",         "passwords.txt",    "a=b", "-t", "4",
      "https://example.org", "mail@example.org", ""};
  EXPECT_EQ(Shown(words), words);
}

TEST(Secrets, ArgumentsAreReplacedWhereTheyLie) {
  char program[] = "write-throughput";
  char plain[] = "-t";
  char secret[] = "dsn=host=a password=S3cretPw";
  char tiny[] = "dsn=ab";
  char* arguments[] = {program, plain, secret, tiny, nullptr};
  HideArguments(4, arguments);
  EXPECT_STREQ(plain, "-t");
  EXPECT_STREQ(secret, "dsn=(hidden)");
  EXPECT_EQ(std::string(secret, sizeof secret).find("Pw"), std::string::npos);
  EXPECT_STREQ(tiny, "dsn=(h");
}

}  // namespace
}  // namespace throughput
