#include "apps/write-throughput/targets/own.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/write-throughput/targets/call_watch.h"
#include "apps/write-throughput/targets/folder_target.h"
#include "apps/write-throughput/targets/own_library.h"

namespace throughput {
namespace {

using Functions = write_throughput_engine;
using Error = write_throughput_error;

class OwnConnection : public Connection {
 public:
  OwnConnection(const Functions& functions, CallWatch::Caller& watched,
                write_throughput_connection* connection)
      : functions_(functions), watched_(watched), connection_(connection) {}
  ~OwnConnection() override {
    watched_("disconnect", [this] { functions_.disconnect(connection_); });
  }

  Outcome Begin() override { return Call("begin", functions_.begin); }
  Outcome Insert(int64_t id, std::string_view data) override {
    return Call("insert", functions_.insert, id, data.data(), data.size());
  }
  Outcome Commit() override { return Call("commit", functions_.commit); }
  void Rollback() override {
    watched_("rollback", [this] { functions_.rollback(connection_); });
  }
  Outcome Submit() override { return Call("submit", functions_.submit); }

  Completion Await() override {
    int64_t durable_ns = 0;
    const Outcome outcome = Call("await", functions_.await, &durable_ns);
    using Clock = std::chrono::steady_clock;
    const auto durable_at =
        durable_ns == 0 ? Clock::now() : Clock::time_point(std::chrono::nanoseconds(durable_ns));
    return {outcome, durable_at};
  }

  std::string error() const override { return fmt::format("{}: {}", functions_.name, failure_); }

 private:
  template <typename Function, typename... Arguments>
  Outcome Call(const char* name, const Function& function, const Arguments&... arguments) {
    return Answer(watched_(name, [&] { return function(connection_, arguments..., &error_); }));
  }

  Outcome Answer(int outcome) {
    if (outcome == WRITE_THROUGHPUT_OK) [[likely]]
      return Outcome::kOk;
    if (outcome == WRITE_THROUGHPUT_CONFLICT) return Outcome::kConflict;
    if (outcome == WRITE_THROUGHPUT_BUSY) return Outcome::kBusy;
    failure_ = outcome == WRITE_THROUGHPUT_FAILED
                   ? TextOf(error_)
                   : fmt::format("answered {}, which is no outcome", outcome);
    return Outcome::kFailed;
  }

  const Functions& functions_;
  CallWatch::Caller& watched_;
  write_throughput_connection* const connection_;
  Error error_{};
  std::string failure_;
};

class Own : public FolderTarget {
 public:
  explicit Own(std::string path) : library_path_(std::move(path)) {}

  std::optional<LoadedEngine> Loaded() const override { return library_.Describe(); }

  Expected<std::unique_ptr<Connection>> Connect() override {
    write_throughput_connection* connection = nullptr;
    const auto done = Call("connect", functions().connect, database_, &connection);
    if (!done) return tl::unexpected(done.error());
    if (connection == nullptr) return Nothing("connect", "connection");
    return std::make_unique<OwnConnection>(functions(), watch_->NewCaller(), connection);
  }

  Expected<> ForEachRow(const std::function<bool(int64_t, std::string_view)>& row) override {
    struct Context {
      const std::function<bool(int64_t, std::string_view)>& row;
      CallWatch::Caller& watched;
    } context{row, *watched_};
    const write_throughput_row one = [](void* self, int64_t id, const char* data, size_t size) {
      const auto& scan = *static_cast<const Context*>(self);
      scan.watched.Progress();
      return scan.row(id, {data, size}) ? 1 : 0;
    };
    return Call("scan", functions().scan, database_, one, static_cast<void*>(&context));
  }

 protected:
  Expected<> Open(const TargetOptions& options, bool create) override {
    if (!watch_) {
      watch_.emplace(library_path_, options.timeout, options.give_up);
      watched_ = &watch_->NewCaller();
      const auto loaded = (*watched_)("loading", [this] { return library_.Load(library_path_); });
      if (!loaded) return loaded;
    }
    given_ = options;
    own_options_ = std::make_unique<OwnOptions>(library_, given_);
    const auto open = create ? functions().create : functions().open;
    const char* const name = create ? "create" : "open";
    const auto opened = Call(name, open, own_options_->get(), &database_);
    if (opened && database_ == nullptr) return Nothing(name, "database");
    return opened;
  }

  Expected<> Shut() override {
    if (database_ == nullptr) return {};
    const auto closed = Call("close", functions().close, database_);
    database_ = nullptr;
    return closed;
  }

 private:
  const Functions& functions() const { return library_.functions(); }

  template <typename Function, typename... Arguments>
  Expected<> Call(const char* name, const Function& function, const Arguments&... arguments) {
    Error error{};
    const int outcome = (*watched_)(name, [&] { return function(arguments..., &error); });
    if (outcome == WRITE_THROUGHPUT_OK) return {};
    return tl::unexpected(
        Failure{fmt::format("{}: {}: {}", functions().name, name, TextOf(error))});
  }

  tl::unexpected<Failure> Nothing(const char* call, const char* what) const {
    return tl::unexpected(Failure{fmt::format("{}: {}: answered that it is well and gave no {}",
                                              functions().name, call, what)});
  }

  const std::string library_path_;
  OwnLibrary library_;
  TargetOptions given_;  // kept, as the library may refer to them until it is closed
  std::unique_ptr<OwnOptions> own_options_;
  std::optional<CallWatch> watch_;  // from the loading on
  CallWatch::Caller* watched_ = nullptr;
  write_throughput_database* database_ = nullptr;
};

Mode BestOf(const std::vector<Mode>& modes) {
  const bool has_log = std::count(modes.begin(), modes.end(), Mode::kLogicalLog) > 0;
  return has_log ? Mode::kLogicalLog : modes.front();
}

Expected<> Probe(const std::string& path, const Settings& settings, TargetInfo& info) {
  OwnLibrary library;
  if (auto loaded = library.Load(path); !loaded) return loaded;
  info.loaded = library.Describe();
  info.system = info.loaded->system;
  info.version = info.loaded->version;
  info.modes = library.Modes();
  info.best_mode = BestOf(info.modes);
  info.settings = library.Settings();
  if (std::erase_if(info.settings, [](const auto& s) { return s.key == kIoSetting; }) > 0) {
    info.io_refusal = NoIoRefusal;  // `check` is asked below
  }
  info.claims_durability = library.functions().durability != nullptr;
  info.durability = info.claims_durability ? library.functions().durability : "none is claimed";
  if (library.functions().check == nullptr) return {};
  TargetOptions options;
  options.engine_options = settings;
  const OwnOptions own(library, options);
  write_throughput_error error{};
  if (library.functions().check(own.get(), &error) == WRITE_THROUGHPUT_OK) return {};
  return tl::unexpected(Failure{fmt::format("{}: {}", info.system, TextOf(error))});
}

}  // namespace

bool IsOwnTarget(std::string_view name) {
  return name.find('/') != std::string_view::npos || name.ends_with(".so");
}

TargetInfo OwnTarget(const std::string& name) {
  // Without a slash it would be looked for among the system's libraries.
  const std::string path = name.find('/') == std::string::npos ? "./" + name : name;
  TargetInfo info;
  info.name = name;
  info.system = name;
  info.modes = AllModes();
  info.counts_itself = false;
  info.make = [path] { return std::make_unique<Own>(path); };
  info.probe = [path](const Settings& settings, TargetInfo& probed) {
    return Probe(path, settings, probed);
  };
  return info;
}

}  // namespace throughput
