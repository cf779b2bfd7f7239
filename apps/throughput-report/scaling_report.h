// The scaling law over the cells of a study: pictures, a table, and a line of text for each sweep.
// Thread rule: pure functions.
#pragma once

#include <string>
#include <vector>

#include "apps/throughput-report/html.h"
#include "apps/throughput-report/picture.h"

namespace throughput {

struct ScalingReport {
  std::vector<Picture> pictures;      // points and curve, for each batch size and compute
  Table coefficients;                 // a row for each sweep that has a fit
  std::vector<std::string> findings;  // a line for each sweep: what binds, or why there is no fit
};

// A sweep: the cells of a series with one batch size and compute.
ScalingReport ScalingOf(const Study& study);

}  // namespace throughput
