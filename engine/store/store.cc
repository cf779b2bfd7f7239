#include "engine/store/store.h"

#include <pthread.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/store/session_state.h"

namespace burin {
namespace {

constexpr uint64_t kMinSegmentBytes = 1ULL << 20;
constexpr uint64_t kMaxSegmentBytes = 256ULL << 20;
constexpr uint64_t kMinTableSlots = 1ULL << 10;
constexpr uint64_t kMaxTableSlots = 1ULL << 28;

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
  if (options.creator.size() > kMaxCreatorBytes) {
    return {StatusCode::kInvalidArgument, "creator takes at most 63 bytes"};
  }
  return {};
}

}  // namespace

Store::Store(std::string folder, const EngineOptions& options)
    : folder_(std::move(folder)),
      options_(options),
      files_(options.file_system != nullptr ? *options.file_system : PosixFileSystem()),
      catalog_(options.hasher) {
  auto view = std::make_shared<View>();
  view->active = std::make_shared<Generation>(options_.hasher, options_.table_slots);
  view_ = std::move(view);
}

Result<std::unique_ptr<Store>> Store::Open(const std::string& folder,
                                           const EngineOptions& options) {
  Status status = CheckOptions(options);
  if (!status.ok()) return status;
  std::unique_ptr<Store> store(new Store(folder, options));
  status = store->OpenFiles();
  if (!status.ok()) return status;
  store->indexer_ = std::thread(&Store::BuildIndexes, store.get());
  store->open_ = true;
  return store;
}

Store::~Store() { static_cast<void>(Close()); }

Status Store::Close() {
  if (!open_) return {};
  open_ = false;
  {
    const std::lock_guard lock(view_mutex_);
    stop_ = true;
  }
  frozen_.notify_all();
  indexer_.join();
  group_->Flush();
  if (group_->poisoned()) return group_->Failure(StatusCode::kPoisoned);  // recovery decides
  manifest_.closed = true;
  manifest_.end = log_->tail_is_empty() ? log_->predecessor() : log_->tail();
  return WriteManifest(files_, folder_, manifest_);
}

Result<TableId> Store::CreateTable(std::string_view name) {
  const std::lock_guard lock(creating_table_);
  if (auto known = catalog_.Find(name); known.ok()) return known;
  const TableId id = catalog_.NextId();
  if (id == kMaxTables) {
    return Status(StatusCode::kInvalidArgument, "a database has at most 1024 tables");
  }
  ChunkReserve reserve;
  RecordBuilder builder;
  builder.Begin(&reserve, MaxRecordBytes());
  builder.Append(0, id, RowOp::kInsert, name);
  if (builder.trouble() != RecordBuilder::Trouble::kNone) {
    return Status(StatusCode::kTooLarge, "the table's name is too long");
  }
  CommitNode node;
  node.record = builder.Finish(RecordKind::kCatalog);
  node.bell_bit = GroupBell::BitOf(NextSessionNumber());
  if (group_->Push(node)) group_->Lead();
  group_->Wait(node);
  builder.End(false);
  if (node.outcome != StatusCode::kOk) return group_->Failure(node.outcome);
  catalog_.Add(name, id);
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
  return statistics;
}

std::shared_ptr<const View> Store::CurrentView(uint64_t& version) const {
  const std::lock_guard lock(view_mutex_);
  version = view_version_.load(std::memory_order_relaxed);
  return view_;
}

void Store::Freeze(const Generation& full, uint32_t rows) {
  const std::lock_guard lock(view_mutex_);
  if (view_->active.get() != &full) return;
  view_->active->Freeze();
  uint64_t slots = options_.table_slots;
  while (Generation::RowLimit(slots) < rows) slots *= 2;
  auto next = std::make_shared<View>(*view_);
  next->frozen.insert(next->frozen.begin(), next->active);
  next->active = std::make_shared<Generation>(options_.hasher, slots);
  to_index_.push_back(next->frozen.front());
  view_ = std::move(next);
  view_version_.fetch_add(1, std::memory_order_release);
  freezes_.fetch_add(1, std::memory_order_relaxed);
  frozen_.notify_one();
}

void Store::BuildIndexes() {
  pthread_setname_np(pthread_self(), "burin-index");
  std::unique_lock lock(view_mutex_);
  for (;;) {
    frozen_.wait(lock, [this] { return stop_ || !to_index_.empty(); });
    if (stop_) return;
    const auto generation = std::move(to_index_.back());
    to_index_.pop_back();
    lock.unlock();
    generation->BuildIndex();
    lock.lock();
  }
}

}  // namespace burin
