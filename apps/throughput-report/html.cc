// Owns the escaping.
#include "apps/throughput-report/html.h"

#include <fmt/format.h>

#include "apps/results/text.h"

namespace throughput {

std::string HtmlText(std::string_view text) {
  std::string escaped;
  for (const char c : Printable(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string FigureText(double value) {
  const std::string text = FormatValue(value);
  const bool whole = text.find_first_not_of("0123456789") == std::string::npos;
  if (!whole || text.size() < 5) return text;
  std::string grouped;
  for (size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && (text.size() - i) % 3 == 0) grouped += ',';
    grouped += text[i];
  }
  return grouped;
}

std::string HtmlTable(const Table& table, std::string_view caption) {
  std::string html = fmt::format(
      "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table>"
      "<caption>{0}</caption><thead><tr>",
      HtmlText(caption));
  for (const std::string& name : table.header) {
    html += fmt::format("<th scope=\"col\">{}</th>", HtmlText(name));
  }
  html += "</tr></thead><tbody>\n";
  for (const std::vector<std::string>& row : table.rows) {
    html += "<tr>";
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string text = HtmlText(row[i]);
      html += i == 0 ? fmt::format("<th scope=\"row\">{}</th>", text)
                     : fmt::format("<td>{}</td>", text);
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace throughput
