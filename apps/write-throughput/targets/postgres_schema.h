// Our schema in a PostgreSQL database: its comment is the mark that write-throughput made it, and
// an advisory lock says that it is in use. Nothing outside it is ever changed, and nothing in it
// that is not ours: objects that others made there, or that hang on it, make dropping it an error.
// Thread rule: as the session's.
#pragma once

#include <string>

#include "apps/write-throughput/targets/postgres_session.h"

namespace throughput {

bool IsSchemaName(std::string_view name);  // lower-case letters, digits, _; at most 63

class PgSchema {
 public:
  PgSchema(PgSession& session, std::string name) : session_(session), name_(std::move(name)) {}

  std::string Table() const { return name_ + ".test_table"; }

  // Until the session ends or Release. The failure says that another run uses the schema, or that
  // one of that name is there and not ours, or that none can be made.
  Expected<> Claim();
  void Release();

  Expected<> Replace();  // by one with an empty table; claimed
  Expected<> Drop();     // where it is there; claimed

 private:
  Expected<bool> Exists();  // failure: it is not ours
  Expected<> CheckMayCreate();
  std::string Key() const;

  PgSession& session_;
  const std::string name_;
};

}  // namespace throughput
