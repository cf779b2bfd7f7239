// Memory for records: large chunks, shared by the records in them and counted.
//
// A fresh page costs more than all that is done with the rows in it, so chunks are mapped whole and
// filled one record behind the other.
// Thread rule: cursor belongs to one writer at a time; Ref and Unref from any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace burin {

class Chunk {
 public:
  static constexpr size_t kStandardBytes = 1 << 20;

  // At least `bytes` of zeroed room for records; one reference, the caller's. Null: out of memory.
  static Chunk* Make(size_t bytes);

  void Ref() { references_.fetch_add(1, std::memory_order_relaxed); }
  void Unref();  // frees the memory with the last one

  char* cursor() const { return cursor_; }
  void set_cursor(char* to) { cursor_ = to; }
  char* end() { return reinterpret_cast<char*>(this) + mapped_bytes_; }
  size_t room() { return static_cast<size_t>(end() - cursor_); }

 private:
  explicit Chunk(size_t mapped_bytes);

  std::atomic<uint32_t> references_{1};
  const size_t mapped_bytes_;
  char* cursor_;
};

}  // namespace burin
