// The measures of a plot that follow from what is in it.
// Thread rule: pure functions.
#pragma once

#include <string_view>

#include "apps/throughput-report/picture.h"

namespace throughput {

inline constexpr int kPlotWidth = 560;  // in units of a 96th of an inch, as heights are

// `titled`: with room for a title.
int PlotHeight(const Picture& picture, bool titled);

int LegendRows(const Picture& picture);

// Large figures are drawn in thousands or millions, and the label says so.
struct Scale {
  double divisor = 1;
  std::string_view name;  // "thousand ", "million " or empty
};
Scale ScaleOf(const Picture& picture);

}  // namespace throughput
