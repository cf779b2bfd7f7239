// What the killed writer writes, so that the test that killed it knows: a function of the thread
// and the batch's number.
//
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "tests/engine/oracle.h"

namespace burin {

inline constexpr uint32_t kKillThreads = 8;
inline constexpr uint32_t kKillInFlight = 16;  // of each thread, where commits are pipelined

// Inserts rows, and changes rows of a batch so much older that it is acknowledged.
Oracle::Changes KillBatch(const std::string& table, uint32_t thread, uint32_t batch);

// What the writer tells through its standard output after each acknowledgement.
struct KillAcknowledgement {
  uint32_t thread = 0;
  uint32_t batch = 0;
};

}  // namespace burin
