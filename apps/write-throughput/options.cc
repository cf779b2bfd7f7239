#include "apps/write-throughput/options.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/write-throughput/flags.h"
#include "apps/write-throughput/messages.h"
#include "apps/write-throughput/option_engines.h"
#include "apps/write-throughput/option_events.h"
#include "apps/write-throughput/option_parser.h"
#include "apps/write-throughput/report/text.h"
#include "apps/write-throughput/secrets.h"

namespace throughput {
namespace {

template <typename T>
using Names = std::vector<std::pair<std::string, T>>;

template <typename T>
std::string NamesAllowed(const Names<T>& names) {
  std::string text;
  for (const auto& [name, value] : names) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text + (names.size() == 1 ? " is allowed" : " are allowed");
}

template <typename T>
const T* FindName(const Names<T>& names, std::string_view name) {
  const auto found =
      std::find_if(names.begin(), names.end(), [name](const auto& n) { return n.first == name; });
  return found == names.end() ? nullptr : &found->second;
}

Names<Mode> ModeNames() {
  Names<Mode> names;
  for (const Mode mode : AllModes()) names.emplace_back(ModeName(mode), mode);
  return names;
}

// Reads the given flags into options. After the first error nothing more is read.
class Reader {
 public:
  explicit Reader(const GivenFlags& given) : given_(given) {}

  template <typename T>
  void Integer(const std::string& name, IntegerRange range, T& to) {
    Read(name, [&](const std::string& text) {
      const auto value = ParseInteger(name, text, range);
      if (Keep(value)) to = T(*value);
    });
  }

  template <typename T>
  void Integers(const std::string& name, IntegerRange range, std::vector<T>& to) {
    Read(name, [&](const std::string& text) {
      const auto values = ParseIntegers(name, text, range);
      if (!Keep(values)) return;
      to.clear();
      for (const int64_t value : *values) to.push_back(static_cast<T>(value));
    });
  }

  template <typename T>
  void Seconds(const std::string& name, SecondsRange range, T& to) {
    Read(name, [&](const std::string& text) {
      const auto value = ParseSeconds(name, text, range);
      if (Keep(value)) to = *value;
    });
  }

  template <typename T>
  void Choice(const std::string& name, const Names<T>& names, T& to) {
    Read(name, [&](const std::string& text) {
      const T* value = FindName(names, text);
      if (value != nullptr) {
        to = *value;
      } else {
        Fail(FlagError(name, text, NamesAllowed(names)));
      }
    });
  }

  template <typename T>
  void Choices(const std::string& name, const Names<T>& names, std::vector<T>& to) {
    Read(name, [&](const std::string& text) {
      to.clear();
      for (const std::string& item : SplitList(text)) {
        const T* value = FindName(names, item);
        if (value == nullptr) {
          return Fail(FlagError(name, text, NamesAllowed(names) + ", separated by commas"));
        }
        to.push_back(*value);
      }
    });
  }

  void Engines(Options& options) {
    Read("engine", [&](const std::string& text) { Keep(ReadEngines(text, options)); });
  }

  void Path(const std::string& name, std::string& to) {
    Read(name, [&](const std::string& text) {
      if (text.empty()) return Fail(FlagError(name, text, "a path that is not empty is allowed"));
      to = text;
    });
  }

  void Switch(const std::string& name, bool& to, bool given_means = true) {
    if (given_.Has(name)) to = given_means;
  }

  void RunOrder(const std::string& name, Order& to) {
    constexpr std::string_view kRandom = "random";
    Read(name, [&](const std::string& text) {
      if (text == "as-given" || text == kRandom) {
        to = {text == kRandom, std::nullopt};
      } else if (text.starts_with("random:")) {
        const auto seed = ParseInteger(name, text.substr(kRandom.size() + 1), kSeedRange);
        if (Keep(seed)) to = {true, *seed};
      } else {
        Fail(FlagError(name, text, "as-given, random, random:SEED are allowed"));
      }
    });
  }

  void EngineSettings(Settings& to) {
    for (const std::string& text : All("engine-option")) {
      const size_t equals = text.find('=');
      if (equals == std::string::npos || equals == 0) {
        return Fail(FlagError("engine-option", Shown(text), "KEY=VALUE is allowed"));
      }
      to[text.substr(0, equals)] = text.substr(equals + 1);
    }
  }

  void Events(Options& options) {
    if (failure_) return;
    Keep(ReadEvents(All("events"), options));
  }

  const std::optional<Failure>& failure() const { return failure_; }
  void Fail(std::string text) {
    if (!failure_) failure_ = Failure{std::move(text)};
  }

 private:
  template <typename Body>
  void Read(const std::string& name, const Body& body) {
    const std::string* text = given_.Last(name);
    if (text != nullptr && !failure_) body(*text);
  }

  template <typename T>
  bool Keep(const Expected<T>& parsed) {
    if (!parsed) Fail(parsed.error().text);
    return parsed.has_value();
  }

  std::vector<std::string> All(const std::string& name) const {
    const auto found = given_.values.find(name);
    return found == given_.values.end() ? std::vector<std::string>{} : found->second;
  }

  const GivenFlags& given_;
  std::optional<Failure> failure_;
};

void ReadLoad(Reader& reader, const GivenFlags& given, Options& options) {
  reader.Integers("threads", kThreadsRange, options.threads);
  reader.Integers("batch-size", kBatchSizeRange, options.batch_sizes);
  reader.Integers("compute", kComputeUsRange, options.compute_us);
  reader.Choice("compute-clock", {{"wall", ComputeClock::kWall}, {"cpu", ComputeClock::kCpu}},
                options.compute_clock);
  reader.Integer("iterations", kIterationsRange, options.iterations);
  reader.Seconds("duration", kDurationRange, options.duration);
  if (options.iterations && options.duration) {
    reader.Fail(FlagError("iterations", *given.Last("iterations"),
                          "not together with --duration; one of the two is allowed"));
  }
  if (!options.iterations && !options.duration) options.iterations = 10;
  reader.Seconds("warmup", kWarmupRange, options.warmup);
  reader.Integer("value-size", kValueSizeRange, options.value_size);
  reader.Path("data-file", options.data_file);
  reader.Integer("rate", kRateRange, options.rate);
  reader.Integer("repeat", kRepeatsRange, options.repeats);
  reader.RunOrder("order", options.order);
}

void ReadEngine(Reader& reader, const GivenFlags& given, Options& options) {
  options.engines = {FindTarget("burin")};
  reader.Engines(options);
  const std::string* mode = given.Last("mode");
  options.mode_given = mode != nullptr;
  options.best_mode = mode != nullptr && *mode == "best";
  if (!options.best_mode) reader.Choices("mode", ModeNames(), options.modes);
  reader.Choices("hasher", {{"fx", std::string("fx")}, {"sip13", std::string("sip13")}},
                 options.hashers);
  reader.EngineSettings(options.engine_settings);
  reader.Integer("timeout", kTimeoutMsRange, options.timeout);
  reader.Integer("in-flight", kInFlightRange, options.in_flight);
  reader.Choice("io", {{"pwrite", Io::kPwrite}, {"io-uring", Io::kIoUring}}, options.io);
  reader.Path("database", options.database);
  reader.Switch("keep", options.keep);
  reader.Switch("verify", options.verify);
  reader.Switch("compare-limit", options.compare_limit);
}

void ReadOutput(Reader& reader, Options& options) {
  using metrics::CounterMode;
  reader.Choice("counters",
                {{"auto", CounterMode::kAuto},
                 {"perf", CounterMode::kPerf},
                 {"callgrind", CounterMode::kCallgrind},
                 {"none", CounterMode::kNone}},
                options.counters);
  reader.Choice("scope", {{"run", Scope::kRun}, {"process", Scope::kProcess}}, options.scope);
  reader.Switch("per-thread", options.per_thread);
  reader.Switch("phases", options.phases);
  reader.Choice(
      "format",
      {{"csv", RowFormat::kCsv}, {"csv-wide", RowFormat::kCsvWide}, {"json", RowFormat::kJson}},
      options.report.format);
  reader.Choice("summary",
                {{"perf", SummaryForm::kPerf},
                 {"csv", SummaryForm::kCsv},
                 {"json", SummaryForm::kJson},
                 {"none", SummaryForm::kNone}},
                options.report.summary);
  reader.Switch("header", options.report.header);
  reader.Path("output", options.report.output_path);
  reader.Switch("resume", options.resume);
  reader.Path("summary-output", options.report.summary_path);
  reader.Switch("no-big-num", options.report.big_numbers, false);
  reader.Switch("quiet", options.report.quiet);
  reader.Integer("interval", kIntervalMsRange, options.interval);
}

// --help and the like, in this order; the word of --list-events is no leftover.
void ReadAction(GivenFlags& given, Options& options) {
  if (given.Has("help")) {
    options.action = Action::kHelp;
  } else if (given.Has("version")) {
    options.action = Action::kVersion;
  } else if (given.Has("list-engines")) {
    options.action = Action::kListEngines;
  } else if (given.Has("doctor")) {
    options.action = Action::kDoctor;
  } else if (given.Has("list-events")) {
    options.action = Action::kListEvents;
    if (!given.leftover.empty()) {
      options.event_word = given.leftover.front();
      given.leftover.erase(given.leftover.begin());
    }
  }
}

bool CaresForEvents(Action action) {
  return action == Action::kRun || action == Action::kDoctor || action == Action::kListEvents;
}

}  // namespace

Expected<Options> ParseOptions(const std::vector<std::string>& words) {
  Options options;
  options.words = NormalizeWords(words);
  auto given = ParseWords(options.words);
  if (!given) return tl::unexpected(given.error());
  ReadAction(*given, options);
  if (!given->leftover.empty()) {
    return tl::unexpected(Failure{fmt::format("'{}' belongs to no flag; --help lists them",
                                              PrintableLine(Shown(given->leftover[0])))});
  }
  Reader reader(*given);
  ReadLoad(reader, *given, options);
  ReadEngine(reader, *given, options);
  ReadOutput(reader, options);
  if (CaresForEvents(options.action)) reader.Events(options);
  if (reader.failure()) return tl::unexpected(*reader.failure());
  options.report.repeats = options.repeats;
  if (options.action != Action::kRun) return options;
  if (auto fine = CheckCombinations(options); !fine) return tl::unexpected(fine.error());
  return options;
}

}  // namespace throughput
