// The writing end of the log: the current segment, its successors, and the bytes that go out.
//
// Successors are prepared on a thread of their own (burin-prepare) from the moment when the current
// segment is half full; running out of disk space shows there, where nothing is lost.
// Thread rule: Start and Stop by the owner; the rest by one thread at a time, the leader of a group.
// Invariants: what lies below end() is durable; a failed Append leaves end() where it was, and the
// caller must not append again.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "engine/log/segment_files.h"

namespace burin {

struct LogCounts {
  std::atomic<uint64_t> syncs{0};
  std::atomic<uint64_t> bytes{0};
  std::atomic<uint64_t> zero_filled_bytes{0};
};

// Makes segment files ahead of their use.
class SegmentPreparer {
 public:
  SegmentPreparer(FileSystem& files, std::string folder, uint64_t segment_bytes, LogCounts& counts);
  ~SegmentPreparer();

  // Starts making `sequence`, unless it is being made or ready.
  void Request(uint64_t sequence);

  // The file of `sequence`, when it is ready or as soon as it is; kNoSpace: none could be made,
  // and the next call tries anew.
  Result<std::unique_ptr<File>> Take(uint64_t sequence);

 private:
  void Run();

  FileSystem& files_;
  const std::string folder_;
  const uint64_t segment_bytes_;
  LogCounts& counts_;
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t wanted_ = 0;  // 0: nothing to do
  std::unique_ptr<Result<std::unique_ptr<File>>> made_;
  bool stop_ = false;
  std::thread thread_;
};

class LogWriter {
 public:
  LogWriter(FileSystem& files, std::string folder, DatabaseId database, uint64_t segment_bytes);

  // Goes on behind `tail`: in its very segment when `resume` (only after a clean close, when nothing
  // lies behind the end) and it is prepared to its full size, else in a new one.
  Status Start(const LogTail& tail, bool resume);

  // Where a group of `bytes` (a multiple of the block size) will go; changes to a new segment when it
  // does not fit. kNoSpace: nothing happened, try again later.
  Result<Lsn> Reserve(uint64_t bytes);

  // Writes and syncs a group at the reserved place. `buffers` add up to the reserved bytes.
  Status Append(std::vector<iovec>& buffers, uint64_t bytes);

  Lsn end() const { return tail_.end; }
  uint64_t generation() const { return tail_.generation; }  // of the segment reserved in
  const LogTail& tail() const { return tail_; }
  bool tail_is_empty() const { return header_pending_; }    // no record in the current segment yet
  const LogTail& predecessor() const { return predecessor_; }
  const LogCounts& counts() const { return counts_; }

  // The largest group that a segment takes, bytes.
  uint64_t MaxGroupBytes() const { return segment_bytes_ - kBlockBytes; }

 private:
  Status BeginSegment(const LogTail& predecessor);
  SegmentHeader HeaderOfSegment() const;

  FileSystem& files_;
  const std::string folder_;
  const DatabaseId database_;
  const uint64_t segment_bytes_;
  LogCounts counts_;
  SegmentPreparer preparer_;
  std::unique_ptr<File> file_;
  LogTail tail_;         // the current segment
  LogTail predecessor_;  // what the current segment's header names
  bool header_pending_ = false;
  bool successor_requested_ = false;
};

}  // namespace burin
