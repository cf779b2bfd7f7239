// Owns the sentences. Stateless.
#include "apps/write-throughput/report/notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "apps/write-throughput/report/counter_figures.h"
#include "apps/write-throughput/report/text.h"

namespace throughput {
namespace {

using metrics::CounterStatus;
using metrics::ResultRecord;

// Scaling a counter up from less of the time than this guesses too much to go unsaid.
constexpr double kTrustedPercent = 95;

std::string Section(const std::vector<std::string>& sentences) {
  std::string text = sentences.empty() ? "" : "\n";
  for (const std::string& sentence : sentences) text += " " + PrintableLine(sentence) + "\n";
  return text;
}

// The labels of the figures that share a sentence, in the order of the first of each.
class Grouped {
 public:
  void Add(const std::string& sentence, const std::string& label) {
    const auto known = std::find_if(groups_.begin(), groups_.end(),
                                    [&](const Group& group) { return group.sentence == sentence; });
    if (known == groups_.end()) {
      groups_.push_back({sentence, {label}});
    } else {
      known->labels.push_back(label);
    }
  }
  std::vector<std::string> Sentences() const {
    std::vector<std::string> sentences;
    for (const Group& group : groups_) {
      sentences.push_back(fmt::format("{}: {}", fmt::join(group.labels, ", "), group.sentence));
    }
    return sentences;
  }

 private:
  struct Group {
    std::string sentence;
    std::vector<std::string> labels;
  };
  std::vector<Group> groups_;
};

const char* SourceName(const std::string& source) {
  if (source == "perf") return "perf events";
  return source == "rusage" ? "getrusage" : "/proc";
}

// "software counters are perf events", or "task-clock, page-faults: getrusage; ..."
std::string SoftwareSources(const ResultRecord& run) {
  std::vector<std::pair<std::string, std::vector<std::string>>> sources;
  for (const metrics::CounterReading& reading : run.counters) {
    if (reading.hardware || reading.source.empty() || reading.source == "callgrind") continue;
    const auto known = std::find_if(sources.begin(), sources.end(), [&](const auto& source) {
      return source.first == reading.source;
    });
    auto& names =
        known == sources.end() ? sources.emplace_back(reading.source, 0).second : known->second;
    names.push_back(CounterLabel(reading));
  }
  if (sources.empty()) return "";
  if (sources.size() == 1) {
    return fmt::format("Software counters are from {}.", SourceName(sources[0].first));
  }
  std::vector<std::string> parts;
  for (const auto& [source, names] : sources) {
    parts.push_back(fmt::format("{} ({})", SourceName(source), fmt::join(names, ", ")));
  }
  return fmt::format("Software counters are from {}.", fmt::join(parts, ", "));
}

// The counters that had to take turns, in one sentence.
std::string TookTurns(const std::vector<CounterFigure>& figures) {
  std::vector<std::string> shares;
  for (const CounterFigure& figure : figures) {
    if (figure.status != CounterStatus::kCounted || figure.running_ns <= 0) continue;
    const double percent = RunningPercent(figure);
    if (percent >= kTrustedPercent) continue;
    shares.push_back(fmt::format("{} ({:.1f} %)", figure.label, percent));
  }
  if (shares.empty()) return "";
  return fmt::format("{}: counted part of the time, values are scaled up from that",
                     fmt::join(shares, ", "));
}

std::string About(const CounterFigure& figure) {
  const bool counted = figure.status == CounterStatus::kCounted;
  if (counted && figure.runs_counted < figure.runs) {
    const std::string why = figure.cause.empty() ? "" : ": " + figure.cause;
    return fmt::format("counted in {} of {} runs only{}", figure.runs_counted, figure.runs, why);
  }
  return counted ? "" : figure.cause;
}

}  // namespace

std::string RunNotes(std::span<const ResultRecord> runs, int repeats) {
  std::vector<std::string> sentences;
  const bool interrupted = std::any_of(runs.begin(), runs.end(),
                                       [](const ResultRecord& run) { return run.interrupted; });
  if (interrupted) {
    sentences.emplace_back(runs.size() > 1
                               ? "Interrupted: the last run's figures end where it was stopped."
                               : "Interrupted: the figures end where the run was stopped.");
  }
  if (static_cast<int>(runs.size()) < repeats) {
    sentences.push_back(fmt::format("{} of {} runs came to a result; the figures are of {}.",
                                    runs.size(), repeats, runs.size() > 1 ? "these" : "this one"));
  }
  if (!runs.empty() && runs.front().process) {
    sentences.emplace_back(
        "Counters and times (elapsed, user, sys) are of the whole process, from its exec to its "
        "exit; rates, syncs, bytes and latency are of the window.");
  }
  return Section(sentences);
}

std::string CounterNotes(std::span<const ResultRecord> runs) {
  std::vector<std::string> sentences;
  if (runs.empty()) return "";
  const std::string sources = SoftwareSources(runs.front());
  if (!sources.empty()) sentences.push_back(sources);
  const auto noted = std::find_if(
      runs.begin(), runs.end(), [](const ResultRecord& run) { return !run.counters_note.empty(); });
  const std::string note = noted == runs.end() ? "" : noted->counters_note;
  if (!note.empty()) sentences.push_back(note);
  Grouped grouped;
  const std::vector<CounterFigure> figures = Figures(runs);
  for (const CounterFigure& figure : figures) {
    const std::string about = About(figure);
    const bool said = note.find(about) != std::string::npos;  // an empty one always is
    if (!said) grouped.Add(about, figure.label);
  }
  for (std::string& sentence : grouped.Sentences()) sentences.push_back(std::move(sentence));
  const std::string took_turns = TookTurns(figures);
  if (!took_turns.empty()) sentences.push_back(took_turns);
  return Section(sentences);
}

}  // namespace throughput
