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

inline void EncodeRowHeader(char* to, int64_t key, RowOp op, size_t value_bytes) {
  const uint32_t word = static_cast<uint32_t>(op) << 30 | static_cast<uint32_t>(value_bytes);
  std::memcpy(to, &key, sizeof key);
  std::memcpy(to + sizeof key, &word, sizeof word);
}

inline void EncodeRow(char* to, int64_t key, RowOp op, std::string_view value) {
  EncodeRowHeader(to, key, op, value.size());
  if (!value.empty()) std::memcpy(to + kRowHeaderBytes, value.data(), value.size());
}

// Values of 8 to 16 bytes are copied as two words that overlap, as a call of memcpy costs more.
inline bool HasShortValue(std::string_view value) { return value.size() - 8 <= 8; }

inline void EncodeShortRow(char* to, int64_t key, RowOp op, std::string_view value) {
  const size_t size = value.size();
  uint64_t head, tail;
  std::memcpy(&head, value.data(), sizeof head);
  std::memcpy(&tail, value.data() + size - sizeof tail, sizeof tail);
  EncodeRowHeader(to, key, op, size);
  std::memcpy(to + kRowHeaderBytes, &head, sizeof head);
  std::memcpy(to + kRowHeaderBytes + size - sizeof tail, &tail, sizeof tail);
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
