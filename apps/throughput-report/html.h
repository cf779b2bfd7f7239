// Pieces of a page. Everything that comes from a record goes through HtmlText.
// Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace throughput {

// For text and quoted attributes: & < > " ' escaped, control characters made visible.
std::string HtmlText(std::string_view text);

// As FormatValue, with "," between thousands from 10,000 on: "106,519"
std::string FigureText(double value);

struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // plain text, as many as the header has
};

// A table in a frame that scrolls on the screen and is whole on paper. The first column are names,
// the others figures. `caption` is read aloud and not seen.
std::string HtmlTable(const Table& table, std::string_view caption);

}  // namespace throughput
