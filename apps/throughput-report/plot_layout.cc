// Owns sizes.
#include "apps/throughput-report/plot_layout.h"

#include <algorithm>
#include <vector>

namespace throughput {
namespace {

// Two where there are many and short labels.
int LegendColumns(const Picture& picture) {
  constexpr size_t kMany = 4;
  constexpr size_t kShort = 28;
  size_t longest = 0;
  for (const std::vector<Line>* lines : {&picture.lines, &picture.curves}) {
    for (const Line& line : *lines) longest = std::max(longest, line.label.size());
  }
  const bool many = picture.lines.size() + picture.curves.size() > kMany;
  return many && longest <= kShort ? 2 : 1;
}

}  // namespace

int LegendRows(const Picture& picture) {
  const auto entries = static_cast<int>(picture.lines.size() + picture.curves.size());
  const int columns = LegendColumns(picture);
  return (entries + columns - 1) / columns;
}

int PlotHeight(const Picture& picture, bool titled) {
  constexpr int kTitle = 30;
  constexpr int kPlot = 310;
  constexpr int kLegendRow = 19;
  constexpr int kBarLabels = 62;
  constexpr int kBar = 34;
  const int title = titled ? kTitle : 0;
  if (picture.kind == PictureKind::kBars) {
    return kBarLabels + kBar * static_cast<int>(picture.lines.size()) + title;
  }
  return kPlot + kLegendRow * LegendRows(picture) + title;
}

Scale ScaleOf(const Picture& picture) {
  constexpr double kFromThousands = 1e4;
  constexpr double kFromMillions = 2e6;
  double highest = 0;
  for (const Line& line : picture.lines) {
    for (const Point& point : line.points) highest = std::max(highest, point.y.high);
  }
  if (picture.y.logarithmic || highest < kFromThousands) return {};
  if (highest < kFromMillions) return {1e3, "thousand "};
  return {1e6, "million "};
}

}  // namespace throughput
