// Which numbers the flags take.
// Thread rule: constants.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace throughput {

struct IntegerRange {
  int64_t first = 0;
  int64_t last = 0;
  std::string_view unit = "";  // "of microseconds"
};

struct SecondsRange {
  double first = 0;
  double last = 0;
};

// A limit on everything. The upper ends are far beyond use and keep all arithmetic in 64 bits.
inline constexpr IntegerRange kThreadsRange{1, 1024};
inline constexpr IntegerRange kBatchSizeRange{1, 1'000'000'000};
inline constexpr IntegerRange kIterationsRange{1, 1'000'000'000'000};
inline constexpr IntegerRange kComputeUsRange{0, 60'000'000, "of microseconds"};
inline constexpr IntegerRange kTimeoutMsRange{1, 3'600'000, "of milliseconds"};
inline constexpr IntegerRange kInFlightRange{1, 4096};
inline constexpr IntegerRange kValueSizeRange{1, 16'777'216, "of bytes"};
inline constexpr IntegerRange kRepeatsRange{1, 1000};
inline constexpr IntegerRange kRateRange{1, 1'000'000'000, "of transactions per second"};
inline constexpr IntegerRange kSeedRange{0, std::numeric_limits<int64_t>::max()};
inline constexpr IntegerRange kIntervalMsRange{10, 3'600'000, "of milliseconds"};
inline constexpr SecondsRange kDurationRange{0.001, 604'800};
inline constexpr SecondsRange kWarmupRange{0, 86'400};

}  // namespace throughput
