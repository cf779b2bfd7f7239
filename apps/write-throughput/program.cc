#include "apps/write-throughput/program.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include "apps/write-throughput/build_info.h"
#include "apps/write-throughput/cell_process.h"
#include "apps/write-throughput/cells.h"
#include "apps/write-throughput/doctor.h"
#include "apps/write-throughput/earlier_runs.h"
#include "apps/write-throughput/engine_probe.h"
#include "apps/write-throughput/messages.h"
#include "apps/write-throughput/option_files.h"
#include "apps/write-throughput/options.h"
#include "apps/write-throughput/report/text.h"
#include "apps/write-throughput/run_order.h"
#include "apps/write-throughput/simulated_run.h"
#include "apps/write-throughput/sweep.h"

namespace throughput {
namespace {

// A standard descriptor that is closed would be given to the next file that is opened, and rows or
// errors would be written into it. In its place writing fails, as it should.
void FillStandardDescriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", O_RDONLY);
  }
}

// Then a closed pipe and a limit on file sizes are errors that writing returns.
void IgnoreSignalsOfWriting() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

void Say(std::string_view text) {
  OutputStream(STDERR_FILENO, "stderr").Write(fmt::format("write-throughput: {}\n", text));
}

int Refuse(std::string_view text) {
  Say(text);
  return kExitRefused;
}

int Print(const std::string& text) {
  if (const auto printed = OutputStream(STDOUT_FILENO, "stdout").Write(text); !printed) {
    Say(printed.error());
    return kExitFailed;
  }
  return kExitDone;
}

std::string ListEventsText(const std::string& word) {
  std::string text;
  for (const metrics::ListedEvent& event : metrics::ListEvents(word)) {
    text += fmt::format("{:<50} {}: {}\n", event.name, event.pmu, event.description);
  }
  return text;
}

int PrintAndLeave(const Options& options) {
  switch (options.action) {
    case Action::kHelp:
      return Print(HelpText());
    case Action::kVersion:
      return Print(BuildText());
    case Action::kListEngines:
      return Print(ListEnginesText(options.engine_settings));
    case Action::kDoctor: {
      const Diagnosis diagnosis = Diagnose(options);
      const int printed = Print(diagnosis.text);
      return diagnosis.can_measure ? printed : kExitFailed;
    }
    case Action::kListEvents: {
      const std::string text = ListEventsText(options.event_word);
      if (!text.empty()) return Print(text);
      return Refuse(
          FlagError("list-events", options.event_word, "no event of this machine has it"));
    }
    case Action::kRun:
      break;
  }
  return kExitDone;
}

Values ValuesOf(const Options& options, const std::optional<DataFile>& file) {
  if (file) return Values::FromFile(*file);
  return options.value_size ? Values::Padded(*options.value_size) : Values::Plain();
}

// A list that the classic row cannot show leaves its rows indistinguishable.
void WarnOfHiddenLists(const Options& options) {
  if (options.report.quiet || options.report.format != RowFormat::kCsv) return;
  std::string flags;
  if (options.modes.size() > 1) flags += "--mode";
  if (options.hashers.size() > 1) flags += flags.empty() ? "--hasher" : " and --hasher";
  if (flags.empty()) return;
  Say(fmt::format("warning: csv rows do not show {}; --format csv-wide does", flags));
}

// So that the same order can be had again.
void SayOrder(const Options& options, const Order& order) {
  if (!order.random || options.order.seed || options.report.quiet) return;
  Say(fmt::format("--order random:{}", *order.seed));
}

// This process was started to be one cell: everything has been checked by its starter.
int RunErrand(const CellErrand& errand, const Options& options, const std::vector<Cell>& cells,
              const Values& values) {
  if (errand.cell < 1 || errand.cell > std::ssize(cells)) return kExitFailed;
  Cell cell = cells[errand.cell - 1];
  cell.mode = errand.mode;
  const Options bounded = errand.simulated ? SimulatedOptions(options, cell) : options;
  BeCell({bounded, cell, errand.repeat, values}, errand.descriptor, errand.progress);
}

}  // namespace

int Main(const std::vector<std::string>& words) {
  FillStandardDescriptors();
  IgnoreSignalsOfWriting();
  const auto errand = TakeCellErrand();
  auto options = ParseOptions(errand ? errand->words : words);
  if (!options) return Refuse(options.error().text);
  if (options->action != Action::kRun) return PrintAndLeave(*options);
  const auto file = ReadDataFile(*options);
  if (!file) return Refuse(file.error().text);
  const Values values = ValuesOf(*options, *file);
  if (errand) return RunErrand(*errand, *options, MakeCells(*options), values);
  if (const auto fine = ResolveEngines(*options); !fine) return Refuse(fine.error().text);
  const std::vector<Cell> cells = MakeCells(*options);
  if (const auto fine = CheckPaths(*options, cells); !fine) return Refuse(fine.error().text);
  if (const auto fine = CheckSimulation(*options, cells); !fine) return Refuse(fine.error().text);
  auto earlier = ReadEarlierRuns(*options, cells);
  if (!earlier) return Refuse(earlier.error().text);
  Interrupt interrupt(Interrupt::Of::kProgram);
  if (interrupt.descriptor() < 0) return Refuse("signalfd: " + ErrnoText(errno));
  if (!earlier->rows.empty()) {
    options->report.append = true;
    // Classic rows cannot be summed up: then nobody is to ask where the others are.
    if (earlier->records.empty()) options->report.repeats = 1;
    const auto kept = KeepRows(options->report.output_path, earlier->rows);
    if (!kept) return Refuse(kept.error().text);
  }
  Report report(options->report);
  if (const auto opened = report.Open(); !opened) return Refuse(opened.error());
  WarnOfHiddenLists(*options);
  const Order order = WithSeed(options->order);
  SayOrder(*options, order);
  const auto plan =
      PlanRuns(static_cast<int>(cells.size()), options->repeats, order, earlier->done);
  return Sweep(*options, cells, values, interrupt, report).Run(plan, std::move(earlier->records));
}

}  // namespace throughput
