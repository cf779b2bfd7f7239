// One CounterSet for each thread, and the kernel's accounts where that has no figure.
#include "metrics/thread_session.h"

#include <unistd.h>

namespace metrics {
namespace {

// Since the thread's start; absent where the kernel keeps no such account of a thread.
std::optional<uint64_t> AccountOf(const Event& event, const ThreadUsage& thread) {
  if (event.generic == "cpu-migrations") return thread.migrations;
  return UsageOf(event.generic, thread.usage);
}

std::string NameOf(int number, const std::string& name) {
  return number == getpid() ? "main" : name;
}

}  // namespace

ThreadSession::ThreadSession(const std::vector<EventGroup>& groups, PerfSystem& system)
    : groups_(groups), system_(system), tested_(groups, {.inherit = false}, system) {
  tested_.SelfTest();
  const CounterSnapshot nothing = tested_.Read(CounterSet::Edge::kBegin);
  untouched_ = tested_.Readings(nothing, nothing);
  for (CounterReading& reading : untouched_) {
    if (reading.status == CounterStatus::kNotSupported) continue;
    reading.status = CounterStatus::kNotCounted;
    reading.cause = "the thread began within the window";
  }
}

void ThreadSession::Open() {
  threads_.clear();
  for (auto& [number, usage] : system_.Threads()) {
    Thread& thread = threads_[number];
    const CounterOptions options{
        .process = number, .inherit = false, .usage_fallback = false, .migrations_fallback = false};
    thread.set = std::make_unique<CounterSet>(groups_, options, system_);
    thread.set->SuspectAs(tested_);
    thread.usage_from = std::move(usage);
  }
  for (auto& [number, thread] : threads_) thread.from = thread.set->Read(CounterSet::Edge::kBegin);
}

void ThreadSession::EnableFirst() {
  for (auto& [number, thread] : threads_) thread.set->EnableFirst();
}

// The caller alone has run since its account was read: its own work here is not the window's.
void ThreadSession::EnableLast() {
  enabled_ns_ = system_.MonotonicNs();
  for (auto& [number, thread] : threads_) thread.set->EnableLast();
  const OwnUsage own = system_.OwnThread();
  const auto caller = threads_.find(own.number);
  if (caller != threads_.end()) caller->second.usage_from->usage = own.usage;
}

void ThreadSession::DisableFirst() {
  own_end_ = system_.OwnThread();
  for (auto& [number, thread] : threads_) thread.set->DisableFirst();
  disabled_ns_ = system_.MonotonicNs();
}

void ThreadSession::DisableLast() {
  for (auto& [number, thread] : threads_) thread.set->DisableLast();
}

void ThreadSession::Read() {
  for (auto& [number, thread] : threads_) thread.to = thread.set->Read(CounterSet::Edge::kEnd);
  for (auto& [number, usage] : system_.Threads()) {
    if (number == own_end_.number) usage.usage = own_end_.usage;
    threads_[number].usage_to = std::move(usage);
  }
}

std::vector<ThreadReadings> ThreadSession::Readings() const {
  std::vector<ThreadReadings> rows;
  for (const auto& [number, thread] : threads_) {
    const ThreadUsage& named = thread.usage_to ? *thread.usage_to : *thread.usage_from;
    rows.push_back({NameOf(number, named.name), ReadingsOf(thread)});
  }
  return rows;
}

std::vector<CounterReading> ThreadSession::ReadingsOf(const Thread& thread) const {
  std::vector<CounterReading> readings =
      thread.set ? thread.set->Readings(thread.from, thread.to) : untouched_;
  size_t i = 0;
  for (const EventGroup& group : groups_) {
    for (const Event& event : group.events) TakeAccount(thread, event, readings[i++]);
  }
  return readings;
}

// Where perf has counted all that was asked for, its figure stays.
void ThreadSession::TakeAccount(const Thread& thread, const Event& event,
                                CounterReading& reading) const {
  const bool whole =
      reading.status == CounterStatus::kCounted && reading.modifiers == event.modifiers;
  if (event.hardware || !event.modifiers.empty() || whole || !thread.usage_to) return;
  const auto to = AccountOf(event, *thread.usage_to);
  const auto from =
      thread.usage_from ? AccountOf(event, *thread.usage_from) : std::optional<uint64_t>(0);
  if (!from || !to) return;
  reading.modifiers.clear();
  reading.status = CounterStatus::kCounted;
  reading.cause.clear();
  reading.source = "proc";
  reading.value = static_cast<double>(*to - *from);
  reading.enabled_ns = reading.running_ns = disabled_ns_ - enabled_ns_;
}

}  // namespace metrics
