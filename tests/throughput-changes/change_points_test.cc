// The points against Otava's, row by row, and the properties that no row can show.
#include "apps/throughput-changes/change_points.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

namespace throughput {
namespace {

constexpr double kTolerance = 1e-6;  // relative

void ExpectFigure(double ours, const nlohmann::json& point, const char* figure) {
  const auto theirs = point.at(figure).get<double>();
  EXPECT_LE(std::abs(ours - theirs), kTolerance * std::abs(theirs)) << figure << " " << ours;
}

void ExpectPoints(const nlohmann::json& row) {
  const ChangePointOptions options{row.at("window"), row.at("max_pvalue"), row.at("min_magnitude")};
  const auto ours = FindChangePoints(row.at("series").get<std::vector<double>>(), options);
  const nlohmann::json& theirs = row.at("change_points");
  ASSERT_EQ(ours.size(), theirs.size());
  for (size_t i = 0; i < ours.size(); ++i) {
    EXPECT_EQ(ours[i].index, theirs[i].at("index"));
    ExpectFigure(ours[i].levels.pvalue, theirs[i], "pvalue");
    ExpectFigure(ours[i].levels.mean_before, theirs[i], "mean_before");
    ExpectFigure(ours[i].levels.mean_after, theirs[i], "mean_after");
    ExpectFigure(ours[i].levels.ChangePercent(), theirs[i], "change_percent");
  }
}

void ExpectFile(const std::string& name, size_t rows) {
  const auto vectors =
      nlohmann::json::parse(std::ifstream(std::string(CHANGE_POINT_VECTORS "/") + name));
  ASSERT_EQ(vectors.size(), rows);
  for (size_t i = 0; i < vectors.size(); ++i) {
    SCOPED_TRACE(fmt::format("{} row {}, {}", name, i, vectors[i].at("name").dump()));
    ExpectPoints(vectors[i]);
  }
}

std::vector<double> Steps(const std::vector<std::pair<size_t, double>>& levels) {
  std::vector<double> series;
  for (const auto& [count, value] : levels) series.insert(series.end(), count, value);
  return series;
}

std::vector<size_t> Indices(const std::vector<double>& series,
                            const ChangePointOptions& options = {}) {
  std::vector<size_t> indices;
  for (const ChangePoint& point : FindChangePoints(series, options)) {
    indices.push_back(point.index);
  }
  return indices;
}

TEST(ChangePoints, EqualOtavasOnHandMadeSeries) { ExpectFile("change-points.json", 36); }

TEST(ChangePoints, EqualOtavasOnRandomSeries) { ExpectFile("change-points-made.json", 64); }

TEST(ChangePoints, OfAnEmptySeriesAreNone) { EXPECT_TRUE(FindChangePoints({}, {}).empty()); }

TEST(ChangePoints, OfAConstantSeriesAreNoneHoweverItsMeanRounds) {
  for (const double level : {0.0, 0.1, 108.3, 1e-30, 1e90}) {
    for (size_t count = 1; count <= 60; ++count) {
      EXPECT_THAT(Indices(Steps({{count, level}})), testing::IsEmpty()) << level << " " << count;
    }
  }
}

TEST(ChangePoints, OfExactCountsNeedThreeValues) {
  EXPECT_THAT(Indices({120, 115}), testing::IsEmpty());
  EXPECT_THAT(Indices({120, 120, 115}), testing::ElementsAre(2));
}

TEST(ChangePoints, BeyondTheFirstWindowAreFound) {
  EXPECT_THAT(Indices(Steps({{200, 10}, {150, 11}, {70, 10}})), testing::ElementsAre(200, 350));
}

TEST(ChangePoints, TellHowManyValuesStandBehindThem) {
  const auto points = FindChangePoints(Steps({{12, 10}, {4, 11}}), {});
  ASSERT_EQ(points.size(), 1);
  EXPECT_EQ(points[0].levels.count_before, 12);
  EXPECT_EQ(points[0].levels.count_after, 4);
}

TEST(ChangePoints, BelowTheMagnitudeAskedForAreDropped) {
  const auto series = Steps({{20, 100}, {20, 101}});
  EXPECT_THAT(Indices(series, {50, 0.001, 0.009}), testing::ElementsAre(20));
  EXPECT_THAT(Indices(series, {50, 0.001, 0.02}), testing::IsEmpty());
}

TEST(ChangePoints, WithTheSmallestAndTheLargestWindowEnd) {
  const auto series = Steps({{700, 10}, {700, 11}});
  EXPECT_THAT(Indices(series, {kMinWindow, 0.001, 0}), testing::IsEmpty());
  EXPECT_THAT(Indices(series, {kMaxWindow, 0.001, 0}), testing::ElementsAre(700));
}

}  // namespace
}  // namespace throughput
