// An open loop: transactions arrive at a fixed rate, whether or not those before are done. All load
// threads share the rate; arrival k of thread t of n is arrival k n + t of the whole load.
// Thread rule: a value; it reads no clock, so that tests can make up the time.
// Source of measuring from the intended start: Tene, "How NOT to Measure Latency" (coordinated
// omission).
#pragma once

#include <chrono>
#include <cstdint>

namespace throughput {

class Arrivals {
 public:
  using Clock = std::chrono::steady_clock;

  // `per_second`: of all threads together, 1 to 10^9. Iterations count from 0 behind `start`.
  Arrivals(int64_t per_second, int threads, int index, Clock::time_point start)
      : per_second_(per_second), threads_(threads), index_(index), start_(start) {}

  // When the thread's transaction of this number is to start.
  Clock::time_point Due(int64_t iteration) const {
    return start_ + std::chrono::nanoseconds(Nanoseconds(iteration));
  }

  // Transactions of the thread that are due at `now` while it has begun `begun` of them.
  int64_t Waiting(int64_t begun, Clock::time_point now) const {
    if (now < Due(begun)) return 0;
    const auto behind = std::chrono::nanoseconds(now - Due(begun)).count();
    return 1 + static_cast<int64_t>(static_cast<Wide>(behind) * per_second_ / threads_ / kSecond);
  }

 private:
  __extension__ using Wide = __int128;
  static constexpr int64_t kSecond = 1'000'000'000;  // nanoseconds

  // Exact, so that a long run does not drift off its rate.
  int64_t Nanoseconds(int64_t iteration) const {
    const Wide arrival = static_cast<Wide>(iteration) * threads_ + index_;
    return static_cast<int64_t>(arrival * kSecond / per_second_);
  }

  int64_t per_second_;
  int threads_;
  int index_;
  Clock::time_point start_;
};

}  // namespace throughput
