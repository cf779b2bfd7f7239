#include "tests/write-throughput/fake_target.h"

#include <deque>
#include <vector>

namespace throughput {
namespace {

using Rows = std::vector<std::pair<int64_t, std::string>>;

class FakeConnection : public Connection {
 public:
  FakeConnection(FakeDatabase& database) : database_(database) {}  // NOLINT: only in this file

  Outcome Begin() override {
    rows_.clear();
    return Ask(database_.misbehaviour.begin, database_.begins);
  }

  Outcome Insert(int64_t id, std::string_view data) override {
    if (database_.misbehaviour.on_insert) database_.misbehaviour.on_insert(id);
    rows_.emplace_back(id, data);
    return Outcome::kOk;
  }

  Outcome Commit() override {
    const Outcome outcome = Ask(database_.misbehaviour.commit, database_.commits);
    if (outcome == Outcome::kOk) Keep(rows_);
    return outcome;
  }

  void Rollback() override {
    const std::lock_guard lock(database_.mutex);
    ++database_.rollbacks;
  }

  Outcome Submit() override {
    const Outcome outcome = Ask(database_.misbehaviour.commit, database_.commits);
    if (outcome == Outcome::kOk) submitted_.push_back(rows_);
    return outcome;
  }

  Completion Await() override {
    const Outcome outcome = Ask(database_.misbehaviour.await, database_.awaits);
    if (outcome == Outcome::kOk) Keep(submitted_.front());
    submitted_.pop_front();
    return {outcome, std::chrono::steady_clock::now()};
  }

  std::string error() const override { return "the fake failed"; }

 private:
  Outcome Ask(const std::function<Outcome(int)>& answer, int& attempts) {
    const std::lock_guard lock(database_.mutex);
    ++attempts;
    return answer ? answer(attempts) : Outcome::kOk;
  }

  void Keep(const Rows& rows) {
    const std::lock_guard lock(database_.mutex);
    for (const auto& [id, value] : rows) database_.rows.emplace(id, value);
  }

  FakeDatabase& database_;
  Rows rows_;  // of the open transaction
  std::deque<Rows> submitted_;
};

class FakeTarget : public Target {
 public:
  explicit FakeTarget(FakeDatabase& database) : database_(database) {}

  Expected<PathReport> InspectPath(const std::string&) const override { return PathReport{}; }
  Expected<> Remove(const std::string&) const override { return {}; }
  Expected<> Create(const TargetOptions&) override {
    return OrFailure(database_.misbehaviour.create_failure);
  }
  Expected<> Reopen(const TargetOptions&) override {
    return OrFailure(database_.misbehaviour.reopen_failure);
  }
  Expected<std::unique_ptr<Connection>> Connect() override {
    if (auto fine = OrFailure(database_.misbehaviour.connect_failure); !fine) {
      return tl::unexpected(fine.error());
    }
    return std::make_unique<FakeConnection>(database_);
  }
  TargetCounts Counts() const override {
    const std::lock_guard lock(database_.mutex);
    TargetCounts counts = database_.background;
    counts.syncs = static_cast<uint64_t>(database_.commits);
    return counts;
  }
  void RestartLongest() override {
    if (database_.on_restart_longest) database_.on_restart_longest();
  }
  Expected<> ForEachRow(const std::function<bool(int64_t, std::string_view)>& row) override {
    std::map<int64_t, std::string> rows = database_.rows;
    rows.insert(database_.misbehaviour.invent.begin(), database_.misbehaviour.invent.end());
    for (const auto& [id, value] : rows) {
      const Misbehaviour& misbehaviour = database_.misbehaviour;
      if (misbehaviour.drop.contains(id)) continue;
      if (!row(id, misbehaviour.change.contains(id) ? value + "?" : value)) break;
      if (misbehaviour.duplicate.contains(id) && !row(id, value)) break;
    }
    return {};
  }
  Expected<> Close() override { return {}; }

 private:
  static Expected<> OrFailure(const std::string& failure) {
    if (failure.empty()) return {};
    return tl::unexpected(Failure{failure});
  }

  FakeDatabase& database_;
};

}  // namespace

std::unique_ptr<Target> MakeFakeTarget(FakeDatabase& database) {
  return std::make_unique<FakeTarget>(database);
}

TargetInfo FakeTargetInfo(FakeDatabase& database) {
  TargetInfo info;
  info.name = "fake";
  info.system = "Fake";
  info.version = "1";
  info.modes = {Mode::kLegacy,     Mode::kMvcc,         Mode::kLogicalLog,
                Mode::kConcurrent, Mode::kMvccTruncate, Mode::kMvccPassive};
  info.has_files = false;
  info.make = [&database] { return MakeFakeTarget(database); };
  return info;
}

}  // namespace throughput
