// How a Store comes to be: making a new database, or recovering what the log holds.
//
// Order of a recovery: read the manifest, replay the log, remove files that were never used, copy
// the last segment's whole records to a new, synced file (their pages may never have reached the
// disk), withdraw the mark of a clean close, and only then begin a new segment that names where the
// copy ends. Each step can be cut short and done again.
#include <algorithm>
#include <cstring>
#include <random>
#include <utility>

#include "engine/log/log_reader.h"
#include "engine/store/store.h"
#include "engine/table/arena.h"
#include "engine/table/claim.h"

namespace burin {
namespace {

// The folder that holds the entry of `path`.
std::string ParentOf(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

uint64_t Random64() {
  std::random_device device;
  return static_cast<uint64_t>(device()) << 32 | device();
}

// Gives each record of a segment, whose whole records `content` holds, to a new generation, and
// closes a group whose end was lost.
void Reseal(std::vector<char>& content, const DatabaseId& database, uint64_t generation) {
  SegmentHeader segment;
  std::memcpy(&segment, content.data(), sizeof segment);
  segment.generation = generation;
  segment.Seal();
  std::memcpy(content.data(), &segment, sizeof segment);
  for (uint64_t group = kBlockBytes; group < content.size();) {
    std::vector<uint64_t> offsets;
    uint64_t at = group;
    RecordHeader header;
    do {
      std::memcpy(&header, content.data() + at, sizeof header);
      if (header.body_bytes == 0) break;  // the zeros in place of what was torn
      offsets.push_back(at);
      at += header.TotalBytes();
    } while (header.records_behind != 0 && at + sizeof header <= content.size());
    at = RoundUp(at, kBlockBytes);
    for (size_t i = 0; i < offsets.size(); ++i) {
      std::memcpy(&header, content.data() + offsets[i], sizeof header);
      header.generation = generation;
      header.group_bytes = static_cast<uint32_t>(at - group);
      header.records_behind = static_cast<uint32_t>(offsets.size() - 1 - i);
      header.Seal(database);
      std::memcpy(content.data() + offsets[i], &header, sizeof header);
    }
    group = at;
  }
}

}  // namespace

Status Store::OpenFiles() {
  auto there = files_.Exists(folder_);
  if (!there.ok()) return there.TakeStatus();
  if (!*there) {
    if (!options_.create) return {StatusCode::kNotFound, folder_ + ": there is no database"};
    Status status = files_.CreateFolder(folder_);
    if (!status.ok()) return status;
  }
  auto names = files_.List(folder_);
  if (!names.ok()) return names.TakeStatus();
  const bool has_manifest =
      std::find(names->begin(), names->end(), kManifestName) != names->end();
  for (const std::string& name : *names) {
    if (has_manifest) break;
    if (IsSegmentName(name)) {
      return {StatusCode::kCorruption, folder_ + "/" + std::string(kManifestName) +
                                           ": missing, though there is a log (" + name + ")"};
    }
    if (!IsOurFile(name)) {
      return {StatusCode::kInvalidArgument, folder_ + ": not a database (it has " + name + ")"};
    }
  }
  if (!has_manifest && !options_.create) {
    return {StatusCode::kNotFound, folder_ + ": there is no database"};
  }
  auto lock = files_.Lock(folder_ + "/" + std::string(kLockName), true);
  if (!lock.ok()) return lock.TakeStatus();
  lock_ = std::move(*lock);

  LogTail tail;
  bool resume = false;
  Status status = has_manifest ? Replay(tail, resume) : CreateFiles();
  if (!status.ok()) return status;
  log_ = std::make_unique<LogWriter>(files_, folder_, manifest_.database, options_.segment_bytes);
  status = log_->Start(tail, resume);
  if (!status.ok()) return status;
  group_ = std::make_unique<GroupCommit>(*log_, manifest_.database);
  return {};
}

Status Store::CreateFiles() {
  // Also where the folder was there: whoever made it may have died before this.
  Status status = files_.SyncFolder(ParentOf(folder_));
  if (!status.ok()) return status;
  manifest_.database = {{Random64(), Random64()}};
  manifest_.creator = options_.creator;
  return CreateManifest(files_, folder_, manifest_);
}

Status Store::Replay(LogTail& tail, bool& resume) {
  auto manifest = ReadManifest(files_, folder_);
  if (!manifest.ok()) return manifest.TakeStatus();
  manifest_ = std::move(*manifest);
  auto scan = ReadLog(
      files_, folder_, manifest_.database, manifest_.first_sequence,
      [this](const RecordHeader& header, const char* body) { return ReplayRecord(header, body); });
  if (!scan.ok()) return scan.TakeStatus();
  if (manifest_.closed && (scan->tail.end != manifest_.end.end ||
                           scan->tail.generation != manifest_.end.generation)) {
    return {StatusCode::kCorruption,
            SegmentPath(folder_, manifest_.end.sequence) + " at " +
                std::to_string(manifest_.end.end - manifest_.end.start_lsn) +
                ": the log was closed there, but ends earlier (" + scan->end_reason + ")"};
  }
  tail = scan->tail;
  resume = manifest_.closed && tail.sequence != 0;
  recovery_.clean = manifest_.closed;
  recovery_.bytes_dropped = scan->bytes_dropped;

  Status status = RemoveUnusedFiles(tail.sequence);
  if (status.ok() && !manifest_.closed && tail.sequence != 0 && !scan->tail_has_successor) {
    status = KeepTail(tail, std::move(scan->tail_content));
  }
  if (status.ok() && manifest_.closed) {
    manifest_.closed = false;
    status = WriteManifest(files_, folder_, manifest_);
  }
  return status;
}

Status Store::ReplayRecord(const RecordHeader& header, const char* body) {
  if (header.kind == RecordKind::kCatalog) {
    const char* row = body + DecodeRow(body).EncodedBytes();
    catalog_.Add(DecodeRow(row).value, static_cast<TableId>(DecodeRow(row).key));
    return {};
  }
  Chunk* chunk = replay_reserve_.Get(sizeof(Record) + header.body_bytes + kRecordAlignment);
  if (chunk == nullptr) return {StatusCode::kNoSpace, "out of memory while replaying the log"};
  auto* record = new (chunk->cursor()) Record;
  record->chunk = chunk;
  record->header = header;
  std::memcpy(record->body(), body, header.body_bytes);
  record->lsn.store(header.lsn, std::memory_order_release);
  chunk->set_cursor(chunk->cursor() + sizeof(Record) - sizeof(RecordHeader) + header.TotalBytes());

  Claimer claimer;
  claimer.Start(record, kPending, catalog_.NextId());
  Claimer::Result result = Claimer::Result::kFull;
  for (;;) {
    Generation& active = *view_->active;
    if (active.Enter(claimer.rows_left())) {
      result = claimer.ClaimIn(active, false);
      active.Leave();
    }
    if (result != Claimer::Result::kFull) break;
    Freeze(active, claimer.rows_left());
  }
  replay_reserve_.Put(chunk);
  if (result == Claimer::Result::kOutOfMemory) {
    return {StatusCode::kNoSpace, "out of memory while replaying the log"};
  }
  if (result == Claimer::Result::kRefused) {
    return {StatusCode::kCorruption, folder_ + ": the record at LSN " +
                                         std::to_string(header.lsn) +
                                         " contradicts those before it"};
  }
  ++recovery_.transactions;
  recovery_.rows += header.rows;
  return {};
}

// Copies what is left of the last segment, so that no unsynced page of it is ever relied upon.
Status Store::KeepTail(LogTail& tail, std::vector<char> content) {
  tail.generation = Random64() | 1;
  Reseal(content, manifest_.database, tail.generation);
  return ReplaceSegment(files_, folder_, tail.sequence, content);
}

// Segments that were made ahead, and halves of an interrupted recovery.
Status Store::RemoveUnusedFiles(uint64_t last_used_sequence) {
  auto names = files_.List(folder_);
  if (!names.ok()) return names.TakeStatus();
  for (const std::string& name : *names) {
    const uint64_t sequence = SegmentSequence(name);
    const bool used = sequence != 0 && sequence <= last_used_sequence;
    if (used || !IsSegmentName(name)) continue;
    Status status = files_.Remove(folder_ + "/" + name);
    if (!status.ok()) return status;
  }
  return {};
}

}  // namespace burin
