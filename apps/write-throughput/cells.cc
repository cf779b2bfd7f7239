#include "apps/write-throughput/cells.h"

#include <fmt/format.h>

#include "apps/write-throughput/flags.h"
#include "apps/write-throughput/secrets.h"

namespace throughput {
namespace {

// One cell after the other gets each of `values`: every list makes the sweep longer by its factor.
template <typename T, typename Set>
std::vector<Cell> Vary(const std::vector<Cell>& cells, const std::vector<T>& values,
                       const Set& set) {
  std::vector<Cell> varied;
  for (const Cell& cell : cells) {
    for (const T& value : values) {
      varied.push_back(cell);
      set(varied.back(), value);
    }
  }
  return varied;
}

std::vector<Cell> VaryModes(const std::vector<Cell>& cells, const Options& options) {
  std::vector<Cell> varied;
  for (const Cell& cell : cells) {
    for (const Mode mode : ModesOf(options, *cell.engine)) {
      varied.push_back(cell);
      varied.back().mode = mode;
    }
  }
  return varied;
}

std::vector<Cell> VaryHashers(const std::vector<Cell>& cells,
                              const std::vector<std::string>& hashers) {
  std::vector<Cell> varied;
  for (const Cell& cell : cells) {
    const std::vector<std::string> own =
        cell.engine->uses_hasher ? hashers : std::vector<std::string>{""};
    for (const std::string& hasher : own) {
      varied.push_back(cell);
      varied.back().hasher = hasher;
    }
  }
  return varied;
}

}  // namespace

std::vector<Cell> MakeCells(const Options& options) {
  std::vector<Cell> cells(1);
  cells = Vary(cells, options.engines,
               [](Cell& cell, const TargetInfo* engine) { cell.engine = engine; });
  cells = VaryModes(cells, options);
  cells = VaryHashers(cells, options.hashers);
  cells = Vary(cells, options.threads, [](Cell& cell, int threads) { cell.threads = threads; });
  cells =
      Vary(cells, options.batch_sizes, [](Cell& cell, int64_t rows) { cell.batch_size = rows; });
  cells = Vary(cells, options.compute_us, [](Cell& cell, int64_t us) { cell.compute_us = us; });
  int number = 0;
  for (Cell& cell : cells) cell.number = ++number;
  return cells;
}

std::string DatabasePath(const Options& options, const Cell& cell, int repeat) {
  const std::string name = options.repeats == 1 ? fmt::format("{}", cell.number)
                                                : fmt::format("{}-{}", cell.number, repeat);
  std::string path = options.database;
  for (size_t at = path.find(kCellPlaceholder); at != std::string::npos;
       at = path.find(kCellPlaceholder, at + name.size())) {
    path.replace(at, kCellPlaceholder.size(), name);
  }
  return path;
}

std::vector<std::string> CellArguments(const Options& options, const Cell& cell) {
  return ReplaceValues(Shown(options.words), [&](const Flag& flag, const std::string& value) {
    if (value.find(',') == std::string::npos) return value;
    if (flag.name == "engine") return cell.engine->name;
    if (flag.name == "mode") return std::string(ModeName(cell.mode));
    if (flag.name == "hasher") return cell.hasher.empty() ? value : cell.hasher;
    if (flag.name == "threads") return fmt::format("{}", cell.threads);
    if (flag.name == "batch-size") return fmt::format("{}", cell.batch_size);
    if (flag.name == "compute") return fmt::format("{}", cell.compute_us);
    return value;
  });
}

}  // namespace throughput
