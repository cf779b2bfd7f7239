// The methods pipeline and multi-row of postgres_connection.h.
#include <endian.h>
#include <fmt/format.h>

#include <set>

#include "apps/write-throughput/targets/postgres_connection.h"

namespace throughput {
namespace {

constexpr int kColumns = 2;
constexpr int kBinary = 1;
constexpr size_t kStatementsBetweenPumps = 64;
constexpr size_t kBytesBetweenPumps = 1 << 18;
// Of an insert of many rows; the protocol allows 65,535 parameters.
constexpr size_t kRowsPerStatement = 1000;
constexpr size_t kBytesPerStatement = 1 << 23;

uint64_t Id(int64_t id) { return htobe64(static_cast<uint64_t>(id)); }

// From begin to commit without waiting for an answer, but for the lock of the mode legacy.
class PipelineConnection : public PgConnection {
 public:
  using PgConnection::PgConnection;

 protected:
  bool Prepare() override {
    const PgOid types[] = {kPgInt8, kPgText};
    return session_.EnterPipeline() && session_.Prepare("begin", BeginText(), {}) &&
           session_.Prepare("lock", LockText(), {}) &&
           session_.Prepare("insert", InsertText(1), {kColumns, types}) &&
           session_.Prepare("commit", "COMMIT", {}) &&
           session_.Prepare("rollback", "ROLLBACK", {}) && session_.Finish();
  }

  bool DoBegin() override {
    statements_since_pump_ = 0;
    bytes_since_pump_ = 0;
    if (!session_.SendPrepared("begin", {})) return false;
    if (!locks()) return true;
    return session_.SendPrepared("lock", {}) && session_.Finish();
  }

  bool DoInsert(int64_t id, std::string_view data) override {
    const uint64_t key = Id(id);
    // A null would be SQL's.
    const char* const values[] = {reinterpret_cast<const char*>(&key),
                                  data.empty() ? "" : data.data()};
    const int lengths[] = {sizeof key, static_cast<int>(data.size())};
    const int formats[] = {kBinary, kBinary};
    if (!session_.SendPrepared("insert", {kColumns, nullptr, values, lengths, formats})) {
      return false;
    }
    return Sent(1, data.size());
  }

  bool DoCommit() override { return session_.SendPrepared("commit", {}) && session_.Finish(); }

  void DoRollback() override {
    session_.Finish();
    session_.TakeError();
    if (session_.open() && session_.SendPrepared("rollback", {})) session_.Finish();
  }

  std::string InsertText(size_t rows) const {
    std::string text = fmt::format("INSERT INTO {}(id, data) VALUES ", load_.table);
    for (size_t i = 0; i < rows; ++i) {
      const size_t first = kColumns * i + 1;
      text += fmt::format("{}(${}, ${})", i == 0 ? "" : ", ", first, first + 1);
    }
    return text;
  }

  // Keeps what is queued in bounds, here and at the server.
  bool Sent(size_t statements, size_t bytes) {
    statements_since_pump_ += statements;
    bytes_since_pump_ += bytes;
    if (statements_since_pump_ < kStatementsBetweenPumps &&
        bytes_since_pump_ < kBytesBetweenPumps) {
      return true;
    }
    statements_since_pump_ = 0;
    bytes_since_pump_ = 0;
    return session_.Pump();
  }

 private:
  size_t statements_since_pump_ = 0;
  size_t bytes_since_pump_ = 0;
};

// Collects rows and inserts as many as it has with one statement, prepared for that number.
class MultiRowConnection : public PipelineConnection {
 public:
  using PipelineConnection::PipelineConnection;

 protected:
  bool DoBegin() override {
    ids_.clear();
    data_.clear();
    lengths_.clear();
    return PipelineConnection::DoBegin();
  }

  bool DoInsert(int64_t id, std::string_view data) override {
    ids_.push_back(Id(id));
    data_ += data;
    lengths_.push_back(sizeof(uint64_t));
    lengths_.push_back(static_cast<int>(data.size()));
    const bool full = ids_.size() == kRowsPerStatement || data_.size() >= kBytesPerStatement;
    return !full || Send();
  }

  bool DoCommit() override { return (ids_.empty() || Send()) && PipelineConnection::DoCommit(); }

  // What was being prepared within the transaction may not be there.
  void DoRollback() override {
    PipelineConnection::DoRollback();
    prepared_.clear();
    ++generation_;
  }

 private:
  bool Send() {
    const size_t rows = ids_.size();
    const std::string name = fmt::format("insert-{}-{}", rows, generation_);
    if (!prepared_.contains(rows)) {
      types_.resize(kColumns * rows);
      for (size_t i = 0; i < types_.size(); ++i) types_[i] = i % kColumns == 0 ? kPgInt8 : kPgText;
      const PgParameters typed{static_cast<int>(types_.size()), types_.data()};
      if (!session_.Prepare(name, InsertText(rows), typed)) return false;
      prepared_.insert(rows);
    }
    values_.clear();
    const char* data = data_.data();
    for (size_t i = 0; i < rows; ++i) {
      values_.push_back(reinterpret_cast<const char*>(&ids_[i]));
      values_.push_back(data);
      data += lengths_[kColumns * i + 1];
    }
    formats_.resize(values_.size(), kBinary);
    const size_t bytes = data_.size();
    const bool sent =
        session_.SendPrepared(name, {static_cast<int>(values_.size()), nullptr, values_.data(),
                                     lengths_.data(), formats_.data()});
    ids_.clear();
    data_.clear();
    lengths_.clear();
    return sent && Sent(1, bytes);
  }

  std::vector<uint64_t> ids_;
  std::string data_;          // of all rows, one behind the other
  std::vector<int> lengths_;  // of ids and data in turn
  std::vector<PgOid> types_;
  std::vector<const char*> values_;
  std::vector<int> formats_;
  std::set<size_t> prepared_;  // numbers of rows
  int generation_ = 0;         // of names
};

}  // namespace

std::unique_ptr<PgConnection> MakePipelineConnection(const PgLoad& load) {
  return std::make_unique<PipelineConnection>(load);
}

std::unique_ptr<PgConnection> MakeMultiRowConnection(const PgLoad& load) {
  return std::make_unique<MultiRowConnection>(load);
}

}  // namespace throughput
