// What a run was asked to do, as names and values: what runs of one test have in common, and what
// may tell two tests apart.
// Thread rule: values and pure functions.
#pragma once

#include <string>
#include <vector>

#include "metrics/result_record.h"

namespace throughput {

struct Setting {
  std::string name;   // "threads"; of an --engine-option its key
  std::string value;  // "4"; of a switch "yes"
};

// threads, batch, compute and mode; then those that the run has: compute-clock=cpu, hasher,
// in-flight, value-size, rate; then what SettingsBeyondRecord tells. In this order.
std::vector<Setting> SettingsOf(const metrics::ResultRecord& record);

// Of these the ones that have no field of their own, as the command line has them: io=io-uring,
// iterations, duration, warmup, data-file, engine options, per-thread and phases. A value that is
// write-throughput's default is left out, whether it was given or not.
std::vector<Setting> SettingsBeyondRecord(const metrics::ResultRecord& record);

// What was measured and what measured it: engine version, engine library and source, libraries,
// write-throughput's commit and build type, file system.
std::vector<Setting> BuildOf(const metrics::ResultRecord& record);

// "hasher: sip13 -> fx", one for each name whose values differ; "not set" where there is none.
std::vector<std::string> DifferencesOf(const std::vector<Setting>& before,
                                       const std::vector<Setting>& after);

}  // namespace throughput
