#include "tests/engine/failing_workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/engine/crashed_database.h"

namespace burin {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

// Whether the call can fail in that way, and in no way tried under another name.
bool CanFail(const FileCall& call, Fault fault) {
  const bool has_data =
      call.kind == FileCall::Kind::kWrite || call.kind == FileCall::Kind::kFillWithZeros;
  switch (fault) {
    case Fault::kNone:
      return false;
    case Fault::kError:
      return true;
    case Fault::kNoSpace:
      return call.Changes();
    case Fault::kPartialError:
    case Fault::kPartialNoSpace:
      return has_data;
    case Fault::kLostPages:
      return call.kind == FileCall::Kind::kSync;
  }
  return false;
}

// The smallest tables there are, so that 200 commits become several runs, and a cache that holds
// next to nothing, so that reading them means reading files.
EngineOptions TinyOptions(FileSystem* files) {
  EngineOptions options = SmallOptions(files);
  options.table_bytes = 64 << 10;
  options.cache_bytes = 1 << 10;
  return options;
}

// Rows that fill a table after 30 or so, and some that fill half a segment.
std::string Value(int64_t number) {
  return std::string(number % 50 == 49 ? 450000 : 1900, static_cast<char>('a' + number % 26));
}

}  // namespace

FailingWorkload::FailingWorkload(uint64_t failing_call, Fault fault) : failing_call_(failing_call) {
  files_.SetHook([this, fault](const FileCall& call) { return Answer(call, fault); });
}

Fault FailingWorkload::Answer(const FileCall& call, Fault fault) {
  const std::lock_guard guard(mutex_);
  calls_.push_back(call);
  if (!CanFail(call, fault) || could_fail_++ != failing_call_) return Fault::kNone;
  failed_path_ = call.path;
  return fault;
}

std::string FailingWorkload::FailedPath() const {
  const std::lock_guard guard(mutex_);
  return failed_path_;
}

uint64_t FailingWorkload::Count(FileCall::Kind kind, const std::string& in_path) const {
  const std::lock_guard guard(mutex_);
  return static_cast<uint64_t>(
      std::count_if(calls_.begin(), calls_.end(), [&](const FileCall& call) {
        return call.kind == kind && call.path.find(in_path) != std::string::npos;
      }));
}

void FailingWorkload::Run() {
  Open();
  if (engine_ == nullptr) return;
  if (MakeTheTable()) WriteAll();
  early_ = Transaction();
  early_session_.reset();
  statistics_ = engine_->Statistics();
  const Status closed = engine_->Close();
  EXPECT_TRUE(closed.ok() || !FailedPath().empty()) << closed.message();
  engine_.reset();
  ExpectNothingLost();
}

void FailingWorkload::Open() {
  Try([&] {
    auto opened = Engine::Open(kDatabase, TinyOptions(&files_));
    if (opened.ok()) engine_ = std::move(*opened);
    return opened.TakeStatus();
  });
}

// The failing file is named, and the call can be repeated.
void FailingWorkload::ExpectClean(const Status& status) const {
  EXPECT_THAT(status.code(), AnyOf(StatusCode::kIoError, StatusCode::kNoSpace));
  EXPECT_FALSE(FailedPath().empty()) << "nothing had failed";
  EXPECT_THAT(Text(status), HasSubstr(FailedPath()));
}

FailingWorkload::Outcome FailingWorkload::Try(const std::function<Status()>& action) {
  Status status = action();
  if (!status.ok() && status.code() != StatusCode::kCommitUnknown) {
    ExpectClean(status);
    status = action();
    EXPECT_EQ(Text(status), "ok") << "a clean failure could not be repeated";
  }
  if (status.ok()) return Outcome::kDone;
  EXPECT_THAT(Text(status), HasSubstr(FailedPath()));
  return Outcome::kPoisoned;
}

bool FailingWorkload::MakeTheTable() {
  const Outcome outcome = Try([&] {
    auto table = engine_->CreateTable("table");
    if (table.ok()) table_ = *table;
    return table.TakeStatus();
  });
  if (outcome == Outcome::kDone) return true;
  poisoned_ = true;
  EXPECT_EQ(engine_->CreateTable("table").status().code(), StatusCode::kPoisoned);
  return false;
}

void FailingWorkload::WriteAll() {
  const auto session = engine_->Connect();
  for (int64_t number = 0; number < kCommits && !testing::Test::HasFailure(); ++number) {
    if (!Commit(*session, number)) return;
    if (number % 20 == 19) Try([&] { return Read(*session, number / 2); });
    if (number != kCommits / 2) continue;
    Try([&] { return engine_->MergeAll(); });
    early_session_ = engine_->Connect();
    early_ = BeginOn(*early_session_);
    early_content_ = content_;
  }
  Try([&] { return engine_->MergeAll(); });
}

// An insert each time, and now and then an update and an erasure of rows that are in runs by then.
Oracle::Changes FailingWorkload::ChangesOf(int64_t number) const {
  Oracle::Changes changes{{"table", number, Value(number)}};
  if (number % 5 == 4 && content_.contains(number / 2)) {
    changes.push_back({"table", number / 2, Value(number + 1)});
  }
  if (number % 7 == 6 && content_.contains(number / 3)) {
    changes.push_back({"table", number / 3, std::nullopt});
  }
  return changes;
}

Status FailingWorkload::Write(Session& session, const Oracle::Changes& changes) const {
  Transaction transaction = BeginOn(session);
  for (const auto& [table, key, value] : changes) {
    const bool live = content_.contains(key);
    Status status = !value.has_value() ? transaction.Erase(table_, key)
                    : live             ? transaction.Update(table_, key, *value)
                                       : transaction.Insert(table_, key, *value);
    if (!status.ok()) return status;
  }
  return transaction.Commit();
}

Status FailingWorkload::Read(Session& session, int64_t key) const {
  Transaction transaction = BeginOn(session);
  auto value = transaction.Get(table_, key);
  if (!value.ok()) return value.TakeStatus();
  const auto expected = content_.find(key);
  EXPECT_EQ(value->has_value(), expected != content_.end()) << key;
  if (value->has_value()) {
    EXPECT_EQ(**value, expected->second) << key;
  }
  return transaction.Commit();
}

// Answers whether there may be more.
bool FailingWorkload::Commit(Session& session, int64_t number) {
  const Oracle::Changes changes = ChangesOf(number);
  const size_t batch = oracle_.Submit(0, changes);
  if (Try([&] { return Write(session, changes); }) == Outcome::kPoisoned) {
    poisoned_ = true;
    ExpectPoisoned(session);
    return false;
  }
  oracle_.Acknowledge(0, batch);
  for (const auto& [table, key, value] : changes) {
    if (value.has_value()) {
      content_[key] = *value;
    } else {
      content_.erase(key);
    }
  }
  return true;
}

// No more commits, and no more syncs of the log; what was durable stays readable.
void FailingWorkload::ExpectPoisoned(Session& session) {
  const std::string path = FailedPath();
  const uint64_t syncs = Count(FileCall::Kind::kSync, path);
  for (const int64_t key : {kCommits + 1, kCommits + 2}) {
    const Status status = InsertRow(session, table_, key, "x");
    EXPECT_EQ(status.code(), StatusCode::kPoisoned);
    EXPECT_THAT(Text(status), HasSubstr(path));
  }
  EXPECT_EQ(engine_->CreateTable("other").status().code(), StatusCode::kPoisoned);
  EXPECT_EQ(Count(FileCall::Kind::kSync, path), syncs);
  Transaction reader = BeginOn(session);
  EXPECT_TRUE(AllRows(reader, table_) == content_) << "what was durable is not what is read";
  EXPECT_EQ(Text(reader.Commit()), "ok");
  if (early_session_ == nullptr) return;
  EXPECT_TRUE(AllRows(early_, table_) == early_content_) << "an open snapshot has changed";
}

// One run in three the program is killed, in one the power is cut and nothing unsynced survives,
// and in one anything may. What is read then is there to stay.
void FailingWorkload::ExpectNothingLost() const {
  const SimulatedDisk disk = files_.Disk();
  std::vector<uint32_t> outcomes;
  std::mt19937_64 random(failing_call_);
  for (const auto& doubt : disk.Doubts(SimulatedDisk::Tearing::kYes)) {
    const bool any = failing_call_ / 3 % 3 == 2;
    outcomes.push_back(any ? static_cast<uint32_t>(random() % doubt.outcomes) : 0);
  }
  const bool killed = failing_call_ / 3 % 3 == 0;
  const CrashedDatabase reopened(killed ? disk : disk.AfterPowerCut(outcomes));
  if (testing::Test::HasFailure()) return;
  EXPECT_EQ(oracle_.Check(reopened.engine()), "");

  const SimulatedDisk later = reopened.Disk();
  const std::vector<uint32_t> nothing(later.Doubts(SimulatedDisk::Tearing::kNo).size(), 0);
  const CrashedDatabase again(later.AfterPowerCut(nothing));
  if (testing::Test::HasFailure() || !reopened.engine().FindTable("table").ok()) return;
  EXPECT_TRUE(again.Table() == reopened.Table()) << "what had been read has changed";
}

}  // namespace burin
