#include "engine/table/generation.h"

#include <sched.h>

#include <algorithm>

#include "engine/hash.h"
#include "engine/table/arena.h"

namespace burin {
namespace {

constexpr uint64_t kFrozen = uint64_t{1} << 63;
constexpr uint64_t kOneClaimer = uint64_t{1} << 32;
constexpr uint64_t kRowMask = kOneClaimer - 1;
constexpr uint64_t kClaimerMask = ~(kFrozen | kRowMask);

}  // namespace

Generation::Generation(Hasher hasher, uint64_t slots, uint64_t max_bytes, SlotMemory& memory)
    : hasher_(hasher),
      slots_(slots),
      row_limit_(RowLimit(slots)),
      max_bytes_(max_bytes),
      memory_(memory),
      directory_(std::make_unique<std::atomic<Record**>[]>(kDirectoryParts)) {}

Generation::~Generation() {
  ForEachRecord([](Record& one) {
    delete one.replaced.exchange(nullptr);  // once, of a record that the next generation has, too
    one.chunk->Unref();
  });
  for (uint32_t part = 0; part < kDirectoryParts; ++part) delete[] directory_[part].load();
  for (auto& table : tables_) delete table.load();
}

bool Generation::Enter(uint32_t rows) {
  const uint64_t before = gate_.fetch_add(kOneClaimer + rows, std::memory_order_acq_rel);
  if ((before & kFrozen) == 0 && (before & kRowMask) + rows <= row_limit_ &&
      bytes_.load(std::memory_order_relaxed) < max_bytes_) {
    return true;
  }
  gate_.fetch_sub(kOneClaimer + rows, std::memory_order_acq_rel);
  return false;
}

void Generation::Leave() { gate_.fetch_sub(kOneClaimer, std::memory_order_acq_rel); }

void Generation::Freeze() {
  gate_.fetch_or(kFrozen, std::memory_order_acq_rel);
  // Claims take microseconds and this happens once in hundreds of thousands of rows.
  while ((gate_.load(std::memory_order_acquire) & kClaimerMask) != 0) sched_yield();
}

uint32_t Generation::Register(Record* record) {
  const uint32_t id = next_record_.fetch_add(1, std::memory_order_relaxed);
  if (id >= kDirectoryPart * kDirectoryParts) return 0;
  Record** part = directory_[id / kDirectoryPart].load(std::memory_order_acquire);
  if (part == nullptr) [[unlikely]]
    part = MakeDirectoryPart(id / kDirectoryPart);
  record->chunk->Ref();
  bytes_.fetch_add(record->header.TotalBytes(), std::memory_order_relaxed);
  part[id % kDirectoryPart] = record;
  return id;
}

// Its entries are set as records take their ids.
Record** Generation::MakeDirectoryPart(uint32_t number) {
  const std::lock_guard lock(growing_);
  Record** part = directory_[number].load(std::memory_order_relaxed);
  if (part == nullptr) {
    part = new Record*[kDirectoryPart];
    directory_[number].store(part, std::memory_order_release);
  }
  return part;
}

HashTable* Generation::MakeTable(TableId id) {
  const std::lock_guard lock(growing_);
  if (HashTable* made = table(id)) return made;
  auto fresh = std::make_unique<HashTable>(memory_, slots_, tables_made_ < kMappedAtOnce);
  if (!fresh->ok()) return nullptr;
  ++tables_made_;
  tables_[id].store(fresh.get(), std::memory_order_release);
  return fresh.release();
}

uint64_t Generation::Hash(int64_t key) const {
  return hasher_ == Hasher::kFx ? FxHash64(static_cast<uint64_t>(key))
                                : SipHash13(static_cast<uint64_t>(key));
}

void Generation::Prefetch(TableId id, int64_t key) const {
  if (const HashTable* found = table(id)) found->Prefetch(Hash(key));
}

VersionRef Generation::NewestRef(TableId id, int64_t key) const {
  const HashTable* found = table(id);
  if (found == nullptr) return {};
  const HashTable::Slot* slot = found->Find(key, Hash(key));
  return slot != nullptr ? VersionRef{slot->version.load(std::memory_order_acquire)} : VersionRef{};
}

VersionRef Generation::ReplacedBy(VersionRef version) const {
  const ReplacedVersions* replaced =
      record(version.record_id())->replaced.load(std::memory_order_acquire);
  return replaced != nullptr ? replaced->Find(version.offset()) : VersionRef{};
}

RowVersion Generation::NewestFrom(VersionRef from) const {
  for (; from; from = ReplacedBy(from)) {
    const Record* one = record(from.record_id());
    const Lsn lsn = one->lsn.load(std::memory_order_acquire);
    if (lsn != kAborted) return {one, from.offset(), lsn};
  }
  return {};
}

RowVersion Generation::VisibleFrom(VersionRef from, Lsn snapshot) const {
  for (; from; from = ReplacedBy(from)) {
    const Record* one = record(from.record_id());
    const Lsn lsn = one->lsn.load(std::memory_order_acquire);
    if (lsn < snapshot) return {one, from.offset(), lsn};
  }
  return {};
}

RowVersion Generation::Newest(TableId table, int64_t key) const {
  return NewestFrom(NewestRef(table, key));
}

RowVersion Generation::Visible(TableId table, int64_t key, Lsn snapshot) const {
  return VisibleFrom(NewestRef(table, key), snapshot);
}

std::vector<Generation::IndexEntry> Generation::SortedEntries(TableId id, int64_t first,
                                                              int64_t last) const {
  std::vector<IndexEntry> entries;
  const HashTable* found = table(id);
  if (found == nullptr) return entries;
  found->ForEach([&](int64_t key, VersionRef version) {
    if (key >= first && key <= last) entries.push_back({key, version});
  });
  std::sort(entries.begin(), entries.end(),
            [](const IndexEntry& a, const IndexEntry& b) { return a.key < b.key; });
  return entries;
}

uint32_t Generation::RecordEnd() const {
  return std::min(next_record_.load(std::memory_order_acquire), kDirectoryPart * kDirectoryParts);
}

bool Generation::Settled(Lsn durable) const {
  bool settled = true;
  ForEachRecord([&](const Record& one) {
    const Lsn lsn = one.lsn.load(std::memory_order_acquire);
    settled &= lsn < durable || lsn == kAborted;
  });
  return settled;
}

}  // namespace burin
