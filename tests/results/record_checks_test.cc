// Which records can be those of a run.
#include "apps/results/record_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "tests/results/made_record.h"

namespace throughput {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string RefusalOf(const std::function<void(metrics::ResultRecord&)>& change) {
  auto record = MadeRecord();
  change(record);
  const auto fits = CheckRecord(record);
  if (fits) return "";
  EXPECT_EQ(fits.error().exit_code, kExitRefused);
  EXPECT_EQ(fits.error().message.find('\n'), std::string::npos);
  return fits.error().message;
}

TEST(CheckRecord, PassesARunAsItIs) {
  EXPECT_EQ(RefusalOf([](auto&) {}), "");
  EXPECT_EQ(RefusalOf([](auto& run) { SetRate(run, 1e-3); }), "");
}

TEST(CheckRecord, RefusesAnInterruptedOrEmptyRun) {
  EXPECT_EQ(RefusalOf([](auto& run) { run.interrupted = true; }), "the run was interrupted");
  EXPECT_EQ(RefusalOf([](auto& run) { run.rows = 0; }), "the run has no rows");
  EXPECT_EQ(RefusalOf([](auto& run) { run.transactions = 0; }), "the run has no rows");
}

TEST(CheckRecord, RefusesASystemWithoutAName) {
  EXPECT_EQ(RefusalOf([](auto& run) { run.system.clear(); }), "system is '': a name is needed");
}

TEST(CheckRecord, NamesTheFigureThatNoRunHas) {
  EXPECT_EQ(RefusalOf([](auto& run) { run.threads = 0; }), "threads is 0: 1 to 1e+15 is allowed");
  EXPECT_THAT(RefusalOf([](auto& run) { run.batch_size = 0; }), StartsWith("batch_size is 0: "));
  EXPECT_THAT(RefusalOf([](auto& run) { run.compute_us = -1; }), StartsWith("compute_us is -1: "));
  EXPECT_THAT(RefusalOf([](auto& run) { run.rows = -5; }), StartsWith("rows is -5: "));
  EXPECT_EQ(RefusalOf([](auto& run) { run.seconds = 0; }),
            "seconds is 0: above 0 to 1e+15 is allowed");
  EXPECT_THAT(RefusalOf([](auto& run) { run.seconds = -0.01; }), StartsWith("seconds is -0.01: "));
  EXPECT_THAT(RefusalOf([](auto& run) { run.user_seconds = -1; }), StartsWith("user_seconds is"));
  EXPECT_THAT(RefusalOf([](auto& run) { run.counters.front().value = -5; }),
              StartsWith("instructions is -5: 0 to "));
  EXPECT_THAT(RefusalOf([](auto& run) { run.open_loop = metrics::OpenLoop{}; }),
              StartsWith("rate is 0: 1 to "));
}

TEST(CheckRecord, RefusesARateThatIsNoneOrNotFinite) {
  for (const double rate :
       {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity(), 1e200}) {
    EXPECT_THAT(RefusalOf([=](auto& run) { run.rows_per_second = rate; }),
                StartsWith("rows_per_second is "));
  }
}

TEST(CheckRecord, RefusesARateThatItsRowsAndSecondsContradict) {
  EXPECT_EQ(RefusalOf([](auto& run) { run.rows_per_second = 200'000; }),
            "rows_per_second is 200000: 1000 rows in 0.01 seconds are 100000");
  EXPECT_EQ(RefusalOf([](auto& run) { run.rows_per_second = 100'001; }), "");  // rounded
}

TEST(CheckRecord, LooksAtCountersThatCountedAlone) {
  EXPECT_EQ(RefusalOf([](auto& run) {
              run.counters.front().value = -5;
              run.counters.front().status = metrics::CounterStatus::kNotCounted;
            }),
            "");
}

TEST(CheckRecord, RefusesIntervalsThatDoNotFollowOneAnother) {
  EXPECT_THAT(RefusalOf([](auto& run) {
                run.intervals = {{0.2, 10, {}}, {0.1, 10, {}}, {0.3, 10, {}}};
              }),
              HasSubstr("ends at 0.1 s, the one before it at 0.2 s"));
  EXPECT_EQ(RefusalOf([](auto& run) {  // a sample during the closing, of an earlier version
              run.intervals = {{0.1, 10, {}}, {0.2, 10, {}}, {0.19, 0, {}}};
            }),
            "");
}

}  // namespace
}  // namespace throughput
