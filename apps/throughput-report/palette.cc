// Owns nothing but the look-ups.
#include "apps/throughput-report/palette.h"

namespace throughput {

const ThemeColour& SeriesColour(size_t series) { return kTheme[series % kSeriesColours]; }

const ThemeColour& RoleColour(std::string_view name) {
  size_t i = 0;
  while (i + 1 < kTheme.size() && kTheme[i].name != name) ++i;
  return kTheme[i];
}

}  // namespace throughput
