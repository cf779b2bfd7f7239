#include "apps/write-throughput/written_blocks.h"

#include <algorithm>

namespace throughput {
namespace {

std::vector<int64_t> Sorted(std::vector<int64_t> values) {
  std::sort(values.begin(), values.end());
  return values;
}

bool Contains(const std::vector<int64_t>& sorted, int64_t value) {
  return !sorted.empty() && std::binary_search(sorted.begin(), sorted.end(), value);
}

}  // namespace

WrittenBlocks::WrittenBlocks(const IdLayout& layout, Phase phase, const std::vector<PhaseLog>& logs)
    : layout_(layout),
      phase_(phase),
      by_thread_(phase == Phase::kMeasured && layout.iterations.has_value()) {
  for (const PhaseLog& log : logs) {
    threads_.push_back({log.begun, Sorted(log.in_doubt), Sorted(log.refused)});
    most_begun_ = std::max(most_begun_, log.begun);
  }
}

std::optional<WrittenBlock> WrittenBlocks::Next() {
  while (Step()) {
    const Lists& lists = threads_[thread_];
    if (iteration_ >= lists.begun || Contains(lists.refused, iteration_)) continue;
    const int64_t first_row = layout_.Block(phase_, thread_, iteration_) * layout_.batch_size;
    const int64_t last_row = first_row + layout_.batch_size - 1;
    const bool in_doubt = Contains(lists.in_doubt, iteration_);
    if (phase_ == Phase::kMeasured) return WrittenBlock{first_row, last_row, in_doubt};
    return WrittenBlock{-1 - last_row, -1 - first_row, in_doubt};
  }
  return std::nullopt;
}

// To the next transaction in the order of ids, whether it was begun or not. False: no more.
bool WrittenBlocks::Step() { return by_thread_ ? StepByThread() : StepByIteration(); }

bool WrittenBlocks::StepByThread() {
  if (started_) ++iteration_;
  started_ = true;
  while (thread_ < std::ssize(threads_) && iteration_ >= threads_[thread_].begun) {
    ++thread_;
    iteration_ = 0;
  }
  return thread_ < std::ssize(threads_);
}

// In the warm-up backwards, as later rows have lower ids.
bool WrittenBlocks::StepByIteration() {
  const int last_thread = static_cast<int>(threads_.size()) - 1;
  const bool backwards = phase_ == Phase::kWarmup;
  if (!started_) {
    started_ = true;
    iteration_ = backwards ? most_begun_ - 1 : 0;
    thread_ = backwards ? last_thread : 0;
  } else if (backwards ? thread_ > 0 : thread_ < last_thread) {
    thread_ += backwards ? -1 : 1;
  } else {
    iteration_ += backwards ? -1 : 1;
    thread_ = backwards ? last_thread : 0;
  }
  return iteration_ >= 0 && iteration_ < most_begun_;
}

}  // namespace throughput
