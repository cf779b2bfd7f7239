#include "apps/write-throughput/targets/postgres_dsn.h"

#include <string.h>

#include <algorithm>
#include <memory>
#include <string_view>

namespace throughput {
namespace {

tl::unexpected<Failure> Refuse(const char* text) { return tl::unexpected(Failure{text}); }

// An @ that is not the end of the user's part belongs to a password that was not escaped.
Expected<> CheckUri(std::string_view rest) {
  const size_t path = std::min(rest.find_first_of("/?"), rest.size());
  const auto ats = std::count(rest.begin(), rest.end(), '@');
  if (ats > 1 || (ats == 1 && rest.find('@') > path)) {
    return Refuse(
        "dsn: within a user or password of postgresql:// write %40 for @, %2F for /, "
        "%3F for ?");
  }
  return {};
}

}  // namespace

Expected<> CheckDsn(const LibpqLibrary& library, const std::string& dsn) {
  char* error = nullptr;
  const std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)> options(
      library.conninfo_parse(dsn.c_str(), &error), library.conninfo_free);
  if (error != nullptr) library.freemem(error);
  if (!options) {
    return Refuse(
        "dsn: libpq does not understand it; postgresql://USER@HOST:PORT/DATABASE or "
        "'host=... port=... dbname=... user=...' is allowed, with blanks in single "
        "quotes");
  }
  for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
    const std::string_view value = option->val == nullptr ? "" : option->val;
    const bool secret = strchr(option->dispchar, '*') != nullptr;
    if (!secret && value.find("://") != std::string_view::npos) {
      return Refuse("dsn: a connection string within a connection string is not allowed");
    }
    if (strcmp(option->keyword, "port") == 0 &&
        value.find_first_not_of("0123456789,") != std::string_view::npos) {
      return Refuse("dsn: its port is no number");
    }
  }
  const size_t scheme = dsn.find("://");
  const bool is_uri = dsn.starts_with("postgres://") || dsn.starts_with("postgresql://");
  return is_uri ? CheckUri(std::string_view(dsn).substr(scheme + 3)) : Expected<>();
}

}  // namespace throughput
