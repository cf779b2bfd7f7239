// Owns the looks of a plot: axes, marks, colours.
#include "apps/throughput-report/gnuplot_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "apps/results/text.h"
#include "apps/throughput-report/palette.h"
#include "apps/throughput-report/plot_layout.h"

namespace throughput {
namespace {

constexpr std::array<int, kSeriesColours> kPointTypes = {7, 5, 9, 13, 11, 15, 6, 4};

// Error bars are arrows with flat heads: gnuplot's own paint a white disc around their point.
constexpr std::string_view kBarEnds = "heads size screen 0.007,90";

class ScriptWriter {
 public:
  ScriptWriter(const Picture& picture, PictureFormat format)
      : picture_(picture), format_(format), scale_(ScaleOf(picture)) {}

  std::string Write() {
    Terminal();
    Frame();
    if (picture_.kind == PictureKind::kBars) {
      BarAxes();
      Bars();
    } else {
      Legend();
      LineAxes();
      Lines();
    }
    Say("plot {}", fmt::join(plots_, ", \\\n  "));
    return std::move(script_);
  }

 private:
  template <typename... Arguments>
  void Say(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(script_), text, std::forward<Arguments>(arguments)...);
    script_ += '\n';
  }

  bool Bare() const { return format_ == PictureFormat::kInline; }

  void Terminal() {
    Say("set encoding utf8");
    const int height = PlotHeight(picture_, !Bare());
    switch (format_) {
      case PictureFormat::kInline:
      case PictureFormat::kSvg:
        Say("set terminal svg size {},{} dynamic rounded noenhanced font 'sans-serif,13' {}",
            kPlotWidth, height, Bare() ? "" : "background '#ffffff'");
        break;
      case PictureFormat::kPng:  // twice the size in pixels, for dense screens
        Say("set terminal pngcairo size {},{} rounded noenhanced font 'sans-serif,20' "
            "linewidth 2 pointscale 2 background '#ffffff'",
            2 * kPlotWidth, 2 * height);
        break;
      case PictureFormat::kPdf:  // 96 units to the inch
        Say("set terminal pdfcairo size {:.3f}in,{:.3f}in rounded noenhanced font 'sans-serif,10' "
            "background '#ffffff'",
            kPlotWidth / 96.0, height / 96.0);
        break;
    }
    if (Bare()) return;
    Say("set title ' '");  // room for it; its own place is the middle of the plot, off the
                           // picture's
    Say("set label {} at screen 0.5, screen {:.4f} center textcolor rgb '{}'",
        GnuplotString(picture_.title), 1 - 18.0 / height, Ink());
  }

  static std::string_view Ink() { return RoleColour("ink").light; }
  static std::string_view Muted() { return RoleColour("muted").light; }

  // Bars have their figures beside them and need no scale.
  void Frame() {
    const bool bars = picture_.kind == PictureKind::kBars;
    if (!bars) {
      Say("set grid ytics noxtics linecolor rgb '{}' dashtype solid linewidth 1",
          RoleColour("grid").light);
    }
    Say("set tics nomirror out scale 0.4 textcolor rgb '{}'", Muted());
    Say("set border {} linecolor rgb '{}' linewidth 1", bars ? 2 : 1, Muted());
  }

  // Above the plot; below it where a title stands above.
  void Legend() {
    Say("set key {} left Left reverse samplen 2.5 spacing 1.15 maxrows {} textcolor rgb '{}'",
        Bare() ? "tmargin" : "bmargin", LegendRows(picture_), Ink());
  }

  std::string ScaledLabel() const {
    return fmt::format("{}{}{}", scale_.name, picture_.y.label,
                       picture_.y.logarithmic ? " (logarithmic)" : "");
  }

  double HighestX() const {
    double highest = 0;
    for (const Line& line : picture_.lines) {
      for (const Point& point : line.points) highest = std::max(highest, point.x);
    }
    return highest;
  }

  void Tics(char axis, const Axis& from) {
    if (from.tics.empty()) return;
    std::vector<std::string> tics;
    for (const auto& [position, text] : from.tics) {
      tics.push_back(fmt::format("{} {:.10g}", GnuplotString(text), position));
    }
    Say("set {}tics ({})", axis, fmt::join(tics, ", "));
  }

  void LineAxes() {
    Say("set xlabel {} textcolor rgb '{}'", GnuplotString(picture_.x.label), Muted());
    Say("set ylabel {} textcolor rgb '{}'", GnuplotString(ScaledLabel()), Muted());
    if (picture_.x.logarithmic) Say("set logscale x 2");
    if (picture_.y.logarithmic) Say("set logscale y 10");
    if (!picture_.y.logarithmic) Say("set yrange [0:*]");
    // Decades of rows per second are 10 k, 100 k, 1 M.
    const bool decades = picture_.y.logarithmic && picture_.y.unit == "rows/s";
    Say("set format y '{}'", decades ? "%.0s %c" : "%g");
    if (picture_.x.tics.empty()) {
      Say("set xrange [0:{:.10g}]", 1.02 * HighestX());
    } else {
      Say("set offsets graph 0.02, graph 0.02, 0, 0");
    }
    Tics('x', picture_.x);
  }

  // A block of numbers, and its name. `keep` chooses points.
  template <typename Keep>
  std::string Block(const Line& line, Keep keep) {
    const std::string name = fmt::format("$block{}", ++blocks_);
    std::string rows;
    for (const Point& point : line.points) {
      if (!keep(point)) continue;
      rows +=
          fmt::format("{:.10g} {:.10g} {:.10g} {:.10g}\n", point.x, point.y.median / scale_.divisor,
                      point.y.low / scale_.divisor, point.y.high / scale_.divisor);
    }
    if (rows.empty()) return "";
    script_ += fmt::format("{} << END\n{}END\n", name, rows);
    return name;
  }

  void Lines() {
    for (const Line& line : picture_.lines) AddLine(line);
    for (const Line& curve : picture_.curves) {
      const std::string block = Block(curve, [](const Point&) { return true; });
      plots_.push_back(fmt::format(
          "{} using 1:2 with lines dashtype (8,5) linewidth 1.5 linecolor rgb '{}' title {}", block,
          SeriesColour(curve.style).light, GnuplotString(curve.label)));
    }
  }

  void AddLine(const Line& line) {
    const std::string_view colour = SeriesColour(line.style).light;
    const auto repeated = [](const Point& point) { return point.y.runs > 1; };
    if (const std::string block = Block(line, repeated); !block.empty()) {
      plots_.push_back(fmt::format(
          "{} using 1:3:(0):($4-$3) with vectors {} linewidth 1.2 linecolor rgb '{}' notitle",
          block, kBarEnds, colour));
    }
    const std::string block = Block(line, [](const Point&) { return true; });
    plots_.push_back(fmt::format("{} using 1:2 with {} linecolor rgb '{}' title {}", block,
                                 Marks(line.style), colour, GnuplotString(line.label)));
    for (const Point& point : line.points) {
      if (!point.stalled) continue;
      Say("set arrow from first {0:.10g}, graph 0 to first {0:.10g}, graph 1 nohead back linewidth "
          "1 dashtype (2,3) linecolor rgb '{1}'",
          point.x, RoleColour("alarm").light);
    }
    const auto stalled = [](const Point& point) { return point.stalled; };
    if (const std::string stalls = Block(line, stalled); !stalls.empty()) {
      plots_.push_back(
          fmt::format("{} using 1:2 with points pointtype 2 pointsize 1.1 linewidth 2.5 linecolor "
                      "rgb '{}' title {}",
                      stalls, RoleColour("alarm").light, GnuplotString("stalls of " + line.label)));
    }
  }

  std::string Marks(size_t style) const {
    const int dashes = style < kSeriesColours ? 1 : 2;
    const int type = kPointTypes[style % kPointTypes.size()];
    if (picture_.kind == PictureKind::kSteps) {
      return fmt::format("lines dashtype {} linewidth 1.4", dashes);
    }
    if (picture_.kind == PictureKind::kFitted) {
      return fmt::format("points pointtype {} pointsize 0.75", type);
    }
    return fmt::format("linespoints dashtype {} linewidth 2 pointtype {} pointsize 0.75", dashes,
                       type);
  }

  void BarAxes() {
    Say("unset key; unset xtics");
    Say("set xlabel {} textcolor rgb '{}'", GnuplotString(ScaledLabel()), Muted());
    Say("set xrange [0:*]; set offsets 0, graph 0.12, 0, 0");
    Say("set yrange [{}:-0.6]", static_cast<double>(picture_.lines.size()) - 0.4);
    Axis labels;
    for (size_t i = 0; i < picture_.lines.size(); ++i) {
      labels.tics.emplace_back(double(i), picture_.lines[i].label);
    }
    Say("set ytics scale 0 textcolor rgb '{}'", Ink());
    Tics('y', labels);
  }

  void Bars() {
    for (size_t i = 0; i < picture_.lines.size(); ++i) {
      Line line = picture_.lines[i];
      line.points.front().x = static_cast<double>(i);
      const std::string block = Block(line, [](const Point&) { return true; });
      const std::string_view colour = SeriesColour(line.style).light;
      plots_.push_back(
          fmt::format("{} using ($2/2):1:($2/2):(0.3) with boxxyerror fillstyle solid 1 noborder "
                      "linecolor rgb '{}'",
                      block, colour));
      if (line.points.front().y.runs > 1) {
        plots_.push_back(
            fmt::format("{} using 3:1:($4-$3):(0) with vectors {} linewidth 1.5 linecolor rgb '{}'",
                        block, kBarEnds, Ink()));
      }
      const double value = line.points.front().y.median;
      plots_.push_back(
          fmt::format("{} using 4:1:({}) with labels left offset 1,0 textcolor rgb '{}'", block,
                      GnuplotString(FigureText(value)), Ink()));
    }
  }

  const Picture& picture_;
  PictureFormat format_;
  Scale scale_;
  std::string script_;
  std::vector<std::string> plots_;
  int blocks_ = 0;
};

}  // namespace

std::string GnuplotString(std::string_view text) {
  std::string quoted = "'";
  for (const char c : Printable(text)) {
    if (c == '\'') {
      quoted += "’";
    } else if (c == '`') {
      quoted += "‘";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string GnuplotScript(const Picture& picture, PictureFormat format) {
  return ScriptWriter(picture, format).Write();
}

}  // namespace throughput
