// The manifest: who made a database, which files make it up, and whether it was closed.
//
// One file with two checksummed slots. A change is written to both, the older first, each synced
// before the other is touched, so that a power cut leaves one whole and damage to one loses
// nothing. Thread rule: one caller at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/io/file_system.h"
#include "engine/log/log_reader.h"
#include "engine/log/segment_files.h"

namespace burin {

inline constexpr std::string_view kManifestName = "MANIFEST";
inline constexpr size_t kMaxCreatorBytes = 63;
inline constexpr size_t kMaxTableNameBytes = 63;

struct Manifest {
  DatabaseId database;
  uint64_t epoch = 0;  // counts changes; the slot with the higher one is the newer
  std::string creator;
  LogStart log_start;      // the oldest segment that is needed
  Lsn checkpoint_lsn = 0;  // all records below it are in runs
  bool closed = false;     // and then `end` is where the log ends, for certain
  LogTail end;
  uint64_t next_run = 1;            // the id of the next run file
  std::vector<uint64_t> runs;       // newest first
  std::vector<std::string> tables;  // names by id, those of the log's catalog records not needed
};

// kCorruption: neither slot is whole. kNotFound: there is no manifest.
Result<Manifest> ReadManifest(FileSystem& files, const std::string& folder);

// Makes the first manifest of a database; it exists, whole and durable, or not at all.
Status CreateManifest(FileSystem& files, const std::string& folder, Manifest& manifest);

// Writes the slot that ReadManifest took once more, as it was, and syncs it and its name. What was
// read may have been in the page cache only, left there by a program that died or by a sync that
// failed; until this has been done no file may come, or go that an older state names, and the other
// slot must stay.
Status SettleManifest(FileSystem& files, const std::string& folder, const Manifest& manifest);

// Durable on return, and `manifest.epoch` moved on. On failure either state may be on the disk.
Status WriteManifest(FileSystem& files, const std::string& folder, Manifest& manifest);

// Whether `name` (without its folder) is the manifest's, finished or not.
bool IsManifestName(std::string_view name);

}  // namespace burin
