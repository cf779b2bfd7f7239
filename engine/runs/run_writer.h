// Writes a run: takes versions, or whole blocks of other runs, in the order of a run, and makes a
// file of them that exists, whole and durable, or not at all.
//
// The file grows under the name run-N.new, is synced every 8 MiB, so that no sync of the log has to
// wait for much of it, and gets its name when it is durable.
// Thread rule: one thread.
// Invariant: after the first failure every call answers with it; nothing but the unfinished file
// may be left then, which the destructor tries to remove.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/io/file_system.h"
#include "engine/runs/block_builder.h"
#include "engine/runs/block_stream.h"
#include "engine/runs/run_format.h"

namespace burin {

class RunWriter {
 public:
  // Called after each piece of about 1 MiB with the bytes written so far: may wait, to spare the
  // disk, or end the writing by a status that is not Ok.
  using Pace = std::function<Status(uint64_t bytes_written)>;

  static Result<std::unique_ptr<RunWriter>> Create(FileSystem& files, const std::string& folder,
                                                   uint64_t run_id, const DatabaseId& database,
                                                   Pace pace = nullptr);
  ~RunWriter();
  RunWriter(const RunWriter&) = delete;
  RunWriter& operator=(const RunWriter&) = delete;

  // kInvalidArgument: not behind the last row in the order of a run (of one key in a table from
  // high to low LSN, each once), or a value too large. The value of an erased row is not kept.
  Status Add(const RunEntry& row) {
    const bool added = builder_.TryAddPlain(row) || builder_.TryAdd(row);
    return added ? Status() : AddToNextBlock(row);
  }

  // Takes a block of another run of the database as it is, which its stream has proven. Its first
  // key must be higher than the last one.
  Status AddBlock(const StoredBlock& block);

  // Durable, with its name, on return; the last call that a writer takes.
  Status Finish();

  uint64_t run_id() const { return footer_.run_id; }
  const RunTotals& totals() const { return footer_.totals; }  // of closed blocks; all after Finish
  uint64_t bytes_written() const { return file_offset_; }     // all of the file after Finish

 private:
  RunWriter(FileSystem& files, std::string folder, Pace pace);

  Status AddToNextBlock(const RunEntry& row);
  Status BeginBlock(const RunEntry& row);
  Status CopyBlock(const StoredBlock& block);
  Status CloseBlock();
  Status Sync(uint64_t bytes);       // in the file
  Status BeginTable(TableId table);  // a page of the index is of one table
  Status Enlist(BlockIndexEntry entry, const BlockHeader& header);
  Status WriteIndexPage();
  Status WriteEnd();
  Status Publish();

  char* room() const { return buffer_.get() + used_; }
  Status MakeRoom(size_t bytes);
  Status ResizeBuffer(size_t bytes);
  Status WriteBuffer();

  FileSystem& files_;
  const std::string folder_;
  const Pace pace_;
  uint64_t seed_ = 0;
  std::unique_ptr<File> file_;
  Status status_;
  bool finished_ = false;

  std::unique_ptr<char[]> buffer_;  // what is not written yet
  size_t capacity_ = 0;
  size_t used_ = 0;
  uint64_t file_offset_ = 0;  // of the buffer's first byte
  uint64_t unsynced_bytes_ = 0;

  RowPosition last_;  // the last row of the closed blocks, if there is any
  Lsn last_lsn_ = 0;
  TableId page_table_ = 0;
  std::vector<BlockIndexEntry> page_;  // of closed blocks that no index page has yet
  std::vector<RootEntry> root_;
  RunFooter footer_;
  BlockBuilder builder_;  // in the buffer, behind what is used
};

}  // namespace burin
