#include "engine/store/store.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/io/io_uring_file_system.h"
#include "engine/store/session_state.h"

namespace burin {
namespace {

constexpr size_t kKeptChunks = 64;
constexpr size_t kReadyBytesPerSlot = 16;  // about the records of the first generation, if small
constexpr size_t kKeptSlotArrays = 2;
constexpr size_t kMaxFrozen = 2;  // generations that wait to become runs
constexpr uint64_t kMinSegmentBytes = 1ULL << 20;
constexpr uint64_t kMaxSegmentBytes = 256ULL << 20;
constexpr uint64_t kMinTableBytes = 64ULL << 10;
constexpr uint64_t kMaxTableBytes = 4ULL << 30;
constexpr uint64_t kMinTableSlots = 1ULL << 10;
constexpr uint64_t kMaxTableSlots = 1ULL << 28;
constexpr std::chrono::hours kMaxBusyTimeout{24};

Status CheckOptions(const EngineOptions& options) {
  if (options.segment_bytes < kMinSegmentBytes || options.segment_bytes > kMaxSegmentBytes ||
      options.segment_bytes % kBlockBytes != 0) {
    return {StatusCode::kInvalidArgument,
            "segment_bytes must be a multiple of 4096 from 1 MiB to 256 MiB"};
  }
  if (options.table_slots < kMinTableSlots || options.table_slots > kMaxTableSlots ||
      !std::has_single_bit(options.table_slots)) {
    return {StatusCode::kInvalidArgument, "table_slots must be a power of two from 2^10 to 2^28"};
  }
  if (options.table_bytes < kMinTableBytes || options.table_bytes > kMaxTableBytes) {
    return {StatusCode::kInvalidArgument, "table_bytes must be from 64 KiB to 4 GiB"};
  }
  if (options.busy_timeout < std::chrono::milliseconds(0) ||
      options.busy_timeout > kMaxBusyTimeout) {
    return {StatusCode::kInvalidArgument, "busy_timeout must be from 0 to 24 hours"};
  }
  if (options.creator.size() > kMaxCreatorBytes) {
    return {StatusCode::kInvalidArgument, "creator takes at most 63 bytes"};
  }
  return {};
}

FileSystem& ChooseFiles(const EngineOptions& options, FileSystem* own_files) {
  if (options.file_system != nullptr) return *options.file_system;
  return own_files != nullptr ? *own_files : PosixFileSystem();
}

std::unique_ptr<const View> FirstView(std::shared_ptr<Generation> active) {
  auto view = std::make_unique<View>();
  view->active = std::move(active);
  return view;
}

}  // namespace

Store::Store(std::string folder, const EngineOptions& options,
             std::unique_ptr<FileSystem> own_files)
    : folder_(std::move(folder)),
      options_(options),
      own_files_(std::move(own_files)),
      files_(ChooseFiles(options, own_files_.get())),
      manifest_(files_, folder_),
      catalog_(options.hasher),
      chunks_(kKeptChunks, std::min(options.table_slots * kReadyBytesPerSlot,
                                    kKeptChunks * Chunk::kStandardBytes)),
      slot_memory_(kKeptSlotArrays),
      cache_(options.cache_bytes),
      views_(FirstView(MakeGeneration(0))),
      replay_reserve_(chunks_) {}

Result<std::unique_ptr<Store>> Store::Open(const std::string& folder,
                                           const EngineOptions& options) {
  Status status = CheckOptions(options);
  if (!status.ok()) return status;
  std::unique_ptr<FileSystem> own_files;
  if (options.file_system == nullptr && options.io == Io::kIoUring) {
    auto made = MakeIoUringFileSystem();
    if (!made.ok()) return made.TakeStatus();
    own_files = std::move(*made);
  }
  std::unique_ptr<Store> store(new Store(folder, options, std::move(own_files)));
  status = store->OpenFiles();
  if (!status.ok()) return status;
  if (options.limit_background && options.checkpoint == CheckpointMode::kPassive) {
    store->limit_ = std::make_unique<BackgroundLimit>(
        [group = store->group_.get()] { return group->durable(); });
  }
  store->checkpointer_ = std::make_unique<Checkpointer>(store->Surroundings());
  if (store->read_only_.ok()) store->checkpointer_->Start();
  store->open_ = true;
  return store;
}

Store::~Store() { static_cast<void>(Close()); }

Status Store::Close() {
  if (!open_) return {};
  open_ = false;
  checkpointer_->Stop();
  const bool wrote = read_only_.ok();
  // Rows behind the mark of the end would make the database look damaged.
  read_only_ = {StatusCode::kInvalidArgument, folder_ + ": has been closed"};
  if (!wrote) return {};
  group_->Flush();
  if (group_->poisoned()) return group_->Failure(StatusCode::kPoisoned);  // recovery decides
  return manifest_.Change([this](Manifest& manifest) {
    manifest.closed = true;
    manifest.end = log_->tail_is_empty() ? log_->predecessor() : log_->tail();
  });
}

Result<TableId> Store::CreateTable(std::string_view name) {
  const std::lock_guard lock(creating_table_);
  if (auto known = catalog_.Find(name); known.ok()) return known;
  if (!read_only_.ok()) return read_only_;
  if (name.size() > kMaxTableNameBytes) {
    return Status(StatusCode::kInvalidArgument, "a table's name has at most 63 bytes");
  }
  const TableId id = catalog_.NextId();
  if (id == kMaxTables) {
    return Status(StatusCode::kInvalidArgument, "a database has at most 1024 tables");
  }
  ChunkReserve reserve(chunks_);
  RecordBuilder builder;
  builder.Begin(&reserve, MaxRecordBytes());
  builder.Append(0, id, RowOp::kInsert, name);
  if (builder.trouble() != RecordBuilder::Trouble::kNone) {
    return Status(StatusCode::kNoSpace, "out of memory for a table's name");
  }
  CommitNode node;
  node.record = builder.Finish(RecordKind::kCatalog);
  group_->CommitAlone(node);
  builder.End(false);
  if (node.outcome != StatusCode::kOk) return group_->Failure(node.outcome);
  catalog_.Add(name, id);
  // Before the first transaction needs it; without memory that one will say so.
  static_cast<void>(views_.Copy().active->MakeTable(id));
  return id;
}

EngineStatistics Store::Statistics() const {
  EngineStatistics statistics;
  const LogCounts& counts = log_->counts();
  statistics.log_syncs = counts.syncs.load(std::memory_order_relaxed);
  statistics.log_bytes = counts.bytes.load(std::memory_order_relaxed);
  statistics.zero_filled_bytes = counts.zero_filled_bytes.load(std::memory_order_relaxed);
  statistics.groups = group_->groups();
  statistics.commits = group_->commits();
  statistics.conflicts = conflicts_.load(std::memory_order_relaxed);
  statistics.table_freezes = freezes_.load(std::memory_order_relaxed);
  statistics.longest_sync_ns = group_->longest_sync_ns();
  const BackgroundCounts& background = checkpointer_->counts();
  statistics.checkpoints = background.checkpoints.load(std::memory_order_relaxed);
  statistics.merges = background.merges.load(std::memory_order_relaxed);
  statistics.background_bytes = background.bytes.load(std::memory_order_relaxed);
  statistics.background_cpu_ns = background.cpu_ns.load(std::memory_order_relaxed);
  statistics.checkpoint_running = background.checkpoints_running.load() != 0;
  statistics.merge_running = background.merges_running.load() != 0;
  statistics.stalls = stalls_.load(std::memory_order_relaxed);
  statistics.stall_ns = stall_ns_.load(std::memory_order_relaxed);
  statistics.longest_stall_ns = longest_stall_ns_.load(std::memory_order_relaxed);
  statistics.writer_stalled = stalled_.load() != 0;
  return statistics;
}

void Store::RestartLongest() {
  longest_stall_ns_.store(0);
  group_->RestartLongest();
}

std::shared_ptr<Generation> Store::MakeGeneration(uint32_t rows) {
  uint64_t slots = options_.table_slots;
  while (Generation::RowLimit(slots) < rows) slots *= 2;
  return std::make_shared<Generation>(options_.hasher, slots, options_.table_bytes, slot_memory_);
}

BackgroundSurroundings Store::Surroundings() {
  return {.files = files_,
          .folder = folder_,
          .database = database_,
          .manifest = manifest_,
          .catalog = catalog_,
          .creating_table = creating_table_,
          .log = log_.get(),
          .group = group_.get(),
          .views = views_,
          .snapshots = snapshots_,
          .cache = cache_,
          .limit = limit_.get()};
}

Status Store::MergeAll() {
  return read_only_.ok() ? checkpointer_->merger().MergeAll() : read_only_;
}

Status Store::AwaitCheckpoint(size_t fewer_than) {
  const auto begin = std::chrono::steady_clock::now();
  stalls_.fetch_add(1, std::memory_order_relaxed);
  ++stalled_;
  Status status = checkpointer_->AwaitFewer(fewer_than);
  --stalled_;
  const auto waited = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::steady_clock::now() - begin);
  const auto ns = static_cast<uint64_t>(waited.count());
  stall_ns_.fetch_add(ns, std::memory_order_relaxed);
  uint64_t longest = longest_stall_ns_.load(std::memory_order_relaxed);
  while (ns > longest && !longest_stall_ns_.compare_exchange_weak(longest, ns)) {
  }
  return status;
}

Status Store::Freeze(const Generation& full, uint32_t rows, bool holds_claims) {
  while (!holds_claims && views_.frozen() >= kMaxFrozen) {
    Status status = AwaitCheckpoint(kMaxFrozen);
    if (!status.ok()) return status;
  }
  const std::lock_guard lock(freezing_);
  const View view = views_.Copy();
  if (view.active.get() != &full) return {};
  view.active->Freeze();
  // Whoever claims in the next generation joins the log behind this point.
  PublishNextGeneration(rows, group_->durable());
  checkpointer_->Wake();
  return {};
}

void Store::PublishNextGeneration(uint32_t rows, Lsn covers_lsn) {
  views_.Replace([&](View& next) {
    next.active->set_covers_lsn(covers_lsn);
    next.frozen.insert(next.frozen.begin(), next.active);
    next.active = MakeGeneration(rows);
  });
  freezes_.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace burin
