// What a PostgreSQL server tells of itself: version, and by what a commit of ours is durable there.
// Thread rule: as the session's.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apps/write-throughput/targets/postgres_session.h"

namespace throughput {

struct PgServer {
  std::string system;   // "PostgreSQL", "CockroachDB"
  std::string version;  // "15.4"
  std::string build;    // the whole of what it says
  std::string durability;
  bool claims_durability = true;
};

Expected<PgServer> DescribeServer(PgSession& session);

LoadedEngine LoadedBy(const PgServer& server, const LibpqLibrary& library);

// By synchronous_commit, fsync and synchronous_standby_names as the server has them for us; sets
// durability and claims_durability.
void DescribeDurability(const std::string& synchronous_commit, const std::string& fsync,
                        const std::string& standbys, PgServer& server);

std::optional<int64_t> PgInteger(std::string_view binary);  // an int8 in binary form

}  // namespace throughput
