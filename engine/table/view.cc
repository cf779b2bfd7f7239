#include "engine/table/view.h"

#include <algorithm>

namespace burin {
namespace {

// One sorted source of a merge.
struct Source {
  const Generation* generation;
  std::vector<Generation::IndexEntry> entries;
  size_t at = 0;

  bool Has(int64_t key) const { return at < entries.size() && entries[at].key == key; }
};

}  // namespace

RowVersion View::Visible(TableId table, int64_t key, Lsn snapshot) const {
  RowVersion version = active->Visible(table, key, snapshot);
  for (const auto& generation : frozen) {
    if (version.record != nullptr) break;
    version = generation->Visible(table, key, snapshot);
  }
  return version;
}

RowVersion View::Newest(TableId table, int64_t key) const {
  const RowVersion version = active->Newest(table, key);
  return version.record != nullptr ? version : NewestFrozen(table, key);
}

RowVersion View::NewestFrozen(TableId table, int64_t key) const {
  for (const auto& generation : frozen) {
    const RowVersion version = generation->Newest(table, key);
    if (version.record != nullptr) return version;
  }
  return {};
}

bool View::MayHaveFrozenKeysIn(TableId table, int64_t first, int64_t last) const {
  return std::any_of(frozen.begin(), frozen.end(), [&](const auto& generation) {
    return generation->MayHaveKeysIn(table, first, last);
  });
}

void ScanView(const View& view, TableId table, int64_t first, int64_t last, Lsn snapshot,
              const OwnRows& own,
              const std::function<bool(int64_t key, std::string_view value)>& row) {
  std::vector<Source> sources;  // newest first
  sources.push_back({view.active.get(), view.active->SortedEntries(table, first, last)});
  for (const auto& generation : view.frozen) {
    sources.push_back({generation.get(), generation->SortedEntries(table, first, last)});
  }
  auto mine = own.lower_bound(first);
  const auto mine_end = own.upper_bound(last);
  for (;;) {
    const int64_t* next = mine != mine_end ? &mine->first : nullptr;
    for (const Source& source : sources) {
      if (source.at == source.entries.size()) continue;
      const int64_t& candidate = source.entries[source.at].key;
      if (next == nullptr || candidate < *next) next = &candidate;
    }
    if (next == nullptr) return;
    const int64_t key = *next;

    RowVersion version;
    for (Source& source : sources) {
      if (!source.Has(key)) continue;
      const VersionRef newest = source.entries[source.at++].version;
      if (version.record == nullptr) version = source.generation->VisibleFrom(newest, snapshot);
    }
    if (mine != mine_end && mine->first == key) {
      const Row& own_row = (mine++)->second;
      if (own_row.op != RowOp::kErase && !row(key, own_row.value)) return;
    } else if (version.live() && !row(key, version.row().value)) {
      return;
    }
  }
}

}  // namespace burin
