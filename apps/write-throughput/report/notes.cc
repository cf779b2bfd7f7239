// Owns the sentences. Stateless.
#include "apps/write-throughput/report/notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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

std::string About(const CounterFigure& figure) {
  const bool counted = figure.status == CounterStatus::kCounted;
  if (counted && figure.runs_counted < figure.runs) {
    const std::string why = figure.cause.empty() ? "" : ": " + figure.cause;
    return fmt::format("counted in {} of {} runs only{}", figure.runs_counted, figure.runs, why);
  }
  if (!counted) return figure.cause;
  if (figure.running_ns > 0 && RunningPercent(figure) < kTrustedPercent) {
    return fmt::format("counted {:.1f} % of the time, the value is scaled up from that",
                       RunningPercent(figure));
  }
  return "";
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
  return Section(sentences);
}

std::string CounterNotes(std::span<const ResultRecord> runs) {
  std::vector<std::string> sentences;
  const auto noted = std::find_if(
      runs.begin(), runs.end(), [](const ResultRecord& run) { return !run.counters_note.empty(); });
  const std::string note = noted == runs.end() ? "" : noted->counters_note;
  if (!note.empty()) sentences.push_back(note);
  Grouped grouped;
  for (const CounterFigure& figure : Figures(runs)) {
    const std::string about = About(figure);
    const bool said = note.find(about) != std::string::npos;  // an empty one always is
    if (!said) grouped.Add(about, figure.label);
  }
  for (std::string& sentence : grouped.Sentences()) sentences.push_back(std::move(sentence));
  return Section(sentences);
}

}  // namespace throughput
