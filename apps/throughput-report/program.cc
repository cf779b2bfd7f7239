// Owns the order of steps.
#include "apps/throughput-report/program.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "apps/results/files.h"
#include "apps/results/result_files.h"
#include "apps/results/text.h"
#include "apps/throughput-report/gnuplot.h"
#include "apps/throughput-report/page.h"
#include "apps/throughput-report/scaling_report.h"
#include "apps/throughput-report/sections.h"

namespace throughput {
namespace {

namespace fs = std::filesystem;

Result<void> CheckPage(const ReportOptions& options) {
  std::error_code ignored;
  const std::string shown = Printable(options.page);
  if (fs::exists(options.page, ignored) && !fs::is_regular_file(options.page, ignored)) {
    return Refused(fmt::format("--output '{}': not a regular file", shown));
  }
  for (const std::string& result : options.results) {
    if (fs::equivalent(options.page, result, ignored)) {
      return Refused(fmt::format("--output '{}': is one of the results", shown));
    }
  }
  const fs::path folder = fs::path(options.page).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, ignored)) {
    return Refused(fmt::format("--output '{}': its folder is not there", shown));
  }
  return {};
}

Result<void> CheckTargets(const ReportOptions& options) {
  if (!options.page.empty()) {
    if (auto fits = CheckPage(options); !fits) return fits;
  }
  return options.plots.empty() ? Result<void>() : CheckNewFolder(options.plots);
}

std::vector<const Picture*> PicturesOf(const std::vector<Section>& sections) {
  std::vector<const Picture*> pictures;
  for (const Section& section : sections) {
    for (const Picture& picture : section.pictures) pictures.push_back(&picture);
  }
  return pictures;
}

using Drawn = std::map<std::string, std::string>;  // by the picture's name

Result<Drawn> Draw(const std::vector<const Picture*>& pictures, PictureFormat format) {
  Drawn drawn;
  for (const Picture* picture : pictures) {
    auto result = RunGnuplot(GnuplotScript(*picture, format));
    if (!result) return tl::unexpected(result.error());
    drawn[picture->name] = *std::move(result);
  }
  return drawn;
}

Result<void> WritePlots(const ReportOptions& options, const Drawn& plots) {
  std::vector<NamedFile> files;
  for (const auto& [name, contents] : plots) {
    files.push_back({name + "." + options.plot_ending, contents});
  }
  return WriteNewFolder(options.plots, files);
}

std::string Said(const ReportOptions& options, const Study& study, size_t pictures) {
  std::string targets;
  for (const std::string& target : {options.page, options.plots}) {
    if (target.empty()) continue;
    if (!targets.empty()) targets += " and ";
    targets += Printable(target);
  }
  if (targets.empty()) return "";
  return fmt::format("{}: {}, {}", targets, Counted(study.cells.size(), "cell"),
                     Counted(pictures, "picture"));
}

std::string Findings(const Study& study) {
  std::string text;
  for (const std::string& finding : ScalingOf(study).findings) text += finding + "\n";
  return text;
}

}  // namespace

Result<Outcome> MakeReport(const ReportOptions& options) {
  auto runs = ReadResults(options.results);
  if (!runs) return tl::unexpected(runs.error());
  const auto study = StudyOf(*std::move(runs));
  if (!study) return tl::unexpected(study.error());
  if (auto fits = CheckTargets(options); !fits) return tl::unexpected(fits.error());
  const std::vector<Section> sections = SectionsOf(*study, options.scaling);
  const std::vector<const Picture*> pictures = PicturesOf(sections);
  Outcome outcome;
  if (options.scaling) outcome.output = Findings(*study);
  outcome.message = Said(options, *study, pictures.size());

  std::string page;
  if (!options.page.empty()) {
    const auto drawn = Draw(pictures, PictureFormat::kInline);
    if (!drawn) return tl::unexpected(drawn.error());
    page = Page(*study, sections, *drawn);
  }
  if (!options.plots.empty()) {
    const auto drawn = Draw(pictures, options.plot_format);
    if (!drawn) return tl::unexpected(drawn.error());
    if (auto written = WritePlots(options, *drawn); !written) {
      return tl::unexpected(written.error());
    }
  }
  if (!options.page.empty()) {
    if (auto written = ReplaceFile(options.page, page); !written) {
      return tl::unexpected(written.error());
    }
  }
  return outcome;
}

}  // namespace throughput
