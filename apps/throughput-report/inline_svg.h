// Makes a plot part of a page: the page's colours and font, a name for screen readers, ids that are
// its own.
// Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace throughput {

// `svg` is what gnuplot draws for PictureFormat::kInline. Colours of kTheme become CSS variables
// ("var(--series-1)"), so that the page's scheme decides. `name` is a letter, then letters, digits
// and dashes, unique in the page.
std::string InlineSvg(std::string_view svg, std::string_view name, std::string_view label);

}  // namespace throughput
