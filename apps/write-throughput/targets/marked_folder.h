// The folder in which the database of an engine lies that has no mark of its own: a file in it says
// that write-throughput made it, and is locked while it is in use. Only such folders are replaced.
//
// The mark is written before anything else and removed last, so that a folder of a run that died
// half-way is still known as ours.
// Thread rule: one thread at a time. Invariant: what has no mark is never changed.
#pragma once

#include <string>

#include "apps/write-throughput/targets/target.h"

namespace throughput {

class MarkedFolder {
 public:
  // What stands at `path`; changes nothing.
  static Expected<PathReport> Inspect(const std::string& path);

  // Everything in it and the folder; `path` is kOurs.
  static Expected<> Remove(const std::string& path);

  MarkedFolder() = default;
  ~MarkedFolder() { Release(); }
  MarkedFolder(const MarkedFolder&) = delete;
  MarkedFolder& operator=(const MarkedFolder&) = delete;

  Expected<> Create(const std::string& path);  // `path` is absent; its folder is there
  Expected<> Reopen(const std::string& path);
  void Release();  // the lock

  std::string File(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  Expected<> Lock(int flags);

  std::string path_;
  int descriptor_ = -1;  // of the mark; its lock ends with the process at the latest
};

}  // namespace throughput
