#include "apps/write-throughput/targets/sqlite.h"

#include "apps/write-throughput/targets/folder_target.h"
#include "apps/write-throughput/targets/sqlite_connection.h"

namespace throughput {
namespace {

constexpr const char* kLibrary = "library";
constexpr const char* kConnection = "connection";
constexpr std::string_view kReuse = "reuse";
constexpr std::string_view kPerTransaction = "per-transaction";
constexpr const char* kDebianLibrary = "libsqlite3.so.0";
constexpr const char* kFile = "database.sqlite";
constexpr int kId = 1;  // parameters of the insert
constexpr int kData = 2;

// How one thread writes; opened anew for each transaction where it is asked for.
class SqliteConnection : public Connection {
 public:
  SqliteConnection(const SqliteLibrary& library, std::atomic<uint64_t>& waits, std::string file,
                   const TargetOptions& options)
      : library_(library),
        file_(std::move(file)),
        reuse_(SettingOr(options.engine_options, kConnection, kReuse) == kReuse),
        begin_(options.mode == Mode::kLegacy ? "BEGIN IMMEDIATE" : "BEGIN CONCURRENT"),
        database_(library, options.timeout, waits) {}
  ~SqliteConnection() override { Close(); }

  Expected<> Open() {
    if (Prepare() != kSqliteOk) return tl::unexpected(Failure{error()});
    if (!reuse_) Close();
    return {};
  }

  Outcome Begin() override {
    if (!database_.opened()) {
      if (const int code = Prepare(); code != kSqliteOk) return Answer(code);
    }
    return Run(begin_statement_);
  }

  Outcome Insert(int64_t id, std::string_view data) override {
    library_.bind_int64(insert_, kId, id);
    library_.bind_text(insert_, kData, data.data(), static_cast<int>(data.size()), nullptr);
    return Run(insert_);
  }

  Outcome Commit() override {
    const Outcome outcome = Run(commit_);
    if (!reuse_ && outcome == Outcome::kOk) Close();
    return outcome;
  }

  void Rollback() override {
    database_.RollBack();
    if (!reuse_) Close();
  }

  std::string error() const override { return "sqlite: " + database_.error(); }
  std::string busy_error() const override { return error(); }

 private:
  int Prepare() {
    int code = database_.Open(file_, false);
    const auto prepare = [&](const char* sql, sqlite3_stmt*& statement) {
      if (code == kSqliteOk) code = database_.Prepare(sql, statement);
    };
    prepare(begin_, begin_statement_);
    prepare("INSERT INTO test_table(id, data) VALUES (?1, ?2)", insert_);
    prepare("COMMIT", commit_);
    if (code != kSqliteOk) Close();
    return code;
  }

  void Close() {
    for (sqlite3_stmt** statement : {&begin_statement_, &insert_, &commit_}) {
      library_.finalize(*statement);
      *statement = nullptr;
    }
    database_.Close();
  }

  Outcome Run(sqlite3_stmt* statement) {
    const int code = database_.Step(statement);
    library_.reset(statement);
    if (code == kSqliteDone) [[likely]]
      return Outcome::kOk;
    return Answer(code);
  }

  static Outcome Answer(int code) {
    if (code == kSqliteBusySnapshot) return Outcome::kConflict;
    const int kind = code & 0xff;
    return kind == kSqliteBusy || kind == kSqliteLocked ? Outcome::kBusy : Outcome::kFailed;
  }

  const SqliteLibrary& library_;
  const std::string file_;
  const bool reuse_;
  const char* const begin_;
  SqliteDatabase database_;
  sqlite3_stmt* begin_statement_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  sqlite3_stmt* commit_ = nullptr;
};

class Sqlite : public FolderTarget {
 public:
  std::optional<LoadedEngine> Loaded() const override { return library_.Describe(); }

  Expected<std::unique_ptr<Connection>> Connect() override {
    auto connection =
        std::make_unique<SqliteConnection>(library_, busy_waits_, File(kFile), options_);
    if (auto opened = connection->Open(); !opened) return tl::unexpected(opened.error());
    return connection;
  }

  TargetCounts Counts() const override {
    TargetCounts counts;
    counts.busy_waits = busy_waits_.load(std::memory_order_relaxed);
    return counts;
  }

  Expected<> ForEachRow(const std::function<bool(int64_t, std::string_view)>& row) override {
    sqlite3_stmt* rows = nullptr;
    int code = main_->Prepare("SELECT id, data FROM test_table ORDER BY id", rows);
    if (code != kSqliteOk) return Fail();
    while ((code = main_->Step(rows)) == kSqliteRow) {
      if (library_.column_type(rows, 0) != kSqliteInteger ||
          library_.column_type(rows, 1) != kSqliteText) {
        library_.finalize(rows);
        return tl::unexpected(Failure{"sqlite: a row is not of an integer and a text"});
      }
      const char* text = reinterpret_cast<const char*>(library_.column_text(rows, 1));
      const auto size = static_cast<size_t>(library_.column_bytes(rows, 1));
      if (!row(library_.column_int64(rows, 0), {text, size})) break;
    }
    library_.finalize(rows);
    if (code != kSqliteDone && code != kSqliteRow) return Fail();
    return {};
  }

 protected:
  Expected<> Open(const TargetOptions& options, bool create) override {
    options_ = options;
    auto loaded = LoadOnce(options.engine_options, kLibrary, kDebianLibrary, library_);
    if (!loaded) return loaded;
    // It stays open: with the last connection SQLite would take the log away, too.
    main_ = std::make_unique<SqliteDatabase>(library_, options.timeout, busy_waits_);
    if (main_->Open(File(kFile), create) != kSqliteOk) return Fail();
    if (!create) return {};
    constexpr const char* kTable =
        "CREATE TABLE test_table(id INTEGER PRIMARY KEY, data TEXT NOT NULL)";
    if (main_->Execute(kTable) != kSqliteOk) return Fail();
    return {};
  }

  Expected<> Shut() override {
    main_.reset();
    return {};
  }

 private:
  tl::unexpected<Failure> Fail() const {
    return tl::unexpected(Failure{"sqlite: " + main_->error()});
  }

  SqliteLibrary library_;
  TargetOptions options_;
  std::unique_ptr<SqliteDatabase> main_;
  std::atomic<uint64_t> busy_waits_{0};
};

Expected<> Probe(const Settings& settings, TargetInfo& info) {
  SqliteLibrary library;
  const auto loaded = LoadChosen(settings, kLibrary, kDebianLibrary, info, library);
  if (!loaded) return loaded;
  info.loaded = library.Describe();
  info.version = info.loaded->version;
  if (library.HasBeginConcurrent()) {
    info.best_mode = Mode::kLogicalLog;
  } else {
    info.modes = {Mode::kLegacy};
  }
  return {};
}

}  // namespace

TargetInfo SqliteTarget() {
  TargetInfo info;
  info.name = "sqlite";
  info.system = "SQLite";
  info.modes = {Mode::kLegacy, Mode::kLogicalLog};
  info.best_mode = Mode::kLegacy;
  info.durability = "WAL, synchronous=FULL, fullfsync: the log is synced at every commit";
  info.counts_itself = false;
  info.settings = {
      {kConnection, "reuse, or per-transaction: each transaction connects anew (reuse)"},
      {kLibrary, "path of another library with SQLite's C interface (libsqlite3.so.0)"},
  };
  info.setting_allowed = [](std::string_view key, std::string_view value) {
    if (key == kConnection) return value == kReuse || value == kPerTransaction;
    return !value.empty();
  };
  info.make = [] { return std::make_unique<Sqlite>(); };
  info.probe = Probe;
  info.how_to_get = "apt install libsqlite3-0";
  return info;
}

}  // namespace throughput
