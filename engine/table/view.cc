#include "engine/table/view.h"

#include <algorithm>

#include "engine/runs/run_cursor.h"

namespace burin {
namespace {

FoundVersion InMemory(const RowVersion& version) {
  if (version.record == nullptr) return {};
  const Row row = version.row();
  return {.found = true,
          .erased = row.op == RowOp::kErase,
          .lsn = version.lsn,
          .record = version.record,
          .value = row.value,
          .pin = nullptr};
}

FoundVersion InRun(RunVersion version) {
  return {.found = true,
          .erased = version.erased,
          .lsn = version.lsn,
          .record = nullptr,
          .value = version.value,
          .pin = std::move(version.block)};
}

// One sorted source of a scan: shows the version that the snapshot sees of each of its keys.
class Source {
 public:
  virtual ~Source() = default;
  virtual bool valid() const = 0;
  virtual int64_t key() const = 0;
  virtual FoundVersion Visible() const = 0;  // of key(); its value until Next
  virtual Status Next() = 0;                 // to the next key
};

class MemorySource final : public Source {
 public:
  MemorySource(const Generation& generation, TableId table, int64_t first, int64_t last,
               Lsn snapshot)
      : generation_(generation),
        entries_(generation.SortedEntries(table, first, last)),
        snapshot_(snapshot) {}

  bool valid() const override { return at_ < entries_.size(); }
  int64_t key() const override { return entries_[at_].key; }
  FoundVersion Visible() const override {
    return InMemory(generation_.VisibleFrom(entries_[at_].version, snapshot_));
  }
  Status Next() override {
    ++at_;
    return {};
  }

 private:
  const Generation& generation_;
  const std::vector<Generation::IndexEntry> entries_;
  const Lsn snapshot_;
  size_t at_ = 0;
};

class RunSource final : public Source {
 public:
  RunSource(std::shared_ptr<const Run> run, TableId table, int64_t last, Lsn snapshot)
      : cursor_(std::move(run)), table_(table), last_(last), snapshot_(snapshot) {}

  Status Seek(int64_t first) {
    Status status = cursor_.Seek(table_, first);
    return status.ok() ? Take() : status;
  }

  bool valid() const override { return valid_; }
  int64_t key() const override { return key_; }
  FoundVersion Visible() const override {
    if (!found_) return {};
    return {.found = true,
            .erased = erased_,
            .lsn = lsn_,
            .record = nullptr,
            .value = value_,
            .pin = nullptr};
  }
  Status Next() override { return Take(); }

 private:
  bool AtRow() const {
    return cursor_.valid() && cursor_.entry().table == table_ && cursor_.entry().key <= last_;
  }

  // Passes over all versions of the cursor's key and keeps the one that the snapshot sees.
  Status Take() {
    valid_ = AtRow();
    if (!valid_) return {};
    key_ = cursor_.entry().key;
    found_ = false;
    while (AtRow() && cursor_.entry().key == key_) {
      const RunEntry& entry = cursor_.entry();
      if (!found_ && entry.lsn < snapshot_) {
        found_ = true;
        erased_ = entry.erased;
        lsn_ = entry.lsn;
        value_ = entry.value;  // a copy: the cursor moves on
      }
      Status status = cursor_.Next();
      if (!status.ok()) return status;
    }
    return {};
  }

  RunCursor cursor_;
  const TableId table_;
  const int64_t last_;
  const Lsn snapshot_;
  bool valid_ = false;
  int64_t key_ = 0;
  bool found_ = false;
  bool erased_ = false;
  Lsn lsn_ = 0;
  std::string value_;
};

using Sources = std::vector<std::unique_ptr<Source>>;  // newest first

Result<Sources> OpenSources(const View& view, TableId table, int64_t first, int64_t last,
                            Lsn snapshot) {
  Sources sources;
  sources.push_back(std::make_unique<MemorySource>(*view.active, table, first, last, snapshot));
  for (const auto& generation : view.frozen) {
    sources.push_back(std::make_unique<MemorySource>(*generation, table, first, last, snapshot));
  }
  for (const auto& run : view.runs) {
    auto source = std::make_unique<RunSource>(run, table, last, snapshot);
    Status status = source->Seek(first);
    if (!status.ok()) return status;
    sources.push_back(std::move(source));
  }
  return sources;
}

}  // namespace

Result<FoundVersion> View::Visible(TableId table, int64_t key, Lsn snapshot) const {
  RowVersion version = active->Visible(table, key, snapshot);
  for (const auto& generation : frozen) {
    if (version.record != nullptr) break;
    version = generation->Visible(table, key, snapshot);
  }
  if (version.record != nullptr) return InMemory(version);
  for (const auto& run : runs) {
    auto found = run->Find(table, key, snapshot);
    if (!found.ok()) return found.TakeStatus();
    if (*found) return InRun(std::move(**found));
  }
  return FoundVersion();
}

Result<FoundVersion> View::Newest(TableId table, int64_t key) const {
  const RowVersion version = active->Newest(table, key);
  if (version.record != nullptr) return InMemory(version);
  return NewestOlder(table, key);
}

FoundVersion View::NewestFrozen(TableId table, int64_t key) const {
  for (const auto& generation : frozen) {
    const RowVersion version = generation->Newest(table, key);
    if (version.record != nullptr) return InMemory(version);
  }
  return {};
}

void View::PrefetchFrozen(TableId table, int64_t key) const {
  for (const auto& generation : frozen) generation->Prefetch(table, key);
}

bool View::FrozenMayHave(TableId table, int64_t first, int64_t last) const {
  return std::any_of(frozen.begin(), frozen.end(), [&](const auto& generation) {
    const HashTable* const keys = generation->table(table);
    return keys != nullptr && keys->key_blocks().MayHave(first, last);
  });
}

Result<FoundVersion> View::NewestOlder(TableId table, int64_t key) const {
  FoundVersion version = NewestFrozen(table, key);
  if (version.found) return version;
  for (const auto& run : runs) {
    auto found = run->Newest(table, key);
    if (!found.ok()) return found.TakeStatus();
    if (*found) return InRun(std::move(**found));
  }
  return FoundVersion();
}

Result<std::optional<KeyRange>> View::EmptyRangeInRuns(TableId table, int64_t first,
                                                       int64_t last) const {
  KeyRange widest{INT64_MIN, INT64_MAX};
  for (const auto& run : runs) {
    const auto empty = run->EmptyRangeAround(table, first, last);
    if (!empty.ok() || !empty->has_value()) return empty;
    widest.first = std::max(widest.first, (*empty)->first);
    widest.last = std::min(widest.last, (*empty)->last);
  }
  return std::optional<KeyRange>(widest);
}

Status ScanView(const View& view, TableId table, int64_t first, int64_t last, Lsn snapshot,
                const OwnRows& own,
                const std::function<bool(int64_t key, std::string_view value)>& row) {
  auto sources = OpenSources(view, table, first, last, snapshot);
  if (!sources.ok()) return sources.TakeStatus();
  auto mine = own.lower_bound(first);
  const auto mine_end = own.upper_bound(last);
  for (;;) {
    std::optional<int64_t> next;
    if (mine != mine_end) next = mine->first;
    for (const auto& source : *sources) {
      if (source->valid() && (!next || source->key() < *next)) next = source->key();
    }
    if (!next) return {};
    const bool is_mine = mine != mine_end && mine->first == *next;
    FoundVersion version;
    bool go_on = true;
    if (is_mine) {
      if (mine->second.op != RowOp::kErase) go_on = row(*next, mine->second.value);
      ++mine;
    } else {
      for (const auto& source : *sources) {
        if (version.found || !source->valid() || source->key() != *next) continue;
        version = source->Visible();
      }
      if (version.live()) go_on = row(*next, version.value);
    }
    if (!go_on) return {};
    for (const auto& source : *sources) {
      if (!source->valid() || source->key() != *next) continue;
      Status status = source->Next();
      if (!status.ok()) return status;
    }
  }
}

}  // namespace burin
