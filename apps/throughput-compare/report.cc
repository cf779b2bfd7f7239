// Owns the layout for people. Text that came from elsewhere is made printable on its way.
#include "apps/throughput-compare/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "apps/results/text.h"
#include "apps/throughput-compare/run_command.h"
#include "apps/write-throughput/report/perf_block.h"
#include "apps/write-throughput/secrets.h"

namespace throughput {
namespace {

// "+1.2 %", with more digits where the change is small, and without a sign where it is none.
std::string Percent(double percent, bool sign) {
  const double size = std::abs(percent);
  const int decimals = size >= 1 ? 1 : (size >= 0.1 ? 2 : 3);
  return sign ? fmt::format("{:+.{}f} %", percent, decimals)
              : fmt::format("{:.{}f} %", percent, decimals);
}

std::string Change(const Estimate& estimate) {
  return estimate.change_percent ? Percent(*estimate.change_percent, true) : "-";
}

std::string Bound(double percent) {
  return std::isfinite(percent) ? Percent(percent, true) : "unbounded";
}

std::string Interval(const Estimate& estimate) {
  if (!estimate.low_percent) return "-";
  const std::string low = Bound(*estimate.low_percent);
  const std::string high = Bound(*estimate.high_percent);
  return low == "unbounded" && low == high ? low : fmt::format("{} to {}", low, high);
}

std::string VerdictText(const Judged& judged) {
  std::string text(VerdictName(judged.verdict));
  const auto smallest = judged.estimate.smallest_percent;
  if (judged.verdict == Verdict::kNoDifference && smallest) {
    text += fmt::format(" ({} would have been)", Percent(*smallest, false));
  }
  return text;
}

std::string Words(const std::vector<std::string>& words) {
  return Printable(fmt::format("{}", fmt::join(Shown(words), " ")));
}

std::string Widths(const Limits& limits) {
  std::vector<std::string> goals;
  for (const Goal& goal : limits.precision) {
    goals.push_back(fmt::format("{} within {:g} %", goal.metric, goal.percent));
  }
  return fmt::format("{}", fmt::join(goals, ", "));
}

std::string EndText(const Finding& finding, const Limits& limits) {
  const std::string runs = fmt::format("{} a side, in turn (ABBA)", Counted(finding.runs, "run"));
  switch (finding.end) {
    case End::kPrecise:
      return fmt::format("{}, until {} was reached", runs, Widths(limits));
    case End::kBudget:
      return fmt::format("{}; {:g} s were spent before {} was reached", runs, limits.budget.count(),
                         Widths(limits));
    case End::kRuns:
      return fmt::format("{}, as many as were allowed, before {} was reached", runs,
                         Widths(limits));
    case End::kInterrupted:
      return runs + ", then interrupted";
    case End::kRecorded:
      break;
  }
  return "runs recorded earlier, not in turn: what drifted between the sides counts as a change";
}

std::string TestLine(const Sample& sample) {
  if (sample.test_before == sample.test_after) return Printable(sample.test_before);
  return fmt::format("{} -> {}", Printable(sample.test_before), Printable(sample.test_after));
}

using Row = std::array<std::string, 7>;

// Columns of figures stand to the right, the others to the left; the last is as wide as it likes.
std::string TextRow(const Row& row, const std::array<size_t, 7>& widths) {
  return fmt::format("{:<{}}  {:>{}}  {:>{}}  {:>{}}  {:<{}}  {:<{}}  {}\n", row[0], widths[0],
                     row[1], widths[1], row[2], widths[2], row[3], widths[3], row[4], widths[4],
                     row[5], widths[5], row[6]);
}

std::string TextTable(const std::vector<Judged>& all) {
  std::vector<Row> rows = {{"metric", "before", "after", "change", "interval", "unit", "verdict"}};
  for (const Judged& judged : all) {
    rows.push_back({Printable(judged.sample.metric), FormatValue(judged.estimate.before),
                    FormatValue(judged.estimate.after), Change(judged.estimate),
                    Interval(judged.estimate), Printable(judged.sample.unit), VerdictText(judged)});
  }
  std::array<size_t, 7> widths{};
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (size_t i = 0; i < all.size(); ++i) {
    const bool next_test = i == 0 || all[i].sample.test_before != all[i - 1].sample.test_before;
    if (next_test) text += '\n' + TestLine(all[i].sample) + '\n' + TextRow(rows.front(), widths);
    text += TextRow(rows[i + 1], widths);
  }
  return text;
}

bool ShowsChange(const Finding& finding) {
  return std::any_of(finding.judged.begin(), finding.judged.end(), [](const Judged& judged) {
    return judged.verdict == Verdict::kBetter || judged.verdict == Verdict::kWorse;
  });
}

std::vector<std::string> Notes(const Comparison& comparison) {
  std::vector<std::string> notes = comparison.finding.notes;
  notes.push_back(fmt::format(
      "Intervals and verdicts hold for all {} together with a chance of {:g} % to be wrong; "
      "what \"would have been\" seen would have been nine times in ten.",
      Counted(comparison.finding.judged.size(), "metric"), 100 * kFamilyLevel));
  if (comparison.noise && ShowsChange(*comparison.noise)) {
    notes.emplace_back(
        "BEFORE differs from itself: something other than the change moves this machine, and "
        "the verdicts on those metrics are worth nothing.");
  }
  return notes;
}

std::string TextReport(const Comparison& comparison, const CompareOptions& options) {
  std::string text =
      fmt::format("before: {}\nafter:  {}\n", Words(options.before), Words(options.after));
  if (comparison.noise) {
    text += fmt::format("\nnoise: before against itself; {}\n{}",
                        EndText(*comparison.noise, options.limits),
                        TextTable(comparison.noise->judged));
    text += "\nbefore against after; ";
  } else {
    text += '\n';
  }
  text += EndText(comparison.finding, options.limits) + '\n';
  text += TextTable(comparison.finding.judged) + '\n';
  for (const std::string& note : Notes(comparison)) text += note + '\n';
  return text;
}

// The metric with its unit, said once: "p99 (us)", but "instructions:u/row (callgrind)".
std::string NameAndUnit(const Sample& sample) {
  const std::string quantity = sample.metric.substr(0, sample.metric.find('/'));
  if (sample.unit.starts_with(quantity)) return sample.unit;
  return fmt::format("{} ({})", sample.metric, sample.unit);
}

std::string MarkdownTable(const std::vector<Judged>& all) {
  std::string text;
  const Sample* above = nullptr;
  for (const Judged& judged : all) {
    const Sample& sample = judged.sample;
    if (above == nullptr || above->test_before != sample.test_before) {
      text += fmt::format(
          "\n{}\n\n| metric | before | after | change | interval | verdict |\n"
          "|---|---:|---:|---:|---|---|\n",
          MarkdownCell(TestLine(sample)));
    }
    const bool certain = judged.verdict == Verdict::kBetter || judged.verdict == Verdict::kWorse;
    text += fmt::format(
        "| {} | {} | {} | {} | {} | {} |\n", MarkdownCell(NameAndUnit(sample)),
        FormatValue(judged.estimate.before), FormatValue(judged.estimate.after),
        Change(judged.estimate), Interval(judged.estimate),
        certain ? fmt::format("**{}**", VerdictName(judged.verdict)) : VerdictText(judged));
    above = &sample;
  }
  return text;
}

// A fence that no line of ours can close: names may hold anything but a newline.
std::string Fenced(const std::string& text) { return "````\n" + text + "````\n"; }

std::string PerfBlocks(const SideRuns& side, End end) {
  std::string text;
  for (const TestRuns& test : side.tests) {
    const std::vector<std::string>& arguments = test.records.front().environment.arguments;
    text += PerfBlock(test.records, end == End::kRecorded ? arguments : WithoutOwnFlags(arguments),
                      true);
  }
  return text;
}

std::string MarkdownReport(const Comparison& comparison, const CompareOptions& options) {
  const Finding& finding = comparison.finding;
  std::string text;
  if (comparison.noise) {
    text += fmt::format("**Noise**: before against itself; {}.\n{}\n",
                        EndText(*comparison.noise, options.limits),
                        MarkdownTable(comparison.noise->judged));
  }
  text += fmt::format("**Before and after**: {}.\n{}", EndText(comparison.finding, options.limits),
                      MarkdownTable(comparison.finding.judged));
  text += "\nBefore:\n\n" + Fenced(PerfBlocks(finding.before, finding.end));
  text += "\nAfter:\n\n" + Fenced(PerfBlocks(finding.after, finding.end)) + '\n';
  for (const std::string& note : Notes(comparison)) text += MarkdownCell(note) + '\n';
  return text;
}

}  // namespace

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kBetter:
      return "better";
    case Verdict::kWorse:
      return "worse";
    case Verdict::kNoDifference:
      return "no difference seen";
    case Verdict::kNotEnoughRuns:
      break;
  }
  return "not enough runs";
}

std::string FormatReport(const Comparison& comparison, const CompareOptions& options) {
  switch (options.format) {
    case ReportFormat::kText:
      return TextReport(comparison, options);
    case ReportFormat::kMarkdown:
      return MarkdownReport(comparison, options);
    case ReportFormat::kJson:
      break;
  }
  return JsonReport(comparison, options);
}

}  // namespace throughput
