#include "apps/write-throughput/window.h"

#include <utility>

#include "apps/write-throughput/window_marks.h"

namespace throughput {

void Window::Open() {
  if (threads_ != nullptr) threads_->Open();
  flushes_ = Flushes();
  kernel_syncs_ = KernelSyncs();
  calls_ = CountCalls();
  target_.RestartLongest();
  counts_ = target_.Counts();
  sampled_ = counts_;
  const auto open = [this] {
    if (threads_ != nullptr) threads_->EnableFirst();
    opened_at_ = Clock::now();
    cpu_ = metrics::ProcessTimes::Now();
  };
  counters_ != nullptr ? counters_->Start(open) : open();
  if (threads_ != nullptr) threads_->EnableLast();
  write_throughput_window_opened();
}

void Window::Close() {
  write_throughput_window_closed();
  if (threads_ != nullptr) threads_->DisableFirst();
  const auto close = [this] {
    cpu_ = metrics::ProcessTimes::Now() - cpu_;
    closed_at_ = Clock::now();
    if (threads_ != nullptr) threads_->DisableLast();
  };
  counters_ != nullptr ? counters_->Stop(close) : close();
  if (threads_ != nullptr) threads_->Read();
  const TargetCounts at_open = counts_;
  counts_ = target_.Counts();
  counts_.syncs -= at_open.syncs;
  counts_.bytes_written -= at_open.bytes_written;
  counts_.bytes_prepared -= at_open.bytes_prepared;
  counts_.conflicts -= at_open.conflicts;
  counts_.checkpoints -= at_open.checkpoints;
  counts_.merges -= at_open.merges;
  counts_.background_bytes -= at_open.background_bytes;
  counts_.background_cpu_ns -= at_open.background_cpu_ns;
  counts_.stalls -= at_open.stalls;
  counts_.stall_ns -= at_open.stall_ns;
  counts_.busy_waits -= at_open.busy_waits;
  calls_ = CountCalls() - calls_;
  const int64_t flushes_now = Flushes();
  flushes_ = flushes_ < 0 || flushes_now < 0 ? -1 : flushes_now - flushes_;
  if (kernel_ != nullptr) kernel_syncs_ = KernelSyncs() - kernel_syncs_;
}

int64_t Window::KernelSyncs() const {
  return kernel_ != nullptr ? static_cast<int64_t>(kernel_->Count()) : -1;
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

BackgroundSample Window::SampleBackground() {
  const TargetCounts before = std::exchange(sampled_, target_.Counts());
  const TargetCounts& now = sampled_;
  BackgroundSample sample;
  sample.checkpoint =
      before.checkpoint_running || now.checkpoint_running || now.checkpoints != before.checkpoints;
  sample.merge = before.merge_running || now.merge_running || now.merges != before.merges;
  sample.stall = before.stalled || now.stalled || now.stalls != before.stalls;
  return sample;
}

}  // namespace throughput
