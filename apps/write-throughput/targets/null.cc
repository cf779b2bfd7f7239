#include "apps/write-throughput/targets/null.h"

namespace throughput {
namespace {

using Clock = std::chrono::steady_clock;

class NullConnection : public Connection {
 public:
  explicit NullConnection(int in_flight) : submitted_(in_flight) {}

  Outcome Begin() override { return Outcome::kOk; }
  Outcome Insert(int64_t, std::string_view) override { return Outcome::kOk; }
  Outcome Commit() override { return Outcome::kOk; }
  void Rollback() override {}

  Outcome Submit() override {
    submitted_[newest_] = Clock::now();
    newest_ = Next(newest_);
    return Outcome::kOk;
  }

  Completion Await() override {
    const Completion completion{Outcome::kOk, submitted_[oldest_]};
    oldest_ = Next(oldest_);
    return completion;
  }

  std::string error() const override { return {}; }

 private:
  size_t Next(size_t place) const { return place + 1 == submitted_.size() ? 0 : place + 1; }

  std::vector<Clock::time_point> submitted_;  // a ring: when each became "durable"
  size_t newest_ = 0;                         // where the next one goes
  size_t oldest_ = 0;
};

class Null : public Target {
 public:
  Expected<PathReport> InspectPath(const std::string&) const override { return PathReport{}; }
  Expected<> Remove(const std::string&) const override { return {}; }
  Expected<> Create(const TargetOptions& options) override {
    in_flight_ = options.in_flight;
    return {};
  }
  Expected<> Reopen(const TargetOptions&) override { return {}; }
  Expected<std::unique_ptr<Connection>> Connect() override {
    return std::make_unique<NullConnection>(in_flight_);
  }
  TargetCounts Counts() const override { return {}; }
  Expected<> ForEachRow(const std::function<bool(int64_t, std::string_view)>&) override {
    return {};
  }
  Expected<> Close() override { return {}; }

 private:
  int in_flight_ = 1;
};

}  // namespace

TargetInfo NullTarget() {
  TargetInfo info;
  info.name = "null";
  info.system = "Null";
  info.version = "1";
  info.modes = AllModes();
  info.has_files = false;
  info.keeps_rows = false;
  info.durability = "none: keeps nothing; it shows what the harness itself costs";
  info.claims_durability = false;
  info.make = [] { return std::make_unique<Null>(); };
  return info;
}

}  // namespace throughput
