#include "tests/throughput-compare/simulated_machine.h"

#include <cmath>

#include "tests/results/made_record.h"

namespace throughput {

ReadRun MadeRun(std::vector<Metric> metrics, const std::string& hasher) {
  ReadRun run;
  run.record = MadeRecord();
  run.record.commit_latency_ns = {};
  run.record.hasher = hasher;
  run.metrics = std::move(metrics);
  return run;
}

// A factor around 1 with the tail of Student's t with three degrees of freedom.
double SimulatedMachine::Noise(double size) {
  return std::exp(size * std::student_t_distribution<double>(3)(random_));
}

ReadRun SimulatedMachine::Run(double speed, double instructions) {
  constexpr double kPeriod = 40;  // seconds: the disk is half as fast and comes back
  constexpr double kCircle = 6.283185307179586;
  const double drift = 1 + 0.3 * std::sin(now_.count() * kCircle / kPeriod);
  now_ += std::chrono::duration<double>(1);
  const double rate = 100'000 * speed * drift * Noise(0.05);
  return MadeRun({{"rows/s", "rows/s", Better::kHigher, rate},
                  {"instructions/row", "instructions/row", Better::kLower, instructions},
                  {"cycles/row", "cycles/row", Better::kLower, 200 / speed * Noise(0.01)},
                  {"syncs/transaction", "syncs/transaction", Better::kLower, 1},
                  {"p50", "us", Better::kLower, 9e6 / rate * Noise(0.02)},
                  {"p99", "us", Better::kLower, 3e7 / rate * Noise(0.2)}});
}

Bench SimulatedMachine::BenchOf(double speed_before, double instructions_before, double speed_after,
                                double instructions_after) {
  const auto run = [this](double speed, double instructions) -> Result<std::vector<ReadRun>> {
    return std::vector<ReadRun>{Run(speed, instructions)};
  };
  return {[=] { return run(speed_before, instructions_before); },
          [=] { return run(speed_after, instructions_after); }, [this] { return now_; },
          [](const std::string&) {}};
}

}  // namespace throughput
