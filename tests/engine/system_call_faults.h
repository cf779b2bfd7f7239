// Faults in the system calls that posix_file_system.cc makes. This program defines fallocate,
// pwritev, pread and fdatasync itself, so that the linker takes these instead of the C library's;
// without a SystemCallFaults they only make the call.
//
// Thread rule: one SystemCallFaults at a time; its numbers may be looked at from any thread.
#pragma once

#include <atomic>
#include <cstddef>

namespace burin {

struct SystemCallFaults {
  SystemCallFaults();   // from here on
  ~SystemCallFaults();  // until here
  SystemCallFaults(const SystemCallFaults&) = delete;
  SystemCallFaults& operator=(const SystemCallFaults&) = delete;

  // errno of every such call; 0: none.
  std::atomic<int> fallocate_error{0};
  std::atomic<int> write_error{0};
  std::atomic<int> read_error{0};
  std::atomic<int> sync_error{0};
  std::atomic<int> interrupted{0};           // so many calls answer EINTR first
  std::atomic<size_t> most_bytes{SIZE_MAX};  // that one pwritev or pread takes

  // What was called, the failing calls included.
  std::atomic<int> fallocates{0};
  std::atomic<int> writes{0};
  std::atomic<int> syncs{0};
};

}  // namespace burin
