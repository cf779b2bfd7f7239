#include "apps/write-throughput/report/text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace throughput {
namespace {

TEST(Decimal, GroupsEveryThreeDigitsBeforeThePoint) {
  EXPECT_EQ(Decimal(0, 0, true), "0");
  EXPECT_EQ(Decimal(999, 0, true), "999");
  EXPECT_EQ(Decimal(1000, 0, true), "1,000");
  EXPECT_EQ(Decimal(999999, 0, true), "999,999");
  EXPECT_EQ(Decimal(1234567, 0, true), "1,234,567");
  EXPECT_EQ(Decimal(1234567.891, 2, true), "1,234,567.89");
  EXPECT_EQ(Decimal(123.4567, 3, true), "123.457");
  EXPECT_EQ(Decimal(-1234, 0, true), "-1,234");
  EXPECT_EQ(Decimal(-123, 0, true), "-123");
}

TEST(Decimal, RoundsBeforeItGroups) { EXPECT_EQ(Decimal(999.999, 2, true), "1,000.00"); }

TEST(Decimal, WithoutBigNumbersHasNoGroups) {
  EXPECT_EQ(Decimal(19887102451, 0, false), "19887102451");
}

TEST(Significant, ShowsTwoDigitsOfWhatIsSmall) {
  EXPECT_EQ(Significant(0, true), "0.00");
  EXPECT_EQ(Significant(1234.5, true), "1,234.50");
  EXPECT_EQ(Significant(0.1, true), "0.10");
  EXPECT_EQ(Significant(0.01, true), "0.010");
  EXPECT_EQ(Significant(0.0033, true), "0.0033");
  EXPECT_EQ(Significant(0.000351, true), "0.00035");
}

TEST(PrintableLine, LeavesOrdinaryTextAlone) {
  EXPECT_EQ(PrintableLine("a path/with 'quotes' \"and\" \\ and \u00fc\u20ac"),
            "a path/with 'quotes' \"and\" \\ and \u00fc\u20ac");
}

TEST(PrintableLine, EscapesWhatWouldBreakTheLineOrMoveTheCursor) {
  EXPECT_EQ(PrintableLine("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(PrintableLine("\x1b[2J\x7f"), "\\x1b[2J\\x7f");
  EXPECT_EQ(PrintableLine("\xc2\x9b"
                          "2J"),
            "\\u009b2J");
}

TEST(PrintableLine, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(PrintableLine("l\xff.db"), "l\uFFFD.db");
  EXPECT_EQ(PrintableLine("cut \xe2\x82"), "cut \uFFFD");
}

TEST(CsvField, StandsInQuotesOnlyWhereItMust) {
  EXPECT_EQ(CsvField("plain text"), "plain text");
  EXPECT_EQ(CsvField("a,b"), "\"a,b\"");
  EXPECT_EQ(CsvField("say \"no\""), "\"say \"\"no\"\"\"");
  EXPECT_EQ(CsvField("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(CsvField("cr\r"), "\"cr\r\"");
  EXPECT_EQ(CsvField(""), "");
  EXPECT_EQ(CsvField("\xff"), "\uFFFD");
}

TEST(JsonString, CanBeParsedWhateverItHolds) {
  const std::string nasty = "q\"b\\s\tn\nl\xff.db";
  EXPECT_EQ(nlohmann::json::parse(JsonString(nasty)), "q\"b\\s\tn\nl\uFFFD.db");
}

TEST(PerfLine, PutsTheHashAtColumn57AndTheTailAtColumn91) {
  const std::string line =
      PerfLine("2,838.65", "msec", "task-clock", "   0.308 CPUs", "  (75.00%)");
  EXPECT_EQ(line.find('#'), 57u);
  EXPECT_EQ(line.find("  (75.00%)"), 91u);
}

TEST(PerfLine, HasNoTrailingBlanks) {
  EXPECT_EQ(PerfLine("<not supported>", "", "cycles"), "   <not supported>      cycles");
  EXPECT_EQ(PerfLine("", "", ""), "");
}

TEST(PerfLine, MakesRoomForALongName) {
  const std::string name(40, 'n');
  EXPECT_EQ(PerfLine("1", "", name, "   1.000 /sec"),
            "                 1      " + name + " #    1.000 /sec");
}

TEST(PerfContinuation, PutsTheHashAtColumn50) {
  EXPECT_EQ(PerfContinuation("   0.14").find('#'), 50u);
}

TEST(ErrorTail, IsLeftOutOnlyWhenTheErrorIsExactlyZero) {
  EXPECT_EQ(ErrorTail(0), "");
  EXPECT_EQ(ErrorTail(0.001), "  ( +-  0.00% )");
  EXPECT_EQ(ErrorTail(12.444), "  ( +- 12.44% )");
  EXPECT_EQ(ErrorTail(619.96), "  ( +-619.96% )");
}

}  // namespace
}  // namespace throughput
