#include "apps/write-throughput/window.h"

#include "apps/write-throughput/window_marks.h"

namespace throughput {

void Window::Open() {
  if (threads_ != nullptr) threads_->Open();
  flushes_ = Flushes();
  calls_ = CountCalls();
  counts_ = target_.Counts();
  cpu_ = metrics::ProcessTimes::Now();
  if (counters_ != nullptr) counters_->Start();
  if (threads_ != nullptr) threads_->Enable();
  opened_at_ = Clock::now();
  write_throughput_window_opened();
}

void Window::Close() {
  write_throughput_window_closed();
  closed_at_ = Clock::now();
  if (threads_ != nullptr) threads_->Disable();
  if (counters_ != nullptr) counters_->Stop();
  if (threads_ != nullptr) threads_->Read();
  cpu_ = metrics::ProcessTimes::Now() - cpu_;
  const TargetCounts at_open = counts_;
  counts_ = target_.Counts();
  counts_.syncs -= at_open.syncs;
  counts_.bytes_written -= at_open.bytes_written;
  counts_.bytes_prepared -= at_open.bytes_prepared;
  counts_.conflicts -= at_open.conflicts;
  counts_.busy_waits -= at_open.busy_waits;
  calls_ = CountCalls() - calls_;
  const int64_t flushes_now = Flushes();
  flushes_ = flushes_ < 0 || flushes_now < 0 ? -1 : flushes_now - flushes_;
}

int64_t Window::Flushes() const {
  const auto flushes = device_ ? device_->Flushes() : std::nullopt;
  return flushes ? static_cast<int64_t>(*flushes) : -1;
}

std::vector<metrics::CounterReading> Window::Readings() const {
  return counters_ == nullptr ? std::vector<metrics::CounterReading>{} : counters_->Readings();
}

std::vector<metrics::CounterReading> Window::Sample() {
  return counters_ == nullptr ? std::vector<metrics::CounterReading>{} : counters_->Sample();
}

}  // namespace throughput
