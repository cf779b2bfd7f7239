// The writing end of the log: the current segment, its successors, and the bytes that go out.
//
// Successors are prepared on a thread of their own (burin-prepare) from the moment when the current
// segment is half full; running out of disk space shows there, where nothing is lost.
// Thread rule: Start and Stop by the owner; the rest by one thread at a time, the leader of a
// group. Invariants: what lies below end() is durable; a failed Append leaves end() where it was,
// and the caller must not append again.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "engine/log/log_reader.h"
#include "engine/log/segment_files.h"

namespace burin {

struct LogCounts {
  std::atomic<uint64_t> syncs{0};
  std::atomic<uint64_t> bytes{0};
  std::atomic<uint64_t> zero_filled_bytes{0};
};

// Makes segment files ahead of their use, from those that are not needed any more where it can.
class SegmentPreparer {
 public:
  SegmentPreparer(FileSystem& files, std::string folder, uint64_t segment_bytes, LogCounts& counts);
  ~SegmentPreparer();

  // Starts making `sequence`, unless it is being made or ready.
  void Request(uint64_t sequence);

  // The file of `sequence`, when it is ready or as soon as it is; kNoSpace: none could be made,
  // and the next call tries anew.
  Result<PreparedSegment> Take(uint64_t sequence);

  // Gives the file of a segment that nobody needs any more: kept for a later one, or removed.
  Status Offer(uint64_t old_sequence);

 private:
  static constexpr size_t kMaxSpares = 2;

  void Run();
  Result<PreparedSegment> Prepare(uint64_t sequence, uint64_t spare);

  FileSystem& files_;
  const std::string folder_;
  const uint64_t segment_bytes_;
  LogCounts& counts_;
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t wanted_ = 0;           // 0: nothing to do
  std::vector<uint64_t> spares_;  // sequences under which they were used last
  std::optional<Result<PreparedSegment>> made_;
  bool stop_ = false;
  std::thread thread_;
};

class LogWriter {
 public:
  LogWriter(FileSystem& files, std::string folder, DatabaseId database, uint64_t segment_bytes);

  // Goes on in the last of `segments`, all that are needed (only after a clean close, when nothing
  // lies behind the end, and if the file has its full size); else in a new one behind it.
  Status Resume(std::vector<LogTail> segments);

  // Begins a log in which nothing before is needed: segment `sequence` at LSN `start`.
  Status Begin(const LogStart& start);

  // Takes no groups; what lies below `end` is durable.
  void StandStill(Lsn end) { tail_.end = end; }

  // Makes room at end() for a group of `bytes` (a multiple of the block size): changes to a new
  // segment when it does not fit. kNoSpace: nothing happened, try again later.
  Status Reserve(uint64_t bytes) {
    return tail_.end + bytes <= ready_end_ ? Status() : ReserveSlowly(bytes);
  }

  // Writes and syncs a group at end(). `buffers` add up to the reserved bytes.
  Status Append(std::vector<iovec>& buffers, uint64_t bytes);

  Lsn end() const { return tail_.end; }
  uint64_t generation() const { return tail_.generation; }  // of the segment reserved in
  const LogTail& tail() const { return tail_; }
  bool tail_is_empty() const { return header_pending_; }  // no record in the current segment yet
  const LogTail& predecessor() const { return predecessor_; }
  const LogCounts& counts() const { return counts_; }

  // Any thread. The oldest segment with a record at `lsn` or above; and what to call once nothing
  // durable refers to those before it any more.
  LogStart OldestNeeded(Lsn lsn) const;
  Status ReleaseBefore(uint64_t sequence);

  // The largest group that a segment takes, bytes.
  uint64_t MaxGroupBytes() const { return segment_bytes_ - kBlockBytes; }

 private:
  [[gnu::cold]] Status ReserveSlowly(uint64_t bytes);
  Status BeginSegment(const LogTail& predecessor);
  [[gnu::cold]] Status WriteBehindHeader(std::vector<iovec>& buffers);
  SegmentHeader HeaderOfSegment() const;

  FileSystem& files_;
  const std::string folder_;
  const DatabaseId database_;
  const uint64_t segment_bytes_;
  LogCounts counts_;
  SegmentPreparer preparer_;
  std::unique_ptr<File> file_;
  mutable std::mutex segments_mutex_;
  std::vector<LogTail>
      segments_;         // all that are needed, the current one last; `end` is not kept up
  LogTail tail_;         // the current segment
  LogTail predecessor_;  // what the current segment's header names
  bool header_pending_ = false;
  bool reused_ = false;  // the current segment's file
  bool successor_requested_ = false;
  Lsn ready_end_ = 0;  // groups that end here or before find room, and leave nothing to request
};

}  // namespace burin
