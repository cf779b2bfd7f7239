#include "metrics/self_test.h"

#include <gtest/gtest.h>

#include "metrics/process_usage.h"

namespace metrics {
namespace {

uint64_t LeastOf(const std::string& generic, const std::string& modifiers = "") {
  Event event;
  event.generic = generic;
  event.modifiers = modifiers;
  return LeastCount(event);
}

TEST(SelfTest, ExpectsInstructionsAtEveryLevelThatRunsTheLoop) {
  EXPECT_GT(LeastOf("instructions"), 10'000);
  EXPECT_EQ(LeastOf("instructions", "u"), LeastOf("instructions"));
  EXPECT_EQ(LeastOf("instructions", "uk"), LeastOf("instructions"));
  EXPECT_EQ(LeastOf("instructions", "uH"), LeastOf("instructions"));
}

TEST(SelfTest, ExpectsOnlyPageFaultsOfTheKernel) {
  EXPECT_EQ(LeastOf("instructions", "k"), 1);
  EXPECT_EQ(LeastOf("cycles", "k"), 1);
  EXPECT_EQ(LeastOf("branch-misses", "k"), 0);
}

TEST(SelfTest, ExpectsNothingOfTheHypervisorGuestsAndUnknownEvents) {
  EXPECT_EQ(LeastOf("instructions", "h"), 0);
  EXPECT_EQ(LeastOf("instructions", "G"), 0);
  EXPECT_EQ(LeastOf("RETIRED_INSTRUCTIONS"), 0);
  EXPECT_EQ(LeastOf("context-switches"), 0);
}

TEST(SelfTest, LoopDoesWhatIsExpectedOfIt) {
  const ProcessUsage before = ProcessUsage::Now();
  RunSelfTestLoop();
  EXPECT_GE(ProcessUsage::Now().minor_faults - before.minor_faults, LeastOf("page-faults"));
}

}  // namespace
}  // namespace metrics
