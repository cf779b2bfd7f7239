// Owns flags and help. Options end at the first word that is none, because the words behind it are
// another program's: so they are taken one by one here, and no library sees the rest.
#include "apps/throughput-compare/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "apps/results/flag_values.h"
#include "apps/results/text.h"

namespace throughput {
namespace {

constexpr std::string_view kHelp =
    R"help(throughput-compare: before and after, with a verdict on every metric

usage:
  throughput-compare [options] BEFORE... -- AFTER...

Each side is a write-throughput command, run as it stands with --format json and -o added, each time
on a fresh database; or one or more result files that write-throughput --format json wrote. Options
end at the first word that is none.

when to stop (commands are run in turn, A B B A, until one of these):
  --precision [METRIC:]P%   the interval of METRIC is within P % either way; without METRIC, of
                            rows/s; repeatable: all of them (default: rows/s:2%)
  --budget S                S seconds are spent, 0.001 to 604800 (default: 120)
  --runs N                  N runs of each side are made, 2 to 10000 (default: 200)
  --run-limit S             give up when a single run takes longer (default: 600)

what to say:
  --noise                   compare BEFORE with itself first, and print what that shows
  --format FORM             text, markdown (to paste into a pull request) or json (default: text)
  --fail-on worse:METRIC:P% exit 3 if METRIC is worse by P % or more; exit 1 if there were not
                            enough runs to tell; repeatable

  --help, --version         print and leave

Verdicts: better, worse, no difference seen (with the smallest that would have been), not enough
runs. The chance of a false better or worse over all metrics together is 1 %.
Exit codes: 0 done, 1 a run failed, 2 refused, 3 --fail-on, 130 interrupted.

examples:
  throughput-compare write-throughput --hasher sip13 -i 2000 -- write-throughput --hasher fx -i 2000
  throughput-compare --format markdown old/write-throughput -d 2 -- new/write-throughput -d 2
  throughput-compare --fail-on worse:instructions/row:1% before.json -- after.json
)help";

constexpr double kMostPercent = 1000;
constexpr double kMostSeconds = 604'800;
constexpr int kMostRuns = 10'000;

// "rows/s:2%", the per cent sign being optional.
std::optional<Goal> GoalOf(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  std::string_view number = text.substr(colon + 1);
  if (number.ends_with('%')) number.remove_suffix(1);
  const auto percent = NumberOf<double>(number);
  if (!percent || !(*percent > 0) || !(*percent <= kMostPercent)) return std::nullopt;
  return Goal{std::string(text.substr(0, colon)), *percent};
}

Result<void> SetPrecision(CompareOptions& options, const std::string& value) {
  const bool named = value.find(':') != std::string::npos;
  const auto goal = GoalOf(named ? value : "rows/s:" + value);
  if (!goal) {
    return Refused(WrongValue(
        "precision", value,
        fmt::format("[METRIC:]P% with P above 0 and up to {} is allowed", kMostPercent)));
  }
  options.limits.precision.push_back(*goal);
  return {};
}

Result<void> SetSeconds(std::string_view flag, std::chrono::duration<double>& to,
                        const std::string& value) {
  const auto seconds = NumberOf<double>(value);
  if (!seconds || !(*seconds >= 0.001) || !(*seconds <= kMostSeconds)) {
    return Refused(
        WrongValue(flag, value, fmt::format("seconds from 0.001 to {} are allowed", kMostSeconds)));
  }
  to = std::chrono::duration<double>(*seconds);
  return {};
}

Result<void> SetBudget(CompareOptions& options, const std::string& value) {
  return SetSeconds("budget", options.limits.budget, value);
}

Result<void> SetRunLimit(CompareOptions& options, const std::string& value) {
  return SetSeconds("run-limit", options.run_limit, value);
}

Result<void> SetRuns(CompareOptions& options, const std::string& value) {
  const auto runs = NumberOf<int>(value);
  if (!runs || *runs < 2 || *runs > kMostRuns) {
    return Refused(WrongValue("runs", value,
                              fmt::format("whole numbers from 2 to {} are allowed", kMostRuns)));
  }
  options.limits.runs = *runs;
  return {};
}

Result<void> SetNoise(CompareOptions& options, const std::string&) {
  options.noise = true;
  return {};
}

Result<void> SetFormat(CompareOptions& options, const std::string& value) {
  const auto format = ReportFormatOf(value);
  if (!format) return tl::unexpected(format.error());
  options.format = *format;
  return {};
}

Result<void> SetFailOn(CompareOptions& options, const std::string& value) {
  constexpr std::string_view kWorse = "worse:";
  const auto goal =
      value.starts_with(kWorse) ? GoalOf(value.substr(kWorse.size())) : std::optional<Goal>();
  if (!goal) {
    return Refused(WrongValue(
        "fail-on", value,
        fmt::format("worse:METRIC:P% with P above 0 and up to {} is allowed", kMostPercent)));
  }
  options.fail_on.push_back(*goal);
  options.limits.needed.push_back(goal->metric);
  return {};
}

struct Flag {
  std::string_view name;
  bool has_value;
  bool repeatable;
  Result<void> (*set)(CompareOptions& options, const std::string& value);
};

constexpr std::array<Flag, 7> kFlags = {{{"precision", true, true, SetPrecision},
                                         {"budget", true, false, SetBudget},
                                         {"runs", true, false, SetRuns},
                                         {"run-limit", true, false, SetRunLimit},
                                         {"noise", false, false, SetNoise},
                                         {"format", true, false, SetFormat},
                                         {"fail-on", true, true, SetFailOn}}};

// Walks over the options at the beginning of a command line.
class Parser {
 public:
  explicit Parser(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  // The number of words that were options.
  Result<size_t> Parse(CompareOptions& options) {
    options.limits.precision.clear();
    while (next_ < arguments_.size()) {
      const std::string& word = arguments_[next_];
      if (!word.starts_with('-') || word == "--") break;
      ++next_;
      if (auto taken = Take(word, options); !taken) return tl::unexpected(taken.error());
    }
    if (options.limits.precision.empty()) options.limits.precision = Limits().precision;
    return next_;
  }

 private:
  Result<void> Take(const std::string& word, CompareOptions& options) {
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const auto* flag = std::find_if(kFlags.begin(), kFlags.end(), [&](const Flag& each) {
      return name == fmt::format("--{}", each.name);
    });
    if (flag == kFlags.end()) {
      return Refused(
          fmt::format("'{}' is no flag of throughput-compare: --help lists them", Printable(name)));
    }
    if (!flag->repeatable && std::count(seen_.begin(), seen_.end(), name) > 0) {
      return Refused(name + " is given twice");
    }
    seen_.push_back(name);
    if (!flag->has_value) {
      if (equals != std::string::npos) return Refused(name + " takes no value");
      return flag->set(options, {});
    }
    if (equals != std::string::npos) return flag->set(options, word.substr(equals + 1));
    if (next_ == arguments_.size() || arguments_[next_].starts_with("--")) {
      return Refused(name + ": a value is missing behind it");
    }
    return flag->set(options, arguments_[next_++]);
  }

  const std::vector<std::string>& arguments_;
  size_t next_ = 0;
  std::vector<std::string> seen_;
};

Result<void> TakeSides(const std::vector<std::string>& arguments, size_t first,
                       CompareOptions& options) {
  const auto begin = arguments.begin() + static_cast<std::ptrdiff_t>(first);
  const auto middle = std::find(begin, arguments.end(), "--");
  if (begin == middle) return Refused("BEFORE is missing: --help explains");
  if (middle == arguments.end() || middle + 1 == arguments.end()) {
    return Refused("AFTER is missing: it stands behind '--'");
  }
  options.before.assign(begin, middle);
  options.after.assign(middle + 1, arguments.end());
  return {};
}

}  // namespace

Result<Request> ParseCommandLine(const std::vector<std::string>& arguments) {
  const std::string first = arguments.empty() ? "" : arguments.front();
  if (first == "--help" || first == "-h") return Outcome{std::string(kHelp), {}, 0};
  if (first == "--version") {
    return Outcome{"throughput-compare " THROUGHPUT_COMPARE_VERSION "\n", {}, 0};
  }
  CompareOptions options;
  const auto words = Parser(arguments).Parse(options);
  if (!words) return tl::unexpected(words.error());
  if (auto taken = TakeSides(arguments, *words, options); !taken) {
    return tl::unexpected(taken.error());
  }
  return options;
}

}  // namespace throughput
