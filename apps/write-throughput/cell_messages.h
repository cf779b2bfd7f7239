// What a cell's process tells the one that started it: lines through a pipe, a letter for the kind
// and then its text. Nothing else passes between the two.
// Thread rule: a writer and a reader each belong to one thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "apps/write-throughput/run.h"

namespace throughput {

// The cell's end. A reader that is gone is no error: the cell is about to be killed.
class CellMessageWriter {
 public:
  explicit CellMessageWriter(int descriptor) : descriptor_(descriptor) {}

  void Progress(const LoadSample& sample);
  void Outcome(const RunOutcome& outcome);  // the last one

 private:
  void Line(char kind, std::string_view text);

  int descriptor_;
};

// The starter's end: takes the bytes as they come.
class CellMessageReader {
 public:
  explicit CellMessageReader(std::function<void(const LoadSample&)> progress)
      : progress_(std::move(progress)) {}

  void Add(std::string_view bytes);

  // Absent: the cell ended before it had told.
  std::optional<RunOutcome> TakeOutcome() { return std::move(outcome_); }

 private:
  void Line(char kind, const std::string& text);

  const std::function<void(const LoadSample&)> progress_;
  std::string unfinished_;  // line
  RunOutcome partial_;
  std::optional<RunOutcome> outcome_;
};

}  // namespace throughput
