// A picture as data: what is to be drawn, and at the same time the table of what was drawn.
// Thread rule: values.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "apps/throughput-report/html.h"
#include "apps/throughput-report/study.h"

namespace throughput {

struct Point {
  double x = 0;
  Spread y;
  bool stalled = false;  // marked with a cross
};

struct Line {
  std::string label;
  size_t style = 0;  // colour and shape: the same number is the same series everywhere
  std::vector<Point> points;
};

enum class PictureKind {
  kLines,   // points with error bars, joined
  kSteps,   // many points over time: a thin line without marks
  kBars,    // lying bars, one for each line; each has one point, whose x says nothing
  kFitted,  // points with error bars, and a curve through them
};

struct Axis {
  std::string label;  // "load threads"
  std::string unit;   // heads the figures in the table: "rows/s"
  bool logarithmic = false;
  std::vector<std::pair<double, std::string>> tics = {};  // empty: chosen by the plotter
};

struct Picture {
  PictureKind kind = PictureKind::kLines;
  std::string name;                  // of a file, without its ending: "thread-scaling-1"
  std::string title;                 // "100 rows per transaction, no compute"
  std::pair<int64_t, int64_t> load;  // what its title says, to find pictures of the same cells
  Axis x;
  Axis y;
  std::vector<Line> lines;
  std::vector<Line> curves;  // of kFitted: without spread, dashed
};

// Every point of the picture, in figures.
Table TableOf(const Picture& picture);

}  // namespace throughput
