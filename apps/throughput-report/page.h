// The report as one HTML file: no script, nothing loaded, light and dark, on screen and on paper.
// Thread rule: pure functions.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apps/throughput-report/sections.h"

namespace throughput {

// `drawn`: what gnuplot drew for each picture (PictureFormat::kInline), by the picture's name.
std::string Page(const Study& study, const std::vector<Section>& sections,
                 const std::map<std::string, std::string>& drawn);

// The style sheet, colours of both schemes included.
std::string StyleSheet();

}  // namespace throughput
