// How figures, dates and names are written.
#include "apps/results/text.h"

#include <gtest/gtest.h>

namespace throughput {
namespace {

TEST(Text, StaysOnOneLine) {
  EXPECT_EQ(Printable("a\nb\tc\x01\x7f\xc3\xa9"), "a\\nb\\tc\\x01\\x7f\xc3\xa9");
}

TEST(Text, MeansNothingToMarkdown) {
  EXPECT_EQ(MarkdownCell("a|b\n[c](d)"), "a\\|b\\\\n\\[c\\](d)");
}

TEST(Text, KnowsWhatIsBlank) {
  EXPECT_TRUE(IsBlank(""));
  EXPECT_TRUE(IsBlank(" \t\r\n"));
  EXPECT_FALSE(IsBlank("\n.\n"));
}

TEST(Text, CountsWithTheRightNoun) {
  EXPECT_EQ(Counted(0, "change"), "0 changes");
  EXPECT_EQ(Counted(1, "change"), "1 change");
  EXPECT_EQ(Counted(12, "test"), "12 tests");
}

TEST(Text, WritesTimesInUtc) {
  EXPECT_EQ(FormatInstant(0), "1970-01-01T00:00:00+00:00");
  EXPECT_EQ(FormatInstant(1'709'210'096), "2024-02-29T12:34:56+00:00");
  EXPECT_EQ(FormatInstant(kLatestTime), "9999-12-31T23:59:59+00:00");
  EXPECT_EQ(FormatDay(86'399), "1970-01-01");
}

TEST(Text, WritesValuesWithoutNeedlessDigits) {
  EXPECT_EQ(FormatValue(106519.11), "106519");
  EXPECT_EQ(FormatValue(120.04), "120.0");
  EXPECT_EQ(FormatValue(12.345), "12.35");
  EXPECT_EQ(FormatValue(0.012345), "0.01235");
  EXPECT_EQ(FormatValue(0), "0");
  EXPECT_EQ(FormatValue(-1.5), "-1.50");
  EXPECT_EQ(FormatValue(1e90), "1e+90");
}

TEST(Text, WritesPvaluesDownToTheEndOfADouble) {
  EXPECT_EQ(FormatPvalue(6.7e-28), "p = 6.7e-28");
  EXPECT_EQ(FormatPvalue(0), "p < 1e-300");
}

TEST(Text, MakesNamesForFiles) {
  EXPECT_EQ(Slug("Burin threads=1 batch=100"), "burin-threads-1-batch-100");
  EXPECT_EQ(Slug("../../etc/passwd/"), "etc-passwd");
  EXPECT_EQ(Slug("\xc3\xa9"), "");
  EXPECT_EQ(Slug(std::string(300, 'x')).size(), 100);
}

}  // namespace
}  // namespace throughput
