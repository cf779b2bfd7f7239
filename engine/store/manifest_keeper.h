// The manifest of an open database, changed by several threads.
//
// Thread rule: any thread. A change is durable before anyone sees it; a failed one leaves the old
// state in memory, and either on the disk, so nothing that the old one names may go.
#pragma once

#include <mutex>
#include <string>

#include "engine/store/manifest.h"

namespace burin {

class ManifestKeeper {
 public:
  ManifestKeeper(FileSystem& files, std::string folder)
      : files_(files), folder_(std::move(folder)) {}

  void Set(Manifest manifest) { manifest_ = std::move(manifest); }  // as read or created

  // After Set as read, before anything else: see SettleManifest.
  Status Settle() {
    const std::lock_guard lock(mutex_);
    return SettleManifest(files_, folder_, manifest_);
  }

  Manifest Copy() const {
    const std::lock_guard lock(mutex_);
    return manifest_;
  }

  Lsn checkpoint_lsn() const {
    const std::lock_guard lock(mutex_);
    return manifest_.checkpoint_lsn;
  }

  template <typename Edit>
  Status Change(Edit edit) {
    const std::lock_guard lock(mutex_);
    Manifest next = manifest_;
    edit(next);
    Status status = WriteManifest(files_, folder_, next);
    if (!status.ok()) {
      // An epoch is used once; and the next change begins with the slot that failed, whatever is in
      // it now, so that the other one stays whole.
      manifest_.epoch = next.epoch + 1;
      return status;
    }
    manifest_ = std::move(next);
    return {};
  }

  // A number for a run file that no run ever had.
  uint64_t NextRun() {
    const std::lock_guard lock(mutex_);
    return manifest_.next_run++;
  }

 private:
  FileSystem& files_;
  const std::string folder_;
  mutable std::mutex mutex_;
  Manifest manifest_;
};

}  // namespace burin
