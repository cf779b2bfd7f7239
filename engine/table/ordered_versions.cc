#include "engine/table/ordered_versions.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace burin {
namespace {

// Rows of one record and one table with strictly ascending keys, one behind the other.
struct Stretch {
  TableId table;
  int64_t first;
  int64_t last;
  const Record* record;
  uint32_t begin;  // offsets in the body
  uint32_t end;
};

void AddStretches(const Record& record, std::vector<Stretch>& stretches) {
  if (record.lsn.load(std::memory_order_acquire) == kAborted) return;
  TableId table = 0;
  bool open = false;
  for (uint32_t at = 0; at < record.header.body_bytes;) {
    const Row row = DecodeRow(record.body() + at);
    const uint32_t next = at + row.EncodedBytes();
    if (row.op == RowOp::kTable) {
      table = static_cast<TableId>(row.key);
      open = false;
    } else if (open && row.key > stretches.back().last) {
      stretches.back().last = row.key;
      stretches.back().end = next;
    } else {
      stretches.push_back({table, row.key, row.key, &record, at, next});
      open = true;
    }
    at = next;
  }
}

template <typename Each>
Status ForEachRow(const Stretch& stretch, Each each) {
  for (uint32_t at = stretch.begin; at < stretch.end;) {
    const Row row = DecodeRow(stretch.record->body() + at);
    Status status = each(row, at);
    if (!status.ok()) return status;
    at += row.EncodedBytes();
  }
  return {};
}

OrderedVersion MakeVersion(TableId table, const Record& record, const Row& row) {
  return {.table = table,
          .key = row.key,
          .lsn = record.lsn.load(std::memory_order_relaxed),
          .erased = row.op == RowOp::kErase,
          .value = {row.value.data(), row.value.size()}};
}

using StretchIterator = std::vector<Stretch>::const_iterator;
using EachVersion = std::function<Status(const OrderedVersion&)>;

struct PlacedVersion {
  OrderedVersion version;
  uint32_t offset;  // in its record
};

// Passes on the versions of stretches whose key ranges touch one another.
Status PassOn(StretchIterator begin, StretchIterator end, const EachVersion& each) {
  if (end - begin == 1) {
    return ForEachRow(*begin, [&](const Row& row, uint32_t) {
      return each(MakeVersion(begin->table, *begin->record, row));
    });
  }
  std::vector<PlacedVersion> placed;
  for (StretchIterator one = begin; one != end; ++one) {
    Status status = ForEachRow(*one, [&](const Row& row, uint32_t offset) {
      placed.push_back({MakeVersion(one->table, *one->record, row), offset});
      return Status();
    });
    if (!status.ok()) return status;
  }
  std::sort(placed.begin(), placed.end(), [](const PlacedVersion& a, const PlacedVersion& b) {
    if (a.version.key != b.version.key) return a.version.key < b.version.key;
    return std::tie(b.version.lsn, b.offset) < std::tie(a.version.lsn, a.offset);
  });
  const OrderedVersion* last = nullptr;
  for (const PlacedVersion& one : placed) {
    const OrderedVersion& version = one.version;
    if (last != nullptr && last->key == version.key && last->lsn == version.lsn) continue;
    Status status = each(version);
    if (!status.ok()) return status;
    last = &version;
  }
  return {};
}

}  // namespace

Status ForEachVersionInOrder(const Generation& generation,
                             const std::function<Status(const OrderedVersion&)>& each) {
  std::vector<Stretch> stretches;
  generation.ForEachRecord([&](const Record& record) { AddStretches(record, stretches); });
  std::sort(stretches.begin(), stretches.end(), [](const Stretch& a, const Stretch& b) {
    return std::tie(a.table, a.first) < std::tie(b.table, b.first);
  });
  for (auto begin = stretches.cbegin(); begin != stretches.cend();) {
    int64_t last = begin->last;
    auto end = begin + 1;
    while (end != stretches.cend() && end->table == begin->table && end->first <= last) {
      last = std::max(last, end->last);
      ++end;
    }
    Status status = PassOn(begin, end, each);
    if (!status.ok()) return status;
    begin = end;
  }
  return {};
}

}  // namespace burin
