#include "metrics/histogram.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace metrics {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

TEST(Histogram, IsZeroWhenEmpty) {
  const Histogram histogram;
  EXPECT_TRUE(histogram.empty());
  EXPECT_EQ(histogram.Count(), 0);
  EXPECT_EQ(histogram.min(), 0);
  EXPECT_EQ(histogram.max(), 0);
  EXPECT_EQ(histogram.Percentile(50), 0);
  EXPECT_EQ(histogram.Mean(), 0);
  EXPECT_TRUE(histogram.Buckets().empty());
}

TEST(Histogram, CountsTheGreatestValuesWithoutClampOrOverflow) {
  Histogram histogram;
  for (const int64_t value : {int64_t{0}, int64_t{1}, int64_t{1} << 62, kMost}) {
    histogram.Record(value);
  }
  histogram.Record(1, 1'000'000'000);
  EXPECT_EQ(histogram.Count(), 1'000'000'004);
  EXPECT_EQ(histogram.min(), 0);
  EXPECT_EQ(histogram.max(), kMost);
  EXPECT_EQ(histogram.Percentile(100), kMost);
  EXPECT_EQ(histogram.Percentile(50), 1);
  EXPECT_TRUE(histogram.sum() == Uint128{kMost} + (uint64_t{1} << 62) + 1'000'000'001);
}

TEST(Histogram, SumsTheGreatestValueABillionTimes) {
  Histogram histogram;
  histogram.Record(kMost, 1'000'000'000);
  EXPECT_TRUE(histogram.sum() == Uint128{kMost} * 1'000'000'000);
  EXPECT_DOUBLE_EQ(histogram.Mean(), static_cast<double>(kMost));
}

TEST(Histogram, KeepsOneSlowValueExactAndTheMedianUntouched) {
  Histogram histogram;
  for (int i = 0; i < 29; ++i) histogram.Record(200'000 + 1000 * i);
  const int64_t median_without = histogram.Percentile(50);
  histogram.Record(70'000'000'123);
  EXPECT_EQ(histogram.max(), 70'000'000'123);
  EXPECT_EQ(histogram.Percentile(50), median_without);
  EXPECT_EQ(histogram.Count(), 30);
  EXPECT_LE(histogram.Percentile(50), histogram.Percentile(99));
  EXPECT_LE(histogram.Percentile(99), histogram.Percentile(99.9));
  EXPECT_LE(histogram.Percentile(99.9), histogram.max());
}

TEST(Histogram, CountsANegativeValueAsZero) {
  Histogram histogram;
  histogram.Record(-5);
  histogram.Record(7);
  histogram.Record(std::numeric_limits<int64_t>::min());
  EXPECT_EQ(histogram.min(), 0);
  EXPECT_EQ(histogram.max(), 7);
  EXPECT_EQ(histogram.Count(), 3);
  EXPECT_TRUE(histogram.sum() == 7);
}

TEST(Histogram, IgnoresAValueRecordedZeroTimes) {
  Histogram histogram;
  histogram.Record(5, 0);
  EXPECT_EQ(histogram, Histogram());
  EXPECT_EQ(histogram.max(), 0);
  histogram.Record(10);
  histogram.Record(20, 0);
  EXPECT_EQ(histogram.min(), 10);
  EXPECT_EQ(histogram.max(), 10);
}

TEST(Histogram, GivesSmallValuesExactly) {
  Histogram histogram;
  for (int64_t value = 1; value <= 1000; ++value) histogram.Record(value);
  EXPECT_EQ(histogram.Percentile(0), 1);
  EXPECT_EQ(histogram.Percentile(0.1), 1);
  EXPECT_EQ(histogram.Percentile(50), 500);
  EXPECT_EQ(histogram.Percentile(90), 900);
  EXPECT_EQ(histogram.Percentile(99.9), 999);
  EXPECT_EQ(histogram.Percentile(99.95), 1000);
  EXPECT_EQ(histogram.Percentile(100), 1000);
}

TEST(Histogram, GivesEveryPercentileToThreeDigits) {
  std::mt19937_64 random(7);
  std::vector<int64_t> values;
  Histogram histogram;
  for (int i = 0; i < 20'000; ++i) {
    values.push_back(static_cast<int64_t>(random() >> (1 + random() % 63)));
    histogram.Record(values.back());
  }
  std::ranges::sort(values);
  for (int permille = 1; permille <= 1000; ++permille) {
    const auto exact = values[static_cast<size_t>(permille) * values.size() / 1000 - 1];
    const auto given = histogram.Percentile(permille / 10.0);
    EXPECT_LE(std::abs(static_cast<double>(given - exact)), static_cast<double>(exact) / 1024)
        << permille;
  }
  EXPECT_EQ(histogram.max(), values.back());
}

TEST(Histogram, MergesAsIfAllHadBeenRecordedInOne) {
  Histogram one;
  Histogram other;
  Histogram both;
  for (int64_t i = 0; i < 500; ++i) {
    const int64_t value = i * i * i;
    (i % 3 == 0 ? one : other).Record(value, static_cast<uint64_t>(i));
    both.Record(value, static_cast<uint64_t>(i));
  }
  one.Merge(other);
  EXPECT_EQ(one, both);
  one.Merge(Histogram());
  EXPECT_EQ(one, both);
  Histogram fresh;
  fresh.Merge(both);
  EXPECT_EQ(fresh, both);
}

TEST(Histogram, CopiesAreApartAndMovesLeaveNothing) {
  Histogram original;
  original.Record(123'456, 3);
  Histogram copy = original;
  copy.Record(1);
  EXPECT_EQ(original.Count(), 3);
  EXPECT_EQ(copy.Count(), 4);
  const Histogram moved = std::move(copy);
  EXPECT_EQ(moved.Count(), 4);
  EXPECT_EQ(copy, Histogram());  // NOLINT: that is the promise
  copy = original;
  EXPECT_EQ(copy, original);
  copy = Histogram();
  EXPECT_TRUE(copy.empty());
}

TEST(Histogram, ReservedOneIsStillEmpty) {
  Histogram histogram;
  histogram.Reserve();
  EXPECT_EQ(histogram, Histogram());
  histogram.Record(kMost);
  EXPECT_EQ(histogram.min(), kMost);
}

TEST(Histogram, ComesBackFromItsBuckets) {
  Histogram histogram;
  for (int shift = 0; shift < 63; ++shift) {
    histogram.Record(int64_t{1} << shift, 3);
    histogram.Record((int64_t{1} << shift) + shift);
  }
  histogram.Record(kMost);
  const auto back = Histogram::FromBuckets(histogram.Buckets(), histogram.min(), histogram.max(),
                                           histogram.sum());
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(*back, histogram);
  EXPECT_EQ(back->Percentile(75), histogram.Percentile(75));
}

TEST(Histogram, RefusesBucketsThatCannotBe) {
  using Buckets = std::vector<Histogram::Bucket>;
  EXPECT_TRUE(Histogram::FromBuckets({}, 0, 0, 0));
  EXPECT_FALSE(Histogram::FromBuckets({}, 0, 5, 5));
  EXPECT_FALSE(Histogram::FromBuckets(Buckets{{-1, 1}}, 0, 0, 0));
  EXPECT_FALSE(Histogram::FromBuckets(Buckets{{2049, 1}}, 2049, 2049, 2049)) << "within a bucket";
  EXPECT_FALSE(Histogram::FromBuckets(Buckets{{5, 0}}, 5, 5, 0)) << "empty";
  EXPECT_FALSE(Histogram::FromBuckets(Buckets{{5, 1}, {5, 1}}, 5, 5, 10)) << "twice";
  EXPECT_FALSE(Histogram::FromBuckets(Buckets{{6, 1}, {5, 1}}, 5, 6, 11)) << "order";
  EXPECT_FALSE(Histogram::FromBuckets(Buckets{{5, 1}}, 4, 5, 5)) << "minimum";
  EXPECT_FALSE(Histogram::FromBuckets(Buckets{{5, 1}}, 5, 6, 5)) << "maximum";
  EXPECT_FALSE(Histogram::FromBuckets(Buckets{{5, 1}}, 5, 5, 6)) << "sum";
  EXPECT_TRUE(Histogram::FromBuckets(Buckets{{2048, 2}}, 2048, 2051, 4099));
}

}  // namespace
}  // namespace metrics
