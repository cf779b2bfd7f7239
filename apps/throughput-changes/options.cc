// Owns flags and help. cxxopts splits the command line; every value is taken as text and checked
// here, as the library lets overflow, trailing letters and swallowed flags pass.
#include "apps/throughput-changes/options.h"

#include <fmt/format.h>

#include <cxxopts.hpp>
#include <optional>
#include <string_view>

#include "apps/results/flag_values.h"
#include "apps/results/text.h"
#include "apps/throughput-changes/history.h"

namespace throughput {
namespace {

constexpr std::string_view kHelp =
    R"help(throughput-changes: performance changes over commits, from write-throughput's results

usage:
  throughput-changes record HISTORY RESULT... --commit ID --time SECONDS [options]
  throughput-changes report HISTORY [options]
  throughput-changes export HISTORY --otava FOLDER | --nyrkio FOLDER

record: append the runs in RESULT... (write-throughput --format json) to HISTORY
  --commit ID          the commit that was measured
  --time SECONDS       its time since 1970: git show -s --format=%ct
  --branch NAME        its branch (default: main)
  --repository URL     where it lives (default: not said)

report: the commits at which a metric's level changed
  --format FORM        text, markdown or json (default: text)
  --window N           commits looked at together, 2 to 1000 (default: 50)
  --max-pvalue P       how unlikely by chance, above 0 and at most 1 (default: 0.001)
  --min-magnitude M    smallest relative change, 0.02 for 2 %, at least 0 (default: 0)
  --fail-on-worse N    exit 3 if one of the newest N commits made a metric worse

export: the history for other programs, into a new or empty folder
  --otava FOLDER       Apache Otava: one CSV for each test, and otava.yaml
  --nyrkio FOLDER      Nyrkiö: one JSON for each test

  --help, --version    print and leave

Repeats of a test at one commit count once, as their median. Exit codes: 0 done, 1 failed while
writing, 2 refused, 3 --fail-on-worse.

examples:
  write-throughput -t 1,4 -r 5 --format json -o r.json
  throughput-changes record history.jsonl r.json --commit "$(git rev-parse HEAD)" \
    --time "$(git show -s --format=%ct HEAD)"
  throughput-changes report history.jsonl
)help";

constexpr std::string_view kNameCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/+-";
constexpr size_t kMaxNameSize = 200;
constexpr int64_t kMaxCommits = 1'000'000;

// Takes values out of a parsed command line and keeps the first thing that is wrong.
class Values {
 public:
  Values(const cxxopts::ParseResult& parsed, const std::vector<std::string>& flags)
      : parsed_(parsed) {
    for (const std::string& flag : flags) CheckUse(flag);
  }

  bool Has(const std::string& flag) const { return parsed_.count(flag) > 0; }

  std::string Text(const std::string& flag) const {
    return Has(flag) ? parsed_[flag].as<std::string>() : std::string();
  }

  std::string Name(const std::string& flag, std::string fallback) {
    if (!Has(flag)) return fallback;
    std::string name = Text(flag);
    if (name.empty() || name.size() > kMaxNameSize ||
        name.find_first_not_of(kNameCharacters) != std::string::npos) {
      Refuse(WrongValue(
          flag, name,
          fmt::format("1 to {} letters, digits and . _ / + - are allowed", kMaxNameSize)));
    }
    return name;
  }

  int64_t Whole(const std::string& flag, int64_t first, int64_t last, int64_t fallback) {
    if (!Has(flag)) return fallback;
    const std::string text = Text(flag);
    const auto number = NumberOf<int64_t>(text);
    if (!number || *number < first || *number > last) {
      Refuse(WrongValue(flag, text,
                        fmt::format("whole numbers from {} to {} are allowed", first, last)));
      return fallback;
    }
    return *number;
  }

  double Ratio(const std::string& flag, double last, bool zero_allowed, double fallback) {
    if (!Has(flag)) return fallback;
    const std::string text = Text(flag);
    const auto number = NumberOf<double>(text);
    if (!number || !(zero_allowed ? *number >= 0 : *number > 0) || !(*number <= last)) {
      Refuse(WrongValue(flag, text,
                        fmt::format("numbers {} 0 and up to {} are allowed",
                                    zero_allowed ? "from" : "above", last)));
      return fallback;
    }
    return *number;
  }

  void Require(const std::string& flag) {
    if (!Has(flag)) Refuse(fmt::format("--{} is missing", flag));
  }

  void Refuse(std::string message) {
    if (!failure_) failure_ = std::move(message);
  }

  const std::optional<std::string>& failure() const { return failure_; }

 private:
  void CheckUse(const std::string& flag) {
    if (parsed_.count(flag) > 1) Refuse(fmt::format("--{} is given twice", flag));
    const std::string text = Text(flag);
    if (text.starts_with("--")) Refuse(WrongValue(flag, text, "a value is missing before it"));
    if (Has(flag) && text.empty() && flag != "repository") {
      Refuse(WrongValue(flag, text, "a value is missing"));
    }
  }

  const cxxopts::ParseResult& parsed_;
  std::optional<std::string> failure_;
};

Result<Command> RecordCommand(Values& values, const std::vector<std::string>& files) {
  RecordOptions options;
  values.Require("commit");
  values.Require("time");
  options.commit = values.Name("commit", "");
  options.time = values.Whole("time", 0, kLatestTime, 0);
  options.branch = values.Name("branch", options.branch);
  options.repository = values.Text("repository");
  if (Printable(options.repository) != options.repository) {
    values.Refuse(
        WrongValue("repository", options.repository, "control characters are not allowed"));
  }
  if (files.size() < 2) values.Refuse("record needs HISTORY and at least one RESULT");
  if (values.failure()) return Refused(*values.failure());
  options.history = files.front();
  options.results.assign(files.begin() + 1, files.end());
  return options;
}

Result<Command> ReportCommand(Values& values, const std::vector<std::string>& files) {
  ReportOptions options;
  ChangePointOptions& points = options.change_points;
  points.window = static_cast<size_t>(
      values.Whole("window", kMinWindow, kMaxWindow, static_cast<int64_t>(points.window)));
  points.max_pvalue = values.Ratio("max-pvalue", 1, false, points.max_pvalue);
  points.min_magnitude = values.Ratio("min-magnitude", kMaxValue, true, points.min_magnitude);
  options.fail_on_worse = static_cast<size_t>(values.Whole("fail-on-worse", 1, kMaxCommits, 0));
  if (files.size() != 1) values.Refuse("report needs one HISTORY and nothing more");
  if (values.failure()) return Refused(*values.failure());
  const auto format = ReportFormatOf(values.Has("format") ? values.Text("format") : "text");
  if (!format) return tl::unexpected(format.error());
  options.format = *format;
  options.history = files.front();
  return options;
}

Result<Command> ExportCommand(Values& values, const std::vector<std::string>& files) {
  ExportOptions options;
  options.otava_folder = values.Text("otava");
  options.nyrkio_folder = values.Text("nyrkio");
  if (!values.Has("otava") && !values.Has("nyrkio")) {
    values.Refuse("export needs --otava FOLDER or --nyrkio FOLDER");
  }
  if (values.Has("otava") && options.otava_folder == options.nyrkio_folder) {
    values.Refuse(WrongValue("nyrkio", options.nyrkio_folder, "a folder of its own is needed"));
  }
  if (files.size() != 1) values.Refuse("export needs one HISTORY and nothing more");
  if (values.failure()) return Refused(*values.failure());
  options.history = files.front();
  return options;
}

struct CommandSyntax {
  std::string_view name;
  std::vector<std::string> flags;
  Result<Command> (*make)(Values&, const std::vector<std::string>&);
};

std::vector<CommandSyntax> Commands() {
  return {
      {"record", {"commit", "time", "branch", "repository"}, RecordCommand},
      {"report",
       {"format", "window", "max-pvalue", "min-magnitude", "fail-on-worse"},
       ReportCommand},
      {"export", {"otava", "nyrkio"}, ExportCommand},
  };
}

// What cxxopts says of a command line changes between its versions, so ours is said in its place.
std::string SyntaxMessage(const CommandSyntax& syntax, const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    if (!argument.starts_with("-") || argument == "-") continue;
    const std::string flag = argument.substr(0, argument.find('='));
    bool known = false;
    for (const std::string& name : syntax.flags) known |= flag == "--" + name;
    if (!known) {
      return fmt::format("'{}' is no flag of {}: --help lists them", Printable(flag), syntax.name);
    }
  }
  return fmt::format("'{}': a value is missing after it", Printable(arguments.back()));
}

Result<Command> ParseArguments(const CommandSyntax& syntax,
                               const std::vector<std::string>& arguments) {
  cxxopts::Options options("throughput-changes");
  for (const std::string& flag : syntax.flags) {
    options.add_options()(flag, "", cxxopts::value<std::string>());
  }
  std::vector<const char*> argv{"throughput-changes"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  try {
    const auto parsed = options.parse(static_cast<int>(argv.size()), argv.data());
    Values values(parsed, syntax.flags);
    return syntax.make(values, parsed.unmatched());
  } catch (const cxxopts::exceptions::exception&) {
    return Refused(SyntaxMessage(syntax, arguments));
  }
}

}  // namespace

Result<Command> ParseCommandLine(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return Refused("record, report or export is missing: --help explains");
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    if (argument == "--help" || argument == "-h") return Outcome{std::string(kHelp), {}, 0};
    if (argument == "--version") {
      return Outcome{"throughput-changes " THROUGHPUT_CHANGES_VERSION "\n", {}, 0};
    }
  }
  for (const CommandSyntax& syntax : Commands()) {
    if (arguments.front() == syntax.name) {
      return ParseArguments(syntax, {arguments.begin() + 1, arguments.end()});
    }
  }
  return Refused(
      fmt::format("'{}': record, report and export are allowed", Printable(arguments.front())));
}

}  // namespace throughput
