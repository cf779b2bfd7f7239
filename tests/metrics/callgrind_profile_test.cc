#include "metrics/callgrind_profile.h"

#include <gmock/gmock.h>

namespace metrics {
namespace {

using testing::HasSubstr;

constexpr const char* kProfile =
    "# callgrind format\nversion: 1\ncmd: prog\n\n"
    "events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim\n"
    "summary: 9990 1 1 1 1 1 1 1 1 1 1 1 1\n\n"
    "fl=(1) a.c\nfn=(1) main\n16 400\n\ntotals: 1000 300 200 11 12 13 4 5 6 100 20 7 8\n";

double ValueOf(const std::vector<CounterReading>& readings, const std::string& event) {
  for (const CounterReading& reading : readings) {
    if (reading.event == event) return reading.value;
  }
  return -1;
}

TEST(CallgrindProfile, GivesPerfsEventsTheSumsOfCallgrinds) {
  const auto totals = ParseCallgrindProfile(kProfile);
  ASSERT_TRUE(totals) << totals.error();
  const auto readings = CallgrindReadings(*totals);
  EXPECT_EQ(ValueOf(readings, "instructions"), 1000);
  EXPECT_EQ(ValueOf(readings, "branches"), 107);
  EXPECT_EQ(ValueOf(readings, "branch-misses"), 28);
  EXPECT_EQ(ValueOf(readings, "L1-icache-load-misses"), 11);
  EXPECT_EQ(ValueOf(readings, "L1-dcache-load-misses"), 12);
  EXPECT_EQ(ValueOf(readings, "L1-dcache-store-misses"), 13);
  EXPECT_EQ(ValueOf(readings, "LLC-load-misses"), 9);
  EXPECT_EQ(ValueOf(readings, "LLC-store-misses"), 6);
  for (const CounterReading& reading : readings) {
    EXPECT_EQ(reading.source, "callgrind");
    EXPECT_EQ(reading.generic, reading.event);
    EXPECT_EQ(reading.status, CounterStatus::kCounted);
  }
}

TEST(CallgrindProfile, LeavesOutWhatWasNotSimulated) {
  const auto totals = ParseCallgrindProfile("events: Ir Bc\ntotals: 5 1\n");
  ASSERT_TRUE(totals);
  const auto readings = CallgrindReadings(*totals);
  ASSERT_EQ(readings.size(), 1);
  EXPECT_EQ(readings[0].event, "instructions");
}

TEST(CallgrindProfile, RefusesWhatIsNone) {
  for (const char* text :
       {"", "events: Ir\n", "totals: 5\n", "events: Ir Dr\ntotals: 5\n", "events:\ntotals:\n"}) {
    const auto totals = ParseCallgrindProfile(text);
    ASSERT_FALSE(totals) << text;
    EXPECT_THAT(totals.error(), HasSubstr("no sums"));
  }
  const auto totals = ParseCallgrindProfile("events: Ir\ntotals: many\n");
  ASSERT_FALSE(totals);
  EXPECT_THAT(totals.error(), HasSubstr("no number for Ir"));
}

}  // namespace
}  // namespace metrics
