// The parts of Histogram that are not on the way of every value.
#include "metrics/histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>

namespace metrics {

void Histogram::Free::operator()(uint64_t* counts) const { std::free(counts); }

Histogram::Histogram(const Histogram& other)
    : min_(other.min_), max_(other.max_), count_(other.count_), sum_(other.sum_) {
  if (other.empty()) return;
  Reserve();
  const size_t first = Index(min_);
  const size_t end = Index(max_) + 1;
  std::copy(other.counts_.get() + first, other.counts_.get() + end, counts_.get() + first);
}

Histogram& Histogram::operator=(const Histogram& other) { return *this = Histogram(other); }

Histogram::Histogram(Histogram&& other) noexcept { *this = std::move(other); }

Histogram& Histogram::operator=(Histogram&& other) noexcept {
  if (this == &other) return *this;
  counts_ = std::move(other.counts_);
  min_ = std::exchange(other.min_, std::numeric_limits<int64_t>::max());
  max_ = std::exchange(other.max_, -1);
  count_ = std::exchange(other.count_, 0);
  sum_ = std::exchange(other.sum_, 0);
  return *this;
}

// calloc, because zero pages that are never touched cost no memory.
void Histogram::Reserve() {
  if (counts_) return;
  counts_.reset(static_cast<uint64_t*>(std::calloc(kBuckets, sizeof(uint64_t))));
  if (!counts_) throw std::bad_alloc();
}

// Every negative value comes here, as min_ never falls below 0; so does the first value of all.
void Histogram::RecordBeyondRange(int64_t value, uint64_t times) {
  if (times == 0) return;
  Reserve();
  value = std::max<int64_t>(value, 0);
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
  Add(value, times);
}

void Histogram::Merge(const Histogram& other) {
  if (other.empty()) return;
  Reserve();
  for (size_t i = Index(other.min_), last = Index(other.max_); i <= last; ++i) {
    counts_.get()[i] += other.counts_.get()[i];
  }
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  count_ += other.count_;
  sum_ += other.sum_;
}

double Histogram::Mean() const {
  return empty() ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

int64_t Histogram::Lowest(size_t index) {
  if (index < 2 * kHalf) return static_cast<int64_t>(index);
  const size_t shift = index / kHalf - 1;
  return static_cast<int64_t>(index - shift * kHalf) << shift;
}

int64_t Histogram::Middle(size_t index) {
  const size_t shift = std::max<size_t>(index / kHalf, 1) - 1;
  return Lowest(index) + (int64_t{1} << shift) / 2;
}

int64_t Histogram::Percentile(double percent) const {
  assert(percent >= 0 && percent <= 100);
  if (empty()) return 0;
  const double exact = percent / 100 * static_cast<double>(count_);
  // 99.9 % of 1000 values comes out as 999.0000000000001, and means the 999th.
  const double nearest = std::round(exact);
  const double rank = std::abs(exact - nearest) <= 1e-12 * exact ? nearest : std::ceil(exact);
  if (rank <= 1) return min_;
  if (rank >= static_cast<double>(count_)) return max_;

  const auto wanted = static_cast<uint64_t>(rank);
  uint64_t seen = 0;
  size_t index = Index(min_);
  for (const size_t last = Index(max_); index < last; ++index) {
    seen += counts_.get()[index];
    if (seen >= wanted) break;
  }
  return std::clamp(Middle(index), min_, max_);
}

std::vector<Histogram::Bucket> Histogram::Buckets() const {
  std::vector<Bucket> buckets;
  if (empty()) return buckets;
  for (size_t i = Index(min_), last = Index(max_); i <= last; ++i) {
    if (counts_.get()[i] != 0) buckets.push_back({Lowest(i), counts_.get()[i]});
  }
  return buckets;
}

namespace {

// Whether `sum` is possible for values of `buckets`, each of which reaches to `highest(bucket)`.
template <typename Highest>
bool SumFits(const std::vector<Histogram::Bucket>& buckets, Uint128 sum, Highest highest) {
  Uint128 least = 0;
  Uint128 most = 0;
  for (const Histogram::Bucket& bucket : buckets) {
    least += static_cast<Uint128>(bucket.lowest) * bucket.count;
    most += static_cast<Uint128>(highest(bucket)) * bucket.count;
  }
  return least <= sum && sum <= most;
}

}  // namespace

tl::expected<Histogram, std::string> Histogram::FromBuckets(const std::vector<Bucket>& buckets,
                                                            int64_t min, int64_t max, Uint128 sum) {
  Histogram histogram;
  if (buckets.empty()) {
    if (min == 0 && max == 0 && sum == 0) return histogram;
    return tl::unexpected(std::string("a histogram without buckets has values"));
  }
  int64_t previous = -1;
  histogram.Reserve();
  for (const Bucket& bucket : buckets) {
    if (bucket.lowest < 0 || Lowest(Index(bucket.lowest)) != bucket.lowest) {
      return tl::unexpected(fmt::format("no histogram bucket begins at {}", bucket.lowest));
    }
    if (bucket.lowest <= previous || bucket.count == 0) {
      return tl::unexpected(
          fmt::format("histogram bucket {} is empty or out of order", bucket.lowest));
    }
    previous = bucket.lowest;
    histogram.counts_.get()[Index(bucket.lowest)] = bucket.count;
    histogram.count_ += bucket.count;
  }
  const auto highest = [](const Bucket& bucket) {
    const size_t shift = std::max<size_t>(Index(bucket.lowest) / kHalf, 1) - 1;
    return bucket.lowest + ((int64_t{1} << shift) - 1);
  };
  if (min < 0 || max < min || Lowest(Index(min)) != buckets.front().lowest ||
      Lowest(Index(max)) != buckets.back().lowest || !SumFits(buckets, sum, highest)) {
    return tl::unexpected(
        std::string("minimum, maximum or sum of the histogram do not belong to its buckets"));
  }
  histogram.min_ = min;
  histogram.max_ = max;
  histogram.sum_ = sum;
  return histogram;
}

bool operator==(const Histogram& a, const Histogram& b) {
  if (a.count_ != b.count_ || a.sum_ != b.sum_ || a.min() != b.min() || a.max() != b.max()) {
    return false;
  }
  if (a.empty()) return true;
  const size_t first = Histogram::Index(a.min_);
  return std::equal(a.counts_.get() + first, a.counts_.get() + Histogram::Index(a.max_) + 1,
                    b.counts_.get() + first);
}

}  // namespace metrics
