// A full histogram of durations: every value is counted, none is sampled, clamped or dropped.
//
// Log-linear buckets: values below 1024 have a bucket each; above, every power of two is cut into
// 512 buckets of equal width. A percentile is the middle of its bucket, so it is off by at most
// 1/1024 of itself (three significant digits); minimum, maximum and sum are exact.
//   bucket of v: s = bit_width(v | 1023) - 10, index = 512 s + (v >> s)
//
// Memory: none until the first value or Reserve; then 220 KiB of address space, of which one page
// per power of two in use is resident. Copying copies the buckets, moving moves a pointer.
// Thread rule: a value; one thread at a time. Each thread records into its own, merged at the end.
// Invariants: Count() is the sum of all buckets; min() <= every percentile <= max().
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace metrics {

__extension__ using Uint128 = unsigned __int128;

class Histogram {
 public:
  struct Bucket {
    int64_t lowest = 0;  // the least value that belongs to it
    uint64_t count = 0;
  };

  Histogram() = default;
  Histogram(const Histogram& other);
  Histogram& operator=(const Histogram& other);
  Histogram(Histogram&& other) noexcept;  // leaves `other` empty
  Histogram& operator=(Histogram&& other) noexcept;

  // Makes the buckets now, so that no Record allocates.
  void Reserve();

  // Counts `value` `times` times. Values from 0 to 2^63-1; a negative one is counted as 0. The
  // counts of all calls together stay below 2^64.
  void Record(int64_t value, uint64_t times = 1) {
    if (value < min_ || value > max_) [[unlikely]] {
      RecordBeyondRange(value, times);
      return;
    }
    Add(value, times);
  }

  void Merge(const Histogram& other);

  uint64_t Count() const { return count_; }
  bool empty() const { return count_ == 0; }
  int64_t min() const { return empty() ? 0 : min_; }  // 0 when empty, as are all below
  int64_t max() const { return empty() ? 0 : max_; }
  Uint128 sum() const { return sum_; }
  double Mean() const;

  // The value that `percent` per cent of the counted values do not exceed, 0 <= percent <= 100:
  // the value of rank ceil(percent / 100 * Count()), the first rank being 1. 0 gives min(), 100
  // gives max(), exactly.
  int64_t Percentile(double percent) const;

  // The buckets that are not empty, in ascending order: with min, max and sum the whole histogram.
  std::vector<Bucket> Buckets() const;

  // What these came from. Errors, in one line: a bucket that does not exist or comes out of order,
  // an empty one, or minimum, maximum and sum that cannot be those of the buckets.
  static tl::expected<Histogram, std::string> FromBuckets(const std::vector<Bucket>& buckets,
                                                          int64_t min, int64_t max, Uint128 sum);

  friend bool operator==(const Histogram& a, const Histogram& b);

 private:
  static constexpr size_t kLinearBits = 10;  // 2^10 values have a bucket of their own
  static constexpr size_t kHalf = size_t{1} << (kLinearBits - 1);
  static constexpr size_t kBuckets = (63 - kLinearBits) * kHalf + 2 * kHalf;
  struct Free {
    void operator()(uint64_t* counts) const;
  };

  static size_t Index(int64_t value) {
    const auto bits = static_cast<uint64_t>(value);
    const auto leading = static_cast<unsigned>(std::countl_zero(bits | (2 * kHalf - 1)));
    const size_t shift = 64 - kLinearBits - leading;
    return shift * kHalf + (bits >> shift);
  }
  static int64_t Lowest(size_t index);
  static int64_t Middle(size_t index);

  void Add(int64_t value, uint64_t times) {
    counts_.get()[Index(value)] += times;
    count_ += times;
    sum_ += static_cast<Uint128>(static_cast<uint64_t>(value)) * times;
  }
  void RecordBeyondRange(int64_t value, uint64_t times);

  std::unique_ptr<uint64_t, Free> counts_;             // kBuckets of them, or null
  int64_t min_ = std::numeric_limits<int64_t>::max();  // empty: every value is beyond the range
  int64_t max_ = -1;
  uint64_t count_ = 0;
  Uint128 sum_ = 0;
};

}  // namespace metrics
