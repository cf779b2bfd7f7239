// Which tests and metrics come out of a record.
#include "apps/results/record_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/results/made_record.h"

namespace throughput {
namespace {

std::vector<std::string> Names(const std::vector<Metric>& metrics) {
  std::vector<std::string> names;
  for (const Metric& metric : metrics) names.push_back(metric.name);
  return names;
}

Metric Find(const std::vector<Metric>& metrics, const std::string& name) {
  for (const Metric& metric : metrics) {
    if (metric.name == name) return metric;
  }
  ADD_FAILURE() << name;
  return {};
}

TEST(TestName, NamesTheCell) {
  auto record = MadeRecord();
  EXPECT_EQ(TestName(record), "Burin threads=1 batch=100 compute=0 mode=legacy hasher=fx");
  record.hasher.clear();
  record.in_flight = 64;
  record.value_size_bytes = 200;
  record.compute_us = 100;
  record.compute_clock = "cpu";
  record.open_loop = metrics::OpenLoop{2500, {}, 0, 0, false};
  EXPECT_EQ(TestName(record),
            "Burin threads=1 batch=100 compute=100 mode=legacy compute-clock=cpu in-flight=64 "
            "value-size=200 rate=2500");
}

TEST(TestName, TellsApartRunsOfAnotherCommandLine) {
  auto record = MadeRecord();
  record.environment.arguments = {"write-throughput", "-i2000", "--engine-option", "slots=8"};
  EXPECT_EQ(TestName(record),
            "Burin threads=1 batch=100 compute=0 mode=legacy hasher=fx iterations=2000 slots=8");
}

TEST(MetricsOf, CalculatesEveryMetricPerItsUnit) {
  auto record = MadeRecord();
  for (const char* event : {"cycles", "task-clock", "branch-misses", "page-faults"}) {
    record.counters.push_back(record.counters.front());
    record.counters.back().event = event;
    record.counters.back().value = 5000;
  }
  const auto run = MetricsOf(record);
  EXPECT_THAT(Names(run), testing::ElementsAre("rows/s", "instructions/row", "cycles/row",
                                               "task-clock/row", "branch-misses/row",
                                               "syncs/transaction", "bytes/row", "p50", "p99"));
  EXPECT_EQ(Find(run, "rows/s").value, 100'000);
  EXPECT_EQ(Find(run, "instructions/row").value, 120);
  EXPECT_EQ(Find(run, "task-clock/row").value, 5);
  EXPECT_EQ(Find(run, "task-clock/row").unit, "ns/row");
  EXPECT_EQ(Find(run, "syncs/transaction").value, 1);
  EXPECT_EQ(Find(run, "bytes/row").value, 40);
  EXPECT_NEAR(Find(run, "p50").value, 80, 0.1);
  EXPECT_EQ(Find(run, "p99").value, 200);
  EXPECT_EQ(Find(run, "p99").unit, "us");
}

TEST(MetricsOf, KnowsThatOnlyMoreRowsAreBetter) {
  const auto run = MetricsOf(MadeRecord());
  for (const Metric& metric : run) {
    EXPECT_EQ(metric.better, metric.name == "rows/s" ? Better::kHigher : Better::kLower);
  }
}

TEST(MetricsOf, LeavesOutWhatWasNotCounted) {
  for (const auto status :
       {metrics::CounterStatus::kNotCounted, metrics::CounterStatus::kNotSupported,
        metrics::CounterStatus::kSuspect}) {
    auto record = MadeRecord();
    record.counters.front().status = status;
    record.commit_latency_ns = {};
    const auto run = MetricsOf(record);
    EXPECT_THAT(Names(run), testing::ElementsAre("rows/s", "syncs/transaction", "bytes/row"));
  }
}

TEST(MetricsOf, PutsModifiersAndCallgrindIntoTheUnit) {
  auto record = MadeRecord();
  record.counters.front().modifiers = "u";
  EXPECT_EQ(Find(MetricsOf(record), "instructions/row").unit, "instructions:u/row");
  record.counters.front().source = "callgrind";
  EXPECT_EQ(Find(MetricsOf(record), "instructions/row").unit, "instructions:u/row (callgrind)");
}

TEST(MetricsOf, TakesTheFirstCountedOfSeveralReadings) {
  auto record = MadeRecord();
  record.counters.push_back(record.counters.front());
  record.counters.front().status = metrics::CounterStatus::kNotCounted;
  record.counters.push_back(record.counters.back());
  record.counters.back().value = 999'000;
  const auto run = MetricsOf(record);
  EXPECT_EQ(Find(run, "instructions/row").value, 120);
  EXPECT_EQ(run.size(), 6);
}

}  // namespace
}  // namespace throughput
