#include "apps/write-throughput/targets/postgres_server.h"

#include <endian.h>
#include <fmt/format.h>
#include <string.h>

namespace throughput {

Expected<PgServer> DescribeServer(PgSession& session) {
  const auto rows = session.Query(
      "SELECT version(), current_setting('server_version', true), "
      "current_setting('synchronous_commit', true), current_setting('fsync', true), "
      "current_setting('synchronous_standby_names', true)");
  if (!rows) return tl::unexpected(rows.error());
  if (rows->size() != 1 || rows->front().size() != 5) {
    return tl::unexpected(Failure{"postgres: the server does not tell its version"});
  }
  const std::vector<std::string>& row = rows->front();
  PgServer server;
  server.build = row[0];
  server.system = row[0].substr(0, row[0].find(' '));
  server.version = row[1].substr(0, row[1].find(' '));
  DescribeDurability(row[2], row[3], row[4], server);
  server.durability += "; " + session.Place();
  return server;
}

LoadedEngine LoadedBy(const PgServer& server, const LibpqLibrary& library) {
  return {server.system, server.version, library.library.path(),
          fmt::format("{}; libpq {}", server.build, library.Version())};
}

void DescribeDurability(const std::string& synchronous_commit, const std::string& fsync,
                        const std::string& standbys, PgServer& server) {
  std::string& text = server.durability;
  text = synchronous_commit.empty() ? "the server tells no synchronous_commit"
                                    : "synchronous_commit=" + synchronous_commit;
  server.claims_durability = synchronous_commit != "off" && fsync != "off";
  if (fsync == "off") {
    text += ", fsync=off: nothing is synced";
  } else if (synchronous_commit == "off") {
    text += ": commits are acknowledged before they are on the server's device";
  } else if (synchronous_commit == "local") {
    text += ": on the server's device, and no standby is awaited";
  } else if (!synchronous_commit.empty() && standbys.empty()) {
    text += ": on the server's device, and there is no synchronous standby";
  } else if (synchronous_commit == "remote_write") {
    text += ": on the server's device and in the memory of the standbys " + standbys;
  } else if (!standbys.empty()) {
    text += ": on the devices of the server and of the standbys " + standbys;
  }
}

std::optional<int64_t> PgInteger(std::string_view binary) {
  uint64_t number = 0;
  if (binary.size() != sizeof number) return std::nullopt;
  memcpy(&number, binary.data(), sizeof number);
  return static_cast<int64_t>(be64toh(number));
}

}  // namespace throughput
