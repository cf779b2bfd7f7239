// CPUs with several kinds of core.
#include <cerrno>

#include "tests/metrics/counter_opener_fixture.h"

namespace metrics {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class HybridTest : public CounterOpenerTest {
 protected:
  HybridTest() { system_.machine.core_pmus = {{"cpu_core", 4}, {"cpu_atom", 10}}; }
};

TEST_F(HybridTest, OpensOnEveryKindOfCoreAndGroupsWithinEach) {
  const auto counters = Open("{instructions,cycles}");
  EXPECT_THAT(counters[0].descriptors, SizeIs(2));
  EXPECT_THAT(counters[1].descriptors, SizeIs(2));
  EXPECT_THAT(counters[0].leaders, SizeIs(2));
  EXPECT_THAT(counters[1].leaders, IsEmpty());
  for (const uint64_t kind : {4, 10}) {
    const auto* instructions = system_.Find(PERF_TYPE_HARDWARE, kind << 32 | 1);
    const auto* cycles = system_.Find(PERF_TYPE_HARDWARE, kind << 32 | 0);
    ASSERT_TRUE(instructions != nullptr && cycles != nullptr);
    EXPECT_EQ(cycles->leader, instructions->leader);
  }
}

TEST_F(HybridTest, OpensCacheEventsOnEveryKindOfCore) {
  Open("L1-dcache-loads");
  EXPECT_NE(system_.Find(PERF_TYPE_HW_CACHE, uint64_t{4} << 32), nullptr);
  EXPECT_NE(system_.Find(PERF_TYPE_HW_CACHE, uint64_t{10} << 32), nullptr);
}

TEST_F(HybridTest, SoftwareEventsAreOpenedOnce) {
  EXPECT_THAT(Open("task-clock")[0].descriptors, SizeIs(1));
}

TEST_F(HybridTest, AnEventThatOneKindOfCoreLacksIsNotSupported) {
  system_.refuse = [](const perf_event_attr& attributes, int) {
    return attributes.config == (uint64_t{10} << 32 | PERF_COUNT_HW_STALLED_CYCLES_BACKEND) ? ENOENT
                                                                                            : 0;
  };
  const auto counters = Open("{stalled-cycles-backend,cycles}");
  EXPECT_EQ(counters[0].status, CounterStatus::kNotSupported);
  EXPECT_EQ(counters[1].status, CounterStatus::kCounted);
  EXPECT_THAT(counters[1].leaders, SizeIs(2)) << "the refused one leads nowhere";
  EXPECT_EQ(system_.OpenDescriptors(), 2);
}

TEST_F(HybridTest, AGroupThatDoesNotFitOneKindIsTakenApartOnAll) {
  system_.pmu_size = 1;
  const auto counters = Open("{instructions,cycles}:W");
  EXPECT_THAT(counters[0].leaders, SizeIs(2));
  EXPECT_THAT(counters[1].leaders, SizeIs(2));
  EXPECT_EQ(system_.OpenDescriptors(), 4);
}

TEST_F(HybridTest, NativeEventsOfOneKindGroupWithTheGenericOnesOfThatKind) {
  EventGroup group = Group("{instructions,r1a8}");
  const auto counters = CounterOpener({}, system_).Open(group);
  const auto* raw = system_.Find(PERF_TYPE_RAW, 0x1a8);
  ASSERT_NE(raw, nullptr);
  EXPECT_EQ(raw->leader, system_.Find(PERF_TYPE_HARDWARE, uint64_t{4} << 32 | 1)->leader);
  EXPECT_THAT(counters[1].leaders, IsEmpty());
}

}  // namespace
}  // namespace metrics
