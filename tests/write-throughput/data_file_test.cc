#include "apps/write-throughput/data_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/write-throughput/temporary_folder.h"

namespace throughput {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class DataFileTest : public testing::Test {
 protected:
  std::vector<std::string> Lines(std::string_view content) {
    const auto file = DataFile::Read(folder_.Write("lines", content));
    std::vector<std::string> lines;
    for (size_t i = 0; file && i < file->Lines(); ++i) lines.emplace_back(file->Line(i));
    return lines;
  }

  std::string Refusal(const std::string& path) {
    const auto file = DataFile::Read(path);
    EXPECT_FALSE(file);
    return file ? "" : file.error().text;
  }

  TemporaryFolder folder_;
};

TEST_F(DataFileTest, MarkAndCarriageReturnsAreDroppedAndTheLastLineCounts) {
  EXPECT_THAT(Lines("\xef\xbb\xbf"
                    "a\r\nb\r\nlast"),
              ElementsAre("a", "b", "last"));
  EXPECT_THAT(Lines("a\nlast\r"), ElementsAre("a", "last"));
}

TEST_F(DataFileTest, ANewlineAtTheEndMakesNoLineMore) {
  EXPECT_THAT(Lines("a\nb\n"), ElementsAre("a", "b"));
}

TEST_F(DataFileTest, EmptyLinesAreLines) {
  EXPECT_THAT(Lines("\n"), ElementsAre(""));
  EXPECT_THAT(Lines("\r\n"), ElementsAre(""));
  EXPECT_THAT(Lines("a\n\nb"), ElementsAre("a", "", "b"));
}

TEST_F(DataFileTest, EveryOtherByteIsPartOfTheValue) {
  EXPECT_THAT(Lines(std::string("a\0b\n\xff \t\rx\n", 10)),
              ElementsAre(std::string("a\0b", 3), "\xff \t\rx"));
}

TEST_F(DataFileTest, AVeryLongLineIsRead) {
  const std::string line(3 << 20, 'x');
  EXPECT_THAT(Lines(line), ElementsAre(line));
}

TEST_F(DataFileTest, AFileWithoutALineIsRefused) {
  EXPECT_THAT(Refusal(folder_.Write("empty", "")), HasSubstr("no line"));
  EXPECT_THAT(Refusal(folder_.Write("mark", "\xef\xbb\xbf")), HasSubstr("no line"));
}

TEST_F(DataFileTest, WhatIsNoOrdinaryFileIsRefusedAtOnce) {
  EXPECT_THAT(Refusal(folder_.path()), HasSubstr("not an ordinary file"));
  ASSERT_EQ(mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  EXPECT_THAT(Refusal(folder_ / "fifo"), HasSubstr("not an ordinary file"));
  EXPECT_THAT(Refusal("/dev/zero"), HasSubstr("not an ordinary file"));
}

TEST_F(DataFileTest, AMissingFileIsRefused) {
  EXPECT_THAT(Refusal(folder_ / "missing"), HasSubstr("No such file"));
}

TEST_F(DataFileTest, AnUnreadableFileIsRefused) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser reads everything";
  const std::string path = folder_.Write("secret", "a\n");
  ASSERT_EQ(chmod(path.c_str(), 0), 0);
  EXPECT_THAT(Refusal(path), HasSubstr("Permission denied"));
}

TEST_F(DataFileTest, WhatHappensToTheFileAfterwardsDoesNotMatter) {
  const std::string path = folder_.Write("lines", "first\nsecond\n");
  const auto file = DataFile::Read(path);
  ASSERT_TRUE(file);
  ASSERT_EQ(truncate(path.c_str(), 0), 0);
  EXPECT_EQ(file->Line(1), "second");
}

}  // namespace
}  // namespace throughput
