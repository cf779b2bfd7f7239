// The bounds are a tenth or less of what the loop does on any CPU, so that only a counter which
// does not work stays below.
#include "metrics/self_test.h"

#include <sys/mman.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace metrics {
namespace {

constexpr size_t kPageBytes = 4096;
constexpr size_t kPages = 64;
constexpr size_t kBytes = kPages * kPageBytes;  // larger than any first-level cache of one core
constexpr size_t kSteps = 10'000;               // about a dozen instructions and two branches each

// At user level. A large page would be one fault, and cold caches are all that misses are sure of.
constexpr std::array<std::pair<std::string_view, uint64_t>, 18> kLeast = {{
    {"instructions", 4 * kSteps},
    {"cycles", kSteps},  // each step depends on a load of the one before
    {"ref-cycles", 1},
    {"bus-cycles", 1},
    {"branches", kSteps},
    {"branch-misses", kSteps / 100},
    {"branch-loads", kSteps},
    {"branch-load-misses", kSteps / 100},
    {"stalled-cycles-frontend", 1},
    {"stalled-cycles-backend", 1},
    {"cache-references", 1},
    {"L1-dcache-loads", kSteps},
    {"L1-dcache-load-misses", 1},
    {"dTLB-loads", 1},
    {"task-clock", 1},
    {"cpu-clock", 1},
    {"page-faults", 1},
    {"minor-faults", 1},
}};

}  // namespace

void RunSelfTestLoop() {
  void* mapping = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) return;
  auto* bytes = static_cast<volatile uint8_t*>(mapping);
  for (size_t page = 0; page < kPages; ++page) bytes[page * kPageBytes] = 1;

  uint64_t random = 0x9e3779b97f4a7c15;
  for (size_t i = 0; i < kSteps; ++i) {
    // xorshift64 (Marsaglia 2003); the byte read, mostly 0, chains each step to the load before.
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    random += bytes[random % kBytes];
    // The empty assembler statements keep this a branch.
    if ((random & 1) != 0) {
      asm volatile("" : "+r"(random));
    } else {
      asm volatile("# other way" : "+r"(random));
    }
  }
  munmap(mapping, kBytes);
}

uint64_t LeastCount(const Event& event) {
  const auto has = [&](char letter) { return event.modifiers.find(letter) != std::string::npos; };
  if (has('G')) return 0;
  const bool every_level = !has('u') && !has('k') && !has('h');
  for (const auto& [name, least] : kLeast) {
    if (event.generic != name) continue;
    if (every_level || has('u')) return least;
    // What the kernel does here are page faults: of these events it is sure.
    return has('k') && (name == "instructions" || name == "cycles") ? 1 : 0;
  }
  return 0;
}

}  // namespace metrics
