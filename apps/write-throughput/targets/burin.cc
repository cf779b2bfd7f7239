#include "apps/write-throughput/targets/burin.h"

#include <fmt/format.h>

#include <bit>
#include <limits>

#include "apps/write-throughput/numbers.h"
#include "engine/engine.h"

namespace throughput {
namespace {

constexpr std::string_view kCreator = "write-throughput";
constexpr std::string_view kTable = "test_table";
constexpr std::string_view kSegmentBytes = "segment-bytes";
constexpr std::string_view kTableSlots = "table-slots";
constexpr std::string_view kLimitBackground = "limit-background";
constexpr int64_t kBlock = 4096;

tl::unexpected<Failure> Fail(const burin::Status& status) {
  return tl::unexpected(Failure{std::string(status.message())});
}

Expected<> AsExpected(const burin::Status& status) {
  if (!status.ok()) return Fail(status);
  return {};
}

burin::Io EngineIo(Io io) { return io == Io::kIoUring ? burin::Io::kIoUring : burin::Io::kPwrite; }

burin::TransactionKind KindOf(Mode mode) {
  switch (mode) {
    case Mode::kLegacy:
      return burin::TransactionKind::kExclusive;
    case Mode::kMvcc:
      return burin::TransactionKind::kSerial;
    case Mode::kLogicalLog:
    case Mode::kConcurrent:
    case Mode::kMvccTruncate:
    case Mode::kMvccPassive:
      break;
  }
  return burin::TransactionKind::kConcurrent;
}

class BurinConnection : public Connection {
 public:
  BurinConnection(std::unique_ptr<burin::Session> session, burin::TableId table,
                  const TargetOptions& options)
      : session_(std::move(session)),
        table_(table),
        kind_(KindOf(options.mode)),
        submitted_(Pipelined(options.mode) ? options.in_flight : 0) {}

  Outcome Begin() override { return Answer(session_->Begin(kind_, transaction_)); }

  // Ids are fresh, so that nothing need be known before the commit: the engine's cheap way.
  Outcome Insert(int64_t id, std::string_view data) override {
    transaction_.batch().Insert(table_, id, data);
    return Outcome::kOk;
  }

  Outcome Commit() override { return Answer(transaction_.Commit()); }
  void Rollback() override { transaction_.Rollback(); }

  Outcome Submit() override {
    const Outcome outcome = Answer(transaction_.CommitAsync());
    if (outcome != Outcome::kOk) return outcome;
    std::swap(submitted_[newest_], transaction_);  // that one is over: the next begins in it
    newest_ = Next(newest_);
    return outcome;
  }

  Completion Await() override {
    burin::Transaction& oldest = submitted_[oldest_];
    oldest_ = Next(oldest_);
    const Outcome outcome = Answer(oldest.Await());
    if (outcome != Outcome::kOk) return {outcome, {}};
    return {outcome, oldest.durable_at()};
  }

  std::string error() const override { return error_; }

 private:
  size_t Next(size_t place) const { return place + 1 == submitted_.size() ? 0 : place + 1; }

  Outcome Answer(const burin::Status& status) {
    if (status.ok()) [[likely]]
      return Outcome::kOk;
    if (status.code() == burin::StatusCode::kConflict) return Outcome::kConflict;
    if (status.code() == burin::StatusCode::kBusy) return Outcome::kBusy;
    error_ = status.message();
    return Outcome::kFailed;
  }

  // Transactions end before their session: the order of these members.
  std::unique_ptr<burin::Session> session_;
  burin::TableId table_;
  burin::TransactionKind kind_;
  burin::Transaction transaction_;
  std::vector<burin::Transaction> submitted_;  // a ring
  size_t newest_ = 0;                          // where the next one goes
  size_t oldest_ = 0;
  std::string error_;
};

class Burin : public Target {
 public:
  Expected<PathReport> InspectPath(const std::string& path) const override {
    const auto info = burin::Engine::Inspect(path);
    if (!info.ok()) {
      switch (info.status().code()) {
        case burin::StatusCode::kNotFound:
          return PathReport{};
        case burin::StatusCode::kInvalidArgument:
        case burin::StatusCode::kCorruption:
          return PathReport{PathState::kForeign, std::string(info.status().message())};
        default:
          return Fail(info.status());
      }
    }
    if (info->creator != kCreator) {
      return PathReport{PathState::kForeign,
                        fmt::format("a Burin database made by '{}'", info->creator)};
    }
    if (!info->in_use) return PathReport{PathState::kOurs, {}};
    return PathReport{PathState::kInUse, info->holder_pid == 0
                                             ? std::string("by another process")
                                             : fmt::format("by process {}", info->holder_pid)};
  }

  Expected<> Remove(const std::string& path) const override {
    return AsExpected(burin::Engine::Remove(path));
  }

  Expected<> Create(const TargetOptions& options) override {
    if (auto opened = Open(options, true); !opened) return opened;
    const auto table = engine_->CreateTable(kTable);
    if (!table.ok()) return Fail(table.status());
    table_ = *table;
    return {};
  }

  Expected<> Reopen(const TargetOptions& options) override {
    if (auto opened = Open(options, false); !opened) return opened;
    const auto table = engine_->FindTable(kTable);
    if (!table.ok()) return Fail(table.status());
    table_ = *table;
    return {};
  }

  Expected<std::unique_ptr<Connection>> Connect() override {
    return std::make_unique<BurinConnection>(engine_->Connect(), table_, options_);
  }

  TargetCounts Counts() const override {
    const burin::EngineStatistics statistics = engine_->Statistics();
    TargetCounts counts;
    counts.syncs = statistics.log_syncs;
    counts.bytes_written = statistics.log_bytes + statistics.background_bytes;
    counts.bytes_prepared = statistics.zero_filled_bytes;
    counts.conflicts = statistics.conflicts;
    counts.checkpoints = statistics.checkpoints;
    counts.merges = statistics.merges;
    counts.background_bytes = statistics.background_bytes;
    counts.background_cpu_ns = statistics.background_cpu_ns;
    counts.stalls = statistics.stalls;
    counts.stall_ns = statistics.stall_ns;
    counts.longest_stall_ns = statistics.longest_stall_ns;
    counts.longest_sync_ns = statistics.longest_sync_ns;
    counts.checkpoint_running = statistics.checkpoint_running;
    counts.merge_running = statistics.merge_running;
    counts.stalled = statistics.writer_stalled;
    return counts;
  }

  void RestartLongest() override { engine_->RestartLongest(); }

  Expected<> ForEachRow(
      const std::function<bool(int64_t id, std::string_view data)>& row) override {
    const auto session = engine_->Connect();
    auto transaction = session->Begin(burin::TransactionKind::kConcurrent);
    if (!transaction.ok()) return Fail(transaction.status());
    using Limits = std::numeric_limits<int64_t>;
    const auto scanned = transaction->Scan(table_, Limits::min(), Limits::max(), row);
    transaction->Rollback();
    return AsExpected(scanned);
  }

  Expected<> Close() override {
    if (engine_ == nullptr) return {};
    const auto closed = engine_->Close();
    engine_.reset();
    return AsExpected(closed);
  }

 private:
  Expected<> Open(const TargetOptions& options, bool create) {
    options_ = options;
    auto engine = burin::Engine::Open(options.path, EngineOptionsOf(options, create));
    if (!engine.ok()) return Fail(engine.status());
    engine_ = std::move(*engine);
    return {};
  }

  static burin::EngineOptions EngineOptionsOf(const TargetOptions& options, bool create) {
    burin::EngineOptions engine_options;
    engine_options.hasher = options.hasher == "sip13" ? burin::Hasher::kSip13 : burin::Hasher::kFx;
    engine_options.io = EngineIo(options.io);
    engine_options.busy_timeout = options.timeout;
    engine_options.create = create;
    engine_options.creator = kCreator;
    if (options.mode == Mode::kMvccTruncate) {
      engine_options.checkpoint = burin::CheckpointMode::kTruncate;
    }
    for (const auto& [key, value] : options.engine_options) {
      if (key == kLimitBackground) {
        engine_options.limit_background = value == "on";
        continue;
      }
      if (key != kSegmentBytes && key != kTableSlots) continue;  // another engine's
      // The value was allowed by SettingAllowed.
      const int64_t number = *ParseInteger(key, value, {0, std::numeric_limits<int64_t>::max()});
      if (key == kSegmentBytes) engine_options.segment_bytes = static_cast<uint64_t>(number);
      if (key == kTableSlots) engine_options.table_slots = static_cast<uint64_t>(number);
    }
    return engine_options;
  }

  TargetOptions options_;
  std::unique_ptr<burin::Engine> engine_;
  burin::TableId table_ = 0;
};

bool SettingAllowed(std::string_view key, std::string_view value) {
  if (key == kLimitBackground) return value == "on" || value == "off";
  if (key == kSegmentBytes) {
    const auto bytes = ParseInteger(key, value, {int64_t{1} << 20, int64_t{256} << 20});
    return bytes && *bytes % kBlock == 0;
  }
  const auto slots = ParseInteger(key, value, {1024, int64_t{1} << 28});
  return slots && std::has_single_bit(static_cast<uint64_t>(*slots));
}

}  // namespace

TargetInfo BurinTarget() {
  TargetInfo info;
  info.name = "burin";
  info.system = "Burin";
  info.version = burin::Version();
  info.modes = AllModes();
  info.uses_hasher = true;
  info.io_refusal = [](Io io) {
    const burin::Status status = burin::Engine::CheckIo(EngineIo(io));
    return status.ok() ? std::string() : std::string(status.message());
  };
  info.settings = {
      {std::string(kSegmentBytes),
       "size of a log file, 1048576 to 268435456, a multiple of 4096 (67108864)"},
      {std::string(kTableSlots),
       "slots of an in-memory hash table, a power of two from 1024 to 268435456 (1048576)"},
      {std::string(kLimitBackground),
       "on: checkpoints and merges are held back to what keeps up with the writers, not in "
       "mvcc-truncate; on or off (off)"},
  };
  info.setting_allowed = SettingAllowed;
  info.make = [] { return std::make_unique<Burin>(); };
  return info;
}

}  // namespace throughput
