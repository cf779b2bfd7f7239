// What the targets have in common whose databases lie in a marked folder: all but Burin's.
// Thread rule: as target.h says.
#pragma once

#include <string>

#include "apps/write-throughput/targets/marked_folder.h"
#include "apps/write-throughput/targets/target.h"

namespace throughput {

class FolderTarget : public Target {
 public:
  Expected<PathReport> InspectPath(const std::string& path) const final {
    return MarkedFolder::Inspect(path);
  }
  Expected<> Remove(const std::string& path) const final { return MarkedFolder::Remove(path); }

  Expected<> Create(const TargetOptions& options) final {
    return folder_.Create(options.path).and_then([&] { return Open(options, true); });
  }
  Expected<> Reopen(const TargetOptions& options) final {
    return folder_.Reopen(options.path).and_then([&] { return Open(options, false); });
  }
  Expected<> Close() final {
    const auto shut = Shut();
    folder_.Release();
    return shut;
  }

  TargetCounts Counts() const override { return {}; }

 protected:
  // Makes the database, or opens the one that is there, within the folder.
  virtual Expected<> Open(const TargetOptions& options, bool create) = 0;
  virtual Expected<> Shut() = 0;  // what was opened, whole or in part

  std::string File(std::string_view name) const { return folder_.File(name); }

 private:
  MarkedFolder folder_;
};

}  // namespace throughput
