// Faults in the system calls that the files of engine/io make. This program defines fallocate,
// pwritev, pread, fdatasync, fsync, ftruncate, fstat, readdir, fcntl and posix_fadvise itself, so
// that the linker takes these instead of the C library's; without a SystemCallFaults they only make
// the call. Where there is liburing, the same holds of io_uring_queue_init and
// io_uring_submit_and_wait: what was submitted fails, or is cut short, as the system calls do.
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

  // For those who stand in for a call: null, or the one there is; and whether a call is to fail,
  // with errno set then.
  static SystemCallFaults* Current();
  bool Fails(int error);

  // errno of every such call; 0: none.
  std::atomic<int> fallocate_error{0};
  std::atomic<int> write_error{0};
  std::atomic<int> read_error{0};
  std::atomic<int> sync_error{0};
  std::atomic<int> folder_sync_error{0};  // fsync
  std::atomic<int> truncate_error{0};
  std::atomic<int> size_error{0};            // fstat
  std::atomic<int> list_error{0};            // readdir
  std::atomic<int> lock_error{0};            // of taking or testing an open-file-description lock
  std::atomic<int> interrupted{0};           // so many calls answer EINTR first
  std::atomic<size_t> most_bytes{SIZE_MAX};  // that one pwritev or pread takes
  std::atomic<int> ring_error{0};            // of making a ring
  std::atomic<int> submit_error{0};          // of submitting to one

  // What was called, the failing calls included.
  std::atomic<int> fallocates{0};
  std::atomic<int> writes{0};
  std::atomic<int> syncs{0};
  std::atomic<int> submissions{0};
  std::atomic<int> leaves_of_cache{0};   // posix_fadvise that a whole file will not be needed
  std::atomic<bool> synced_last{false};  // the last of all writes and syncs was a sync
};

}  // namespace burin
