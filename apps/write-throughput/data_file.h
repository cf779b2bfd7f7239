// The lines of a --data-file, read whole into memory: what happens to the file during the run does
// not matter.
//
// A line ends at a newline or at the end of the file; a carriage return before its newline (or at
// the very end) is dropped, and so is a byte-order mark at the file's begin. Everything else, NUL
// bytes and bytes that are not UTF-8 included, is part of a value. Empty lines are lines.
// Thread rule: constant once read.
// Invariant: at least one line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apps/write-throughput/targets/target.h"

namespace throughput {

class DataFile {
 public:
  static constexpr uint64_t kLargest = uint64_t{1} << 30;  // bytes

  // Errors, at once and without waiting for anybody: no ordinary file, unreadable, no line in it,
  // or larger than kLargest. The text is what is wrong, without the path.
  static Expected<DataFile> Read(const std::string& path);

  size_t Lines() const { return lines_.size(); }
  std::string_view Line(size_t index) const {
    const Span& line = lines_[index];
    return {text_.data() + line.start, line.size};
  }

 private:
  struct Span {
    uint32_t start;
    uint32_t size;
  };

  void SplitLines();

  std::string text_;
  std::vector<Span> lines_;
};

}  // namespace throughput
