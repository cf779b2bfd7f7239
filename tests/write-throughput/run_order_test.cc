#include "apps/write-throughput/run_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace throughput {

void PrintTo(const PlannedRun& run, std::ostream* to) { *to << run.cell << "-" << run.repeat; }

namespace {

using testing::ElementsAre;

TEST(RunOrderTest, GoesCellByCellAsGiven) {
  EXPECT_THAT(PlanRuns(2, 2, {}, {}),
              ElementsAre(PlannedRun{1, 1}, PlannedRun{1, 2}, PlannedRun{2, 1}, PlannedRun{2, 2}));
}

TEST(RunOrderTest, LeavesOutWhatIsDone) {
  EXPECT_THAT(PlanRuns(2, 2, {}, {{1, 1}, {2, 2}, {9, 9}}),
              ElementsAre(PlannedRun{1, 2}, PlannedRun{2, 1}));
}

TEST(RunOrderTest, MixesCellsAndRepeatsAndLosesNone) {
  auto runs = PlanRuns(8, 5, {true, 1}, {});
  EXPECT_FALSE(std::is_sorted(runs.begin(), runs.end()));
  int neighbours = 0;  // of one cell
  for (size_t i = 1; i < runs.size(); ++i) neighbours += runs[i].cell == runs[i - 1].cell;
  EXPECT_LT(neighbours, 15);  // as given there would be 32
  std::sort(runs.begin(), runs.end());
  EXPECT_EQ(runs, PlanRuns(8, 5, {}, {}));
}

TEST(RunOrderTest, IsTheSameForTheSameSeedWhateverIsDone) {
  const auto all = PlanRuns(4, 4, {true, 42}, {});
  EXPECT_EQ(all, PlanRuns(4, 4, {true, 42}, {}));
  EXPECT_NE(all, PlanRuns(4, 4, {true, 43}, {}));
  const std::set<PlannedRun> done(all.begin(), all.begin() + 5);
  EXPECT_EQ(PlanRuns(4, 4, {true, 42}, done), std::vector<PlannedRun>(all.begin() + 5, all.end()));
}

TEST(RunOrderTest, TakesASeedOfItsOwnOnlyWhereItNeedsOne) {
  EXPECT_FALSE(WithSeed({}).seed);
  EXPECT_EQ(WithSeed({true, 5}).seed, 5);
  EXPECT_TRUE(WithSeed({true, std::nullopt}).seed);
}

}  // namespace
}  // namespace throughput
