// How a Store comes to be: making a new database, or recovering what the log holds.
//
// After a clean close the log is replayed into memory and goes on where it ended. After a crash:
// the replayed rows become runs, the manifest names these and a new log behind the old one, both
// synced, and only then do the old segments go and does a new one begin. So no page of an old
// segment is relied upon again, which may never have reached the disk; that of the manifest which
// was read is written anew first. Each step can be cut short and done again: replaying is
// idempotent, and files that the manifest does not name are removed.
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

}  // namespace

Status Store::OpenFiles() {
  bool has_manifest = false;
  Status status = CheckFolder(has_manifest);
  if (!status.ok()) return status;
  auto lock = files_.Lock(folder_ + "/" + std::string(kLockName), true);
  if (!lock.ok()) return lock.TakeStatus();
  lock_ = std::move(*lock);
  return has_manifest ? Recover() : CreateFiles();
}

// What is in the folder, which is made when it may be.
Status Store::CheckFolder(bool& has_manifest) {
  auto there = files_.Exists(folder_);
  if (!there.ok()) return there.TakeStatus();
  if (!*there) {
    if (!options_.create) return {StatusCode::kNotFound, folder_ + ": there is no database"};
    return files_.CreateFolder(folder_);
  }
  auto names = files_.List(folder_);
  if (!names.ok()) return names.TakeStatus();
  has_manifest = std::find(names->begin(), names->end(), kManifestName) != names->end();
  if (has_manifest) return {};
  for (const std::string& name : *names) {
    if (IsSegmentName(name) || IsRunName(name)) {
      return {StatusCode::kCorruption, folder_ + "/" + std::string(kManifestName) +
                                           ": missing, though there is data (" + name + ")"};
    }
    if (!IsOurFile(name)) {
      return {StatusCode::kInvalidArgument, folder_ + ": not a database (it has " + name + ")"};
    }
  }
  if (!options_.create) return {StatusCode::kNotFound, folder_ + ": there is no database"};
  return {};
}

Status Store::CreateFiles() {
  // Also where the folder was there: whoever made it may have died before this.
  Status status = files_.SyncFolder(ParentOf(folder_));
  if (!status.ok()) return status;
  Manifest manifest;
  manifest.database = {{Random64(), Random64()}};
  manifest.creator = options_.creator;
  status = CreateManifest(files_, folder_, manifest);
  if (!status.ok()) return status;
  database_ = manifest.database;
  const LogStart start = manifest.log_start;
  manifest_.Set(std::move(manifest));
  log_ = std::make_unique<LogWriter>(files_, folder_, database_, options_.segment_bytes);
  status = log_->Begin(start);
  if (status.ok()) group_ = std::make_unique<GroupCommit>(*log_, database_);
  return status;
}

Status Store::Recover() {
  auto read = ReadManifest(files_, folder_);
  if (!read.ok()) return read.TakeStatus();
  const Manifest manifest = std::move(*read);
  database_ = manifest.database;
  manifest_.Set(manifest);
  for (TableId id = 0; id < manifest.tables.size(); ++id) catalog_.Add(manifest.tables[id], id);
  Status status = OpenRuns(manifest);
  if (!status.ok()) return status;
  status = manifest_.Settle();
  if (status.code() == StatusCode::kNoSpace) read_only_ = status;
  if (!status.ok() && read_only_.ok()) return status;
  const bool settled = read_only_.ok();
  auto scan = ReadLog(
      files_, folder_, database_, manifest.log_start,
      [this](const RecordHeader& header, const char* body) { return ReplayRecord(header, body); });
  if (!scan.ok()) return scan.TakeStatus();

  const LogTail none;
  const LogTail& tail = scan->segments.empty() ? none : scan->segments.back();
  if (manifest.closed &&
      (tail.end != manifest.end.end || tail.generation != manifest.end.generation)) {
    return {StatusCode::kCorruption, SegmentPath(folder_, manifest.end.sequence) + " at " +
                                         std::to_string(manifest.end.end - manifest.end.start_lsn) +
                                         ": the log was closed there, but ends earlier (" +
                                         scan->end_reason + ")"};
  }
  recovery_.clean = manifest.closed;
  if (!manifest.closed) recovery_.bytes_dropped = scan->bytes_dropped;
  const uint64_t last_sequence =
      scan->segments.empty() ? manifest.log_start.sequence - 1 : tail.sequence;
  if (settled) {
    status = RemoveFiles(manifest_.Copy(), last_sequence);
    if (!status.ok()) return status;
    if (!read_only_.ok()) read_only_ = CheckpointAllReplayed();  // there may be space by now
  }
  log_ = std::make_unique<LogWriter>(files_, folder_, database_, options_.segment_bytes);
  const Lsn end = scan->segments.empty() ? manifest.log_start.lsn : tail.end;
  status = read_only_;
  if (status.ok()) {
    status = manifest.closed && !scan->segments.empty() ? GoOnAfterClose(std::move(*scan))
                                                        : GoOnAfterCrash(*scan);
  }
  if (status.code() == StatusCode::kNoSpace) {
    OpenReadOnly(std::move(status), end);
    status = {};
  }
  if (status.ok()) group_ = std::make_unique<GroupCommit>(*log_, database_);
  return status;
}

Status Store::OpenRuns(const Manifest& manifest) {
  std::vector<std::shared_ptr<const Run>> runs;
  for (const uint64_t id : manifest.runs) {
    auto run = Run::Open(files_, folder_, id, database_, &cache_);
    if (!run.ok()) return run.TakeStatus();
    runs.push_back(std::move(*run));
  }
  views_.Replace([&](View& next) { next.runs = std::move(runs); });
  return {};
}

Status Store::ReplayRecord(const RecordHeader& header, const char* body) {
  if (header.kind == RecordKind::kCatalog) {
    const char* row = body + DecodeRow(body).EncodedBytes();
    catalog_.Add(DecodeRow(row).value, static_cast<TableId>(DecodeRow(row).key));
    return {};
  }
  if (header.lsn < manifest_.checkpoint_lsn()) return {};
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
  Status status;
  while (status.ok()) {
    Generation& active = *views_.Copy().active;
    if (active.Enter(claimer.rows_left())) {
      result = claimer.ClaimIn(active, false);
      active.Leave();
    }
    if (result != Claimer::Result::kFull) break;
    status = MakeReplayRoom(header.lsn, claimer.rows_left());
  }
  replay_reserve_.Put(chunk);
  if (!status.ok()) return status;
  if (result == Claimer::Result::kOutOfMemory) {
    return {StatusCode::kNoSpace, "out of memory while replaying the log"};
  }
  if (result == Claimer::Result::kRefused) {
    return {StatusCode::kCorruption, folder_ + ": the record at LSN " + std::to_string(header.lsn) +
                                         " contradicts those before it"};
  }
  ++recovery_.transactions;
  recovery_.rows += header.rows;
  return {};
}

// The log may be larger than memory: what is full becomes a run at once. On a full disk the rows
// stay in memory, and the database opens read-only.
Status Store::MakeReplayRoom(Lsn covers_lsn, uint32_t rows) {
  views_.Copy().active->Freeze();
  PublishNextGeneration(rows, covers_lsn);
  if (!read_only_.ok()) return {};
  Status status = CheckpointReplayed();
  if (status.code() != StatusCode::kNoSpace) return status;
  read_only_ = std::move(status);
  return {};
}

Status Store::CheckpointReplayed() {
  BackgroundSurroundings around = Surroundings();
  around.log = nullptr;  // no segment goes before all of the log has been replayed
  around.group = nullptr;
  return CheckpointOldest(around, replay_counts_);
}

Status Store::CheckpointAllReplayed() {
  Status status;
  while (status.ok() && views_.frozen() != 0) status = CheckpointReplayed();
  return status;
}

Status Store::GoOnAfterClose(LogScan scan) {
  Status status = log_->Resume(std::move(scan.segments));
  if (!status.ok()) return status;
  return manifest_.Change([](Manifest& manifest) { manifest.closed = false; });
}

Status Store::GoOnAfterCrash(const LogScan& scan) {
  LogStart start = manifest_.Copy().log_start;
  if (!scan.segments.empty()) {
    start = {scan.segments.back().sequence + 1, scan.segments.back().NextStart()};
    views_.Copy().active->Freeze();
    PublishNextGeneration(0, start.lsn);
    Status status = CheckpointAllReplayed();
    if (!status.ok()) return status;
  }
  const std::vector<std::string> tables = catalog_.Names();
  Status status = manifest_.Change([&](Manifest& manifest) {
    manifest.log_start = start;
    manifest.checkpoint_lsn = start.lsn;
    manifest.tables = tables;
    manifest.closed = false;
  });
  if (status.ok()) status = RemoveFiles(manifest_.Copy(), start.sequence - 1);
  return status.ok() ? log_->Begin(start) : status;
}

// Segments that were made ahead or are not needed any more, runs that the manifest does not name,
// and halves of an interrupted recovery. `last_sequence`: the last segment that holds records.
Status Store::RemoveFiles(const Manifest& manifest, uint64_t last_sequence) {
  auto names = files_.List(folder_);
  if (!names.ok()) return names.TakeStatus();
  for (const std::string& name : *names) {
    const uint64_t sequence = SegmentSequence(name);
    const bool is_log = sequence >= manifest.log_start.sequence && sequence <= last_sequence;
    const auto& runs = manifest.runs;
    const bool is_run = std::find(runs.begin(), runs.end(), RunIdOf(name)) != runs.end();
    if (is_log || is_run || (!IsSegmentName(name) && !IsRunName(name))) continue;
    Status status = files_.Remove(folder_ + "/" + name);
    if (!status.ok()) return status;
  }
  return {};
}

void Store::OpenReadOnly(Status why, Lsn end) {
  read_only_ = {StatusCode::kNoSpace, "opened for reading only: " + std::string(why.message())};
  log_->StandStill(end);
}

}  // namespace burin
