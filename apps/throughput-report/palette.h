// The colours of pictures and page, in a light and a dark scheme.
// Thread rule: constants and pure functions.
// Invariant: the light colours of all names differ, so that a colour in a plot names its role.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace throughput {

struct ThemeColour {
  std::string_view name;   // of the CSS variable, without its dashes: "series-1"
  std::string_view light;  // "#1f5fbf"
  std::string_view dark;
};

// Text and lines of either scheme have a contrast of 4.5 or more to its background (WCAG 2.1, AA).
inline constexpr size_t kSeriesColours = 8;
inline constexpr std::array<ThemeColour, kSeriesColours + 4> kTheme = {{
    {"series-1", "#1f5fbf", "#7db0ff"},
    {"series-2", "#b8500c", "#ffa866"},
    {"series-3", "#08795c", "#52d3a8"},
    {"series-4", "#7d3cbd", "#cba0ff"},
    {"series-5", "#b3286b", "#ff93bd"},
    {"series-6", "#76610a", "#e3c75c"},
    {"series-7", "#0a6f8c", "#63d0ec"},
    {"series-8", "#5a6270", "#b7bfcb"},
    {"ink", "#1b1f27", "#e9ecf1"},
    {"muted", "#5c6471", "#a3abb8"},
    {"grid", "#dde1e7", "#343b46"},
    {"alarm", "#c4161c", "#ff7b7b"},
}};

// Of a series' number; they come round again after kSeriesColours.
const ThemeColour& SeriesColour(size_t series);
const ThemeColour& RoleColour(std::string_view name);  // one of kTheme

}  // namespace throughput
