#include "engine/runs/run_writer.h"

#include <algorithm>
#include <cstring>

#include "engine/runs/index_page.h"
#include "engine/table/rows.h"

namespace burin {
namespace {

constexpr size_t kPieceBytes = 1 << 20;
constexpr uint64_t kSyncBytes = 8 << 20;
constexpr uint64_t kCachedBytes = 32 << 20;
constexpr size_t kBufferBytes = kPieceBytes + 2 * BlockBuilder::RoomFor(0);

}  // namespace

RunWriter::RunWriter(FileSystem& files, std::string folder, Pace pace)
    : files_(files), folder_(std::move(folder)), pace_(std::move(pace)) {}

Result<std::unique_ptr<RunWriter>> RunWriter::Create(FileSystem& files, const std::string& folder,
                                                     uint64_t run_id, const DatabaseId& database,
                                                     Pace pace) {
  std::unique_ptr<RunWriter> writer(new RunWriter(files, folder, std::move(pace)));
  writer->footer_.run_id = run_id;
  writer->footer_.database = database;
  writer->seed_ = RunSeed(database);
  auto file = files.Open(UnfinishedRunPath(folder, run_id), FileSystem::OpenMode::kCreate);
  if (!file.ok()) return file.TakeStatus();
  writer->file_ = std::move(*file);
  Status status = writer->ResizeBuffer(kBufferBytes);
  if (!status.ok()) return status;
  return writer;
}

RunWriter::~RunWriter() {
  if (finished_ || file_ == nullptr) return;
  // The failure that led here has been reported; what cannot be removed is found at the next
  // opening, as no manifest names it.
  file_.reset();
  static_cast<void>(files_.Remove(UnfinishedRunPath(folder_, run_id())));
}

Status RunWriter::AddToNextBlock(const RunEntry& row) {
  if (status_.ok()) status_ = BeginBlock(row);
  return status_;
}

Status RunWriter::BeginBlock(const RunEntry& row) {
  if (Status status = CloseBlock(); !status.ok()) return status;
  const RowPosition position{row.table, row.key};
  const bool any = footer_.totals.blocks > 0;
  if (any && (position < last_ || (position == last_ && row.lsn >= last_lsn_))) {
    return {StatusCode::kInvalidArgument, "a run's rows must come in its order"};
  }
  if (row.value.size() > kMaxValueBytes) {
    return {StatusCode::kInvalidArgument, "a value is larger than a run can hold"};
  }
  Status status = BeginTable(row.table);
  if (status.ok()) status = MakeRoom(BlockBuilder::RoomFor(row.value.size()));
  if (status.ok()) builder_.Start(room(), row);
  return status;
}

Status RunWriter::CloseBlock() {
  if (!builder_.open()) return {};
  last_ = builder_.last();
  last_lsn_ = builder_.last_lsn();
  const BlockIndexEntry entry = builder_.Finish(seed_);
  BlockHeader header;
  std::memcpy(&header, room(), sizeof header);
  return Enlist(entry, header);
}

Status RunWriter::AddBlock(const StoredBlock& block) {
  if (status_.ok()) status_ = CopyBlock(block);
  return status_;
}

Status RunWriter::CopyBlock(const StoredBlock& block) {
  if (Status status = CloseBlock(); !status.ok()) return status;
  if (footer_.totals.blocks > 0 && RowPosition{block.table, block.entry.first_key} <= last_) {
    return {StatusCode::kInvalidArgument, "a run's blocks must come in its order"};
  }
  Status status = BeginTable(block.table);
  if (status.ok()) status = MakeRoom(block.bytes.size());
  if (!status.ok()) return status;
  std::memcpy(room(), block.bytes.data(), block.bytes.size());
  last_ = {block.table, block.entry.last_key};
  last_lsn_ = 0;
  return Enlist(block.entry, block.Header());
}

// The block lies in the buffer behind what is used.
Status RunWriter::Enlist(BlockIndexEntry entry, const BlockHeader& header) {
  entry.offset = file_offset_ + used_;
  used_ += entry.EndOffset() - entry.offset;
  footer_.totals.Add(header);
  page_.push_back(entry);
  if (page_.size() == kMaxPageEntries) {
    if (Status status = WriteIndexPage(); !status.ok()) return status;
  }
  return used_ >= kPieceBytes ? WriteBuffer() : Status();
}

Status RunWriter::BeginTable(TableId table) {
  if (table == page_table_) return {};
  Status status = page_.empty() ? Status() : WriteIndexPage();
  page_table_ = table;
  return status;
}

Status RunWriter::WriteIndexPage() {
  RootEntry place;
  place.first_key = page_.front().first_key;
  place.last_key = page_.back().last_key;
  place.table = page_table_;
  place.entries = static_cast<uint32_t>(page_.size());
  if (Status status = MakeRoom(place.PageBytes()); !status.ok()) return status;
  place.offset = file_offset_ + used_;
  EncodeIndexPage(page_, page_table_, run_id(), place.offset, seed_, room());
  used_ += place.PageBytes();
  root_.push_back(place);
  page_.clear();
  return {};
}

Status RunWriter::MakeRoom(size_t bytes) {
  if (capacity_ - used_ >= bytes) return {};
  Status status = used_ > 0 ? WriteBuffer() : Status();
  if (status.ok() && capacity_ < bytes) status = ResizeBuffer(bytes);
  return status;
}

Status RunWriter::ResizeBuffer(size_t bytes) {
  buffer_.reset();
  capacity_ = 0;
  auto memory = AllocateFor(UnfinishedRunPath(folder_, run_id()), bytes);
  if (!memory.ok()) return memory.TakeStatus();
  buffer_ = std::move(*memory);
  capacity_ = bytes;
  return {};
}

Status RunWriter::WriteBuffer() {
  for (size_t done = 0; done < used_;) {
    iovec piece{buffer_.get() + done, std::min(used_ - done, kPieceBytes)};
    const size_t bytes = piece.iov_len;
    Status status = file_->Write({&piece, 1}, file_offset_ + done);
    if (!status.ok()) return status;
    done += bytes;
    unsynced_bytes_ += bytes;
    if (unsynced_bytes_ >= kSyncBytes) {
      status = Sync(file_offset_ + done);
      unsynced_bytes_ = 0;
    }
    if (status.ok() && pace_) status = pace_(file_offset_ + done);
    if (!status.ok()) return status;
  }
  file_offset_ += used_;
  used_ = 0;
  return capacity_ > kBufferBytes ? ResizeBuffer(kBufferBytes) : Status();
}

// New runs are read again soon, by the next merge. What large merges make is not, and would push
// everything else out of the system's cache; finding that much memory for it costs more CPU time
// than the merge itself.
Status RunWriter::Sync(uint64_t bytes) {
  Status status = file_->Sync();
  if (bytes > kCachedBytes) file_->LeaveCache();
  return status;
}

Status RunWriter::Finish() {
  if (status_.ok()) status_ = CloseBlock();
  if (status_.ok() && !page_.empty()) status_ = WriteIndexPage();
  if (status_.ok()) status_ = WriteEnd();
  if (status_.ok()) status_ = Sync(file_offset_);
  if (status_.ok()) status_ = Publish();
  if (!status_.ok()) return status_;
  status_ = {StatusCode::kInvalidArgument, RunPath(folder_, run_id()) + ": is finished already"};
  return {};
}

Status RunWriter::WriteEnd() {
  footer_.root_entries = static_cast<uint32_t>(root_.size());
  footer_.root_checksum = Checksum(root_.data(), footer_.RootBytes(), seed_);
  if (Status status = MakeRoom(footer_.RootBytes() + sizeof footer_); !status.ok()) return status;
  footer_.file_bytes = file_offset_ + used_ + footer_.RootBytes() + sizeof footer_;
  footer_.Seal();
  if (!root_.empty()) std::memcpy(room(), root_.data(), footer_.RootBytes());
  used_ += footer_.RootBytes();
  std::memcpy(room(), &footer_, sizeof footer_);
  used_ += sizeof footer_;
  return WriteBuffer();
}

// A run whose name may not be durable is none: a manifest must not name it.
Status RunWriter::Publish() {
  const std::string path = RunPath(folder_, run_id());
  Status status = files_.Rename(UnfinishedRunPath(folder_, run_id()), path);
  if (!status.ok()) return status;
  finished_ = true;
  file_.reset();
  status = files_.SyncFolder(folder_);
  if (!status.ok()) static_cast<void>(files_.Remove(path));
  return status;
}

}  // namespace burin
