// A timeline in the formats of other change-detecting programs. FORMATS.md describes the files.
// Thread rule: pure functions.
#pragma once

#include <vector>

#include "apps/results/files.h"
#include "apps/throughput-changes/series.h"

namespace throughput {

// Apache Otava: "otava.yaml" and one CSV file for each test. A CSV row needs every value, so
// metrics that some commits lack go to a file, and an Otava test, of their own.
std::vector<NamedFile> OtavaFiles(const Timeline& timeline);

// Nyrkiö: one JSON file for each test, as its service takes them, test by test.
std::vector<NamedFile> NyrkioFiles(const Timeline& timeline);

}  // namespace throughput
