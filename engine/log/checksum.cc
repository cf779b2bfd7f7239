// The checksum of everything on disk: XXH3, 64 bits (format.h).
//
// Compiled into this file, at a higher level of optimization than the rest, instead of linked: the
// library's build of it takes half as many instructions again for a record's body.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "engine/log/format.h"

namespace burin {

uint64_t Checksum(const void* data, size_t bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(data, bytes, seed);
}

}  // namespace burin
