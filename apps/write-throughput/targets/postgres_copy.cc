// The method copy of postgres_connection.h. COPY is never pipelined: each of begin, data and commit
// is awaited.
#include <endian.h>
#include <fmt/format.h>

#include "apps/write-throughput/targets/postgres_connection.h"

namespace throughput {
namespace {

constexpr uint16_t kColumns = 2;
constexpr size_t kBytesPerMessage = 1 << 16;

// Its format: PostgreSQL's documentation, COPY, "Binary Format". All numbers big-endian.
class CopyConnection : public PgConnection {
 public:
  using PgConnection::PgConnection;

 protected:
  bool Prepare() override { return true; }

  bool DoBegin() override {
    constexpr std::string_view kHeader("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", 19);
    buffer_ = kHeader;
    std::string sql = BeginText() + "; ";
    if (locks()) sql += LockText() + "; ";
    sql += fmt::format("COPY {}(id, data) FROM STDIN (FORMAT binary)", load_.table);
    copying_ = session_.Run(sql);
    return copying_;
  }

  bool DoInsert(int64_t id, std::string_view data) override {
    Put(htobe16(kColumns));
    Put(htobe32(uint32_t{sizeof id}));
    Put(htobe64(static_cast<uint64_t>(id)));
    Put(htobe32(static_cast<uint32_t>(data.size())));
    buffer_ += data;
    if (buffer_.size() < kBytesPerMessage) return true;
    const bool put = session_.PutCopyData(buffer_);
    buffer_.clear();
    return put;
  }

  bool DoCommit() override {
    constexpr uint16_t kEnd = 0xffff;
    Put(kEnd);
    if (!session_.PutCopyData(buffer_)) return false;
    copying_ = false;
    return session_.EndCopy(nullptr) && session_.Run("COMMIT");
  }

  void DoRollback() override {
    if (copying_) session_.EndCopy("rolled back");
    copying_ = false;
    session_.TakeError();
    if (session_.open()) session_.Run("ROLLBACK");
  }

 private:
  template <typename Number>
  void Put(Number number) {
    buffer_.append(reinterpret_cast<const char*>(&number), sizeof number);
  }

  std::string buffer_;
  bool copying_ = false;
};

}  // namespace

std::unique_ptr<PgConnection> MakeCopyConnection(const PgLoad& load) {
  return std::make_unique<CopyConnection>(load);
}

}  // namespace throughput
