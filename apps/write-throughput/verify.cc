#include "apps/write-throughput/verify.h"

#include <fmt/format.h>

#include <optional>

#include "apps/write-throughput/report/text.h"
#include "apps/write-throughput/written_blocks.h"

namespace throughput {
namespace {

std::string Shortened(std::string_view value) {
  constexpr size_t kShown = 60;
  if (value.size() <= kShown) return fmt::format("'{}'", PrintableLine(value));
  return fmt::format("'{}...' ({} bytes)", PrintableLine(value.substr(0, kShown)), value.size());
}

// Compares the rows of a walk with the blocks that were written, both in ascending order of ids.
class Checker {
 public:
  Checker(const WrittenRows& written, const Values& values)
      : values_(values),
        warmup_(written.layout, Phase::kWarmup, written.warmup),
        measured_(written.layout, Phase::kMeasured, written.measured) {
    NextBlock();
  }

  // False: the walk can end, as failure() says what is wrong.
  bool Row(int64_t id, std::string_view value) {
    if (rows_ > 0 && id <= last_id_) {
      return Fail(id == last_id_ ? fmt::format("row {} is there twice", id)
                                 : fmt::format("row {} comes behind row {}", id, last_id_));
    }
    while (block_ && block_->in_doubt && next_id_ == block_->first_id && id > block_->last_id) {
      NextBlock();  // absent as a whole, as it may be
    }
    if (!block_ || id < next_id_) {
      return Fail(fmt::format("row {} belongs to no acknowledged transaction", id));
    }
    if (id > next_id_) return FailMissing();
    if (const std::string expected = values_.At(id); value != expected) {
      return Fail(
          fmt::format("row {} has {} instead of {}", id, Shortened(value), Shortened(expected)));
    }
    last_id_ = id;
    ++rows_;
    if (id == block_->last_id) {
      NextBlock();
    } else {
      ++next_id_;
    }
    return true;
  }

  // The walk is over: whatever is still expected is missing.
  void End() {
    while (block_ && block_->in_doubt && next_id_ == block_->first_id) NextBlock();
    if (block_) FailMissing();
  }

  int64_t rows() const { return rows_; }
  const std::optional<std::string>& failure() const { return failure_; }

 private:
  void NextBlock() {
    block_ = warmup_.Next();
    if (!block_) block_ = measured_.Next();
    if (block_) next_id_ = block_->first_id;
  }

  bool FailMissing() {
    return Fail(fmt::format("row {} of {} transaction is missing", next_id_,
                            block_->in_doubt ? "a partly present" : "an acknowledged"));
  }

  bool Fail(std::string text) {
    failure_ = std::move(text);
    return false;
  }

  const Values& values_;
  WrittenBlocks warmup_;
  WrittenBlocks measured_;
  std::optional<WrittenBlock> block_;  // the one that is being met; absent: all have been
  int64_t next_id_ = 0;                // that is due in it
  int64_t last_id_ = 0;                // of the last row that was right
  int64_t rows_ = 0;
  std::optional<std::string> failure_;
};

}  // namespace

int64_t InDoubt(const WrittenRows& written) {
  int64_t in_doubt = 0;
  for (const auto* logs : {&written.warmup, &written.measured}) {
    for (const PhaseLog& log : *logs) in_doubt += std::ssize(log.in_doubt);
  }
  return in_doubt;
}

Expected<Verification> Verify(Target& target, const WrittenRows& written, const Values& values,
                              const std::function<bool()>& stop) {
  constexpr int64_t kRowsBetweenStops = 1024;
  Checker checker(written, values);
  bool stopped = false;
  const auto walked = target.ForEachRow([&](int64_t id, std::string_view value) {
    if (checker.rows() % kRowsBetweenStops == 0 && stop()) {
      stopped = true;
      return false;
    }
    return checker.Row(id, value);
  });
  if (!walked) return tl::unexpected(walked.error());
  if (!stopped && !checker.failure()) checker.End();
  if (checker.failure()) return tl::unexpected(Failure{*checker.failure()});
  return Verification{!stopped, checker.rows()};
}

}  // namespace throughput
