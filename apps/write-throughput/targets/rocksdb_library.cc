#include "apps/write-throughput/targets/rocksdb_library.h"

#include <string_view>

namespace throughput {
namespace {

// The C interface does not tell the version, but the file's name does: librocksdb.so.7.8.3.
std::string VersionOf(std::string_view path) {
  constexpr std::string_view kBefore = ".so.";
  const size_t at = path.rfind(kBefore);
  return at == std::string_view::npos ? "unknown" : std::string(path.substr(at + kBefore.size()));
}

}  // namespace

Expected<> RocksdbLibrary::Load(const std::string& name) {
  if (auto opened = library.Open(name); !opened) return opened;
  FunctionFinder find(library);
  find("rocksdb_open", open);
  find("rocksdb_close", close);
  find("rocksdb_options_create", options_create);
  find("rocksdb_options_destroy", options_destroy);
  find("rocksdb_options_set_create_if_missing", options_set_create_if_missing);
  find("rocksdb_options_set_error_if_exists", options_set_error_if_exists);
  find("rocksdb_options_set_info_log_level", options_set_info_log_level);
  find("rocksdb_writeoptions_create", writeoptions_create);
  find("rocksdb_writeoptions_destroy", writeoptions_destroy);
  find("rocksdb_writeoptions_set_sync", writeoptions_set_sync);
  find("rocksdb_writebatch_create", writebatch_create);
  find("rocksdb_writebatch_destroy", writebatch_destroy);
  find("rocksdb_writebatch_clear", writebatch_clear);
  find("rocksdb_writebatch_put", writebatch_put);
  find("rocksdb_write", write);
  find("rocksdb_readoptions_create", readoptions_create);
  find("rocksdb_readoptions_destroy", readoptions_destroy);
  find("rocksdb_create_iterator", create_iterator);
  find("rocksdb_iter_destroy", iter_destroy);
  find("rocksdb_iter_seek_to_first", iter_seek_to_first);
  find("rocksdb_iter_valid", iter_valid);
  find("rocksdb_iter_next", iter_next);
  find("rocksdb_iter_key", iter_key);
  find("rocksdb_iter_value", iter_value);
  find("rocksdb_iter_get_error", iter_get_error);
  find("rocksdb_free", free);
  return find.found();
}

LoadedEngine RocksdbLibrary::Describe() const {
  return {"RocksDB", VersionOf(library.path()), library.path(), ""};
}

Expected<> RocksdbLibrary::Take(char* error) const {
  if (error == nullptr) return {};
  Failure failure{std::string("rocksdb: ") + error};
  free(error);
  return tl::unexpected(std::move(failure));
}

}  // namespace throughput
