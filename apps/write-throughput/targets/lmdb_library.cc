#include "apps/write-throughput/targets/lmdb_library.h"

#include <fmt/format.h>

namespace throughput {

Expected<> LmdbLibrary::Load(const std::string& name) {
  if (auto opened = library.Open(name); !opened) return opened;
  FunctionFinder find(library);
  find("mdb_version", version);
  find("mdb_strerror", strerror);
  find("mdb_env_create", env_create);
  find("mdb_env_open", env_open);
  find("mdb_env_close", env_close);
  find("mdb_env_set_mapsize", env_set_mapsize);
  find("mdb_env_set_maxreaders", env_set_maxreaders);
  find("mdb_txn_begin", txn_begin);
  find("mdb_txn_commit", txn_commit);
  find("mdb_txn_abort", txn_abort);
  find("mdb_dbi_open", dbi_open);
  find("mdb_put", put);
  find("mdb_cursor_open", cursor_open);
  find("mdb_cursor_get", cursor_get);
  find("mdb_cursor_close", cursor_close);
  return find.found();
}

LoadedEngine LmdbLibrary::Describe() const {
  int major = 0;
  int minor = 0;
  int patch = 0;
  const std::string text = version(&major, &minor, &patch);
  return {"LMDB", fmt::format("{}.{}.{}", major, minor, patch), library.path(), text};
}

}  // namespace throughput
