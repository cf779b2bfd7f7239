#include "apps/write-throughput/cell_messages.h"

#include <errno.h>
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>

#include "apps/write-throughput/report/text.h"

namespace throughput {
namespace {

constexpr char kProgress = 'p';     // nanoseconds since the window opened, transactions
constexpr char kRecord = 'r';       // a record
constexpr char kFailure = 'f';      // one line of text
constexpr char kInterrupted = 's';  // nothing
constexpr char kEnd = 'e';          // nothing: the outcome is complete

std::optional<LoadSample> ParseSample(const std::string& text) {
  LoadSample sample;
  int64_t nanoseconds = 0;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, nanoseconds);
  if (first.ec != std::errc() || first.ptr == end) return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, sample.transactions);
  if (second.ec != std::errc() || second.ptr != end) return std::nullopt;
  sample.since_open = std::chrono::nanoseconds(nanoseconds);
  return sample;
}

}  // namespace

void CellMessageWriter::Progress(const LoadSample& sample) {
  Line(kProgress, fmt::format("{} {}", sample.since_open.count(), sample.transactions));
}

void CellMessageWriter::Outcome(const RunOutcome& outcome) {
  if (outcome.record) Line(kRecord, metrics::ToJson(*outcome.record));
  if (outcome.failure) Line(kFailure, PrintableLine(*outcome.failure));
  if (outcome.interrupted) Line(kInterrupted, "");
  Line(kEnd, "");
}

void CellMessageWriter::Line(char kind, std::string_view text) {
  const std::string line = fmt::format("{}{}\n", kind, text);
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) rest.remove_prefix(static_cast<size_t>(written));
  }
}

void CellMessageReader::Add(std::string_view bytes) {
  for (size_t newline = bytes.find('\n'); newline != std::string_view::npos;
       newline = bytes.find('\n')) {
    unfinished_ += bytes.substr(0, newline);
    bytes.remove_prefix(newline + 1);
    if (!unfinished_.empty()) Line(unfinished_[0], unfinished_.substr(1));
    unfinished_.clear();
  }
  unfinished_ += bytes;
}

void CellMessageReader::Line(char kind, const std::string& text) {
  metrics::ResultRecord record;
  std::string error;
  switch (kind) {
    case kProgress:
      if (const auto sample = ParseSample(text)) progress_(*sample);
      return;
    case kRecord:
      if (metrics::FromJson(text, record, error)) {
        partial_.record = std::move(record);
      } else {
        partial_.failure = "the cell's record cannot be read: " + PrintableLine(error);
      }
      return;
    case kFailure:
      partial_.failure = text;
      return;
    case kInterrupted:
      partial_.interrupted = true;
      return;
    case kEnd:
      outcome_ = std::move(partial_);
      return;
    default:
      return;
  }
}

}  // namespace throughput
