// Memory straight from the system, zeroed, for what is large and filled soon.
//
// A fault on a fresh page costs more than all that is done with the rows in it, and a table that is
// read at random misses the TLB with each key: hence huge pages, mapped before they are touched.
// Thread rule: any thread.
#pragma once

#include <cstddef>

namespace burin {

constexpr size_t kHugePageBytes = size_t{2} << 20;

// `bytes`: a multiple of the page size; from kHugePageBytes on the memory is aligned to it, and on
// huge pages where the system has them. Null: out of memory. Given back by munmap, in parts too.
void* MapPages(size_t bytes);

}  // namespace burin
