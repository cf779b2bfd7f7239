// A record in memory: what a transaction encoded, written to the log from where it lies, and then
// read in place for as long as a generation of tables holds it.
//
// The bytes behind the Record are the log's: a RecordHeader and the rows. The visibility of all
// rows of a transaction is one word here, so that a commit is one store per batch.
// Thread rule: the owner fills it and links versions until the record has joined a group; lsn is
// then stored by the leader; readers from any thread at any time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "engine/log/format.h"

namespace burin {

class Chunk;

// States of Record::lsn, above every real LSN. A version is visible to a snapshot S if lsn < S.
inline constexpr Lsn kAborted = ~Lsn{0};
inline constexpr Lsn kPending = kAborted - 1;  // as a snapshot: sees everything that has joined
inline constexpr Lsn kJoined = kAborted - 2;   // in a group, LSN not assigned yet

// Where a version of a row is: a record's id in its generation and the row's offset in the body.
// 0: nowhere, as ids begin at 1.
struct VersionRef {
  uint64_t word = 0;

  static VersionRef Of(uint32_t record_id, uint32_t offset) {
    return {static_cast<uint64_t>(record_id) << 32 | offset};
  }
  uint32_t record_id() const { return static_cast<uint32_t>(word >> 32); }
  uint32_t offset() const { return static_cast<uint32_t>(word); }
  explicit operator bool() const { return word != 0; }
};

// The versions that a record's rows replaced, in the order of the rows. Only records that replaced
// something have one.
class ReplacedVersions {
 public:
  explicit ReplacedVersions(uint32_t capacity)
      : entries_(std::make_unique<Entry[]>(capacity)), capacity_(capacity) {}

  void Add(uint32_t offset, VersionRef replaced);  // the owner; offsets ascend
  VersionRef Find(uint32_t offset) const;          // any thread

 private:
  struct Entry {
    uint32_t offset;
    VersionRef replaced;
  };
  std::unique_ptr<Entry[]> entries_;
  const uint32_t capacity_;
  std::atomic<uint32_t> count_{0};
};

struct Record {
  std::atomic<Lsn> lsn{kPending};
  std::atomic<ReplacedVersions*> replaced{nullptr};
  Chunk* chunk = nullptr;  // whose memory this is
  RecordHeader header;

  char* body() { return reinterpret_cast<char*>(this + 1); }
  const char* body() const { return reinterpret_cast<const char*>(this + 1); }

  // For the owner: remembers that the row at `offset` stands in place of `version`. `rows_left` is
  // how many rows may still ask for this.
  void Replaces(uint32_t offset, VersionRef version, uint32_t rows_left);
};
static_assert(sizeof(Record) % kRecordAlignment == 0);

}  // namespace burin
