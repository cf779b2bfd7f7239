// Which tests and metrics come out of a record.
#include "apps/throughput-changes/run_of_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/throughput-changes/made_history.h"

namespace throughput {
namespace {

using testing::HasSubstr;

std::vector<std::string> Names(const RecordedRun& run) {
  std::vector<std::string> names;
  for (const Metric& metric : run.metrics) names.push_back(metric.name);
  return names;
}

Metric Find(const RecordedRun& run, const std::string& name) {
  for (const Metric& metric : run.metrics) {
    if (metric.name == name) return metric;
  }
  ADD_FAILURE() << name;
  return {};
}

std::string TestOf(const metrics::ResultRecord& record) {
  const auto run = RunOfRecord(record);
  return run ? run->test : run.error().message;
}

TEST(RunOfRecord, NamesTheTestByItsCell) {
  auto record = MadeRecord();
  EXPECT_EQ(TestOf(record), "Burin threads=1 batch=100 compute=0 mode=legacy hasher=fx");
  record.hasher.clear();
  record.in_flight = 64;
  record.value_size_bytes = 200;
  record.compute_us = 100;
  record.compute_clock = "cpu";
  EXPECT_EQ(TestOf(record),
            "Burin threads=1 batch=100 compute=100 mode=legacy compute-clock=cpu in-flight=64 "
            "value-size=200");
}

TEST(RunOfRecord, CalculatesEveryMetricPerItsUnit) {
  auto record = MadeRecord();
  for (const char* event : {"cycles", "task-clock", "branch-misses", "page-faults"}) {
    record.counters.push_back(record.counters.front());
    record.counters.back().event = event;
    record.counters.back().value = 5000;
  }
  const auto run = RunOfRecord(record);
  ASSERT_TRUE(run);
  EXPECT_THAT(Names(*run), testing::ElementsAre("rows/s", "instructions/row", "cycles/row",
                                                "task-clock/row", "branch-misses/row",
                                                "syncs/transaction", "bytes/row", "p50", "p99"));
  EXPECT_EQ(Find(*run, "rows/s").value, 100'000);
  EXPECT_EQ(Find(*run, "instructions/row").value, 120);
  EXPECT_EQ(Find(*run, "task-clock/row").value, 5);
  EXPECT_EQ(Find(*run, "task-clock/row").unit, "ns/row");
  EXPECT_EQ(Find(*run, "syncs/transaction").value, 1);
  EXPECT_EQ(Find(*run, "bytes/row").value, 40);
  EXPECT_NEAR(Find(*run, "p50").value, 80, 0.1);
  EXPECT_EQ(Find(*run, "p99").value, 200);
  EXPECT_EQ(Find(*run, "p99").unit, "us");
}

TEST(RunOfRecord, KnowsThatOnlyMoreRowsAreBetter) {
  const auto run = RunOfRecord(MadeRecord());
  ASSERT_TRUE(run);
  for (const Metric& metric : run->metrics) {
    EXPECT_EQ(metric.better, metric.name == "rows/s" ? Better::kHigher : Better::kLower);
  }
}

TEST(RunOfRecord, LeavesOutWhatWasNotCounted) {
  for (const auto status :
       {metrics::CounterStatus::kNotCounted, metrics::CounterStatus::kNotSupported,
        metrics::CounterStatus::kSuspect}) {
    auto record = MadeRecord();
    record.counters.front().status = status;
    record.commit_latency_ns = {};
    const auto run = RunOfRecord(record);
    ASSERT_TRUE(run);
    EXPECT_THAT(Names(*run), testing::ElementsAre("rows/s", "syncs/transaction", "bytes/row"));
  }
}

TEST(RunOfRecord, PutsModifiersAndCallgrindIntoTheUnit) {
  auto record = MadeRecord();
  record.counters.front().modifiers = "u";
  EXPECT_EQ(Find(*RunOfRecord(record), "instructions/row").unit, "instructions:u/row");
  record.counters.front().source = "callgrind";
  EXPECT_EQ(Find(*RunOfRecord(record), "instructions/row").unit, "instructions:u/row (callgrind)");
}

TEST(RunOfRecord, TakesTheFirstCountedOfSeveralReadings) {
  auto record = MadeRecord();
  record.counters.push_back(record.counters.front());
  record.counters.front().status = metrics::CounterStatus::kNotCounted;
  record.counters.push_back(record.counters.back());
  record.counters.back().value = 999'000;
  const auto run = RunOfRecord(record);
  ASSERT_TRUE(run);
  EXPECT_EQ(Find(*run, "instructions/row").value, 120);
  EXPECT_EQ(run->metrics.size(), 6);
}

TEST(RunOfRecord, RefusesAnInterruptedOrEmptyRun) {
  auto record = MadeRecord();
  record.interrupted = true;
  EXPECT_THAT(TestOf(record), HasSubstr("interrupted"));
  record = MadeRecord();
  record.rows = 0;
  EXPECT_THAT(TestOf(record), HasSubstr("no rows"));
}

TEST(RunOfRecord, RefusesFiguresThatAreNotFinite) {
  for (const double value : {std::nan(""), std::numeric_limits<double>::infinity(), 1e200}) {
    auto record = MadeRecord();
    record.rows_per_second = value;
    EXPECT_THAT(TestOf(record), HasSubstr("rows/s is"));
  }
}

}  // namespace
}  // namespace throughput
