#include "apps/write-throughput/flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace throughput {
namespace {

using testing::ElementsAre;

std::vector<std::string> Upper(const std::vector<std::string>& words) {
  return ReplaceValues(
      words, [](const Flag& flag, const std::string& value) { return flag.name + ":" + value; });
}

TEST(FlagsTest, GluedValuesAreTakenApart) {
  EXPECT_THAT(NormalizeWords({"p", "-t4", "-d1.5", "--keep", "-q"}),
              ElementsAre("p", "-t", "4", "-d", "1.5", "--keep", "-q"));
  EXPECT_THAT(NormalizeWords({"p", "--list-events=word"}),
              ElementsAre("p", "--list-events", "word"));
}

TEST(FlagsTest, AValueThatLooksLikeAFlagStaysAValue) {
  EXPECT_THAT(NormalizeWords({"p", "-o", "-t4"}), ElementsAre("p", "-o", "-t4"));
  EXPECT_THAT(NormalizeWords({"p", "--", "-t4"}), ElementsAre("p", "--", "-t4"));
  EXPECT_THAT(NormalizeWords({"-t4"}), ElementsAre("-t4"));  // the program's name
}

TEST(FlagsTest, ValuesAreFoundInEveryForm) {
  EXPECT_THAT(Upper({"p", "-t", "1", "--threads", "2", "--threads=3", "-qt", "4", "--keep", "5"}),
              ElementsAre("p", "-t", "threads:1", "--threads", "threads:2", "--threads=threads:3",
                          "-qt", "threads:4", "--keep", "5"));
}

TEST(FlagsTest, NoFlagIsThereTwice) {
  for (const Flag& flag : Flags()) {
    EXPECT_EQ(FindFlag(flag.name), &flag);
    if (flag.letter != 0) {
      EXPECT_EQ(FindFlag(flag.letter), &flag);
    }
  }
  EXPECT_EQ(FindFlag("bogus"), nullptr);
  EXPECT_EQ(FindFlag('\0'), nullptr);
}

}  // namespace
}  // namespace throughput
