// The functions of RocksDB's C interface (rocksdb/c.h), found at run time. All of them report
// errors by a text that the caller frees. Thread rule: constant once loaded.
#pragma once

#include <string>

#include "apps/write-throughput/targets/shared_library.h"
#include "apps/write-throughput/targets/target.h"

struct rocksdb_t;
struct rocksdb_options_t;
struct rocksdb_writeoptions_t;
struct rocksdb_readoptions_t;
struct rocksdb_writebatch_t;
struct rocksdb_iterator_t;

namespace throughput {

inline constexpr int kRocksdbFatal = 4;  // a level of its log, which never changes

struct RocksdbLibrary {
  Expected<> Load(const std::string& name);
  LoadedEngine Describe() const;

  // The text as a failure; null is none. Frees it.
  Expected<> Take(char* error) const;

  SharedLibrary library;
  rocksdb_t* (*open)(const rocksdb_options_t*, const char* path, char** error) = nullptr;
  void (*close)(rocksdb_t*) = nullptr;
  rocksdb_options_t* (*options_create)() = nullptr;
  void (*options_destroy)(rocksdb_options_t*) = nullptr;
  void (*options_set_create_if_missing)(rocksdb_options_t*, unsigned char) = nullptr;
  void (*options_set_error_if_exists)(rocksdb_options_t*, unsigned char) = nullptr;
  void (*options_set_info_log_level)(rocksdb_options_t*, int level) = nullptr;
  rocksdb_writeoptions_t* (*writeoptions_create)() = nullptr;
  void (*writeoptions_destroy)(rocksdb_writeoptions_t*) = nullptr;
  void (*writeoptions_set_sync)(rocksdb_writeoptions_t*, unsigned char) = nullptr;
  rocksdb_writebatch_t* (*writebatch_create)() = nullptr;
  void (*writebatch_destroy)(rocksdb_writebatch_t*) = nullptr;
  void (*writebatch_clear)(rocksdb_writebatch_t*) = nullptr;
  void (*writebatch_put)(rocksdb_writebatch_t*, const char* key, size_t key_size, const char* value,
                         size_t value_size) = nullptr;
  void (*write)(rocksdb_t*, const rocksdb_writeoptions_t*, rocksdb_writebatch_t*,
                char** error) = nullptr;
  rocksdb_readoptions_t* (*readoptions_create)() = nullptr;
  void (*readoptions_destroy)(rocksdb_readoptions_t*) = nullptr;
  rocksdb_iterator_t* (*create_iterator)(rocksdb_t*, const rocksdb_readoptions_t*) = nullptr;
  void (*iter_destroy)(rocksdb_iterator_t*) = nullptr;
  void (*iter_seek_to_first)(rocksdb_iterator_t*) = nullptr;
  unsigned char (*iter_valid)(const rocksdb_iterator_t*) = nullptr;
  void (*iter_next)(rocksdb_iterator_t*) = nullptr;
  const char* (*iter_key)(const rocksdb_iterator_t*, size_t* size) = nullptr;
  const char* (*iter_value)(const rocksdb_iterator_t*, size_t* size) = nullptr;
  void (*iter_get_error)(const rocksdb_iterator_t*, char** error) = nullptr;
  void (*free)(void*) = nullptr;
};

}  // namespace throughput
