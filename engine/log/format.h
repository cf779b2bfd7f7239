// The bytes of the log: blocks, segment headers and record headers, and how each proves itself.
//
// A log is a chain of segment files. Block 0 of a segment is its header; behind it stand groups,
// each beginning on a block boundary and padded with zeros to the next, so that a block with
// acknowledged bytes is never written again. A group is one or more records; each record is a
// header and a body padded to 8 bytes. An LSN is a byte position in the log: the segment's
// start_lsn plus the offset in its file; it is also the commit timestamp.
// All integers are little-endian. Byte tables: engine/README.md.
// Thread rule: values and pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace burin {

using Lsn = uint64_t;

inline constexpr uint64_t kBlockBytes = 4096;
inline constexpr uint64_t kRecordAlignment = 8;

constexpr uint64_t RoundUp(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

struct DatabaseId {
  std::array<uint64_t, 2> words{};
  bool operator==(const DatabaseId&) const = default;
};

struct SegmentHeader {
  uint64_t checksum = 0;  // of all that follows
  uint64_t magic = 0;
  uint32_t version = 0;
  uint32_t block_bytes = 0;
  DatabaseId database;
  uint64_t sequence = 0;    // from 1; also in the file's name
  uint64_t generation = 0;  // random, new for each use of a file: tells stale records apart
  Lsn start_lsn = 0;        // of the segment's byte 0
  uint64_t capacity = 0;    // bytes, header block included
  uint64_t predecessor_generation = 0;  // 0: there is none
  Lsn predecessor_end = 0;              // where the log goes on in this segment
  uint64_t reused = 0;                  // 1: behind the end lie records of an earlier use, 0: zeros

  void Seal();         // sets magic, version and checksum; the last thing before writing
  bool Valid() const;  // whether it is a header that this version can read
};
static_assert(sizeof(SegmentHeader) == 96 && std::is_trivially_copyable_v<SegmentHeader>);

enum class RecordKind : uint16_t {
  kRows = 1,     // rows as in engine/table/rows.h
  kCatalog = 2,  // one insert into no table: key = table id, value = table name
};

struct RecordHeader {
  uint64_t header_checksum = 0;  // of the rest, seeded with database and generation
  uint64_t body_checksum = 0;
  Lsn lsn = 0;
  Lsn group_base = 0;        // LSN of the group's first record; all below it was durable
  uint32_t group_bytes = 0;  // with the padding at its end
  uint32_t body_bytes = 0;   // without padding
  uint32_t rows = 0;
  uint32_t records_behind = 0;  // how many follow in this group
  uint64_t generation = 0;      // of the segment it was written to
  RecordKind kind = RecordKind::kRows;
  std::array<uint8_t, 6> zero{};

  uint64_t TotalBytes() const {
    return RoundUp(sizeof(RecordHeader) + body_bytes, kRecordAlignment);
  }
  void Seal(const DatabaseId& database);
  bool Valid(const DatabaseId& database) const;  // proves the header only
};
static_assert(sizeof(RecordHeader) == 64 && std::is_trivially_copyable_v<RecordHeader>);

uint64_t Checksum(const void* data, size_t bytes, uint64_t seed = 0);

}  // namespace burin
