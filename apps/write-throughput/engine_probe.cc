#include "apps/write-throughput/engine_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <exception>
#include <nlohmann/json.hpp>

#include "apps/write-throughput/messages.h"
#include "apps/write-throughput/report/text.h"

namespace throughput {
namespace {

using Json = nlohmann::json;
using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::seconds kDeadline(10);

tl::unexpected<Failure> Fail(std::string text) { return tl::unexpected(Failure{std::move(text)}); }

// What passes from the probing process to its starter.
std::string Told(const TargetInfo& info) {
  Json modes = Json::array();
  for (const Mode mode : info.modes) modes.push_back(ModeName(mode));
  Json settings = Json::array();
  for (const EngineSetting& setting : info.settings) {
    settings.push_back({setting.key, setting.help, setting.required});
  }
  const LoadedEngine loaded = info.loaded.value_or(LoadedEngine{});
  return Json{{"system", info.system},
              {"version", info.version},
              {"modes", modes},
              {"best_mode", ModeName(info.best_mode)},
              {"durability", info.durability},
              {"claims_durability", info.claims_durability},
              {"settings", settings},
              {"takes_io", info.io_refusal != nullptr},
              {"path", loaded.path},
              {"source_id", loaded.source_id}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string ToldFailure(const std::string& text) {
  return Json{{"failure", text}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Expected<TargetInfo> Understand(const std::string& told, TargetInfo info) {
  const Json json = Json::parse(told, nullptr, false);
  if (!json.is_object()) return Fail("loading it ended without a word");
  if (json.contains("failure")) return Fail(json["failure"].get<std::string>());
  info.system = json["system"];
  info.version = json["version"];
  info.durability = json["durability"];
  info.claims_durability = json["claims_durability"];
  info.best_mode = *FindMode(json["best_mode"].get<std::string>());
  if (json["takes_io"]) info.io_refusal = NoIoRefusal;
  info.modes.clear();
  for (const auto& mode : json["modes"]) info.modes.push_back(*FindMode(mode.get<std::string>()));
  info.settings.clear();
  for (const auto& setting : json["settings"]) {
    info.settings.push_back({setting[0], setting[1], setting[2]});
  }
  info.loaded = LoadedEngine{info.system, info.version, json["path"], json["source_id"]};
  return info;
}

std::string Answer(const TargetInfo& info, const Settings& settings) {
  try {
    TargetInfo probed = info;
    const auto done = info.probe(settings, probed);
    return done ? Told(probed) : ToldFailure(done.error().text);
  } catch (const std::exception& error) {
    return ToldFailure(error.what());
  }
}

// Of a process that ends here: no destructors and no buffers of the starter's.
[[noreturn]] void BeProbe(const TargetInfo& info, const Settings& settings, int descriptor) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(STDERR_FILENO, STDOUT_FILENO);  // what a library prints is no output of ours
  const std::string answer = Answer(info, settings);
  size_t told = 0;
  while (told < answer.size()) {
    const ssize_t written = write(descriptor, answer.data() + told, answer.size() - told);
    if (written < 0 && errno != EINTR) break;
    if (written > 0) told += static_cast<size_t>(written);
  }
  _exit(0);
}

// Everything until the end of the pipe is closed, or the deadline. False: the latter.
bool ReadAll(int descriptor, std::string& text) {
  const SteadyClock::time_point end = SteadyClock::now() + kDeadline;
  char bytes[4096];
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - SteadyClock::now()).count();
    if (left <= 0) return false;
    pollfd entry{descriptor, POLLIN, 0};
    if (poll(&entry, 1, static_cast<int>(left)) <= 0) continue;
    const ssize_t got = read(descriptor, bytes, sizeof bytes);
    if (got == 0) return true;
    if (got > 0) text.append(bytes, static_cast<size_t>(got));
  }
}

Expected<std::string> Ask(const TargetInfo& info, const Settings& settings) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Fail("pipe: " + ErrnoText(errno));
  const pid_t process = fork();
  if (process < 0) {
    close(ends[0]);
    close(ends[1]);
    return Fail("fork: " + ErrnoText(errno));
  }
  if (process == 0) {
    close(ends[0]);
    BeProbe(info, settings, ends[1]);
  }
  close(ends[1]);
  std::string text;
  const bool in_time = ReadAll(ends[0], text);
  close(ends[0]);
  if (!in_time) kill(process, SIGKILL);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time) return Fail(fmt::format("did not load within {} s", kDeadline.count()));
  if (WIFSIGNALED(status)) {
    return Fail(fmt::format("loading it crashed with signal {} ({})", WTERMSIG(status),
                            sigdescr_np(WTERMSIG(status))));
  }
  return text;
}

}  // namespace

Expected<TargetInfo> ProbeEngine(const TargetInfo& info, const Settings& settings) {
  const auto told = Ask(info, settings);
  if (!told) return tl::unexpected(told.error());
  return Understand(*told, info);
}

Expected<> ResolveEngines(Options& options) {
  for (const TargetInfo*& engine : options.engines) {
    if (engine->probe == nullptr) continue;
    auto probed = ProbeEngine(*engine, SettingsOf(options));
    if (!probed) return Fail(FlagError("engine", engine->name, PrintableLine(probed.error().text)));
    options.own_engines.push_back(std::make_shared<const TargetInfo>(std::move(*probed)));
    engine = options.own_engines.back().get();
  }
  return CheckEngines(options);
}

}  // namespace throughput
