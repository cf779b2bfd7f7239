// A generation of tables: the hash tables that take the newest rows, and the records these rows lie
// in. One generation is active; a full one is frozen, indexed in key order, and kept for reading.
//
// Thread rule: any thread. Claims happen between Enter and Leave; Freeze waits for those inside and
// lets nobody in again, so that no two writers can claim one key in two generations.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/engine.h"
#include "engine/table/hash_table.h"
#include "engine/table/record.h"
#include "engine/table/rows.h"

namespace burin {

inline constexpr TableId kMaxTables = 1024;

// A version of a row, in place.
struct RowVersion {
  const Record* record = nullptr;  // null: there is none
  uint32_t offset = 0;
  Lsn lsn = 0;

  Row row() const { return DecodeRow(record->body() + offset); }
  bool live() const { return record != nullptr && row().op != RowOp::kErase; }
};

class Generation {
 public:
  Generation(Hasher hasher, uint64_t slots);
  ~Generation();
  Generation(const Generation&) = delete;
  Generation& operator=(const Generation&) = delete;

  // Room for `rows` more rows; false: the generation is full or frozen.
  bool Enter(uint32_t rows);
  void Leave();
  void Freeze();

  // Makes `record` known here and keeps its memory; 0: no more records fit.
  uint32_t Register(Record* record);
  Record* record(uint32_t id) const {
    return directory_[id / kDirectoryPart].load(std::memory_order_acquire)[id % kDirectoryPart];
  }

  // Null: this generation has no row of that table (or, when made, no memory for it).
  HashTable* table(TableId id) const { return tables_[id].load(std::memory_order_acquire); }
  HashTable* MakeTable(TableId id);

  uint64_t Hash(int64_t key) const;
  Hasher hasher() const { return hasher_; }
  static uint64_t RowLimit(uint64_t slots) { return slots / 10 * 7; }

  // The newest version that is not aborted, whoever sees it.
  RowVersion Newest(TableId table, int64_t key) const;

  // The newest version with lsn < snapshot.
  RowVersion Visible(TableId table, int64_t key, Lsn snapshot) const;

  // The same from `from` on, through what it replaced.
  RowVersion NewestFrom(VersionRef from) const;
  RowVersion VisibleFrom(VersionRef from, Lsn snapshot) const;
  VersionRef ReplacedBy(VersionRef version) const;

  // Keys in ascending order with their newest version.
  struct IndexEntry {
    int64_t key;
    VersionRef version;
  };
  std::vector<IndexEntry> SortedEntries(TableId table, int64_t first, int64_t last) const;

  // Of a frozen generation: sorts all its tables once, so that ranges can be ruled out and scanned.
  void BuildIndex();

  // False: certainly no key of the table lies within [first, last].
  bool MayHaveKeysIn(TableId table, int64_t first, int64_t last) const;

 private:
  static constexpr uint32_t kDirectoryPart = 4096;
  static constexpr uint32_t kDirectoryParts = 8192;
  struct Index {
    std::array<std::vector<IndexEntry>, kMaxTables> tables;
  };

  VersionRef NewestRef(TableId table, int64_t key) const;


  const Hasher hasher_;
  const uint64_t slots_;
  // Bit 63: frozen; bits 32 to 62: claimers inside; bits 0 to 31: rows let in.
  alignas(64) std::atomic<uint64_t> gate_{0};
  std::atomic<uint32_t> next_record_{1};
  std::array<std::atomic<HashTable*>, kMaxTables> tables_{};
  std::unique_ptr<std::atomic<Record**>[]> directory_;
  std::mutex growing_;  // of tables_ and directory_
  std::atomic<const Index*> index_{nullptr};
};

}  // namespace burin
