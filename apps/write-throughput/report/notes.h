// Sentences about a cell's figures: what was cut short, which counters are missing and why.
// Each is one line of text after a blank, in sections that open with a blank line.
// Thread rule: pure functions of values.
#pragma once

#include <span>
#include <string>

#include "metrics/result_record.h"

namespace throughput {

// Whether runs were interrupted, fewer came than the `repeats` asked for, or counters are of more
// than the window; else nothing.
std::string RunNotes(std::span<const metrics::ResultRecord> runs, int repeats);

// Where the software counters come from, and why counters are missing, suspect or had to take
// turns; nothing without counters.
std::string CounterNotes(std::span<const metrics::ResultRecord> runs);

}  // namespace throughput
