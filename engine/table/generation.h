// A generation of tables: the hash tables that take the newest rows, and the records these rows lie
// in. One generation is active; a full one is frozen, written to a run, and let go.
//
// Thread rule: any thread. Claims happen between Enter and Leave; Freeze waits for those inside and
// lets nobody in again, so that no two writers can claim one key in two generations.
#pragma once

#include <algorithm>
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
  // Full at 70 % of `slots` rows or about `max_bytes` of records.
  Generation(Hasher hasher, uint64_t slots, uint64_t max_bytes, SlotMemory& memory);
  ~Generation();
  Generation(const Generation&) = delete;
  Generation& operator=(const Generation&) = delete;

  // Room for `rows` more rows; false: the generation is full or frozen.
  bool Enter(uint32_t rows);
  void Leave();
  void Freeze();

  // Of a frozen generation: every record with a lower LSN is in it or in an older one, so once it
  // is a run the log below is not needed. Set by whoever froze it.
  Lsn covers_lsn() const { return covers_lsn_; }
  void set_covers_lsn(Lsn lsn) { covers_lsn_ = lsn; }

  // Whether each record is durable, `durable` being the end of what is, or aborted. True stays true
  // for a frozen generation.
  bool Settled(Lsn durable) const;

  // Makes `record` known here and keeps its memory; 0: no more records fit.
  uint32_t Register(Record* record);
  Record* record(uint32_t id) const {
    return directory_[id / kDirectoryPart].load(std::memory_order_acquire)[id % kDirectoryPart];
  }

  // Null: this generation has no row of that table (or, when made, no memory for it).
  HashTable* table(TableId id) const { return tables_[id].load(std::memory_order_acquire); }
  [[gnu::cold]] HashTable* MakeTable(TableId id);

  uint64_t Hash(int64_t key) const;
  Hasher hasher() const { return hasher_; }
  static uint64_t RowLimit(uint64_t slots) { return slots / 10 * 7; }

  void Prefetch(TableId table, int64_t key) const;  // for Newest or Visible soon

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

  // Every registered record in the order of registration; while no claimer is inside.
  template <typename Each>
  void ForEachRecord(Each each) const {
    const uint32_t end = RecordEnd();
    for (uint32_t first = 0; first < end; first += kDirectoryPart) {
      Record** const part = directory_[first / kDirectoryPart].load(std::memory_order_acquire);
      const uint32_t part_end = std::min(kDirectoryPart, end - first);
      for (uint32_t i = first == 0 ? 1 : 0; i < part_end; ++i) each(*part[i]);
    }
  }

 private:
  // How many tables are mapped at once; a database with more has mostly small ones.
  static constexpr size_t kMappedAtOnce = 4;
  static constexpr uint32_t kDirectoryPart = 4096;
  static constexpr uint32_t kDirectoryParts = 8192;
  uint32_t RecordEnd() const;
  [[gnu::cold]] Record** MakeDirectoryPart(uint32_t number);
  VersionRef NewestRef(TableId table, int64_t key) const;

  const Hasher hasher_;
  const uint64_t slots_;
  const uint64_t row_limit_;
  const uint64_t max_bytes_;
  SlotMemory& memory_;
  // Bit 63: frozen; bits 32 to 62: claimers inside; bits 0 to 31: rows let in.
  alignas(64) std::atomic<uint64_t> gate_{0};
  std::atomic<uint32_t> next_record_{1};
  std::array<std::atomic<HashTable*>, kMaxTables> tables_{};
  std::unique_ptr<std::atomic<Record**>[]> directory_;
  std::mutex growing_;  // of tables_ and directory_
  size_t tables_made_ = 0;
  std::atomic<uint64_t> bytes_{0};
  Lsn covers_lsn_ = 0;
};

}  // namespace burin
