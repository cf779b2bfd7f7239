#include "engine/log/log_writer.h"

#include <pthread.h>

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

Result<std::unique_ptr<File>> SegmentPreparer::Take(uint64_t sequence) {
  {
    const std::lock_guard lock(mutex_);
    if (made_ && !made_->ok()) made_.reset();  // there may be space by now
  }
  Request(sequence);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return made_ != nullptr; });
  const auto made = std::move(made_);
  return std::move(*made);
}

void SegmentPreparer::Run() {
  pthread_setname_np(pthread_self(), "burin-prepare");
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stop_ || wanted_ != 0; });
    if (stop_) return;
    const uint64_t sequence = wanted_;
    lock.unlock();
    auto made = PrepareSegment(files_, folder_, sequence, segment_bytes_);
    if (made.ok()) counts_.zero_filled_bytes += segment_bytes_;
    lock.lock();
    made_ = std::make_unique<Result<std::unique_ptr<File>>>(std::move(made));
    wanted_ = 0;
    changed_.notify_all();
  }
}

LogWriter::LogWriter(FileSystem& files, std::string folder, DatabaseId database,
                     uint64_t segment_bytes)
    : files_(files),
      folder_(std::move(folder)),
      database_(database),
      segment_bytes_(segment_bytes),
      preparer_(files, folder_, segment_bytes, counts_) {}

Status LogWriter::Start(const LogTail& tail, bool resume) {
  if (!resume) return BeginSegment(tail);
  auto file = files_.Open(SegmentPath(folder_, tail.sequence), FileSystem::OpenMode::kReadWrite);
  if (!file.ok()) return file.TakeStatus();
  auto size = (*file)->Size();
  if (!size.ok()) return size.TakeStatus();
  if (*size < tail.capacity) return BeginSegment(tail);  // a copy made by a recovery
  file_ = std::move(*file);
  tail_ = tail;
  return {};
}

Status LogWriter::BeginSegment(const LogTail& predecessor) {
  auto file = preparer_.Take(predecessor.sequence + 1);
  if (!file.ok()) return file.TakeStatus();
  file_ = std::move(*file);
  predecessor_ = predecessor;
  tail_ = {.sequence = predecessor.sequence + 1,
           .generation = RandomGeneration(),
           .end = predecessor.NextStart() + kBlockBytes,
           .start_lsn = predecessor.NextStart(),
           .capacity = segment_bytes_};
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
  header.Seal();
  return header;
}

Result<Lsn> LogWriter::Reserve(uint64_t bytes) {
  if (tail_.end + bytes > tail_.start_lsn + tail_.capacity) {
    Status status = BeginSegment(tail_);
    if (!status.ok()) return status;
  }
  if (!successor_requested_ && tail_.end - tail_.start_lsn > tail_.capacity / 2) {
    preparer_.Request(tail_.sequence + 1);
    successor_requested_ = true;
  }
  return tail_.end;
}

Status LogWriter::Append(std::vector<iovec>& buffers, uint64_t bytes) {
  Status status;
  if (header_pending_) {
    std::vector<char> block(kBlockBytes);
    const SegmentHeader header = HeaderOfSegment();
    std::memcpy(block.data(), &header, sizeof header);
    buffers.insert(buffers.begin(), {block.data(), block.size()});
    status = file_->Write(buffers, 0);
  } else {
    status = file_->Write(buffers, tail_.end - tail_.start_lsn);
  }
  if (!status.ok()) return status;
  status = file_->Sync();
  if (!status.ok()) return status;
  counts_.syncs.fetch_add(1, std::memory_order_relaxed);
  counts_.bytes.fetch_add(bytes + (header_pending_ ? kBlockBytes : 0), std::memory_order_relaxed);
  header_pending_ = false;
  tail_.end += bytes;
  return {};
}

}  // namespace burin
