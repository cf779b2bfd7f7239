// When an engine is believed, doubted and accused.
#include "apps/write-throughput/durability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "metrics/sync_tracepoints.h"
#include "tests/write-throughput/targets/engines.h"

namespace throughput {
namespace {

using metrics::BlockDevice;
using testing::AllOf;
using testing::HasSubstr;

class DurabilityTest : public EngineTest {
 protected:
  DurabilityTest() {
    engine_.claims_durability = true;
    record_.system = "Engine";
    record_.threads = 4;
    record_.transactions = 1000;
    record_.device_flushes = 10;
    record_.row_bytes = 1000;
    record_.os_bytes_written = 5000;
  }

  // A device as the kernel would describe it.
  std::optional<BlockDevice> Device(const std::string& cache, const std::string& fua) {
    std::filesystem::create_directories(folder_ / "sys/queue");
    folder_.Write("sys/stat", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17");
    folder_.Write("sys/queue/write_cache", cache + "\n");
    folder_.Write("sys/queue/fua", fua + "\n");
    return BlockDevice::InFolder(folder_ / "sys");
  }

  std::string Judge(const std::optional<BlockDevice>& device) {
    JudgeDurability(engine_, device, record_);
    return record_.durability;
  }
  std::string Judge() { return Judge(Device("write back", "0")); }

  TargetInfo engine_;
  metrics::ResultRecord record_;
};

TEST_F(DurabilityTest, ASyncServesAsManyCommitsAsThereAreInFlight) {
  record_.os_syncs = 250;
  EXPECT_EQ(Judge(), "counted");
  EXPECT_EQ(record_.durability_note, "");
  record_.os_syncs = 249;
  EXPECT_EQ(Judge(), "refuted");
  EXPECT_EQ(record_.durability_note,
            "not durable, although Engine claims it: 249 syncs for 1000 commits of 4 threads, and "
            "the device was flushed 10 times");
  record_.in_flight = 64;
  EXPECT_EQ(Judge(), "counted");
}

TEST_F(DurabilityTest, WhatTheEngineCountsItselfCounts) {
  record_.syncs = 250;
  EXPECT_EQ(Judge(), "counted");
}

TEST_F(DurabilityTest, WhatTheKernelSawCounts) {
  record_.kernel_syncs = 250;
  EXPECT_EQ(Judge(), "counted");
  record_.kernel_syncs = 0;
  EXPECT_EQ(Judge(), "refuted");
  EXPECT_THAT(record_.durability_note, HasSubstr("0 syncs by the kernel's count, too, for 1000"));
}

TEST_F(DurabilityTest, FlushesThatAreEnoughAreADoubt) {
  record_.device_flushes = 250;
  EXPECT_EQ(Judge(), "unclear");
  EXPECT_THAT(record_.durability_note, AllOf(HasSubstr("perhaps not durable: 0 syncs"),
                                             HasSubstr("flushed 250 times, for whomever")));
}

TEST_F(DurabilityTest, ADeviceThatTellsNothingIsADoubt) {
  EXPECT_EQ(Judge(std::nullopt), "unclear");
  record_.device_flushes = -1;
  EXPECT_EQ(Judge(), "unclear");
  EXPECT_THAT(record_.durability_note, HasSubstr("does not tell its flushes"));
}

TEST_F(DurabilityTest, ADeviceWithoutACacheIsADoubt) {
  EXPECT_EQ(Judge(Device("write through", "0")), "unclear");
  EXPECT_THAT(record_.durability_note, HasSubstr("no cache"));
}

TEST_F(DurabilityTest, WritesOutOfSightToADeviceThatWritesThroughAreADoubt) {
  EXPECT_EQ(Judge(Device("write back", "1")), "refuted");
  record_.os_bytes_written = 0;
  EXPECT_EQ(Judge(Device("write back", "1")), "unclear");
  EXPECT_EQ(Judge(Device("write back", "0")), "refuted");
}

TEST_F(DurabilityTest, WhoClaimsNothingIsNotAccused) {
  engine_.claims_durability = false;
  engine_.durability = "none at all";
  EXPECT_EQ(Judge(), "not claimed");
  EXPECT_EQ(record_.durability_note, "none at all");
}

TEST_F(DurabilityTest, AServersSyncsAreOutOfSight) {
  engine_.within_process = false;
  EXPECT_EQ(Judge(), "out of sight");
  EXPECT_THAT(record_.durability_note, HasSubstr("a server does the syncs"));
}

TEST_F(DurabilityTest, AnEngineThatLiesIsAccusedAndKeepsItsRow) {
  const std::string engine = std::string(OWN_ENGINES) + "/misbehaving.so";
  const std::vector<std::string> words = {"--engine", engine, "-b",       "1",       "-i",
                                          "100000",   "-q",   "--format", "csv-wide"};
  const Finished honest = Run({"--engine", engine, "-b", "1", "-i", "50", "-q"});
  EXPECT_EQ(honest.status, 0) << honest.err;
  auto lying = words;
  lying.insert(lying.end(), {"--engine-option", "lie=nosync"});
  const Finished finished = Run(lying);
  ASSERT_EQ(Lines(finished.out).size(), 2u) << finished.err;
  const auto device = BlockDevice::Of(folder_.path());
  if (!device || !device->has_volatile_cache()) GTEST_SKIP() << "no device that tells its flushes";
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.out, HasSubstr(",refuted,"));
  EXPECT_THAT(finished.err, AllOf(HasSubstr("not durable, although Misbehaving claims it: 0 syncs"),
                                  HasSubstr(" for 100000 commits")));
}

TEST_F(DurabilityTest, RawSystemCallsAreSeenWhereTheKernelMayBeAsked) {
  const auto tracepoints = metrics::SyncTracepoints::Open();
  if (!tracepoints) GTEST_SKIP() << tracepoints.error();
  const Finished finished =
      Run({"--engine", std::string(OWN_ENGINES) + "/misbehaving.so", "-b", "1", "-i", "50",
           "--format", "json", "--engine-option", "lie=rawsync"});
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_THAT(finished.out, AllOf(HasSubstr("\"os_syncs\":0,"), HasSubstr("\"kernel_syncs\":50"),
                                  HasSubstr("\"durability\":\"counted\"")));
  EXPECT_THAT(finished.err, HasSubstr("1.00      syncs by the kernel's count"));
}

TEST_F(DurabilityTest, TheNullEngineIsNotAccused) {
  const Finished finished = Run({"--engine", "null", "-i", "1000"});
  EXPECT_EQ(finished.status, 0);
  EXPECT_THAT(finished.err, HasSubstr("durability not claimed: none: keeps nothing"));
}

}  // namespace
}  // namespace throughput
