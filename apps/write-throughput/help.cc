// HelpText and ListEnginesText of options.h.
#include <fmt/format.h>

#include "apps/write-throughput/flags.h"
#include "apps/write-throughput/option_parser.h"
#include "apps/write-throughput/options.h"

namespace throughput {
namespace {

constexpr std::string_view kIntroduction =
    "Loads an embedded storage engine with durable inserts and reports rows per second on stdout "
    "and\n"
    "hardware counters of the measured window on stderr. A list in a flag makes a cell for every\n"
    "combination, each on a fresh database in a process of its own.\n";

constexpr std::string_view kExamples =
    "\n Examples:\n"
    "  write-throughput -t 4 -b 100 -i 10000 -m concurrent --verify\n"
    "      one run: 4 threads, a million rows each, then every row is checked\n"
    "  write-throughput -t 1,2,4,8 --compute 0,100,500,1000 --header -o sweep.csv\n"
    "      a sweep of 16 cells, each on a fresh database in a process of its own\n"
    "  write-throughput --hasher fx,sip13 -i 10000 -r 5 --format csv-wide\n"
    "      two cells with five runs each; the summary shows means and their standard errors\n"
    "  write-throughput -d 60 --warmup 5 -m concurrent --interval 1000\n"
    "      a minute behind five unmeasured seconds, seen second by second\n"
    "\n Exit status: 0 done; 2 refused before any file was touched; 1 failed after that;\n"
    " 130 interrupted (what was measured is reported).\n";

// cxxopts pads the lines that it wraps.
std::string WithoutTrailingBlanks(const std::string& text) {
  std::string trimmed;
  for (const char c : text) {
    if (c == '\n') trimmed.erase(trimmed.find_last_not_of(' ') + 1);
    trimmed += c;
  }
  return trimmed;
}

std::string EngineText(const TargetInfo& engine) {
  std::string modes;
  for (const Mode mode : engine.modes) {
    modes += (modes.empty() ? "" : ", ") + std::string(ModeName(mode));
  }
  std::string text = fmt::format("{}\n  system   {} {}\n  modes    {}\n", engine.name,
                                 engine.system, engine.version, modes);
  text += fmt::format("  files    {}\n", engine.has_files ? "at --database" : "none");
  if (engine.uses_hasher) text += "  hasher   fx, sip13\n";
  if (engine.io_refusal != nullptr) text += "  io       pwrite, io-uring\n";
  for (const EngineSetting& setting : engine.settings) {
    text += fmt::format("  setting  {}: {}\n", setting.key, setting.help);
  }
  return text;
}

}  // namespace

std::string HelpText() {
  std::string text(kIntroduction);
  text += WithoutTrailingBlanks(FlagsHelp());
  text += kExamples;
  return text;
}

std::string ListEnginesText() {
  std::string text;
  for (const TargetInfo& engine : Targets()) text += EngineText(engine);
  return text;
}

}  // namespace throughput
