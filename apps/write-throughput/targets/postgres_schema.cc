#include "apps/write-throughput/targets/postgres_schema.h"

#include <fmt/format.h>

namespace throughput {
namespace {

constexpr const char* kMark = "This schema was made by write-throughput.";
constexpr size_t kLongestName = 63;  // of PostgreSQL's identifiers, in bytes
// Behind a run that was killed its server process takes a moment to end.
constexpr int kMsForTheLock = 1000;

}  // namespace

bool IsSchemaName(std::string_view name) {
  constexpr std::string_view kFirst = "abcdefghijklmnopqrstuvwxyz_";
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz_0123456789";
  return !name.empty() && name.size() <= kLongestName &&
         kFirst.find(name.front()) != std::string_view::npos &&
         name.find_first_not_of(kAllowed) == std::string_view::npos;
}

// FNV-1a: the same for every build, unlike the library's hashes.
std::string PgSchema::Key() const {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : "write-throughput " + name_) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return fmt::format("{}", static_cast<int64_t>(hash));
}

Expected<> PgSchema::Claim() {
  const auto limited = session_.Execute(fmt::format("SET lock_timeout = {}", kMsForTheLock));
  if (!limited) return limited;
  if (!session_.Query(fmt::format("SELECT pg_advisory_lock({})", Key()))) {
    return tl::unexpected(Failure{
        fmt::format("postgres: schema {} is in use by another run of write-throughput", name_)});
  }
  auto fine = Exists().and_then([this](bool) { return CheckMayCreate(); });
  if (!fine) Release();
  return fine;
}

// Asked ahead, so that it can be refused before anything has begun.
Expected<> PgSchema::CheckMayCreate() {
  const auto rows = session_.Query(
      "SELECT current_setting('transaction_read_only'), "
      "has_database_privilege(current_database(), 'CREATE')");
  if (!rows) return tl::unexpected(rows.error());
  if (rows->front()[0] == "on") {
    return tl::unexpected(Failure{"postgres: transactions are read-only there, as on a standby"});
  }
  if (rows->front()[1] != "t") {
    return tl::unexpected(Failure{"postgres: this user may not create a schema in the database"});
  }
  return {};
}

void PgSchema::Release() {
  if (session_.open()) session_.Query(fmt::format("SELECT pg_advisory_unlock({})", Key()));
}

Expected<bool> PgSchema::Exists() {
  const auto rows = session_.Query(fmt::format(
      "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = '{}'", name_));
  if (!rows) return tl::unexpected(rows.error());
  if (rows->empty()) return false;
  if ((*rows)[0][0] == kMark) return true;
  return tl::unexpected(Failure{
      fmt::format("postgres: schema {} exists and was not made by write-throughput; it is left "
                  "alone, --engine-option schema=NAME names another",
                  name_)});
}

Expected<> PgSchema::Replace() {
  return Drop()
      .and_then([this] { return session_.Execute("BEGIN"); })
      .and_then([this] { return session_.Execute("CREATE SCHEMA " + name_); })
      .and_then([this] {
        return session_.Execute(fmt::format("COMMENT ON SCHEMA {} IS '{}'", name_, kMark));
      })
      .and_then([this] {
        return session_.Execute(
            fmt::format("CREATE TABLE {}(id BIGINT PRIMARY KEY, data TEXT NOT NULL)", Table()));
      })
      .and_then([this] { return session_.Execute("COMMIT"); });
}

// Without CASCADE, which would take along what others have hung on it.
Expected<> PgSchema::Drop() {
  const auto exists = Exists();
  if (!exists) return tl::unexpected(exists.error());
  if (!*exists) return {};
  return session_.Execute("DROP TABLE IF EXISTS " + Table()).and_then([this] {
    return session_.Execute("DROP SCHEMA " + name_);
  });
}

}  // namespace throughput
