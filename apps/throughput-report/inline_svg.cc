// Owns what is known of gnuplot's SVG: one root with a viewBox, colours as rgb(r, g, b), black
// where none was asked for, and ids that are the same in every plot.
#include "apps/throughput-report/inline_svg.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>

#include "apps/throughput-report/html.h"
#include "apps/throughput-report/palette.h"

namespace throughput {
namespace {

void ReplaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

void RemoveBetween(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    const size_t end = text.find(to, at + from.size());
    if (end == std::string::npos) return;
    text.erase(at, end + to.size() - at);
  }
}

// "rgb(  8, 121,  92)" at the start of `text`: its size there and "#08795c".
struct Colour {
  size_t size = 0;
  std::string hex;
};
std::optional<Colour> ColourAt(std::string_view text) {
  constexpr std::string_view kOpening = "rgb(";
  if (!text.starts_with(kOpening)) return std::nullopt;
  const size_t end = text.find(')');
  if (end == std::string_view::npos) return std::nullopt;
  std::array<int, 3> parts{};
  const char* at = text.data() + kOpening.size();
  for (int& part : parts) {
    while (*at == ' ' || *at == ',') ++at;
    const auto [next, error] = std::from_chars(at, text.data() + end, part);
    if (error != std::errc()) return std::nullopt;
    at = next;
  }
  return Colour{end + 1, fmt::format("#{:02x}{:02x}{:02x}", parts[0], parts[1], parts[2])};
}

std::string WithVariables(std::string_view svg) {
  std::string themed;
  themed.reserve(svg.size());
  for (size_t i = 0; i < svg.size();) {
    const auto colour = svg[i] == 'r' ? ColourAt(svg.substr(i)) : std::nullopt;
    if (!colour) {
      themed += svg[i++];
      continue;
    }
    std::string replacement = colour->hex;
    for (const ThemeColour& known : kTheme) {
      if (known.light == colour->hex) replacement = fmt::format("var(--{})", known.name);
    }
    themed += replacement;
    i += colour->size;
  }
  return themed;
}

void MakeIdsUnique(std::string& svg, std::string_view name) {
  for (const std::string_view quote : {"'", "\""}) {
    ReplaceAll(svg, fmt::format(" id={}", quote), fmt::format(" id={}{}-", quote, name));
    ReplaceAll(svg, fmt::format("href={}#", quote), fmt::format("href={}#{}-", quote, name));
  }
}

}  // namespace

std::string InlineSvg(std::string_view svg, std::string_view name, std::string_view label) {
  std::string body = WithVariables(svg);
  RemoveBetween(body, "<filter", "</filter>");
  RemoveBetween(body, "<title>", "</title>");
  RemoveBetween(body, "<desc>", "</desc>");
  for (const std::string_view quote : {"'", "\""}) {
    for (const std::string_view colour : {"black", "gray", "white"}) {
      ReplaceAll(body, fmt::format("={}{}{}", quote, colour, quote),
                 fmt::format("={}var(--muted){}", quote, quote));
    }
  }
  MakeIdsUnique(body, name);
  const size_t box = body.find("viewBox=\"");
  const size_t box_end = body.find('"', box + 9);
  const size_t content = body.find('>', box);
  if (box == std::string::npos || content == std::string::npos) return "";
  return fmt::format(
      "<svg role=\"img\" aria-label=\"{}\" {} xmlns=\"http://www.w3.org/2000/svg\" "
      "xmlns:xlink=\"http://www.w3.org/1999/xlink\">{}",
      HtmlText(label), body.substr(box, box_end + 1 - box), body.substr(content + 1));
}

}  // namespace throughput
