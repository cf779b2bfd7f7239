// What is refused at the command line: exit 2, one line, nothing touched.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/engine.h"
#include "tests/write-throughput/command_line.h"

namespace throughput {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(CommandLineTest, WithoutValgrindCallgrindIsRefusedAndThePackageNamed) {
  settings_.environment["PATH"] = folder_.path();
  EXPECT_THAT(Refusal({"--counters", "callgrind"}), HasSubstr("package valgrind"));
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

TEST_F(CommandLineTest, TheSecondRunsDatabaseReplacesNothingForeignEither) {
  if (access("/usr/bin/valgrind", X_OK) != 0) GTEST_SKIP() << "there is no valgrind";
  folder_.Write("x.db.callgrind", "precious");
  EXPECT_THAT(Refusal({"--counters", "callgrind", "--database", "x.db"}),
              HasSubstr("'x.db.callgrind'"));
  EXPECT_EQ(folder_.Read("x.db.callgrind"), "precious");
}

TEST_F(CommandLineTest, BadInputIsRefusedAndTouchesNothing) {
  const std::vector<std::vector<std::string>> inputs = {
      {"--bogus"},
      {"leftover"},
      {"-t", "0"},
      {"-b", "-1"},
      {"-i", "10000000000000000000"},
      {"-t", "1,,2"},
      {"-t", "1,2,"},
      {"--compute", "1.5x"},
      {"--csv", "--threads", "4"},
      {"--database", "--threads", "4"},
      {"-m", "fast"},
      {"--engine", "oracle"},
      {"--hasher", "md5"},
      {"--format", "xml"},
      {"-i", "5", "-d", "5"},
      {"--keep", "-t", "1,2"},
      {"-t", "1024", "-b", "1000000000", "-i", "1000000000000"},
      {"-d", "1,5"},
      {"-e", "no-such-event"},
      {"-e", "cycles,{}"},
      {"-e", "cycles:z"},
      {"-e", "{cycles"},
      {"--interval", "0"},
      {"-q", "--summary-output", "summary"},
      {"--summary", "none", "--summary-output", "summary"},
      {"--database", "missing/x.db"},
      {"--database", "/proc/x.db"},
      {"--data-file", "missing"},
      {"--data-file", "."},
      {"-o", "missing/rows.csv"},
      {"-o", "."},
      {"--summary-output", "missing/summary"},
      {"-o", "write_throughput_test.db"},
      {"-o", "new.csv", "--summary-output", "missing/summary"},
      {"-o", "new.csv", "--database", "missing/x.db"},
  };
  for (const auto& input : inputs) {
    Refusal(input);
    EXPECT_THAT(folder_.Names(), IsEmpty()) << testing::PrintToString(input);
  }
}

TEST_F(CommandLineTest, ARefusalLeavesAnOldOutputAsItWas) {
  folder_.Write("rows.csv", "old\n");
  Refusal({"-o", "rows.csv", "--summary-output", "missing/summary"});
  Refusal({"-o", "rows.csv", "-t", "0"});
  Refusal({"-o", "rows.csv", "--database", "rows.csv"});
  EXPECT_EQ(folder_.Read("rows.csv"), "old\n");
}

TEST_F(CommandLineTest, WhatIsNotOursIsNeverTouched) {
  folder_.Write("file.db", "precious");
  ASSERT_EQ(mkdir((folder_ / "folder.db").c_str(), 0700), 0);
  folder_.Write("folder.db/inside", "precious");
  burin::EngineOptions options;
  options.creator = "somebody else";
  options.segment_bytes = 1 << 20;
  {
    auto engine = burin::Engine::Open(folder_ / "theirs.db", options);
    ASSERT_TRUE(engine.ok());
    ASSERT_TRUE((*engine)->Close().ok());
  }
  const auto before = folder_.Names();
  for (const char* name : {"file.db", "folder.db", "theirs.db"}) {
    EXPECT_THAT(Refusal({"--database", name}), AllOf(HasSubstr("--database"), HasSubstr(name)));
  }
  EXPECT_THAT(Refusal({"--database", "theirs.db"}), HasSubstr("somebody else"));
  EXPECT_EQ(folder_.Names(), before);
  EXPECT_EQ(folder_.Read("file.db"), "precious");
  EXPECT_EQ(folder_.Read("folder.db/inside"), "precious");
  options.create = false;
  EXPECT_TRUE(burin::Engine::Open(folder_ / "theirs.db", options).ok());
}

TEST_F(CommandLineTest, DataFilesThatAreNoneAreRefusedAtOnce) {
  folder_.Write("empty", "");
  ASSERT_EQ(mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  for (const char* name : {"empty", "fifo", ".", "missing"}) {
    EXPECT_THAT(Refusal({"--data-file", name}), HasSubstr("--data-file '" + std::string(name)));
  }
}

}  // namespace
}  // namespace throughput
