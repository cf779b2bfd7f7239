// RocksDB's writers begin at once and share the syncs of its log: the mode logical-log. A
// transaction is a write batch. Keys are compared byte by byte, so ids are written with the highest
// byte first and the sign bit turned over.
#include "apps/write-throughput/targets/rocksdb.h"

#include <endian.h>
#include <string.h>

#include "apps/write-throughput/targets/folder_target.h"
#include "apps/write-throughput/targets/rocksdb_library.h"

namespace throughput {
namespace {

constexpr const char* kLibrary = "rocksdb-library";
constexpr const char* kDebianLibrary = "librocksdb.so.7.8";
constexpr const char* kFolder = "rocksdb";
constexpr uint64_t kSignBit = uint64_t{1} << 63;

class RocksdbConnection : public Connection {
 public:
  RocksdbConnection(const RocksdbLibrary& library, rocksdb_t* database)
      : library_(library),
        database_(database),
        options_(library.writeoptions_create()),
        batch_(library.writebatch_create()) {
    library_.writeoptions_set_sync(options_, 1);
  }
  ~RocksdbConnection() override {
    library_.writebatch_destroy(batch_);
    library_.writeoptions_destroy(options_);
  }

  Outcome Begin() override {
    library_.writebatch_clear(batch_);
    return Outcome::kOk;
  }

  Outcome Insert(int64_t id, std::string_view data) override {
    const uint64_t key = htobe64(static_cast<uint64_t>(id) ^ kSignBit);
    library_.writebatch_put(batch_, reinterpret_cast<const char*>(&key), sizeof key, data.data(),
                            data.size());
    return Outcome::kOk;
  }

  Outcome Commit() override {
    char* error = nullptr;
    library_.write(database_, options_, batch_, &error);
    const auto written = library_.Take(error);
    if (written) [[likely]]
      return Outcome::kOk;
    error_ = written.error().text;
    return Outcome::kFailed;
  }

  void Rollback() override { library_.writebatch_clear(batch_); }
  std::string error() const override { return error_; }

 private:
  const RocksdbLibrary& library_;
  rocksdb_t* const database_;
  rocksdb_writeoptions_t* const options_;
  rocksdb_writebatch_t* const batch_;
  std::string error_;
};

class Rocksdb : public FolderTarget {
 public:
  ~Rocksdb() override { CloseDatabase(); }

  std::optional<LoadedEngine> Loaded() const override { return library_.Describe(); }

  Expected<std::unique_ptr<Connection>> Connect() override {
    return std::make_unique<RocksdbConnection>(library_, database_);
  }

  Expected<> ForEachRow(const std::function<bool(int64_t, std::string_view)>& row) override {
    rocksdb_readoptions_t* options = library_.readoptions_create();
    rocksdb_iterator_t* rows = library_.create_iterator(database_, options);
    const auto walked = Walk(rows, row);
    library_.iter_destroy(rows);
    library_.readoptions_destroy(options);
    return walked;
  }

 protected:
  Expected<> Open(const TargetOptions& options, bool create) override {
    auto loaded = LoadOnce(options.engine_options, kLibrary, kDebianLibrary, library_);
    if (!loaded) return loaded;
    rocksdb_options_t* settings = library_.options_create();
    library_.options_set_create_if_missing(settings, create ? 1 : 0);
    library_.options_set_error_if_exists(settings, create ? 1 : 0);
    // Its log of events, on a full disk, would fail an assertion of Debian's build before the error
    // that it wants to tell of is answered.
    library_.options_set_info_log_level(settings, kRocksdbFatal);
    char* error = nullptr;
    // cppcheck-suppress danglingLifetime ; only the text goes there
    database_ = library_.open(settings, File(kFolder).c_str(), &error);
    library_.options_destroy(settings);
    return library_.Take(error);
  }

  Expected<> Shut() override {
    CloseDatabase();
    return {};
  }

 private:
  Expected<> Walk(rocksdb_iterator_t* rows,
                  const std::function<bool(int64_t, std::string_view)>& row) {
    library_.iter_seek_to_first(rows);
    for (; library_.iter_valid(rows) != 0; library_.iter_next(rows)) {
      size_t key_size = 0;
      size_t size = 0;
      const char* key_bytes = library_.iter_key(rows, &key_size);
      const char* value = library_.iter_value(rows, &size);
      uint64_t key = 0;
      if (key_size != sizeof key) {
        return tl::unexpected(Failure{"rocksdb: a key is no integer of 64 bits"});
      }
      memcpy(&key, key_bytes, sizeof key);
      if (!row(static_cast<int64_t>(be64toh(key) ^ kSignBit), {value, size})) break;
    }
    char* error = nullptr;
    library_.iter_get_error(rows, &error);
    return library_.Take(error);
  }

  void CloseDatabase() {
    if (database_ != nullptr) library_.close(database_);
    database_ = nullptr;
  }

  RocksdbLibrary library_;
  rocksdb_t* database_ = nullptr;
};

Expected<> Probe(const Settings& settings, TargetInfo& info) {
  RocksdbLibrary library;
  const auto loaded = LoadChosen(settings, kLibrary, kDebianLibrary, info, library);
  if (!loaded) return loaded;
  info.loaded = library.Describe();
  info.version = info.loaded->version;
  return {};
}

}  // namespace

TargetInfo RocksdbTarget() {
  TargetInfo info;
  info.name = "rocksdb";
  info.system = "RocksDB";
  info.modes = {Mode::kLogicalLog};
  info.durability = "write batches with sync: the log is synced before a commit returns";
  info.counts_itself = false;
  info.settings = {
      {kLibrary, "path of another library with RocksDB's C interface (librocksdb.so.7.8)"},
  };
  info.setting_allowed = [](std::string_view, std::string_view value) { return !value.empty(); };
  info.make = [] { return std::make_unique<Rocksdb>(); };
  info.probe = Probe;
  info.how_to_get = "apt install librocksdb7.8";
  return info;
}

}  // namespace throughput
