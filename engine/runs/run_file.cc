#include "engine/runs/run_file.h"

#include <cstring>
#include <new>

namespace burin {
namespace {

std::string_view WhyBadFooter(const RunFooter& footer, uint64_t file_bytes, uint64_t run_id,
                              const DatabaseId& database) {
  if (!footer.Valid()) return "no valid footer of a run";
  if (footer.database != database) return "the run belongs to another database";
  if (footer.run_id != run_id) return "it is another run";
  if (footer.file_bytes != file_bytes) return "the footer names another file size";
  if (file_bytes - sizeof footer < footer.RootBytes()) return "the root is larger than the file";
  return {};
}

bool RootInOrder(std::span<const RootEntry> root, uint64_t root_offset) {
  uint64_t end = 0;  // of the page before
  for (size_t i = 0; i < root.size(); ++i) {
    const RootEntry& page = root[i];
    if (page.entries == 0 || page.entries > kMaxPageEntries || page.Last() < page.First()) {
      return false;
    }
    if (i > 0 && page.First() < root[i - 1].Last()) return false;
    if (page.offset < end || page.offset > root_offset ||
        page.PageBytes() > root_offset - page.offset) {
      return false;
    }
    end = page.offset + page.PageBytes();
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<char[]>> AllocateFor(const std::string& path, uint64_t bytes) {
  std::unique_ptr<char[]> memory(new (std::nothrow) char[bytes]);
  if (memory == nullptr) {
    return Status(StatusCode::kIoError,
                  path + ": no memory for " + std::to_string(bytes) + " bytes");
  }
  return memory;
}

Status Damaged(const std::string& path, uint64_t offset, std::string_view reason) {
  return Status(StatusCode::kCorruption,
                path + " at " + std::to_string(offset) + ": " + std::string(reason));
}

RunFile::RunFile(std::unique_ptr<File> file, BlockCache* cache)
    : file_(std::move(file)),
      cache_(cache),
      cache_owner_(cache != nullptr ? cache->NewOwner() : 0) {}

RunFile::~RunFile() {
  if (cache_ != nullptr) cache_->DropOwner(cache_owner_);
}

Result<std::unique_ptr<RunFile>> RunFile::Open(FileSystem& files, const std::string& folder,
                                               uint64_t run_id, const DatabaseId& database,
                                               BlockCache* cache) {
  const std::string path = RunPath(folder, run_id);
  auto exists = files.Exists(path);
  if (!exists.ok()) return exists.TakeStatus();
  if (!*exists) return Damaged(path, 0, "the run is missing");
  auto file = files.Open(path, FileSystem::OpenMode::kReadOnly);
  if (!file.ok()) return file.TakeStatus();
  std::unique_ptr<RunFile> run(new RunFile(std::move(*file), cache));
  Status status = run->ReadFooter(run_id, database);
  if (status.ok()) status = run->ReadRoot();
  if (!status.ok()) return status;
  return run;
}

Status RunFile::ReadFooter(uint64_t run_id, const DatabaseId& database) {
  auto size = file_->Size();
  if (!size.ok()) return size.TakeStatus();
  if (*size < sizeof footer_) return Damaged(path(), 0, "the file is too short for a run");
  const uint64_t offset = *size - sizeof footer_;
  Status status = ReadExactly(reinterpret_cast<char*>(&footer_), sizeof footer_, offset);
  if (!status.ok()) return status;
  const std::string_view bad = WhyBadFooter(footer_, *size, run_id, database);
  if (!bad.empty()) return Damaged(path(), offset, bad);
  seed_ = RunSeed(database);
  return {};
}

Status RunFile::ReadRoot() {
  const uint64_t bytes = footer_.RootBytes();
  const uint64_t offset = footer_.file_bytes - sizeof footer_ - bytes;
  root_.resize(footer_.root_entries);
  Status status = ReadExactly(reinterpret_cast<char*>(root_.data()), bytes, offset);
  if (!status.ok()) return status;
  if (Checksum(root_.data(), bytes, seed_) != footer_.root_checksum) {
    return Damaged(path(), offset, "the root's checksum differs");
  }
  if (!RootInOrder(root_, offset)) return Damaged(path(), offset, "the root is out of order");
  return {};
}

Status RunFile::ReadExactly(char* to, size_t bytes, uint64_t offset) const {
  auto read = file_->Read(to, bytes, offset);
  if (!read.ok()) return read.TakeStatus();
  if (*read != bytes) return Damaged(path(), offset + *read, "the file ends too early");
  return {};
}

template <typename Item, typename ReadItem>
Result<std::shared_ptr<const Item>> RunFile::Cached(uint64_t offset, CacheUse use,
                                                    ReadItem read) const {
  const bool cached = cache_ != nullptr && use != CacheUse::kBypass;
  if (cached) {
    auto found = use == CacheUse::kFill ? cache_->Find(cache_owner_, offset)
                                        : cache_->Peek(cache_owner_, offset);
    // What lies at an offset is of one kind for ever.
    if (found != nullptr) return std::static_pointer_cast<const Item>(std::move(found));
  }
  Result<std::shared_ptr<const Item>> item = read();
  if (item.ok() && cached && use == CacheUse::kFill) cache_->Insert(cache_owner_, offset, *item);
  return item;
}

Result<std::shared_ptr<const IndexPage>> RunFile::ReadPage(size_t page, CacheUse use) const {
  const RootEntry& place = root_[page];
  return Cached<IndexPage>(place.offset, use, [&]() -> Result<std::shared_ptr<const IndexPage>> {
    char bytes[kRunPageBytes];
    const size_t size = place.PageBytes();
    Status status = ReadExactly(bytes, size, place.offset);
    if (!status.ok()) return status;
    const std::string_view bad = WhyBadIndexPage({bytes, size}, place, footer_.run_id, seed_);
    if (!bad.empty()) return Damaged(path(), place.offset, bad);
    return std::shared_ptr<const IndexPage>(
        std::make_shared<IndexPage>(std::string_view(bytes, size)));
  });
}

Result<std::shared_ptr<const DataBlock>> RunFile::ReadBlock(TableId table,
                                                            const BlockIndexEntry& entry,
                                                            CacheUse use) const {
  return Cached<DataBlock>(entry.offset, use, [&]() -> Result<std::shared_ptr<const DataBlock>> {
    auto bytes = AllocateFor(path(), entry.bytes);
    if (!bytes.ok()) return bytes.TakeStatus();
    Status status = ReadExactly(bytes->get(), entry.bytes, entry.offset);
    if (!status.ok()) return status;
    const std::string_view bad =
        WhyBadBlock({bytes->get(), entry.bytes}, table, entry, seed_, true);
    if (!bad.empty()) return Damaged(path(), entry.offset, bad);
    return std::shared_ptr<const DataBlock>(
        std::make_shared<DataBlock>(std::move(*bytes), entry.bytes));
  });
}

Result<std::shared_ptr<const KeyFilter>> RunFile::ReadFilter(const BlockIndexEntry& entry,
                                                             CacheUse use) const {
  const uint64_t offset = entry.FilterOffset();
  return Cached<KeyFilter>(offset, use, [&]() -> Result<std::shared_ptr<const KeyFilter>> {
    auto bytes = AllocateFor(path(), entry.filter_bytes);
    if (!bytes.ok()) return bytes.TakeStatus();
    Status status = ReadExactly(bytes->get(), entry.filter_bytes, offset);
    if (!status.ok()) return status;
    const std::string_view filter(bytes->get(), entry.filter_bytes);
    if (!FilterIsWhole(filter, entry.checksum)) {
      return Damaged(path(), offset, "the filter's checksum differs");
    }
    return std::shared_ptr<const KeyFilter>(std::make_shared<KeyFilter>(filter));
  });
}

}  // namespace burin
