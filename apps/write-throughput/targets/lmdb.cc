// LMDB has one writer at a time, which syncs at its commit: the mode legacy. Keys are unsigned
// integers in this machine's order, so an id's sign bit is turned over for them to sort as ids do.
#include "apps/write-throughput/targets/lmdb.h"

#include <fmt/format.h>
#include <string.h>

#include <shared_mutex>

#include "apps/write-throughput/numbers.h"
#include "apps/write-throughput/targets/call_watch.h"
#include "apps/write-throughput/targets/folder_target.h"
#include "apps/write-throughput/targets/lmdb_library.h"

namespace throughput {
namespace {

constexpr const char* kLibrary = "lmdb-library";
constexpr const char* kMapBytes = "map-bytes";
constexpr const char* kDebianLibrary = "liblmdb.so.0";
constexpr int64_t kFirstMapBytes = int64_t{1} << 30;
constexpr IntegerRange kMapBytesRange{1 << 20, int64_t{1} << 40};
constexpr unsigned kReadersBesideThreads = 8;
// LMDB waits for its locks without an end where another process keeps them.
constexpr const char* kBegins = "mdb_txn_begin, which awaits the writer lock,";
constexpr uint64_t kSignBit = uint64_t{1} << 63;

int64_t MapBytesOf(const Settings& settings) {
  const auto found = settings.find(kMapBytes);
  if (found == settings.end()) return kFirstMapBytes;
  return *ParseInteger(kMapBytes, found->second, kMapBytesRange);  // allowed before
}

// An environment whose map grows: it may change size only while nobody has a transaction.
// Thread rule: from any thread.
class Environment {
 public:
  explicit Environment(const LmdbLibrary& library) : library_(library) {}
  ~Environment() {
    if (environment_ != nullptr) library_.env_close(environment_);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  int Open(const std::string& path, int threads, int64_t map_bytes) {
    map_bytes_ = static_cast<size_t>(map_bytes);
    int code = library_.env_create(&environment_);
    if (code == 0) code = library_.env_set_mapsize(environment_, map_bytes_);
    if (code == 0) {
      const auto readers = static_cast<unsigned>(threads) + kReadersBesideThreads;
      code = library_.env_set_maxreaders(environment_, readers);
    }
    if (code == 0) code = library_.env_open(environment_, path.c_str(), 0, 0666);
    if (code == 0) code = OpenTable();
    return code;
  }

  // With Ok the caller has a share in the map's size until EndedWriting.
  int BeginWriting(MDB_txn*& transaction, size_t& map_bytes) {
    size_.lock_shared();
    map_bytes = map_bytes_;
    const int code = library_.txn_begin(environment_, nullptr, 0, &transaction);
    if (code != 0) size_.unlock_shared();
    return code;
  }
  void EndedWriting() { size_.unlock_shared(); }

  // Whoever comes second finds the map larger than `full` already.
  int Grow(size_t full) {
    const std::lock_guard lock(size_);
    if (map_bytes_ > full) return 0;
    const int code = library_.env_set_mapsize(environment_, 2 * map_bytes_);
    if (code == 0) map_bytes_ *= 2;
    return code;
  }

  MDB_env* get() const { return environment_; }
  unsigned table() const { return table_; }

 private:
  int OpenTable() {
    MDB_txn* transaction = nullptr;
    int code = library_.txn_begin(environment_, nullptr, 0, &transaction);
    if (code != 0) return code;
    code = library_.dbi_open(transaction, nullptr, kLmdbIntegerKey | kLmdbCreate, &table_);
    if (code == 0) return library_.txn_commit(transaction);
    library_.txn_abort(transaction);
    return code;
  }

  const LmdbLibrary& library_;
  MDB_env* environment_ = nullptr;
  unsigned table_ = 0;
  std::shared_mutex size_;
  size_t map_bytes_ = 0;
};

class LmdbConnection : public Connection {
 public:
  LmdbConnection(const LmdbLibrary& library, Environment& environment, CallWatch::Caller& watched)
      : library_(library), environment_(environment), watched_(watched) {}
  ~LmdbConnection() override { Abort(); }

  Outcome Begin() override {
    const auto begin = [this] { return environment_.BeginWriting(transaction_, map_bytes_); };
    return Answer("mdb_txn_begin", watched_(kBegins, begin));
  }

  Outcome Insert(int64_t id, std::string_view data) override {
    uint64_t key_bytes = static_cast<uint64_t>(id) ^ kSignBit;
    LmdbValue key{sizeof key_bytes, &key_bytes};
    LmdbValue value{data.size(), const_cast<char*>(data.data())};
    return Answer("mdb_put",
                  library_.put(transaction_, environment_.table(), &key, &value, kLmdbNoOverwrite));
  }

  Outcome Commit() override {
    const int code = library_.txn_commit(transaction_);  // ends it, with an error, too
    transaction_ = nullptr;
    environment_.EndedWriting();
    return Answer("mdb_txn_commit", code);
  }

  void Rollback() override { Abort(); }

  std::string error() const override { return error_; }

 private:
  void Abort() {
    if (transaction_ == nullptr) return;
    library_.txn_abort(transaction_);
    transaction_ = nullptr;
    environment_.EndedWriting();
  }

  // A full map is made larger, and the transaction runs anew.
  Outcome Answer(const char* call, int code) {
    if (code == 0) [[likely]]
      return Outcome::kOk;
    if (code == kLmdbMapFull) {
      Abort();
      code = environment_.Grow(map_bytes_);
      if (code == 0) return Outcome::kBusy;
      call = "mdb_env_set_mapsize";
    }
    error_ = fmt::format("lmdb: {}: {}", call, library_.strerror(code));
    return Outcome::kFailed;
  }

  const LmdbLibrary& library_;
  Environment& environment_;
  CallWatch::Caller& watched_;
  MDB_txn* transaction_ = nullptr;
  size_t map_bytes_ = 0;  // of the map when it began
  std::string error_;
};

class Lmdb : public FolderTarget {
 public:
  std::optional<LoadedEngine> Loaded() const override { return library_.Describe(); }

  Expected<std::unique_ptr<Connection>> Connect() override {
    return std::make_unique<LmdbConnection>(library_, *environment_, watch_->NewCaller());
  }

  Expected<> ForEachRow(const std::function<bool(int64_t, std::string_view)>& row) override {
    MDB_txn* transaction = nullptr;
    const int code = library_.txn_begin(environment_->get(), nullptr, kLmdbReadOnly, &transaction);
    if (code != 0) return Fail(code);
    const auto walked = Walk(transaction, row);
    library_.txn_abort(transaction);
    return walked;
  }

 protected:
  Expected<> Open(const TargetOptions& options, bool) override {
    auto loaded = LoadOnce(options.engine_options, kLibrary, kDebianLibrary, library_);
    if (!loaded) return loaded;
    if (!watch_) watch_.emplace("lmdb", options.timeout, options.give_up);
    environment_ = std::make_unique<Environment>(library_);
    // An existing map is never opened smaller than its data.
    const int code = watch_->NewCaller()("mdb_env_open, which awaits locks,", [&] {
      return environment_->Open(File("."), options.threads, MapBytesOf(options.engine_options));
    });
    if (code != 0) return Fail(code);
    return {};
  }

  Expected<> Shut() override {
    environment_.reset();
    return {};
  }

 private:
  Expected<> Walk(MDB_txn* transaction, const std::function<bool(int64_t, std::string_view)>& row) {
    MDB_cursor* cursor = nullptr;
    int code = library_.cursor_open(transaction, environment_->table(), &cursor);
    if (code != 0) return Fail(code);
    LmdbValue key{};
    LmdbValue value{};
    while ((code = library_.cursor_get(cursor, &key, &value, kLmdbNext)) == 0) {
      uint64_t key_bytes = 0;
      memcpy(&key_bytes, key.data, sizeof key_bytes);
      const auto id = static_cast<int64_t>(key_bytes ^ kSignBit);
      if (!row(id, {static_cast<const char*>(value.data), value.size})) break;
    }
    library_.cursor_close(cursor);
    if (code != 0 && code != kLmdbNotFound) return Fail(code);
    return {};
  }

  tl::unexpected<Failure> Fail(int code) const {
    return tl::unexpected(Failure{fmt::format("lmdb: {}", library_.strerror(code))});
  }

  LmdbLibrary library_;
  std::optional<CallWatch> watch_;
  std::unique_ptr<Environment> environment_;
};

Expected<> Probe(const Settings& settings, TargetInfo& info) {
  LmdbLibrary library;
  const auto loaded = LoadChosen(settings, kLibrary, kDebianLibrary, info, library);
  if (!loaded) return loaded;
  info.loaded = library.Describe();
  info.version = info.loaded->version;
  return {};
}

}  // namespace

TargetInfo LmdbTarget() {
  TargetInfo info;
  info.name = "lmdb";
  info.system = "LMDB";
  info.modes = {Mode::kLegacy};
  info.best_mode = Mode::kLegacy;
  info.durability = "default flags: data synced, then the meta page written through";
  info.counts_itself = false;
  info.settings = {
      {kMapBytes,
       "size of the memory map at first, 1048576 to 1099511627776, a multiple of 4096; "
       "it doubles when it is full (1073741824)"},
      {kLibrary, "path of another library with LMDB's C interface (liblmdb.so.0)"},
  };
  info.setting_allowed = [](std::string_view key, std::string_view value) {
    if (key == kLibrary) return !value.empty();
    const auto bytes = ParseInteger(kMapBytes, std::string(value), kMapBytesRange);
    return bytes && *bytes % 4096 == 0;
  };
  info.make = [] { return std::make_unique<Lmdb>(); };
  info.probe = Probe;
  info.how_to_get = "apt install liblmdb0";
  return info;
}

}  // namespace throughput
