// Owns the words of the report.
#include "apps/throughput-report/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "apps/results/text.h"
#include "apps/throughput-report/load_pictures.h"
#include "apps/throughput-report/open_loop.h"
#include "apps/throughput-report/run_checks.h"
#include "apps/throughput-report/scaling_report.h"
#include "apps/throughput-report/time_pictures.h"

namespace throughput {
namespace {

// The best cell of each series.
Section Overview(const Study& study) {
  std::map<size_t, const Cell*> best;
  for (const Cell& cell : study.cells) {
    const Cell*& place = best[cell.series];
    if (place == nullptr || RateOf(cell).median > RateOf(*place).median) place = &cell;
  }
  Table table{{"series", "most rows/s (median)", "lowest", "highest", "runs", "reached with"}, {}};
  for (const auto& [series, cell] : best) {
    const Spread rate = RateOf(*cell);
    const bool repeated = rate.runs > 1;
    table.rows.push_back(
        {study.series[series], FigureText(rate.median), repeated ? FigureText(rate.low) : "–",
         repeated ? FigureText(rate.high) : "–", fmt::format("{}", rate.runs), LoadText(*cell)});
  }
  std::string text =
      "A point is the median of a cell’s runs, its bar spans from the lowest run to the "
      "highest. Every picture has its own scale.";
  if (!study.remark.empty()) text += " " + study.remark;
  return {"overview", "At a glance", text, {}, {}, {{"The best cell of each series", table}}};
}

// Pictures under `text`, or in their place what is missing for them.
Section Pictures(std::string id, std::string heading, std::string text,
                 std::vector<Picture> pictures, const std::string& missing) {
  if (pictures.empty()) text = "Not shown: " + missing;
  return {std::move(id), std::move(heading), std::move(text), {}, std::move(pictures), {}};
}

Section Threads(const Study& study) {
  return Pictures("threads", "Thread scaling",
                  "Acknowledged rows per second over load threads: do more threads help?",
                  ThreadScaling(study),
                  "it takes two thread counts or more, for example --threads 1,2,4,8.");
}

Section Compute(const Study& study) {
  return Pictures("compute", "Compute impact",
                  "Rows per second as each transaction spends longer computing before it writes: "
                  "does the engine let threads compute side by side?",
                  ComputeImpact(study),
                  "it takes two computes or more, for example --compute 0,100,1000.");
}

Section Scaling(const Study& study) {
  ScalingReport report = ScalingOf(study);
  Section section{
      "scaling",
      "What binds",
      "The Universal Scalability Law, X(N) = λN / (1 + σ(N−1) + κN(N−1)), fitted to every "
      "run of a thread sweep by least squares. σ is the share of the work that waits in "
      "line (contention), κ what each pair of threads costs (coherency); ± is a 95 % "
      "interval.",
      std::move(report.findings),
      std::move(report.pictures),
      {}};
  if (!report.coefficients.rows.empty()) {
    section.tables.push_back({"Coefficients of the scaling law", std::move(report.coefficients)});
  }
  return section;
}

// What the latency of these runs is measured from.
std::string LatencyText(bool closed, bool open) {
  std::string text;
  if (closed) text += "From the commit call to durable. ";
  if (open) {
    text +=
        "In an open loop (--rate) from the moment at which a transaction was to start, whether or "
        "not a thread was free. The table has the service time, from its actual start, beside it. "
        "Where a load is saturated, transactions kept piling up, and the latency tells only how "
        "long the run was. ";
  }
  return text +
         "Of every commit; lowest compute of each load. A percentile is shown where a commit lies "
         "beyond it.";
}

Section Latency(const Study& study) {
  const auto open = std::count_if(study.cells.begin(), study.cells.end(), IsOpenLoop);
  Section section =
      Pictures("latency", "Commit latency", LatencyText(open<std::ssize(study.cells), open> 0),
               LatencyPercentiles(study), "the runs have no commit latencies.");
  if (open > 0) section.tables.push_back({"Open loops", OpenLoopTable(study)});
  return section;
}

Table StallTable(const Study& study, const std::vector<TimeCourse>& courses) {
  Table table{{"run", "intervals", "median rows/s", "stalls", "stalled, s", "longest, s"}, {}};
  for (const TimeCourse& course : courses) {
    std::vector<std::string> row = {
        fmt::format("{}, {}, run {}", study.series[course.series], course.load, course.repeat),
        fmt::format("{}", course.points.size()), FigureText(course.median_rate)};
    if (course.judged) {
      row.push_back(fmt::format("{}", course.stalls));
      row.push_back(fmt::format("{:.3f}", course.stalled_seconds));
      row.push_back(fmt::format("{:.3f}", course.longest_seconds));
    } else {
      row.insert(row.end(), {"not judged", "–", "–"});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Section OverTime(const Study& study) {
  Section section{"time", "Throughput over time", "", {}, {}, {}};
  const std::vector<TimeCourse> courses = TimeCourses(study);
  if (courses.empty()) {
    section.text =
        "Not shown: it takes runs with samples, for example --duration 10 --interval 100.";
    return section;
  }
  section.text = fmt::format(
      "The first run of each series, at the lowest compute. A cross and a line mark a stall: an "
      "interval "
      "with at "
      "most {:.0f} % of the run’s median rate. Runs with fewer than {:.0f} transactions in the "
      "median "
      "interval are not judged.",
      100 * kStallShare, kFewTransactions);
  section.pictures = ThroughputOverTime(study);
  section.tables.push_back({"Stalls of every run", StallTable(study, courses)});
  return section;
}

Section Cost(const Study& study) {
  Section section{
      "cost",
      "Cost per row",
      "At the fewest threads and the lowest compute of each batch size. Instructions hardly "
      "move between runs; times do.",
      {},
      {},
      {}};
  section.pictures = InstructionsPerRow(study);
  if (section.pictures.empty()) {
    section.text += " No run counted instructions";
    section.text += study.counters_note.empty() ? "." : " (" + study.counters_note + ").";
  }
  std::vector<Picture> times = CpuTimePerRow(study);
  std::move(times.begin(), times.end(), std::back_inserter(section.pictures));
  return section;
}

std::string LibrariesText(const metrics::Environment& environment) {
  std::string text;
  for (const auto& [name, version] : environment.libraries) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, version);
  }
  return text;
}

Section EnvironmentSection(const Study& study) {
  Table table{{""},
              {{"CPU"},
               {"cores"},
               {"kernel"},
               {"file system"},
               {"program’s commit"},
               {"build"},
               {"libraries"}}};
  for (size_t i = 0; i < study.environments.size(); ++i) {
    const metrics::Environment& environment = study.environments[i];
    table.header.push_back("environment " + EnvironmentName(i));
    const std::vector<std::string> column = {
        environment.cpu,           fmt::format("{}", environment.cores),
        environment.kernel,        environment.file_system,
        environment.commit,        environment.build_type,
        LibrariesText(environment)};
    for (size_t row = 0; row < column.size(); ++row) table.rows[row].push_back(column[row]);
  }
  Table commands{{"", "as it was given"}, {}};
  for (const std::string& engine : study.engines) commands.rows.push_back({"engine", engine});
  for (const std::string& command : study.commands) commands.rows.push_back({"command", command});
  std::string text = "What the runs were measured on, and how.";
  if (study.environments.size() > 1) {
    text += " Runs of different environments are never pooled: their series are named apart.";
  }
  return {"environment",
          "Environment",
          text,
          {},
          {},
          {{"Environments", table}, {"Engines and commands", commands}}};
}

}  // namespace

std::vector<Section> SectionsOf(const Study& study, bool scaling) {
  std::vector<Section> sections = {Overview(study), Threads(study), Compute(study)};
  if (scaling) sections.push_back(Scaling(study));
  sections.push_back(Latency(study));
  sections.push_back(OverTime(study));
  sections.push_back(Cost(study));
  sections.push_back(EnvironmentSection(study));
  return sections;
}

}  // namespace throughput
