// The faults of system_call_faults.h in what goes through io_uring. What is to fail is submitted as
// an operation that does nothing, and its answer is changed before the caller sees it; a linked
// operation behind it, or behind a write that was cut short, is cancelled, as the kernel does.
#include <dlfcn.h>
#include <liburing.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <vector>

#include "tests/engine/system_call_faults.h"

namespace burin {
namespace {

// Of the call that `function` stands in for.
template <typename Function>
Function* Real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

class Submission {
 public:
  Submission(io_uring* ring, SystemCallFaults& faults) : ring_(ring), faults_(faults) {
    const unsigned pending = io_uring_sq_ready(ring);
    for (unsigned i = 0; i < pending; ++i) {
      Prepare(ring->sq.sqes[(ring->sq.sqe_head + i) & *ring->sq.kring_mask]);
    }
  }

  void ChangeAnswers() {
    unsigned head = 0;
    io_uring_cqe* answer = nullptr;
    io_uring_for_each_cqe(ring_, head, answer) {
      const auto changed = answers_.find(answer->user_data);
      if (changed != answers_.end()) answer->res = changed->second;
    }
  }

 private:
  void Prepare(io_uring_sqe& entry) {
    const bool cancelled = cancel_next_;
    cancel_next_ = false;
    if (cancelled) return Answer(entry, -ECANCELED);
    const bool linked = (entry.flags & IOSQE_IO_LINK) != 0;
    const bool sync = entry.opcode == IORING_OP_FSYNC;
    faults_.synced_last.store(sync);
    (sync ? faults_.syncs : faults_.writes).fetch_add(1);
    if (faults_.Fails(sync ? faults_.sync_error.load() : faults_.write_error.load())) {
      cancel_next_ = linked;
      return Answer(entry, -errno);
    }
    if (!sync) cancel_next_ = Shorten(entry) && linked;
  }

  void Answer(io_uring_sqe& entry, int answer) {
    const auto flags = entry.flags;
    const auto user_data = entry.user_data;
    entry = {};
    io_uring_prep_nop(&entry);
    entry.flags = flags;
    entry.user_data = user_data;
    answers_[user_data] = answer;
  }

  // Whether there was more to write than is allowed.
  bool Shorten(io_uring_sqe& entry) {
    size_t left = faults_.most_bytes.load();
    bool cut = false;
    const auto* buffers = reinterpret_cast<const iovec*>(entry.addr);
    for (unsigned i = 0; i < entry.len; ++i) {
      cut = cut || buffers[i].iov_len > left;
      if (left > 0) buffers_.push_back({buffers[i].iov_base, std::min(buffers[i].iov_len, left)});
      left -= std::min(buffers[i].iov_len, left);
    }
    entry.addr = reinterpret_cast<uint64_t>(buffers_.data());
    entry.len = static_cast<unsigned>(buffers_.size());
    return cut;
  }

  io_uring* const ring_;
  SystemCallFaults& faults_;
  bool cancel_next_ = false;
  std::vector<iovec> buffers_;  // of the one write there is
  std::map<uint64_t, int> answers_;
};

}  // namespace
}  // namespace burin

extern "C" {

int io_uring_queue_init(unsigned entries, io_uring* ring, unsigned flags) {
  auto* faults = burin::SystemCallFaults::Current();
  if (faults != nullptr && faults->ring_error.load() != 0) return -faults->ring_error.load();
  return burin::Real<decltype(io_uring_queue_init)>("io_uring_queue_init")(entries, ring, flags);
}

int io_uring_submit_and_wait(io_uring* ring, unsigned wait) {
  static auto* const real =
      burin::Real<decltype(io_uring_submit_and_wait)>("io_uring_submit_and_wait");
  auto* faults = burin::SystemCallFaults::Current();
  if (faults == nullptr) return real(ring, wait);
  faults->submissions.fetch_add(1);
  if (const int error = faults->submit_error.load(); error != 0) return -error;
  burin::Submission submission(ring, *faults);
  const int result = real(ring, wait);
  submission.ChangeAnswers();
  return result;
}

}  // extern "C"
