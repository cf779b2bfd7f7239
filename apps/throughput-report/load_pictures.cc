// Owns what stands along the axes, and which cells share a picture.
#include "apps/throughput-report/load_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "apps/throughput-report/open_loop.h"

namespace throughput {
namespace {

using PanelKey = std::pair<int64_t, int64_t>;

Line& LineOf(Picture& picture, const Study& study, size_t series) {
  for (Line& line : picture.lines) {
    if (line.style == series) return line;
  }
  return picture.lines.emplace_back(Line{study.series[series], series, {}});
}

bool HasLine(const Picture& picture) {
  return std::any_of(picture.lines.begin(), picture.lines.end(),
                     [](const Line& line) { return line.points.size() >= 2; });
}

// A line that lies flat on the axis shows nothing: where medians span a lot, the axis is
// logarithmic.
bool SpansALot(const Picture& picture) {
  constexpr double kWide = 30;
  double low = std::numeric_limits<double>::max();
  double high = 0;
  for (const Line& line : picture.lines) {
    for (const Point& point : line.points) {
      low = std::min(low, point.y.low);
      high = std::max(high, point.y.median);
    }
  }
  return low > 0 && high > kWide * low;
}

std::vector<Picture> Numbered(std::map<PanelKey, Picture> panels, const std::string& name) {
  std::vector<Picture> pictures;
  for (auto& [key, picture] : panels) {
    picture.name = fmt::format("{}-{}", name, pictures.size() + 1);
    picture.load = key;
    if (picture.kind == PictureKind::kLines) picture.y.logarithmic |= SpansALot(picture);
    pictures.push_back(std::move(picture));
  }
  return pictures;
}

// Logarithmic where the values span a lot; a tic at each thread count.
Axis ThreadAxis(const Picture& picture) {
  constexpr double kWide = 16;
  std::set<double> values;
  for (const Line& line : picture.lines) {
    for (const Point& point : line.points) values.insert(point.x);
  }
  Axis axis{"load threads", "threads", *values.rbegin() >= kWide * *values.begin(), {}};
  for (const double value : values) axis.tics.emplace_back(value, fmt::format("{:.0f}", value));
  return axis;
}

constexpr std::array<double, 4> kPercentiles = {50, 90, 99, 99.9};
// A percentile says something only where a commit lies beyond it; a hair below 1, for rounding.
constexpr double kLeastBeyond = 0.999;

std::vector<Point> PercentilePoints(const Cell& cell) {
  constexpr double kNanosecondsPerMillisecond = 1e6;
  std::array<std::vector<double>, kPercentiles.size() + 1> values;
  for (const metrics::ResultRecord& run : cell.runs) {
    if (run.commit_latency_ns.empty()) continue;
    for (size_t i = 0; i < kPercentiles.size(); ++i) {
      const double beyond =
          (100 - kPercentiles[i]) / 100 * static_cast<double>(run.commit_latency_ns.Count());
      if (beyond < kLeastBeyond) continue;
      values[i].push_back(static_cast<double>(run.commit_latency_ns.Percentile(kPercentiles[i])) /
                          kNanosecondsPerMillisecond);
    }
    values.back().push_back(static_cast<double>(run.commit_latency_ns.max()) /
                            kNanosecondsPerMillisecond);
  }
  std::vector<Point> points;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i].empty()) points.push_back({static_cast<double>(i), SpreadOf(values[i])});
  }
  return points;
}

std::vector<Picture> Bars(const Study& study, const std::string& name, const Axis& axis,
                          const std::function<std::optional<Spread>(const Cell&)>& value) {
  std::map<int64_t, std::pair<int64_t, int>> lowest;  // compute and threads of a batch size
  for (const Cell& cell : study.cells) {
    if (!value(cell)) continue;
    const std::pair load{cell.compute_us, cell.threads};
    const auto [place, is_new] = lowest.try_emplace(cell.batch_size, load);
    if (!is_new) place->second = std::min(place->second, load);
  }
  std::map<PanelKey, Picture> panels;
  for (const Cell& cell : study.cells) {
    const auto spread = value(cell);
    if (!spread || lowest[cell.batch_size] != std::pair{cell.compute_us, cell.threads}) continue;
    Picture& picture = panels[{cell.batch_size, 0}];
    picture.kind = PictureKind::kBars;
    picture.title = LoadText(cell);
    picture.y = axis;
    LineOf(picture, study, cell.series).points.push_back({0, *spread});
  }
  return Numbered(std::move(panels), name);
}

}  // namespace

std::string BatchText(int64_t batch_size) {
  return fmt::format("{} row{} per transaction", batch_size, batch_size == 1 ? "" : "s");
}

std::string ComputeText(int64_t compute_us) {
  return compute_us == 0 ? "no compute" : fmt::format("{} µs of compute", compute_us);
}

std::string ThreadsText(int threads) {
  return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}

std::string LoadText(const Cell& cell) {
  return fmt::format("{}, {}, {}", ThreadsText(cell.threads), BatchText(cell.batch_size),
                     ComputeText(cell.compute_us));
}

std::vector<Picture> ThreadScaling(const Study& study) {
  std::map<PanelKey, Picture> panels;
  for (const Cell& cell : study.cells) {
    Picture& picture = panels[{cell.batch_size, cell.compute_us}];
    picture.title = fmt::format("{}, {}", BatchText(cell.batch_size), ComputeText(cell.compute_us));
    picture.y = {"rows/s", "rows/s"};
    LineOf(picture, study, cell.series).points.push_back({double(cell.threads), RateOf(cell)});
  }
  std::erase_if(panels, [](const auto& panel) { return !HasLine(panel.second); });
  for (auto& [key, picture] : panels) picture.x = ThreadAxis(picture);
  return Numbered(std::move(panels), "thread-scaling");
}

std::vector<Picture> ComputeImpact(const Study& study) {
  std::map<PanelKey, Picture> panels;
  for (const Cell& cell : study.cells) {
    Picture& picture = panels[{cell.batch_size, cell.threads}];
    picture.title = fmt::format("{}, {}", BatchText(cell.batch_size), ThreadsText(cell.threads));
    picture.x = {"compute in each transaction, µs", "compute, µs"};
    picture.y = {"rows/s", "rows/s"};
    LineOf(picture, study, cell.series)
        .points.push_back({static_cast<double>(cell.compute_us), RateOf(cell)});
  }
  std::erase_if(panels, [](const auto& panel) { return !HasLine(panel.second); });
  return Numbered(std::move(panels), "compute-impact");
}

std::vector<const Cell*> CellsOfLowestCompute(const Study& study) {
  std::map<PanelKey, int64_t> lowest;
  for (const Cell& cell : study.cells) {
    const auto [place, is_new] =
        lowest.try_emplace({cell.batch_size, cell.threads}, cell.compute_us);
    if (!is_new) place->second = std::min(place->second, cell.compute_us);
  }
  std::vector<const Cell*> cells;
  for (const Cell& cell : study.cells) {
    if (lowest[{cell.batch_size, cell.threads}] == cell.compute_us) cells.push_back(&cell);
  }
  return cells;
}

std::vector<Picture> LatencyPercentiles(const Study& study) {
  std::map<PanelKey, Picture> closed;
  std::map<PanelKey, Picture> open;
  for (const Cell* cell : CellsOfLowestCompute(study)) {
    std::vector<Point> points = PercentilePoints(*cell);
    if (points.empty()) continue;
    const bool is_open = IsOpenLoop(*cell);
    Picture& picture = (is_open ? open : closed)[{cell->batch_size, cell->threads}];
    picture.title = LoadText(*cell) + (is_open ? ", open loop" : "");
    picture.x = {"percentile of all commits", "percentile"};
    for (size_t i = 0; i < kPercentiles.size(); ++i) {
      picture.x.tics.emplace_back(double(i), fmt::format("p{:g}", kPercentiles[i]));
    }
    picture.x.tics.emplace_back(double(kPercentiles.size()), "max");
    picture.y = {is_open ? "from intended start, ms" : "commit latency, ms", "ms", true, {}};
    LineOf(picture, study, cell->series).points = std::move(points);
  }
  std::vector<Picture> pictures = Numbered(std::move(closed), "latency");
  std::vector<Picture> of_open_loops = Numbered(std::move(open), "latency-open-loop");
  std::move(of_open_loops.begin(), of_open_loops.end(), std::back_inserter(pictures));
  return pictures;
}

std::vector<Picture> InstructionsPerRow(const Study& study) {
  const std::string label = fmt::format("{} per row", study.instructions_unit);
  return Bars(study, "instructions-per-row", {label, "instructions/row"},
              [](const Cell& cell) { return CounterPerRow(cell, "instructions"); });
}

std::vector<Picture> CpuTimePerRow(const Study& study) {
  return Bars(study, "cpu-time-per-row", {"CPU time per row, ns", "ns/row"},
              [](const Cell& cell) { return CounterPerRow(cell, "task-clock"); });
}

}  // namespace throughput
