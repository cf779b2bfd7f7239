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

// "95 s", "12 min", "3 h"
std::string Span(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} h", seconds / 3600);
}

// `seconds` and `left` of the run under way.
double SweepLeft(const SweepProgress& position, double seconds, double left) {
  const auto before = static_cast<double>(position.run - 1);
  const double each = before > 0 ? position.spent.count() / before : seconds + left;
  return left + each * static_cast<double>(position.runs - position.run);
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

std::string ProgressText(const Options& options, const Cell& cell, const SweepProgress& position,
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
  std::string text =
      position.runs == 1 ? "" : fmt::format("run {} of {}: ", position.run, position.runs);
  text += fmt::format("{:.0f} % done, {:.0f} rows/s", 100 * done, rows / seconds);
  if (done == 0) return text;
  const double left = seconds * (1 - done) / done;
  text += fmt::format(", {:.0f} s left", left);
  if (position.runs > 1) {
    text += fmt::format(", {} for all", Span(SweepLeft(position, seconds, left)));
  }
  return text;
}

}  // namespace throughput
