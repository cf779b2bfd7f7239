// ListEnginesText of options.h: every engine of the table, probed where it has to be loaded.
#include <fmt/format.h>

#include "apps/write-throughput/engine_probe.h"
#include "apps/write-throughput/options.h"
#include "apps/write-throughput/report/text.h"

namespace throughput {
namespace {

std::string ModesText(const TargetInfo& engine) {
  std::string modes;
  for (const Mode mode : engine.modes) {
    modes += (modes.empty() ? "" : ", ") + std::string(ModeName(mode));
  }
  return fmt::format("{} (best: {})", modes, ModeName(engine.best_mode));
}

std::string EngineText(const TargetInfo& engine) {
  std::string text =
      fmt::format("{}\n  system      {} {}\n", engine.name, engine.system, engine.version);
  if (engine.loaded) {
    text += fmt::format("  library     {}\n", PrintableLine(engine.loaded->path));
    if (!engine.loaded->source_id.empty()) {
      text += fmt::format("  source      {}\n", PrintableLine(engine.loaded->source_id));
    }
  }
  text += fmt::format("  modes       {}\n", ModesText(engine));
  text += fmt::format("  durability  {}\n", engine.durability);
  text += fmt::format("  files       {}\n", engine.has_files ? "at --database" : "none");
  if (engine.uses_hasher) text += "  hasher      fx, sip13\n";
  if (engine.io_refusal != nullptr) text += "  io          pwrite, io-uring\n";
  for (const EngineSetting& setting : engine.settings) {
    text += fmt::format("  setting     {}: {}\n", setting.key, setting.help);
  }
  return text;
}

std::string MissingText(const TargetInfo& engine, const std::string& why) {
  return fmt::format("{}\n  {}\n", engine.name, PrintableLine(why));
}

}  // namespace

std::string ListEnginesText(const Settings& settings) {
  std::string text;
  for (const TargetInfo& engine : Targets()) {
    if (engine.probe == nullptr) {
      text += EngineText(engine);
      continue;
    }
    const auto probed = ProbeEngine(engine, settings);
    text += probed ? EngineText(*probed) : MissingText(engine, probed.error().text);
  }
  return text +
         "PATH.so\n  a library of your own with the C interface of "
         "write_throughput_target.h\n";
}

}  // namespace throughput
