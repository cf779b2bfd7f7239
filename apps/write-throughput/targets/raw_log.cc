// Two modes: legacy, in which each commit is appended and synced alone, and logical-log, ideal
// group commit: whoever finds nobody writing writes everything that waits, by one call and one
// sync.
#include "apps/write-throughput/targets/raw_log.h"

#include <condition_variable>
#include <mutex>
#include <utility>

#include "apps/write-throughput/targets/folder_target.h"
#include "apps/write-throughput/targets/raw_log_file.h"
#include "apps/write-throughput/targets/raw_log_records.h"

namespace throughput {
namespace {

constexpr const char* kFile = "log";

// A record on its way to the disk.
struct Waiting {
  iovec record{};
  bool done = false;
};

// Makes records durable. Thread rule: from any thread.
class Committer {
 public:
  // `threads`: so many commits make a full group; 0: each commit is alone.
  Committer(RawLogFile& file, size_t threads) : file_(file), threads_(threads) {}

  // `own` is the caller's until this returns.
  Expected<> Commit(Waiting& own) {
    return threads_ > 0 ? CommitInGroup(own) : CommitAlone(own.record);
  }

 private:
  Expected<> CommitAlone(iovec record) {
    const std::lock_guard lock(mutex_);
    if (failure_) return tl::unexpected(*failure_);
    return Keep(file_.Append({record}));
  }

  Expected<> CommitInGroup(Waiting& own) {
    std::unique_lock lock(mutex_);
    waiting_.push_back(&own);
    if (waiting_.size() >= threads_) full_.notify_one();
    // Ends: every writer ends, as each system call does, and wakes those it leaves.
    changed_.wait(lock, [&] { return own.done || !writing_; });
    if (!own.done) WriteGroup(lock);
    if (failure_) return tl::unexpected(*failure_);
    return {};
  }

  void WriteGroup(std::unique_lock<std::mutex>& lock) {
    writing_ = true;
    full_.wait_for(lock, last_write_ / 2, [this] { return waiting_.size() >= threads_; });
    const std::vector<Waiting*> group = std::exchange(waiting_, {});
    std::vector<iovec> records;
    for (const Waiting* member : group) records.push_back(member->record);
    if (!failure_) {
      lock.unlock();
      const auto start = std::chrono::steady_clock::now();
      const auto appended = file_.Append(std::move(records));
      lock.lock();
      last_write_ = std::chrono::steady_clock::now() - start;
      Keep(appended);
    }
    writing_ = false;
    for (Waiting* member : group) member->done = true;
    changed_.notify_all();
  }

  // After a failure nothing is durable any more: what the kernel still holds it may have given up.
  Expected<> Keep(Expected<> appended) {
    if (!appended && !failure_) failure_ = appended.error();
    return appended;
  }

  RawLogFile& file_;
  const size_t threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::condition_variable full_;
  std::chrono::nanoseconds last_write_{0};  // what it took: waiting half as long may still pay
  std::vector<Waiting*> waiting_;
  bool writing_ = false;
  std::optional<Failure> failure_;
};

class RawLogConnection : public Connection {
 public:
  explicit RawLogConnection(Committer& committer) : committer_(committer) {}

  Outcome Begin() override {
    record_.Clear();
    return Outcome::kOk;
  }
  Outcome Insert(int64_t id, std::string_view data) override {
    record_.Add(id, data);
    return Outcome::kOk;
  }
  Outcome Commit() override {
    waiting_ = {record_.Finish(), false};
    const auto done = committer_.Commit(waiting_);
    if (done) return Outcome::kOk;
    error_ = done.error().text;
    return Outcome::kFailed;
  }
  void Rollback() override {}
  std::string error() const override { return error_; }

 private:
  Committer& committer_;
  RawLogRecord record_;
  Waiting waiting_;
  std::string error_;
};

class RawLog : public FolderTarget {
 public:
  Expected<std::unique_ptr<Connection>> Connect() override {
    return std::make_unique<RawLogConnection>(*committer_);
  }

  TargetCounts Counts() const override {
    TargetCounts counts;
    counts.bytes_prepared = file_.bytes_prepared();
    return counts;
  }

  Expected<> ForEachRow(const std::function<bool(int64_t, std::string_view)>& row) override {
    return ReadRawLog(file_, row);
  }

 protected:
  Expected<> Open(const TargetOptions& options, bool create) override {
    if (!create) return file_.OpenToRead(File(kFile));
    const bool groups = options.mode == Mode::kLogicalLog;
    committer_ = std::make_unique<Committer>(file_, groups ? options.threads : 0);
    return file_.Create(File(kFile), options.keep_rows);
  }

  Expected<> Shut() override {
    committer_.reset();
    file_.Close();
    return {};
  }

 private:
  RawLogFile file_;
  std::unique_ptr<Committer> committer_;
};

}  // namespace

TargetInfo RawLogTarget() {
  TargetInfo info;
  info.name = "raw-log";
  info.system = "RawLog";
  info.version = "1";
  info.modes = {Mode::kLegacy, Mode::kLogicalLog};
  info.durability = "the disk's limit: the same bytes appended to a pre-written file and synced";
  info.counts_itself = false;
  info.make = [] { return std::make_unique<RawLog>(); };
  return info;
}

}  // namespace throughput
