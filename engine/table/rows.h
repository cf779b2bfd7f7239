// How rows lie in a record's body, in the log and in memory alike: encoded once, written as they
// are, and read in place.
//
// A row is a key (8 bytes), a word with the operation in its upper 2 bits and the value's size in
// the lower 30, and the value. A row of kTable carries no value: its key is the table id that the
// rows behind it belong to. A body begins with one.
// Thread rule: views; a body is not changed once its record has joined a group.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace burin {

enum class RowOp : uint32_t { kInsert = 0, kUpdate = 1, kErase = 2, kTable = 3 };

inline constexpr uint32_t kRowHeaderBytes = 12;
inline constexpr uint32_t kMaxValueBytes = 1U << 28;

struct Row {
  int64_t key;
  RowOp op;
  std::string_view value;

  uint32_t EncodedBytes() const { return kRowHeaderBytes + static_cast<uint32_t>(value.size()); }
};

// Most values are short, and a call of memcpy costs more than copying these.
inline void CopyValue(char* to, std::string_view value) {
  const size_t size = value.size();
  if (size >= 8 && size <= 16) {
    uint64_t head, tail;  // overlap where the size is below 16
    std::memcpy(&head, value.data(), sizeof head);
    std::memcpy(&tail, value.data() + size - sizeof tail, sizeof tail);
    std::memcpy(to, &head, sizeof head);
    std::memcpy(to + size - sizeof tail, &tail, sizeof tail);
  } else if (size > 0) {
    std::memcpy(to, value.data(), size);
  }
}

inline void EncodeRow(char* to, int64_t key, RowOp op, std::string_view value) {
  const uint32_t word = static_cast<uint32_t>(op) << 30 | static_cast<uint32_t>(value.size());
  std::memcpy(to, &key, sizeof key);
  std::memcpy(to + sizeof key, &word, sizeof word);
  CopyValue(to + kRowHeaderBytes, value);
}

inline Row DecodeRow(const char* from) {
  Row row;
  uint32_t word;
  std::memcpy(&row.key, from, sizeof row.key);
  std::memcpy(&word, from + sizeof row.key, sizeof word);
  row.op = static_cast<RowOp>(word >> 30);
  row.value = {from + kRowHeaderBytes, word & ((1U << 30) - 1)};
  return row;
}

}  // namespace burin
