// The bytes of a run file: a sorted, immutable set of row versions.
//
// A run is a chain of data blocks, each with its filter right behind it, an index page behind every
// 408 blocks, a root over the index pages, and a footer. Nothing in a data block depends on where
// it lies, so a merge copies one as it is. Whatever is read proves itself: a block, page and root
// by a checksum seeded with the database, and by agreeing with the entry that pointed at it.
// All integers are little-endian. Byte tables: engine/runs/README.md.
// Thread rule: values and pure functions.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "engine/engine.h"
#include "engine/log/format.h"

namespace burin {

static_assert(std::endian::native == std::endian::little, "structures are written as they are");

// A version of a row. Within a run the order is table, then key, then LSN from high to low.
struct RunEntry {
  TableId table = 0;
  bool erased = false;
  int64_t key = 0;
  Lsn lsn = 0;             // 0: older than every snapshot, so visible to all
  std::string_view value;  // of an erased row: empty
};

// Where a row stands in the order of a run, its version aside.
struct RowPosition {
  TableId table = 0;
  int64_t key = 0;

  auto operator<=>(const RowPosition&) const = default;
};

inline constexpr size_t kRunBlockRowBytes = 15 << 10;     // of the rows in a block with several
inline constexpr size_t kLeastDenseBlockBytes = 1 << 10;  // of one that ends at a gap between keys
inline constexpr size_t kRunPageBytes = 16 << 10;         // of an index page, at most
inline constexpr uint32_t kRestartInterval = 16;          // rows
inline constexpr size_t kMaxRowOverhead = 25;  // bytes of a row beyond its value, at most
inline constexpr size_t kMinRowBytes = 2;
inline constexpr size_t kMaxBlockRows = kRunBlockRowBytes / kMinRowBytes;

struct BlockHeader {
  uint64_t checksum = 0;  // of the block behind it, seeded with the database
  uint32_t bytes = 0;     // header, rows and restarts
  TableId table = 0;
  uint32_t rows = 0;  // at least 1
  uint32_t keys = 0;  // different ones
  uint32_t erased_rows = 0;
  uint32_t filter_bytes = 0;  // right behind the block; 0: there is none
  int64_t first_key = 0;
  int64_t last_key = 0;
  Lsn smallest_lsn = 0;
  Lsn largest_lsn = 0;
  Lsn base_lsn = 0;  // of the first row with an LSN other than 0; 0: there is none
  uint64_t value_bytes = 0;

  uint32_t Restarts() const { return (rows + kRestartInterval - 1) / kRestartInterval; }
};
static_assert(sizeof(BlockHeader) == 80 && std::is_trivially_copyable_v<BlockHeader>);

// Where a data block of the page's table is. Blocks of a page lie one behind the other.
struct BlockIndexEntry {
  int64_t first_key = 0;
  int64_t last_key = 0;
  uint64_t offset = 0;    // in the file
  uint64_t checksum = 0;  // the block's own
  uint32_t bytes = 0;
  uint32_t filter_bytes = 0;

  uint64_t FilterOffset() const { return offset + bytes; }
  uint64_t EndOffset() const { return FilterOffset() + filter_bytes; }
};
static_assert(sizeof(BlockIndexEntry) == 40 && std::is_trivially_copyable_v<BlockIndexEntry>);

struct IndexPageHeader {
  uint64_t checksum = 0;  // of the page behind it, seeded with the database
  uint64_t run_id = 0;
  uint64_t offset = 0;  // in the file
  TableId table = 0;
  uint32_t entries = 0;  // at least 1
};
static_assert(sizeof(IndexPageHeader) == 32 && std::is_trivially_copyable_v<IndexPageHeader>);

inline constexpr size_t kMaxPageEntries =
    (kRunPageBytes - sizeof(IndexPageHeader)) / sizeof(BlockIndexEntry);

// Where an index page is; the root is an array of these.
struct RootEntry {
  int64_t first_key = 0;
  int64_t last_key = 0;
  uint64_t offset = 0;  // in the file
  TableId table = 0;
  uint32_t entries = 0;

  RowPosition First() const { return {table, first_key}; }
  RowPosition Last() const { return {table, last_key}; }
  uint64_t PageBytes() const {
    return sizeof(IndexPageHeader) + uint64_t{entries} * sizeof(BlockIndexEntry);
  }
};
static_assert(sizeof(RootEntry) == 32 && std::is_trivially_copyable_v<RootEntry>);

// What a run holds, counted while it is written.
struct RunTotals {
  uint64_t blocks = 0;
  uint64_t rows = 0;  // versions, erased ones included
  uint64_t erased_rows = 0;
  uint64_t live_bytes = 0;  // keys (8 bytes each) and values of the versions that are not erased
  Lsn smallest_lsn = 0;     // 0 also in an empty run
  Lsn largest_lsn = 0;

  void Add(const BlockHeader& block);
};
static_assert(sizeof(RunTotals) == 48 && std::is_trivially_copyable_v<RunTotals>);

struct RunFooter {
  uint64_t checksum = 0;  // of the footer behind it
  uint64_t magic = 0;
  uint32_t version = 0;
  uint32_t root_entries = 0;
  DatabaseId database;
  uint64_t run_id = 0;
  uint64_t file_bytes = 0;
  uint64_t root_checksum = 0;  // seeded with the database; the root lies before the footer
  RunTotals totals;

  void Seal();         // sets magic, version and checksum
  bool Valid() const;  // whether it is a footer that this version can read
  uint64_t RootBytes() const { return uint64_t{root_entries} * sizeof(RootEntry); }
};
static_assert(sizeof(RunFooter) == 112 && std::is_trivially_copyable_v<RunFooter>);

// What block, page and root checksums are seeded with, so that another database's never pass.
uint64_t RunSeed(const DatabaseId& database);

std::string RunPath(const std::string& folder, uint64_t run_id);
std::string UnfinishedRunPath(const std::string& folder, uint64_t run_id);

// The id in a finished run's name (without its folder); 0: it is none.
uint64_t RunIdOf(std::string_view name);

// Whether `name` (without its folder) is one of a run's, finished or not.
bool IsRunName(std::string_view name);

}  // namespace burin
