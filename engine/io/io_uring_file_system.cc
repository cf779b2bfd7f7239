// Files whose writes and syncs go through io_uring; all else is as in posix_file_system.cc.
//
// A group of the log is one submission: a write and, linked behind it, its fdatasync. After a write
// that was short or failed the kernel cancels the sync, or it says nothing about what is still to
// be written: it does not count then, whatever it answers. Thread rule: as file_system.h says. A
// ring serves one call at a time; idle ones wait in a pool. Invariant: a call returns only when
// nothing of it is in flight, as its buffers end with it. A ring of which that is not certain any
// more is given up with whatever is in it.
#include "engine/io/io_uring_file_system.h"

#include <liburing.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <mutex>
#include <optional>

#include "engine/io/posix_file.h"

namespace burin {
namespace {

class Ring {
 public:
  static constexpr unsigned kEntries = 2;  // a write and its sync

  Ring() = default;
  ~Ring() {
    if (open_) io_uring_queue_exit(&ring_);
  }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  int Open() {  // 0 or an errno
    const int error = -io_uring_queue_init(kEntries, &ring_, 0);
    open_ = error == 0;
    return error;
  }

  void PrepareWrite(int descriptor, std::span<iovec> buffers, uint64_t offset, bool linked) {
    io_uring_sqe* const entry = Next();
    io_uring_prep_writev(entry, descriptor, buffers.data(), static_cast<unsigned>(buffers.size()),
                         offset);
    if (linked) entry->flags |= IOSQE_IO_LINK;
    io_uring_sqe_set_data64(entry, kWrite);
  }

  void PrepareSync(int descriptor) {
    io_uring_sqe* const entry = Next();
    io_uring_prep_fsync(entry, descriptor, IORING_FSYNC_DATASYNC);
    io_uring_sqe_set_data64(entry, kSync);
  }

  // Submits what was prepared and waits for all of it. 0 or an errno, upon which the ring is no
  // longer usable, as `broken` says.
  int Run() {
    unsigned answered = 0;
    for (unsigned submitted = 0; answered < prepared_;) {
      const int result = io_uring_submit_and_wait(&ring_, prepared_ - answered);
      if (result < 0 && result != -EINTR) {
        // What is in flight still uses the caller's buffers.
        while (answered < submitted && Take(true)) ++answered;
        broken_ = true;
        return -result;
      }
      if (result > 0) submitted += static_cast<unsigned>(result);
      while (Take(false)) ++answered;
    }
    prepared_ = 0;
    return 0;
  }

  int written() const { return results_[kWrite]; }  // bytes, or a negative errno
  int synced() const { return results_[kSync]; }    // 0 or a negative errno
  bool broken() const { return broken_; }

 private:
  enum Answer : uint64_t { kWrite, kSync, kAnswers };

  io_uring_sqe* Next() {
    ++prepared_;
    return io_uring_get_sqe(&ring_);  // never null: the ring is empty between runs
  }

  bool Take(bool wait) {
    io_uring_cqe* answer = nullptr;
    int error = 0;
    do {
      error = wait ? io_uring_wait_cqe(&ring_, &answer) : io_uring_peek_cqe(&ring_, &answer);
    } while (error == -EINTR);
    if (error != 0) return false;
    results_[io_uring_cqe_get_data64(answer)] = answer->res;
    io_uring_cqe_seen(&ring_, answer);
    return true;
  }

  io_uring ring_{};
  bool open_ = false;
  bool broken_ = false;
  unsigned prepared_ = 0;
  std::array<int, kAnswers> results_{};
};

// Rings that nobody uses now.
class RingPool {
 public:
  // A ring for as long as this lives.
  class Lease {
   public:
    Lease(RingPool& pool, std::unique_ptr<Ring> ring) : pool_(pool), ring_(std::move(ring)) {}
    ~Lease() {
      if (ring_ != nullptr && !ring_->broken()) pool_.Put(std::move(ring_));
    }
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&&) = delete;
    Ring* operator->() { return ring_.get(); }

   private:
    RingPool& pool_;
    std::unique_ptr<Ring> ring_;
  };

  // Or the errno of the call that failed.
  std::optional<Lease> Take(int& error) {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        Lease lease(*this, std::move(idle_.back()));
        idle_.pop_back();
        return lease;
      }
    }
    auto ring = std::make_unique<Ring>();
    error = ring->Open();
    if (error != 0) return std::nullopt;
    return Lease(*this, std::move(ring));
  }

 private:
  void Put(std::unique_ptr<Ring> ring) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(ring));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Ring>> idle_;
};

class IoUringFile final : public PosixFile {
 public:
  IoUringFile(int descriptor, std::string path, RingPool& rings)
      : PosixFile(descriptor, std::move(path)), rings_(rings) {}

  Status Write(std::span<iovec> buffers, uint64_t offset) override {
    bool synced = false;
    return WriteAll(buffers, offset, false, synced);
  }

  Status Sync() override {
    for (;;) {
      int error = 0;
      auto ring = rings_.Take(error);
      if (!ring) return Failure(path(), "io_uring_setup", error);
      (*ring)->PrepareSync(descriptor());
      error = (*ring)->Run();
      if (error != 0) return Failure(path(), "io_uring_enter", error);
      const int result = (*ring)->synced();
      if (result == 0) return {};
      if (result != -EINTR) return Failure(path(), "fdatasync", -result);
    }
  }

  Status WriteAndSync(std::span<iovec> buffers, uint64_t offset) override {
    bool synced = false;
    Status status = WriteAll(buffers, offset, true, synced);
    return status.ok() && !synced ? Sync() : status;
  }

 private:
  // `sync`: with the last part, after which `synced` says whether that was done.
  Status WriteAll(std::span<iovec> buffers, uint64_t offset, bool sync, bool& synced) {
    int error = 0;
    auto ring = rings_.Take(error);
    if (!ring) return Failure(path(), "io_uring_setup", error);
    buffers = Advance(buffers, 0);
    while (!buffers.empty()) {
      const auto part = buffers.first(std::min<size_t>(buffers.size(), IOV_MAX));
      const bool with_sync = sync && part.size() == buffers.size();
      (*ring)->PrepareWrite(descriptor(), part, offset, with_sync);
      if (with_sync) (*ring)->PrepareSync(descriptor());
      error = (*ring)->Run();
      if (error != 0) return Failure(path(), "io_uring_enter", error);
      const int written = (*ring)->written();
      if (written == -EINTR) continue;
      // A write that takes nothing and names no reason would be repeated for ever.
      if (written <= 0) return Failure(path(), "write", written == 0 ? EIO : -written);
      offset += static_cast<uint64_t>(written);
      buffers = Advance(buffers, static_cast<size_t>(written));
      if (!with_sync || !buffers.empty()) continue;
      const int result = (*ring)->synced();
      if (result != 0 && result != -EINTR) return Failure(path(), "fdatasync", -result);
      synced = result == 0;
    }
    return {};
  }

  RingPool& rings_;
};

class IoUringFileSystem final : public FileSystem {
 public:
  Status Check() {
    int error = 0;
    if (rings_.Take(error)) return {};
    const char* text = strerrordesc_np(error);
    return {StatusCode::kUnsupported,
            "io_uring: not to be had from this kernel or container (" +
                (text != nullptr ? text : "error " + std::to_string(error)) + ")"};
  }

  Result<std::unique_ptr<File>> Open(const std::string& path, OpenMode mode) override {
    const auto descriptor = OpenDescriptor(path, mode);
    if (!descriptor.ok()) return descriptor.status();
    return std::unique_ptr<File>(std::make_unique<IoUringFile>(*descriptor, path, rings_));
  }

  Result<bool> Exists(const std::string& path) override { return names_.Exists(path); }
  Result<std::vector<std::string>> List(const std::string& folder) override {
    return names_.List(folder);
  }
  Status CreateFolder(const std::string& path) override { return names_.CreateFolder(path); }
  Status Rename(const std::string& from, const std::string& to) override {
    return names_.Rename(from, to);
  }
  Status Remove(const std::string& path) override { return names_.Remove(path); }
  Status RemoveFolder(const std::string& path) override { return names_.RemoveFolder(path); }
  Status SyncFolder(const std::string& path) override { return names_.SyncFolder(path); }
  Result<std::unique_ptr<FileLock>> Lock(const std::string& path, bool create) override {
    return names_.Lock(path, create);
  }

 private:
  FileSystem& names_ = PosixFileSystem();
  RingPool rings_;
};

}  // namespace

Result<std::unique_ptr<FileSystem>> MakeIoUringFileSystem() {
  auto file_system = std::make_unique<IoUringFileSystem>();
  if (Status status = file_system->Check(); !status.ok()) return status;
  return std::unique_ptr<FileSystem>(std::move(file_system));
}

}  // namespace burin
