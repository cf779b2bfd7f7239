// Owns the columns that stand for a picture.
#include <fmt/format.h>

#include "apps/results/text.h"
#include "apps/throughput-report/picture.h"

namespace throughput {
namespace {

std::string AcrossText(const Axis& axis, double value) {
  for (const auto& [position, text] : axis.tics) {
    if (position == value) return text;
  }
  return axis.unit == "s" ? fmt::format("{:.3f}", value) : fmt::format("{:.10g}", value);
}

// A single run has no spread.
void AddSpread(const Spread& spread, std::vector<std::string>& row) {
  row.push_back(fmt::format("{}", spread.runs));
  row.push_back(FigureText(spread.median));
  row.push_back(spread.runs > 1 ? FigureText(spread.low) : "–");
  row.push_back(spread.runs > 1 ? FigureText(spread.high) : "–");
}

Table OverTime(const Picture& picture) {
  Table table{{"series", "interval ends, s", picture.y.unit, ""}, {}};
  for (const Line& line : picture.lines) {
    for (const Point& point : line.points) {
      table.rows.push_back({line.label, AcrossText(picture.x, point.x), FigureText(point.y.median),
                            point.stalled ? "stall" : ""});
    }
  }
  return table;
}

}  // namespace

Table TableOf(const Picture& picture) {
  if (picture.kind == PictureKind::kSteps) return OverTime(picture);
  const bool bars = picture.kind == PictureKind::kBars;
  Table table;
  table.header = {"series", "runs", "median, " + picture.y.unit, "lowest", "highest"};
  if (!bars) table.header.insert(table.header.begin() + 1, picture.x.unit);
  for (const Line& line : picture.lines) {
    for (const Point& point : line.points) {
      std::vector<std::string> row = {line.label};
      if (!bars) row.push_back(AcrossText(picture.x, point.x));
      AddSpread(point.y, row);
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace throughput
