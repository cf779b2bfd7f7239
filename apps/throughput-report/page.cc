// Owns the order of elements.
#include "apps/throughput-report/page.h"

#include <fmt/format.h>

#include "apps/results/text.h"
#include "apps/throughput-report/inline_svg.h"

namespace throughput {
namespace {

// Tells a browser to load nothing at all, so that the page stays what it was wherever it is opened.
constexpr std::string_view kHead = R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="throughput-report {version}, page version 1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
)html";

size_t RunsOf(const Study& study) {
  size_t runs = 0;
  for (const Cell& cell : study.cells) runs += cell.runs.size();
  return runs;
}

std::string Header(const Study& study, const std::vector<Section>& sections) {
  const metrics::Environment& first = study.environments.front();
  std::string machine =
      fmt::format("{}, {}, {}", first.cpu, Counted(size_t(first.cores), "core"), first.file_system);
  if (study.environments.size() > 1) {
    machine = Counted(study.environments.size(), "environment");
  }
  std::string html = fmt::format(
      "<header><p class=\"kicker\">write-throughput</p><h1>Durable write throughput</h1>"
      "<p class=\"lead\">{}<br>{} in {} · {}</p>\n<nav aria-label=\"Sections\"><ul>",
      HtmlText(fmt::format("{}", fmt::join(study.engines, ", "))), Counted(RunsOf(study), "run"),
      Counted(study.cells.size(), "cell"), HtmlText(machine));
  for (const Section& section : sections) {
    html += fmt::format("<li><a href=\"#{}\">{}</a></li>", section.id, HtmlText(section.heading));
  }
  return html + "</ul></nav></header>\n<main>\n";
}

std::string PictureHtml(const Picture& picture, const std::string& heading,
                        const std::map<std::string, std::string>& drawn) {
  const auto svg = drawn.find(picture.name);
  const std::string label =
      fmt::format("{}: {}. The table below has its figures.", heading, picture.title);
  return fmt::format("<figure id=\"{}\"><figcaption>{}</figcaption>\n{}\n{}</figure>\n",
                     picture.name, HtmlText(picture.title),
                     svg == drawn.end() ? "" : InlineSvg(svg->second, picture.name, label),
                     HtmlTable(TableOf(picture), "Figures: " + picture.title));
}

std::string SectionHtml(const Section& section, const std::map<std::string, std::string>& drawn) {
  std::string html = fmt::format("<section id=\"{}\"><h2>{}</h2><p class=\"text\">{}</p>\n",
                                 section.id, HtmlText(section.heading), HtmlText(section.text));
  if (!section.findings.empty()) {
    html += "<ul class=\"findings\">";
    for (const std::string& finding : section.findings) {
      const size_t lead = finding.find(": ");  // the sweep, then what is said of it
      html += fmt::format("<li><strong>{}</strong>{}</li>", HtmlText(finding.substr(0, lead)),
                          lead == std::string::npos ? "" : HtmlText(finding.substr(lead)));
    }
    html += "</ul>\n";
  }
  if (!section.pictures.empty()) {
    html += "<div class=\"pictures\">\n";
    for (const Picture& picture : section.pictures) {
      html += PictureHtml(picture, section.heading, drawn);
    }
    html += "</div>\n";
  }
  for (const NamedTable& named : section.tables) html += HtmlTable(named.table, named.caption);
  return html + "</section>\n";
}

}  // namespace

std::string Page(const Study& study, const std::vector<Section>& sections,
                 const std::map<std::string, std::string>& drawn) {
  const std::string title =
      HtmlText(fmt::format("Durable write throughput: {}", fmt::join(study.engines, ", ")));
  std::string html = fmt::format(kHead, fmt::arg("version", THROUGHPUT_REPORT_VERSION),
                                 fmt::arg("title", title), fmt::arg("style", StyleSheet()));
  html += Header(study, sections);
  for (const Section& section : sections) html += SectionHtml(section, drawn);
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace throughput
