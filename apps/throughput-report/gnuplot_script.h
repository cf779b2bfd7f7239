// From a picture to what gnuplot is told. Colours are those of the light scheme.
// Thread rule: pure functions.
// Invariant: nothing from a record reaches gnuplot but as a number or inside a quoted string that
// it cannot leave and in which gnuplot expands nothing.
#pragma once

#include <string>
#include <string_view>

#include "apps/throughput-report/picture.h"

namespace throughput {

enum class PictureFormat {
  kInline,  // SVG for the page: no title, no background
  kSvg,
  kPng,
  kPdf,
};

std::string GnuplotScript(const Picture& picture, PictureFormat format);

// 'as gnuplot reads it': control characters made visible, quotes and backquotes turned into their
// typographic forms, as gnuplot looks for commands between backquotes before it looks for strings.
std::string GnuplotString(std::string_view text);

}  // namespace throughput
