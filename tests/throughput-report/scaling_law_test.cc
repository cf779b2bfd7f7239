// The fit of the Universal Scalability Law, and what is said of it.
#include "apps/throughput-report/scaling_law.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/throughput-report/scaling_report.h"
#include "tests/throughput-report/runs.h"

namespace throughput {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr double kEight[] = {1, 2, 3, 4, 6, 8, 12, 16};

std::vector<ScalingPoint> PointsOf(double lambda, double sigma, double kappa, double noise = 0) {
  std::vector<ScalingPoint> points;
  double sign = 1;
  for (const double n : kEight) {
    const double x = lambda * n / (1 + sigma * (n - 1) + kappa * n * (n - 1));
    points.push_back({n, x * (1 + sign * noise)});
    points.push_back({n, x * (1 - sign * noise / 2)});
    sign = -sign;
  }
  return points;
}

TEST(ScalingLaw, FindsTheCoefficientsThatMadeTheFigures) {
  const auto fit = FitScaling(PointsOf(50'000, 0.08, 0.004));
  ASSERT_TRUE(fit) << fit.error();
  EXPECT_NEAR(fit->lambda.value, 50'000, 1e-3);
  EXPECT_NEAR(fit->sigma.value, 0.08, 1e-8);
  EXPECT_NEAR(fit->kappa.value, 0.004, 1e-9);
  EXPECT_NEAR(fit->r_squared, 1, 1e-9);
  EXPECT_NEAR(*fit->PeakThreads(), 15.1658, 1e-3);  // sqrt((1 - sigma) / kappa)
  EXPECT_NEAR(fit->At(4), 50'000 * 4 / (1 + 0.24 + 0.048), 1e-2);
}

TEST(ScalingLaw, TheTruthLiesWithinTheIntervalsUnderNoise) {
  const auto fit = FitScaling(PointsOf(50'000, 0.08, 0.004, 0.03));
  ASSERT_TRUE(fit) << fit.error();
  ASSERT_TRUE(fit->sigma.uncertainty && fit->kappa.uncertainty && fit->lambda.uncertainty);
  EXPECT_NEAR(fit->lambda.value, 50'000, *fit->lambda.uncertainty);
  EXPECT_NEAR(fit->sigma.value, 0.08, *fit->sigma.uncertainty);
  EXPECT_NEAR(fit->kappa.value, 0.004, *fit->kappa.uncertainty);
  EXPECT_GT(*fit->sigma.uncertainty, 0);
}

TEST(ScalingLaw, CoefficientsNeverFallBelowZero) {
  const auto fit = FitScaling({{1, 10}, {2, 25}, {4, 60}, {8, 150}, {16, 340}});
  ASSERT_TRUE(fit) << fit.error();
  EXPECT_EQ(fit->sigma.value, 0);
  EXPECT_EQ(fit->kappa.value, 0);
  EXPECT_FALSE(fit->sigma.uncertainty);
  EXPECT_FALSE(fit->PeakThreads());
}

TEST(ScalingLaw, RefusesTooFewThreadCountsHoweverManyRuns) {
  const auto fit = FitScaling({{1, 10}, {1, 11}, {2, 19}, {2, 20}, {4, 30}, {4, 31}});
  ASSERT_FALSE(fit);
  EXPECT_EQ(fit.error(), "no fit: 3 thread counts, and it takes 4 or more");
  EXPECT_EQ(FitScaling({{1, 10}}).error(), "no fit: 1 thread count, and it takes 4 or more");
}

TEST(ScalingLaw, RefusesNothingButZeros) {
  EXPECT_EQ(FitScaling({{1, 0}, {2, 0}, {4, 0}, {8, 0}}).error(), "no fit: no rows per second");
}

TEST(ScalingFinding, NamesContention) {
  const auto fit = FitScaling(PointsOf(50'000, 0.2, 0));
  ASSERT_TRUE(fit) << fit.error();
  EXPECT_EQ(BindingOf(*fit), Binding::kContention);
  EXPECT_THAT(ScalingFinding(*fit, 0),
              HasSubstr("contention binds: 20.0 % of the work waits in line, so no number of "
                        "threads brings more than 250,000 rows/s"));
}

TEST(ScalingFinding, NamesCoherencyAndThePeak) {
  const auto fit = FitScaling(PointsOf(50'000, 0.01, 0.01));
  ASSERT_TRUE(fit) << fit.error();
  EXPECT_EQ(BindingOf(*fit), Binding::kCoherency);
  EXPECT_THAT(ScalingFinding(*fit, 0),
              AllOf(HasSubstr("coherency binds"), HasSubstr("rows/s at 9.9 threads."),
                    Not(HasSubstr("extrapolation"))));
}

TEST(ScalingFinding, SaysThatNothingBindsWhereItIsLinear) {
  const auto fit = FitScaling(PointsOf(50'000, 0.001, 0));
  ASSERT_TRUE(fit) << fit.error();
  EXPECT_EQ(BindingOf(*fit), Binding::kNothing);
}

TEST(ScalingFinding, SaysThatAPeakBeyondTheRunsIsExtrapolated) {
  const auto fit = FitScaling(PointsOf(50'000, 0.05, 0.0005));
  ASSERT_TRUE(fit) << fit.error();
  EXPECT_THAT(ScalingFinding(*fit, 0),
              HasSubstr("beyond the 16 that were measured: an extrapolation"));
}

TEST(ScalingFinding, SaysWhereItCannotBeReliedOn) {
  const auto few = FitScaling({{1, 10}, {2, 18}, {3, 25}, {4, 30}});
  ASSERT_TRUE(few) << few.error();
  EXPECT_THAT(ScalingFinding(*few, 2), AllOf(HasSubstr("Few points: 4 thread counts"),
                                             HasSubstr("Above 2 threads they share cores")));
  const auto wild = FitScaling({{1, 10}, {2, 90}, {3, 5}, {4, 80}, {5, 10}, {6, 99}});
  ASSERT_TRUE(wild) << wild.error();
  EXPECT_EQ(BindingOf(*wild), Binding::kUnclear);
  EXPECT_THAT(ScalingFinding(*wild, 0), AllOf(HasSubstr("no verdict"), Not(HasSubstr("Peak"))));
}

TEST(ScalingReport, HasALineForEachSweepAndAPictureOfThoseThatFit) {
  std::vector<metrics::ResultRecord> runs;
  for (const int n : {1, 2, 4, 8}) runs.push_back(RunAt(n, 0, 1000.0 * n / (1 + 0.1 * (n - 1))));
  runs.push_back(RunAt(1, 100, 10));
  runs.push_back(RunAt(2, 100, 15));
  const ScalingReport report = ScalingOf(Studied(runs));
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_THAT(report.findings[0],
              HasSubstr("Burin, 100 rows per transaction, no compute: contention binds"));
  EXPECT_THAT(report.findings[1], HasSubstr("no fit: 2 thread counts"));
  ASSERT_EQ(report.pictures.size(), 1u);
  EXPECT_EQ(report.pictures[0].curves.size(), 1u);
  EXPECT_EQ(report.coefficients.rows.size(), 1u);
}

}  // namespace
}  // namespace throughput
