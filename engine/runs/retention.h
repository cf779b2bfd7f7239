// Which versions of a row are still needed, and a writer that keeps only those.
//
// Needed are each key's newest version and each that an open snapshot sees: v, if for a snapshot s
// v.lsn < s <= the LSN of the next newer version. A version below every open snapshot can forget
// its LSN, as nobody can tell the difference: all snapshots, open or to come, are above it.
// Thread rule: one thread.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/runs/run_writer.h"

namespace burin {

struct Retention {
  // The open ones, ascending. A snapshot that is taken after this list was made must not be below
  // any LSN of the rows it is used on: they are durable, and a new snapshot sees all that is.
  std::vector<Lsn> snapshots{};

  // No older run has rows of these keys, so that an erased row which every snapshot sees as erased
  // can go. (One that some snapshot does not see must stay: it tells of a conflict.)
  bool oldest_level = false;

  bool forget_lsns = true;
};

// Takes all versions of the keys in the order of a run, where those of one key may repeat
// themselves: a version that is not older than the one before it is a copy that a replay made, and
// is dropped.
class RetainingWriter {
 public:
  RetainingWriter(const Retention& retention, RunWriter* writer)
      : retention_(retention),
        oldest_snapshot_(retention.snapshots.empty() ? ~Lsn{0} : retention.snapshots.front()),
        writer_(writer) {}

  Status Add(RunEntry version) {
    const bool older = any_ && version.key == key_ && version.table == table_;
    if (older && !SeenBehindNewer(version.lsn)) return {};
    table_ = version.table;
    key_ = version.key;
    newer_lsn_ = version.lsn;
    any_ = true;
    const bool below_all = version.lsn < oldest_snapshot_;
    if (below_all && version.erased && retention_.oldest_level) return {};
    if (below_all && retention_.forget_lsns) version.lsn = 0;
    return writer_->Add(version);
  }

 private:
  // Notes the LSN as the newer one for what follows.
  bool SeenBehindNewer(Lsn lsn) {
    const auto seen_by =
        std::upper_bound(retention_.snapshots.begin(), retention_.snapshots.end(), lsn);
    const bool seen = seen_by != retention_.snapshots.end() && *seen_by <= newer_lsn_;
    newer_lsn_ = std::min(newer_lsn_, lsn);
    return seen;
  }

  const Retention& retention_;
  const Lsn oldest_snapshot_;
  RunWriter* const writer_;
  bool any_ = false;
  TableId table_ = 0;
  int64_t key_ = 0;
  Lsn newer_lsn_ = 0;  // of the version before
};

}  // namespace burin
