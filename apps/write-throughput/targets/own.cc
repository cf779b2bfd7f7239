#include "apps/write-throughput/targets/own.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/write-throughput/targets/folder_target.h"
#include "apps/write-throughput/targets/own_library.h"

namespace throughput {
namespace {

using Functions = write_throughput_engine;
using Error = write_throughput_error;

class OwnConnection : public Connection {
 public:
  OwnConnection(const Functions& functions, write_throughput_connection* connection)
      : functions_(functions), connection_(connection) {}
  ~OwnConnection() override { functions_.disconnect(connection_); }

  Outcome Begin() override { return Answer(functions_.begin(connection_, &error_)); }
  Outcome Insert(int64_t id, std::string_view data) override {
    return Answer(functions_.insert(connection_, id, data.data(), data.size(), &error_));
  }
  Outcome Commit() override { return Answer(functions_.commit(connection_, &error_)); }
  void Rollback() override { functions_.rollback(connection_); }
  Outcome Submit() override { return Answer(functions_.submit(connection_, &error_)); }

  Completion Await() override {
    int64_t durable_ns = 0;
    const Outcome outcome = Answer(functions_.await(connection_, &durable_ns, &error_));
    using Clock = std::chrono::steady_clock;
    const auto durable_at =
        durable_ns == 0 ? Clock::now() : Clock::time_point(std::chrono::nanoseconds(durable_ns));
    return {outcome, durable_at};
  }

  std::string error() const override { return fmt::format("{}: {}", functions_.name, failure_); }

 private:
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
  write_throughput_connection* const connection_;
  Error error_{};
  std::string failure_;
};

class Own : public FolderTarget {
 public:
  explicit Own(std::string path) : library_path_(std::move(path)) {}

  std::optional<LoadedEngine> Loaded() const override { return library_.Describe(); }

  Expected<std::unique_ptr<Connection>> Connect() override {
    Error error{};
    write_throughput_connection* connection = nullptr;
    const auto done = Answer("connect", functions().connect(database_, &connection, &error), error);
    if (!done) return tl::unexpected(done.error());
    return std::make_unique<OwnConnection>(functions(), connection);
  }

  Expected<> ForEachRow(const std::function<bool(int64_t, std::string_view)>& row) override {
    const auto one = [](void* context, int64_t id, const char* data, size_t size) {
      const auto& function =
          *static_cast<const std::function<bool(int64_t, std::string_view)>*>(context);
      return function(id, {data, size}) ? 1 : 0;
    };
    Error error{};
    void* context = const_cast<void*>(static_cast<const void*>(&row));
    return Answer("scan", functions().scan(database_, one, context, &error), error);
  }

 protected:
  Expected<> Open(const TargetOptions& options, bool create) override {
    if (!loaded_) {
      if (auto loaded = library_.Load(library_path_); !loaded) return loaded;
      loaded_ = true;
    }
    given_ = options;
    own_options_ = std::make_unique<OwnOptions>(library_, given_);
    Error error{};
    const auto open = create ? functions().create : functions().open;
    return Answer(create ? "create" : "open", open(own_options_->get(), &database_, &error), error);
  }

  Expected<> Shut() override {
    if (database_ == nullptr) return {};
    Error error{};
    const int outcome = functions().close(database_, &error);
    database_ = nullptr;
    return Answer("close", outcome, error);
  }

 private:
  const Functions& functions() const { return library_.functions(); }

  Expected<> Answer(const char* call, int outcome, const Error& error) const {
    if (outcome == WRITE_THROUGHPUT_OK) return {};
    return tl::unexpected(
        Failure{fmt::format("{}: {}: {}", functions().name, call, TextOf(error))});
  }

  const std::string library_path_;
  bool loaded_ = false;
  OwnLibrary library_;
  TargetOptions given_;  // kept, as the library may refer to them until it is closed
  std::unique_ptr<OwnOptions> own_options_;
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
