// PostgreSQL as a target. Two modes: legacy, whose transactions begin by locking the table for the
// only writer and hold the lock until the commit is durable, and logical-log, whose transactions
// begin at once on snapshots and share the syncs of the server's log. A connection works off its
// transactions one by one, each with its own commit: there is nothing that the pipelined modes
// could overlap but the way to the server.
#include "apps/write-throughput/targets/postgres.h"

#include <fmt/format.h>

#include <limits>

#include "apps/write-throughput/secrets.h"
#include "apps/write-throughput/targets/postgres_connection.h"
#include "apps/write-throughput/targets/postgres_dsn.h"
#include "apps/write-throughput/targets/postgres_schema.h"
#include "apps/write-throughput/targets/postgres_server.h"
#include "apps/write-throughput/targets/postgres_session.h"

namespace throughput {
namespace {

constexpr const char* kLibrary = "libpq";
constexpr const char* kMethod = "method";
constexpr const char* kSchema = "schema";
constexpr const char* kDebianLibrary = "libpq.so.5";
constexpr const char* kDefaultSchema = "write_throughput";
constexpr std::chrono::milliseconds kProbePatience(8'000);
// Beyond --timeout, so that the server's own answer to a lock that it did not get comes first.
constexpr std::chrono::milliseconds kGrace(2'000);
constexpr int kRowsPerQuery = 256;  // at most 16 MiB each

class Postgres : public Target {
 public:
  std::optional<LoadedEngine> Loaded() const override { return loaded_; }

  Expected<PathReport> InspectPath(const std::string&) const override { return PathReport{}; }
  Expected<> Remove(const std::string&) const override { return {}; }

  Expected<> Create(const TargetOptions& options) override {
    return Open(options).and_then([this] { return schema_->Replace(); });
  }
  Expected<> Reopen(const TargetOptions& options) override { return Open(options); }

  Expected<std::unique_ptr<Connection>> Connect() override { return ConnectToPostgres(load_); }

  TargetCounts Counts() const override { return {}; }

  // Page by page, so that each answer comes within its deadline, on one snapshot.
  Expected<> ForEachRow(const std::function<bool(int64_t, std::string_view)>& row) override {
    if (auto begun = main_->Execute("BEGIN ISOLATION LEVEL REPEATABLE READ"); !begun) return begun;
    Walk walk{row};
    while (!walk.over) {
      walk.over = true;
      if (auto read = ReadPage(walk); !read) return read;
      if (walk.next == std::numeric_limits<int64_t>::max()) break;
    }
    if (walk.malformed) {
      return tl::unexpected(Failure{"postgres: a row is not of an integer and a text"});
    }
    return main_->Execute("COMMIT");
  }

  Expected<> Close() override {
    EndAbandoned();
    if (schema_) schema_->Release();
    schema_.reset();
    main_.reset();
    return {};
  }

  Expected<> Discard() override {
    const auto dropped = Open(options_).and_then([this] { return schema_->Drop(); });
    Close();
    return dropped;
  }

 private:
  struct Walk {
    const std::function<bool(int64_t, std::string_view)>& row;
    int64_t next = std::numeric_limits<int64_t>::min();
    bool over = false;
    bool malformed = false;
  };

  Expected<> Open(const TargetOptions& options) {
    options_ = options;
    const Settings& settings = options.engine_options;
    auto loaded = LoadOnce(settings, kLibrary, kDebianLibrary, library_);
    if (!loaded) return loaded;
    load_.library = &library_;
    load_.dsn = SettingOr(settings, kConnectionSetting, "");
    load_.method = SettingOr(settings, kMethod, kByPipeline);
    load_.mode = options.mode;
    load_.lock_timeout = options.timeout;
    load_.patience = options.timeout + kGrace;
    load_.abandoned = &abandoned_;
    if (auto allowed = CheckDsn(library_, load_.dsn); !allowed) return allowed;
    main_ = std::make_unique<PgSession>(library_, load_.patience);
    if (auto opened = main_->Open(load_.dsn); !opened) return opened;
    const auto server = DescribeServer(*main_);
    if (!server) return tl::unexpected(server.error());
    loaded_ = LoadedBy(*server, library_);
    // What this session makes and drops waits for no standby; servers may not know the word.
    static_cast<void>(main_->Execute("SET synchronous_commit = local"));
    schema_.emplace(*main_, SettingOr(settings, kSchema, kDefaultSchema));
    load_.table = schema_->Table();
    return schema_->Claim().and_then([this] {
      return main_->Execute(fmt::format("SET lock_timeout = {}", load_.lock_timeout.count()));
    });
  }

  Expected<> ReadPage(Walk& walk) {
    const std::string sql = fmt::format(
        "SELECT id, data FROM {} WHERE id >= $1 ORDER BY id LIMIT {}", load_.table, kRowsPerQuery);
    bool stopped = false;
    const auto read =
        main_->QueryRows(sql, walk.next, [&](std::string_view id, std::string_view data) {
          const auto key = PgInteger(id);
          walk.malformed = walk.malformed || !key;
          stopped = stopped || walk.malformed || !walk.row(*key, data);
          if (stopped) return;
          walk.over = *key == std::numeric_limits<int64_t>::max();
          walk.next = walk.over ? *key : *key + 1;
        });
    walk.over = walk.over || stopped;
    return read;
  }

  // They may wait for a standby for ever, with their locks. Only those of our own sessions.
  void EndAbandoned() {
    for (const int backend : abandoned_.Take()) {
      if (!main_ || !main_->open()) return;
      main_->Query(
          fmt::format("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = {} AND "
                      "application_name = 'write-throughput' AND usename = current_user",
                      backend));
    }
  }

  LibpqLibrary library_;
  TargetOptions options_;
  Abandoned abandoned_;
  PgLoad load_;
  std::unique_ptr<PgSession> main_;
  std::optional<PgSchema> schema_;
  std::optional<LoadedEngine> loaded_;
};

// What can be refused is refused here, before anything has begun.
Expected<> ProbeServer(const LibpqLibrary& library, const Settings& settings, TargetInfo& info) {
  const std::string dsn = settings.at(kConnectionSetting);
  if (auto allowed = CheckDsn(library, dsn); !allowed) return allowed;
  PgSession session(library, kProbePatience);
  if (auto opened = session.Open(dsn); !opened) return opened;
  const auto server = DescribeServer(session);
  if (!server) return tl::unexpected(server.error());
  const std::string name = SettingOr(settings, kSchema, kDefaultSchema);
  if (!IsSchemaName(name)) return {};  // its check refuses it
  PgSchema schema(session, name);
  if (auto claimed = schema.Claim(); !claimed) return claimed;
  schema.Release();
  info.loaded = LoadedBy(*server, library);
  info.system = info.loaded->system;
  info.version = info.loaded->version;
  info.durability = server->durability;
  info.claims_durability = server->claims_durability;
  return {};
}

Expected<> Probe(const Settings& settings, TargetInfo& info) {
  LibpqLibrary library;
  const auto loaded = LoadChosen(settings, kLibrary, kDebianLibrary, info, library);
  if (!loaded) return loaded;
  if (settings.contains(kConnectionSetting)) return ProbeServer(library, settings, info);
  info.version = "(no dsn: no server was asked)";
  info.loaded =
      LoadedEngine{info.system, info.version, library.library.path(), "libpq " + library.Version()};
  return {};
}

bool SettingAllowed(std::string_view key, std::string_view value) {
  if (key == kMethod) return value == kByPipeline || value == kByMultiRow || value == kByCopy;
  if (key == kSchema) return IsSchemaName(value);
  return key == kConnectionSetting || !value.empty();
}

}  // namespace

TargetInfo PostgresTarget() {
  TargetInfo info;
  info.name = "postgres";
  info.system = "PostgreSQL";
  info.modes = {Mode::kLegacy, Mode::kLogicalLog};
  info.best_mode = Mode::kLogicalLog;
  info.has_files = false;
  info.durability = "the server's own: its synchronous_commit is stated where a dsn is given";
  info.counts_itself = false;
  info.within_process = false;
  info.settings = {
      {kConnectionSetting,
       "needed: libpq's connection string, shown nowhere; empty: PGHOST and the like, a service",
       true},
      {kMethod, "pipeline: prepared inserts; multi-row: up to 1000 rows each; copy (pipeline)"},
      {kSchema, "our schema in the database: lower-case letters, digits, _ (write_throughput)"},
      {kLibrary, "path of another libpq, version 14 or later (libpq.so.5)"},
  };
  info.setting_allowed = SettingAllowed;
  info.make = [] { return std::make_unique<Postgres>(); };
  info.probe = Probe;
  info.how_to_get = "apt install libpq5";
  return info;
}

}  // namespace throughput
