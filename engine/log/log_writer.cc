#include "engine/log/log_writer.h"

#include <pthread.h>

#include <algorithm>
#include <cstring>
#include <random>

namespace burin {
namespace {

uint64_t RandomGeneration() {
  std::random_device device;
  return static_cast<uint64_t>(device()) << 32 | device() | 1;  // never 0, which means "none"
}

}  // namespace

SegmentPreparer::SegmentPreparer(FileSystem& files, std::string folder, uint64_t segment_bytes,
                                 LogCounts& counts)
    : files_(files), folder_(std::move(folder)), segment_bytes_(segment_bytes), counts_(counts) {}

SegmentPreparer::~SegmentPreparer() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void SegmentPreparer::Request(uint64_t sequence) {
  const std::lock_guard lock(mutex_);
  if (wanted_ != 0 || made_) return;
  if (!thread_.joinable()) thread_ = std::thread(&SegmentPreparer::Run, this);
  wanted_ = sequence;
  changed_.notify_all();
}

Result<PreparedSegment> SegmentPreparer::Take(uint64_t sequence) {
  {
    const std::lock_guard lock(mutex_);
    if (made_ && !made_->ok()) made_.reset();  // there may be space by now
  }
  Request(sequence);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return made_.has_value(); });
  Result<PreparedSegment> made = std::move(*made_);
  made_.reset();
  return made;
}

void SegmentPreparer::Run() {
  pthread_setname_np(pthread_self(), "burin-prepare");
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stop_ || wanted_ != 0; });
    if (stop_) return;
    const uint64_t sequence = wanted_;
    uint64_t spare = 0;
    if (!spares_.empty()) {
      spare = spares_.back();
      spares_.pop_back();
    }
    lock.unlock();
    auto made = Prepare(sequence, spare);
    lock.lock();
    made_ = std::move(made);
    wanted_ = 0;
    changed_.notify_all();
  }
}

Result<PreparedSegment> SegmentPreparer::Prepare(uint64_t sequence, uint64_t spare) {
  if (spare != 0) {
    auto recycled = RecycleSegment(files_, folder_, spare, sequence, segment_bytes_);
    if (recycled.ok()) return recycled;
  }
  auto made = PrepareSegment(files_, folder_, sequence, segment_bytes_);
  if (made.ok()) counts_.zero_filled_bytes += segment_bytes_;
  return made;
}

Status SegmentPreparer::Offer(uint64_t old_sequence) {
  {
    const std::lock_guard lock(mutex_);
    if (spares_.size() < kMaxSpares) {
      spares_.push_back(old_sequence);
      return {};
    }
  }
  return files_.Remove(SegmentPath(folder_, old_sequence));
}

LogWriter::LogWriter(FileSystem& files, std::string folder, DatabaseId database,
                     uint64_t segment_bytes)
    : files_(files),
      folder_(std::move(folder)),
      database_(database),
      segment_bytes_(segment_bytes),
      preparer_(files, folder_, segment_bytes, counts_) {}

Status LogWriter::Begin(const LogStart& start) {
  return BeginSegment({.sequence = start.sequence - 1, .start_lsn = start.lsn});
}

Status LogWriter::Resume(std::vector<LogTail> segments) {
  segments_ = std::move(segments);
  const LogTail tail = segments_.back();
  auto file = files_.Open(SegmentPath(folder_, tail.sequence), FileSystem::OpenMode::kReadWrite);
  if (!file.ok()) return file.TakeStatus();
  auto size = (*file)->Size();
  if (!size.ok()) return size.TakeStatus();
  if (*size < tail.capacity) return BeginSegment(tail);
  file_ = std::move(*file);
  tail_ = tail;
  return {};
}

LogStart LogWriter::OldestNeeded(Lsn lsn) const {
  const std::lock_guard lock(segments_mutex_);
  const auto needed = std::find_if(segments_.begin(), segments_.end() - 1,
                                   [lsn](const LogTail& one) { return one.NextStart() > lsn; });
  return {needed->sequence, needed->start_lsn};
}

Status LogWriter::ReleaseBefore(uint64_t sequence) {
  std::vector<uint64_t> released;
  {
    const std::lock_guard lock(segments_mutex_);
    while (segments_.front().sequence < sequence) {
      released.push_back(segments_.front().sequence);
      segments_.erase(segments_.begin());
    }
  }
  for (const uint64_t one : released) {
    Status status = preparer_.Offer(one);
    if (!status.ok()) return status;
  }
  return {};
}

Status LogWriter::BeginSegment(const LogTail& predecessor) {
  auto made = preparer_.Take(predecessor.sequence + 1);
  if (!made.ok()) return made.TakeStatus();
  file_ = std::move(made->file);
  reused_ = made->reused;
  predecessor_ = predecessor;
  tail_ = {.sequence = predecessor.sequence + 1,
           .generation = RandomGeneration(),
           .end = predecessor.NextStart() + kBlockBytes,
           .start_lsn = predecessor.NextStart(),
           .capacity = segment_bytes_};
  {
    const std::lock_guard lock(segments_mutex_);
    segments_.push_back(tail_);
  }
  header_pending_ = true;
  successor_requested_ = false;
  return {};
}

SegmentHeader LogWriter::HeaderOfSegment() const {
  SegmentHeader header;
  header.database = database_;
  header.sequence = tail_.sequence;
  header.generation = tail_.generation;
  header.start_lsn = tail_.start_lsn;
  header.capacity = tail_.capacity;
  header.predecessor_generation = predecessor_.generation;
  header.predecessor_end = predecessor_.end;
  header.reused = reused_ ? 1 : 0;
  header.Seal();
  return header;
}

Status LogWriter::ReserveSlowly(uint64_t bytes) {
  if (tail_.end + bytes > tail_.start_lsn + tail_.capacity) {
    Status status = BeginSegment(tail_);
    if (!status.ok()) return status;
  }
  if (!successor_requested_ && tail_.end - tail_.start_lsn > tail_.capacity / 2) {
    preparer_.Request(tail_.sequence + 1);
    successor_requested_ = true;
  }
  ready_end_ = successor_requested_ ? tail_.NextStart() : tail_.start_lsn + tail_.capacity / 2;
  return {};
}

Status LogWriter::Append(std::vector<iovec>& buffers, uint64_t bytes) {
  Status status = header_pending_ ? WriteBehindHeader(buffers)
                                  : file_->WriteAndSync(buffers, tail_.end - tail_.start_lsn);
  if (!status.ok()) return status;
  counts_.syncs.fetch_add(1, std::memory_order_relaxed);
  counts_.bytes.fetch_add(bytes, std::memory_order_relaxed);
  tail_.end += bytes;
  return status;
}

// The first group of a segment, together with the segment's header.
Status LogWriter::WriteBehindHeader(std::vector<iovec>& buffers) {
  std::vector<char> block(kBlockBytes);
  const SegmentHeader header = HeaderOfSegment();
  std::memcpy(block.data(), &header, sizeof header);
  buffers.insert(buffers.begin(), {block.data(), block.size()});
  Status status = file_->WriteAndSync(buffers, 0);
  if (!status.ok()) return status;
  counts_.bytes.fetch_add(kBlockBytes, std::memory_order_relaxed);
  header_pending_ = false;
  return status;
}

}  // namespace burin
