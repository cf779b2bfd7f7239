#include "apps/write-throughput/run.h"

#include <fmt/format.h>

#include "apps/write-throughput/intervals.h"
#include "apps/write-throughput/report/text.h"
#include "apps/write-throughput/run_record.h"
#include "apps/write-throughput/verify.h"
#include "apps/write-throughput/window.h"

namespace throughput {
namespace {

constexpr std::chrono::milliseconds kProgressPeriod(250);

TargetOptions TargetOptionsOf(const RunPlan& plan,
                              const std::function<void(const std::string&)>& give_up) {
  TargetOptions options;
  options.path = DatabasePath(plan.options, plan.cell, plan.repeat);
  options.mode = plan.cell.mode;
  options.threads = plan.cell.threads;
  options.in_flight = plan.options.in_flight;
  options.timeout = plan.options.timeout;
  options.hasher = plan.cell.hasher;
  options.io = plan.options.io;
  options.engine_options = SettingsOf(plan.options);
  options.keep_rows = plan.options.verify || plan.options.keep;
  options.give_up = give_up;
  return options;
}

LoadPlan LoadPlanOf(const RunPlan& plan) {
  const Options& options = plan.options;
  LoadPlan load;
  load.layout = {plan.cell.threads, plan.cell.batch_size, options.iterations};
  load.duration = options.duration.value_or(std::chrono::nanoseconds(0));
  load.warmup = options.warmup;
  load.compute = BusyCompute(plan.cell.compute_us, options.compute_clock);
  load.rate = options.rate;
  load.pipelined = Pipelined(plan.cell.mode);
  load.in_flight = options.in_flight;
  load.phases = options.phases;
  load.retry_limit = options.timeout;
  return load;
}

Expected<std::vector<std::unique_ptr<Connection>>> ConnectAll(Target& target, int threads) {
  std::vector<std::unique_ptr<Connection>> connections;
  for (int i = 0; i < threads; ++i) {
    auto connection = target.Connect();
    if (!connection) return tl::unexpected(connection.error());
    connections.push_back(std::move(*connection));
  }
  return connections;
}

WrittenRows WrittenBy(const Load& load, const LoadPlan& plan) {
  WrittenRows written;
  written.layout = plan.layout;
  for (const auto& thread : load.threads()) {
    written.warmup.push_back(thread->log(Phase::kWarmup));
    written.measured.push_back(thread->log(Phase::kMeasured));
  }
  return written;
}

// The steps of a run, each of which may be the last one.
class Run {
 public:
  Run(const RunPlan& plan, Interrupt& interrupt,
      const std::function<void(const LoadSample&)>& progress,
      const std::function<void(const std::string&)>& give_up)
      : plan_(plan),
        interrupt_(interrupt),
        progress_(progress),
        target_options_(TargetOptionsOf(plan, give_up)),
        load_plan_(LoadPlanOf(plan)) {}

  RunOutcome Do() {
    // In the scope of the process somebody outside counts.
    if (!plan_.options.events.empty() && plan_.options.scope == Scope::kRun) {
      counters_ = metrics::CounterSession::Open(plan_.options.events);
    }
    if (plan_.options.per_thread) {
      threads_ = std::make_unique<metrics::ThreadSession>(plan_.options.events);
    }
    if (WantsKernelSyncs()) {
      if (auto opened = metrics::SyncTracepoints::Open()) kernel_syncs_ = std::move(*opened);
    }
    target_ = plan_.cell.engine->make();
    created_ = Done(target_->Create(target_options_));
    if (created_) {
      LoadTarget();
      Done(target_->Close());
    }
    if (plan_.options.verify && load_ran_) VerifyTarget();
    if (outcome_.failure) outcome_.record.reset();
    if (created_ && !plan_.options.keep) DiscardTarget();
    return std::move(outcome_);
  }

 private:
  // Keeps the first failure.
  bool Done(const Expected<>& step) {
    if (!step && !outcome_.failure) outcome_.failure = PrintableLine(step.error().text);
    return step.has_value();
  }

  // An engine that counts itself is not to pay for it.
  bool WantsKernelSyncs() const {
    const TargetInfo& engine = *plan_.cell.engine;
    return plan_.options.counters != metrics::CounterMode::kNone && engine.claims_durability &&
           engine.within_process && !engine.counts_itself;
  }

  void LoadTarget() {
    auto connections = ConnectAll(*target_, plan_.cell.threads);
    if (!connections) {
      Done(tl::unexpected(connections.error()));
      return;
    }
    Window window(*target_, {counters_.get(), threads_.get(), kernel_syncs_.get()},
                  target_options_.path);
    Intervals intervals(window, plan_.options.counters);
    Load load(load_plan_, plan_.values, std::move(*connections),
              {[&window] { window.Open(); }, [&window] { window.Close(); }});
    const LoadResult result = load.Run({interrupt_.descriptor(), Tickers(intervals)});
    load_ran_ = result.measured;
    outcome_.interrupted = result.interrupted;
    if (result.interrupted) interrupt_.Take();  // the next one ends the verification
    if (result.failure) Done(tl::unexpected(Failure{*result.failure}));
    if (!result.measured) return;
    written_ = WrittenBy(load, load_plan_);
    if (const int64_t in_doubt = InDoubt(written_); result.failure && in_doubt > 0) {
      AddFailure(fmt::format("transactions in doubt: {}", in_doubt));
    }
    Record(load, window, result, intervals);
  }

  std::vector<Ticker> Tickers(Intervals& intervals) const {
    std::vector<Ticker> tickers;
    if (progress_) tickers.push_back({kProgressPeriod, progress_});
    if (plan_.options.interval) {
      tickers.push_back({*plan_.options.interval, [this, &intervals](const LoadSample& sample) {
                           const double seconds =
                               std::chrono::duration<double>(sample.since_open).count();
                           const int64_t rows = sample.transactions * plan_.cell.batch_size;
                           intervals.End(seconds, rows);
                         }});
    }
    return tickers;
  }

  // An interrupted run that acknowledged nothing has nothing to report.
  void Record(const Load& load, const Window& window, const LoadResult& result,
              Intervals& intervals) {
    metrics::ResultRecord record =
        RecordOf(plan_, {load_plan_, load, result, window, threads_.get(), target_->Loaded()});
    if (plan_.options.interval) {
      intervals.EndLast(window.seconds(), record.rows);
      record.intervals = intervals.Take();
    }
    if (record.transactions > 0 || !result.interrupted) outcome_.record = std::move(record);
  }

  void VerifyTarget() {
    const bool failed_before = outcome_.failure.has_value();
    const auto verification = ReopenAndVerify();
    if (!verification) {
      AddFailure("--verify: " + PrintableLine(verification.error().text));
      return;
    }
    outcome_.interrupted = outcome_.interrupted || !verification->complete;
    if (!verification->complete) return;
    if (failed_before) {
      AddFailure(fmt::format("--verify: all acknowledged transactions are there ({} rows)",
                             verification->rows));
    } else if (outcome_.record) {
      outcome_.record->verified = true;
      outcome_.record->rows_verified = verification->rows;
    }
  }

  Expected<Verification> ReopenAndVerify() {
    if (auto opened = target_->Reopen(target_options_); !opened) {
      return tl::unexpected(opened.error());
    }
    auto verification =
        Verify(*target_, written_, plan_.values, [this] { return interrupt_.Waiting(); });
    const auto closed = target_->Close();
    if (verification && !closed) return tl::unexpected(closed.error());
    return verification;
  }

  void DiscardTarget() {
    const auto discarded = target_->Discard();
    if (!discarded) AddFailure(PrintableLine(discarded.error().text));
  }

  void AddFailure(const std::string& text) {
    outcome_.failure = outcome_.failure ? *outcome_.failure + "; " + text : text;
  }

  const RunPlan& plan_;
  Interrupt& interrupt_;
  const std::function<void(const LoadSample&)>& progress_;
  const TargetOptions target_options_;
  const LoadPlan load_plan_;
  std::unique_ptr<metrics::CounterSession> counters_;
  std::unique_ptr<metrics::ThreadSession> threads_;
  std::unique_ptr<metrics::SyncTracepoints> kernel_syncs_;
  std::unique_ptr<Target> target_;
  bool created_ = false;
  bool load_ran_ = false;
  WrittenRows written_;
  RunOutcome outcome_;
};

}  // namespace

RunOutcome RunOnce(const RunPlan& plan, Interrupt& interrupt,
                   const std::function<void(const LoadSample&)>& progress,
                   const std::function<void(const std::string&)>& give_up) {
  return Run(plan, interrupt, progress, give_up).Do();
}

}  // namespace throughput
