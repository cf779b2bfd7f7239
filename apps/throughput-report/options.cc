// Owns flags and help. cxxopts splits the command line; what it says of a wrong one changes between
// its versions, so ours is said in its place.
#include "apps/throughput-report/options.h"

#include <fmt/format.h>

#include <array>
#include <cxxopts.hpp>
#include <optional>
#include <string_view>

#include "apps/results/flag_values.h"
#include "apps/results/text.h"

namespace throughput {
namespace {

constexpr std::string_view kHelp =
    R"help(throughput-report: a page with pictures, from write-throughput's results

usage:
  throughput-report RESULT... -o PAGE.html [options]

RESULT... are files of write-throughput --format json. Runs of one cell are repeats: a point is
their median, its bar spans the lowest and the highest. Runs of different machines or builds are
never pooled.

  -o, --output FILE      the page: one HTML file that loads nothing, for screen and paper
  --plots FOLDER         the pictures alone, into a new or empty folder
  --plot-format FORM     of these: svg, png or pdf (default: svg)
  --scaling              fit the Universal Scalability Law to each thread sweep: what binds, a line
                         for each on standard output, and a section in the page

  -h, --help, --version  print and leave

At least one of --output, --plots and --scaling is needed. Pictures are drawn by gnuplot (package
gnuplot-nox). Exit codes: 0 done, 1 failed while drawing or writing, 2 refused and nothing written.

examples:
  write-throughput -t 1,2,3,4,6,8 --compute 0,100,1000 -m legacy,concurrent -d 2 -r 5 \
    --interval 100 --format json -o r.json
  throughput-report r.json -o report.html --scaling
)help";

const std::array<std::string, 3> kValueFlags = {"output", "plots", "plot-format"};

std::string SyntaxMessage(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    if (!argument.starts_with("-") || argument == "-") continue;
    const std::string flag = argument.substr(0, argument.find('='));
    bool known = flag == "--scaling" || flag.starts_with("-o");
    for (const std::string& name : kValueFlags) known |= flag == "--" + name;
    if (!known) return fmt::format("'{}' is no flag: --help lists them", Printable(flag));
    if (argument.starts_with("--scaling=")) return "--scaling takes no value";
  }
  return fmt::format("'{}': a value is missing after it", Printable(arguments.back()));
}

// The first thing that is wrong with how flags are used.
std::optional<std::string> Misuse(const cxxopts::ParseResult& parsed) {
  for (const std::string& flag : kValueFlags) {
    if (parsed.count(flag) > 1) return fmt::format("--{} is given twice", flag);
    if (parsed.count(flag) == 0) continue;
    const auto value = parsed[flag].as<std::string>();
    if (value.empty()) return WrongValue(flag, value, "a value is missing");
    if (value.starts_with("-")) return WrongValue(flag, value, "a value is missing before it");
  }
  if (parsed.unmatched().empty()) return "no RESULT is given: --help explains";
  if (parsed.count("plot-format") > 0 && parsed.count("plots") == 0) {
    return "--plot-format is for --plots FOLDER, which is missing";
  }
  if (parsed.count("output") + parsed.count("plots") + parsed.count("scaling") == 0) {
    return "--output FILE is missing (or --plots FOLDER, or --scaling)";
  }
  return std::nullopt;
}

Result<Command> OptionsOf(const cxxopts::ParseResult& parsed) {
  if (auto wrong = Misuse(parsed)) return Refused(*std::move(wrong));
  ReportOptions options;
  options.results = parsed.unmatched();
  options.scaling = parsed.count("scaling") > 0;
  if (parsed.count("output") > 0) options.page = parsed["output"].as<std::string>();
  if (parsed.count("plots") > 0) options.plots = parsed["plots"].as<std::string>();
  if (parsed.count("plot-format") > 0) {
    options.plot_ending = parsed["plot-format"].as<std::string>();
    if (options.plot_ending == "png") {
      options.plot_format = PictureFormat::kPng;
    } else if (options.plot_ending == "pdf") {
      options.plot_format = PictureFormat::kPdf;
    } else if (options.plot_ending != "svg") {
      return Refused(
          WrongValue("plot-format", options.plot_ending, "svg, png and pdf are allowed"));
    }
  }
  return options;
}

}  // namespace

Result<Command> ParseCommandLine(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    if (argument == "--help" || argument == "-h") return Outcome{std::string(kHelp), {}, 0};
    if (argument == "--version") {
      return Outcome{"throughput-report " THROUGHPUT_REPORT_VERSION "\n", {}, 0};
    }
  }
  cxxopts::Options syntax("throughput-report");
  syntax.add_options()("o,output", "", cxxopts::value<std::string>())(
      "plots", "", cxxopts::value<std::string>())("plot-format", "", cxxopts::value<std::string>())(
      "scaling", "");
  std::vector<const char*> argv{"throughput-report"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  try {
    return OptionsOf(syntax.parse(static_cast<int>(argv.size()), argv.data()));
  } catch (const cxxopts::exceptions::exception&) {
    return Refused(SyntaxMessage(arguments));
  }
}

}  // namespace throughput
