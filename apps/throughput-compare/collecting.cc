// Owns the order of the steps.
#include "apps/throughput-compare/collecting.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/results/settings.h"
#include "apps/results/text.h"
#include "apps/throughput-compare/command.h"
#include "apps/throughput-compare/run_command.h"

namespace throughput {
namespace {

Finding FindingOf(Interleaved runs) {
  Finding finding;
  finding.judged = JudgeAll(runs.samples.samples, runs.end != End::kRecorded);
  finding.end = runs.end;
  finding.runs = runs.runs;
  finding.before = std::move(runs.before);
  finding.after = std::move(runs.after);
  finding.notes = std::move(runs.samples.notes);
  return finding;
}

// Recorded runs may come from anywhere: those of a test have to be repeats of one another.
Result<void> CheckBuilds(const TestRuns& test, const std::string& name) {
  const std::vector<Setting> first = BuildOf(test.records.front());
  for (const metrics::ResultRecord& record : test.records) {
    const auto differences = DifferencesOf(first, BuildOf(record));
    if (differences.empty()) continue;
    return Refused(fmt::format("{} has runs of '{}' that are no repeats: they differ in {}", name,
                               Printable(test.test), fmt::join(differences, "; ")));
  }
  return {};
}

Result<void> CheckRunsOf(const SideRuns& side, const std::string& name) {
  for (const TestRuns& test : side.tests) {
    if (auto same = CheckBuilds(test, name); !same) return same;
    if (test.runs.size() > 1) continue;
    return Refused(
        fmt::format("{} has one single run of '{}', and two or more are needed to know "
                    "how much they differ by themselves",
                    name, Printable(test.test)));
  }
  return {};
}

Result<Comparison> CompareFiles(const CompareOptions& options) {
  ResultReader reader;  // of both sides, so that a run counts once
  SideRuns sides[2];
  const std::vector<std::string>* paths[2] = {&options.before, &options.after};
  for (int i = 0; i < 2; ++i) {
    for (const std::string& path : *paths[i]) {
      if (auto read = reader.Read(path); !read) return tl::unexpected(read.error());
    }
    for (ReadRun& run : reader.Take()) {
      std::vector<ReadRun> one;
      one.push_back(std::move(run));
      sides[i].AddRun(std::move(one));
    }
    auto enough = CheckRunsOf(sides[i], i == 0 ? "BEFORE" : "AFTER");
    if (!enough) return tl::unexpected(enough.error());
  }
  auto samples = CollectSamples(sides[0], sides[1]);
  if (!samples) return tl::unexpected(samples.error());
  for (const std::string& metric : options.limits.needed) {
    auto there = RequireMetric("fail-on", metric, samples->samples);
    if (!there) return tl::unexpected(there.error());
  }
  return Comparison{std::nullopt, FindingOf({std::move(sides[0]), std::move(sides[1]),
                                             *std::move(samples), End::kRecorded, 0})};
}

double Now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Result<Comparison> CompareCommands(const CompareOptions& options,
                                   const std::function<void(const std::string&)>& progress) {
  for (const auto& [words, name] :
       {std::pair(&options.before, "BEFORE"), std::pair(&options.after, "AFTER")}) {
    if (auto fits = CheckFlags(*words, name); !fits) return tl::unexpected(fits.error());
  }
  auto runner = CommandRunner::Make(options.run_limit);
  if (!runner) return tl::unexpected(runner.error());
  const auto before = [&] { return runner->Run(options.before, "BEFORE"); };
  const auto after = [&] { return runner->Run(options.after, "AFTER"); };
  const auto now = [] { return std::chrono::duration<double>(Now()); };
  const Bench bench{before, after, now, progress};
  if (auto works = TryOnce(bench, options.limits); !works) return tl::unexpected(works.error());
  Comparison comparison;
  if (options.noise) {
    const auto say = [&](const std::string& text) { progress("noise: " + text); };
    auto noise = RunInTurn({before, before, now, say}, options.limits);
    if (!noise) return tl::unexpected(noise.error());
    comparison.noise = FindingOf(*std::move(noise));
    if (comparison.noise->end == End::kInterrupted) {
      return tl::unexpected(Failure{kExitInterrupted, "interrupted"});
    }
  }
  auto runs = RunInTurn(bench, options.limits);
  if (!runs) return tl::unexpected(runs.error());
  comparison.finding = FindingOf(*std::move(runs));
  return comparison;
}

}  // namespace

Result<Comparison> Collect(const CompareOptions& options,
                           const std::function<void(const std::string&)>& progress) {
  const auto before = KindOf(options.before, "BEFORE");
  if (!before) return tl::unexpected(before.error());
  const auto after = KindOf(options.after, "AFTER");
  if (!after) return tl::unexpected(after.error());
  if (*before != *after) {
    return Refused(
        fmt::format("BEFORE '{}' and AFTER '{}': two commands or two result files are "
                    "allowed, and no mix",
                    Printable(options.before.front()), Printable(options.after.front())));
  }
  if (*before == SideKind::kCommand) return CompareCommands(options, progress);
  if (options.noise) return Refused("--noise: runs commands, and has no use for result files");
  return CompareFiles(options);
}

}  // namespace throughput
