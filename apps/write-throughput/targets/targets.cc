// The table of targets and the names of the modes (target.h).
#include <algorithm>

#include "apps/write-throughput/targets/burin.h"
#include "apps/write-throughput/targets/lmdb.h"
#include "apps/write-throughput/targets/null.h"
#include "apps/write-throughput/targets/postgres.h"
#include "apps/write-throughput/targets/raw_log.h"
#include "apps/write-throughput/targets/rocksdb.h"
#include "apps/write-throughput/targets/sqlite.h"
#include "apps/write-throughput/targets/target.h"
#include "apps/write-throughput/targets/turso.h"

namespace throughput {

const std::vector<TargetInfo>& Targets() {
  static const std::vector<TargetInfo> targets = {BurinTarget(), SqliteTarget(), RocksdbTarget(),
                                                  LmdbTarget(),  TursoTarget(),  PostgresTarget(),
                                                  NullTarget(),  RawLogTarget()};
  return targets;
}

const TargetInfo* FindTarget(std::string_view name) {
  const auto found = std::find_if(Targets().begin(), Targets().end(),
                                  [name](const TargetInfo& info) { return info.name == name; });
  return found == Targets().end() ? nullptr : &*found;
}

std::string SettingOr(const Settings& settings, const char* key, std::string_view otherwise) {
  const auto found = settings.find(key);
  return found == settings.end() ? std::string(otherwise) : found->second;
}

const std::vector<Mode>& AllModes() {
  static const std::vector<Mode> modes = {Mode::kLegacy,       Mode::kMvcc,
                                          Mode::kLogicalLog,   Mode::kConcurrent,
                                          Mode::kMvccTruncate, Mode::kMvccPassive};
  return modes;
}

std::optional<Mode> FindMode(std::string_view name) {
  for (const Mode mode : AllModes()) {
    if (ModeName(mode) == name) return mode;
  }
  return std::nullopt;
}

bool HasMode(const TargetInfo& engine, Mode mode) {
  return std::count(engine.modes.begin(), engine.modes.end(), mode) > 0;
}

std::string_view ModeName(Mode mode) {
  switch (mode) {
    case Mode::kLegacy:
      return "legacy";
    case Mode::kMvcc:
      return "mvcc";
    case Mode::kLogicalLog:
      return "logical-log";
    case Mode::kConcurrent:
      return "concurrent";
    case Mode::kMvccTruncate:
      return "mvcc-truncate";
    case Mode::kMvccPassive:
      return "mvcc-passive";
  }
  return "";
}

std::string_view IoName(Io io) { return io == Io::kPwrite ? "pwrite" : "io-uring"; }

std::string NoIoRefusal(Io /*io*/) { return {}; }

bool Pipelined(Mode mode) {
  return mode == Mode::kConcurrent || mode == Mode::kMvccTruncate || mode == Mode::kMvccPassive;
}

}  // namespace throughput
