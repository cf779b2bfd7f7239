#include "apps/write-throughput/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace throughput {
namespace {

void WriteAll(int descriptor, const std::string& text) {
  // A terminal that takes no more of it is no reason to fail.
  if (write(descriptor, text.data(), text.size()) < 0) return;
}

}  // namespace

void ProgressLine::Show(const std::string& text) {
  if (text.empty()) return;
  WriteAll(descriptor_, "\r\033[K" + text);
  shown_ = true;
}

void ProgressLine::Clear() {
  if (shown_) WriteAll(descriptor_, "\r\033[K");
  shown_ = false;
}

std::string ProgressText(const Options& options, const Cell& cell, size_t cells,
                         const LoadSample& sample) {
  const double seconds = std::chrono::duration<double>(sample.since_open).count();
  if (seconds < 1) return {};
  double done = 0;
  if (options.duration) {
    done = seconds / std::chrono::duration<double>(*options.duration).count();
  } else {
    const double all = static_cast<double>(*options.iterations) * cell.threads;
    done = static_cast<double>(sample.transactions) / all;
  }
  done = std::clamp(done, 0.0, 1.0);
  const double rows = static_cast<double>(sample.transactions * cell.batch_size);
  std::string text = cells == 1 ? "" : fmt::format("cell {} of {}: ", cell.number, cells);
  text += fmt::format("{:.0f} % done, {:.0f} rows/s", 100 * done, rows / seconds);
  if (done > 0) text += fmt::format(", {:.0f} s left", seconds * (1 - done) / done);
  return text;
}

}  // namespace throughput
