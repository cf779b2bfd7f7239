#include "apps/write-throughput/report/durability_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/write-throughput/report/details.h"
#include "tests/write-throughput/report/records.h"

namespace throughput {
namespace {

using metrics::ResultRecord;
using testing::HasSubstr;
using testing::IsEmpty;

ResultRecord CountedRun() {
  ResultRecord run = ExampleRecord();
  run.row_bytes = run.bytes_written / 2;
  run.sync_latency_ns.Record(800, 99);  // below 1024 ns kept exactly
  run.sync_latency_ns.Record(1000, 1);
  run.device_flushes = 12500;
  run.limit_rows_per_second = 2 * run.rows_per_second;
  run.durability = "counted";
  return run;
}

TEST(DurabilityLines, AreThisForTheExample) {
  EXPECT_EQ(DurabilityLines(std::vector{CountedRun()}, true), R"(
              2.00      bytes written per byte of rows
              0.80 usec sync latency p50                 #             0.80 usec p99
              1.25      flushes of the device            #              per transaction
                50 %    of this disk's limit             #       216,961.49 rows/s
)");
}

TEST(DurabilityLines, ShowTheKernelsCountWhereThereIsOne) {
  ResultRecord run = CountedRun();
  run.kernel_syncs = 5000;
  EXPECT_THAT(
      DurabilityLines(std::vector{run}, true),
      HasSubstr("              0.50      syncs by the kernel's count      #              per "
                "transaction\n"));
}

TEST(DurabilityLines, AreLeftOutWithoutFigures) {
  EXPECT_THAT(DurabilityLines(std::vector{ExampleRecord()}, true), IsEmpty());
}

TEST(DurabilityLines, AreMeansOverTheRuns) {
  ResultRecord other = CountedRun();
  other.device_flushes = 17500;
  other.busy_waits = 8;
  const std::string text = DurabilityLines(std::vector{CountedRun(), other}, true);
  EXPECT_THAT(LineWith(text, "flushes of the device"), HasSubstr(" 1.50 "));
  EXPECT_THAT(LineWith(text, "waits for locks"), HasSubstr(" 4.00 "));
}

TEST(DurabilityLines, SayWhyDurabilityWasNotCountedInOneLine) {
  ResultRecord run = CountedRun();
  run.durability = "unclear";
  run.durability_note = "perhaps\nnot";
  const std::string text = Details(std::vector{run}, 1, true);
  EXPECT_THAT(LineWith(text, "durability unclear"), HasSubstr(": perhaps\\nnot"));
}

}  // namespace
}  // namespace throughput
