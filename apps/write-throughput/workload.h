// What is written: which ids a transaction holds and which value each id has. The load writes by
// it, the verification checks by it; both depend on nothing else.
//
// A block is a transaction's place in the order of ids: block k holds the rows k * batch to
// k * batch + batch - 1. Warm-up row x has the id -1 - x, so a block's ids then run downwards.
// Thread rule: IdLayout and Values are constant once made and shared; a RowCursor is one thread's.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/write-throughput/data_file.h"

namespace throughput {

enum class Phase { kWarmup, kMeasured };

struct IdLayout {
  int threads = 1;
  int64_t batch_size = 1;             // rows per transaction
  std::optional<int64_t> iterations;  // transactions per thread; absent: as many as time allows

  // The block of a thread's transaction. A thread's blocks are neighbours where the number of its
  // transactions is known; else (and in the warm-up, which always runs by time) those of an
  // iteration are. At a billion rows a second it takes three centuries to run out of ids.
  int64_t Block(Phase phase, int thread, int64_t iteration) const {
    return phase == Phase::kMeasured && iterations ? thread * *iterations + iteration
                                                   : iteration * threads + thread;
  }
};

// Whose value an id has, by the user's choice.
class Values {
 public:
  static Values Plain();                          // data_<id>
  static Values Padded(int64_t size);             // data_<id>, padded to `size` bytes
  static Values FromFile(const DataFile& lines);  // line `id mod lines`; outlives the Values

  std::string At(int64_t id) const;

 private:
  friend class RowCursor;
  Values() = default;

  // Where an id's padding begins in the pool: repeatable, and different for neighbours.
  std::string_view Padding(int64_t id, size_t size) const;

  size_t size_ = 0;   // of padded values; 0: as they come
  std::string pool_;  // pseudo-random letters
  const DataFile* lines_ = nullptr;
};

// Walks the rows of a block, one id after the other, and has each row's value without allocating.
//
// Plain values lie ready for ten ids that share all digits but the last. Were the digits counted up
// in one text, an engine that copies it in words would, for every row, wait until the processor has
// written all its earlier stores to the cache. Padded values, which are long, are counted up so.
class RowCursor {
 public:
  explicit RowCursor(const Values& values);
  RowCursor(const RowCursor&) = delete;
  RowCursor& operator=(const RowCursor&) = delete;

  // To the row of a block; costs nothing where the cursor has just come there by itself.
  void Start(Phase phase, int64_t first_row) {  // row: the id, in the warm-up -1 - id
    const int64_t step = phase == Phase::kWarmup ? -1 : 1;
    const int64_t id = phase == Phase::kWarmup ? -1 - first_row : first_row;
    if (id != id_ || step != step_) Jump(id, step);
  }

  int64_t id() const { return id_; }
  std::string_view value() const { return value_; }  // until the next call of a function of this

  void Advance() {
    id_ += step_;
    if (plain_ && value_.data() != last_text_) [[likely]] {
      value_ = {value_.data() + sizeof(Text), value_.size()};
      return;
    }
    Refresh();
  }

 private:
  using Text = std::array<char, 32>;  // has room for the longest plain value

  bool CountUp();
  void Jump(int64_t id, int64_t step);
  void Refresh();
  void NextLine();
  bool NextTen();
  void FormatOne();
  void FormatTen();
  void Format();
  void Pad();

  const Values& values_;
  const bool plain_;
  int64_t step_ = 0;  // 1, in the warm-up -1; 0: not started
  int64_t id_ = 0;
  std::array<Text, 10> texts_;       // plain: by last digit
  bool all_texts_ready_ = false;     // else one is
  const char* last_text_ = nullptr;  // that is ready
  std::string text_;                 // padded
  char* last_digit_ = nullptr;       // in text_
  size_t line_ = 0;                  // of id_ in the data file
  std::string_view value_;
};

}  // namespace throughput
