// Runs gnuplot, without a shell and without the user's settings.
// Thread rule: functions; each call has a child process of its own, ended before it returns.
#pragma once

#include <string>

#include "apps/results/failure.h"

namespace throughput {

// What gnuplot writes to its standard output when it reads `script`. `program` is looked for along
// PATH. Refused: there is no such program. Failed: it complains, draws nothing, or takes longer
// than 30 s (then it is ended).
Result<std::string> RunGnuplot(const std::string& script, const std::string& program = "gnuplot");

}  // namespace throughput
