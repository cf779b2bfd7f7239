// A machine and its clock that exist in numbers alone: every run takes a second, and its figures
// drift, jump and have heavy tails as those of a disk do.
// Thread rule: one thread.
#pragma once

#include <chrono>
#include <random>
#include <vector>

#include "apps/results/result_files.h"
#include "apps/throughput-compare/interleaving.h"

namespace throughput {

// A run of MadeRecord() that says just this, of a test named after `hasher`.
ReadRun MadeRun(std::vector<Metric> metrics, const std::string& hasher = "fx");

class SimulatedMachine {
 public:
  explicit SimulatedMachine(unsigned seed) : random_(seed) {}

  // Of a program that is `speed` times as fast and takes `instructions` a row.
  ReadRun Run(double speed, double instructions);

  Bench BenchOf(double speed_before, double instructions_before, double speed_after,
                double instructions_after);

  std::chrono::duration<double> now() const { return now_; }

 private:
  double Noise(double size);

  std::mt19937 random_;
  std::chrono::duration<double> now_{0};
};

}  // namespace throughput
