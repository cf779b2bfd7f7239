// The pictures over the cells of a sweep. Each returns none where the runs have nothing to show.
// Thread rule: pure functions.
#pragma once

#include <string>
#include <vector>

#include "apps/throughput-report/picture.h"

namespace throughput {

// "100 rows per transaction", "1 row per transaction"; "no compute", "100 us of compute";
// "1 thread", "8 threads"
std::string BatchText(int64_t batch_size);
std::string ComputeText(int64_t compute_us);
std::string ThreadsText(int threads);
std::string LoadText(const Cell& cell);  // "8 threads, 100 rows per transaction, no compute"

// Rows per second over threads, a picture for each batch size and compute; those with two thread
// counts or more.
std::vector<Picture> ThreadScaling(const Study& study);

// Rows per second over compute, a picture for each batch size and thread count; those with two
// computes or more.
std::vector<Picture> ComputeImpact(const Study& study);

// Percentiles of commit latency, a picture for each batch size and thread count, at the lowest
// compute of each; those percentiles beyond which a run has a commit. Open loops (--rate), whose
// latency runs from the intended start, stand in pictures of their own.
std::vector<Picture> LatencyPercentiles(const Study& study);

// Instructions, and CPU time, per row: bars, a picture for each batch size, at the lowest thread
// count and compute of each.
std::vector<Picture> InstructionsPerRow(const Study& study);
std::vector<Picture> CpuTimePerRow(const Study& study);

// The cells that have the lowest compute among those of the same batch size and thread count.
std::vector<const Cell*> CellsOfLowestCompute(const Study& study);

}  // namespace throughput
