#include "apps/write-throughput/targets/raw_log_records.h"

#include <string.h>

#include <algorithm>
#include <optional>
#include <string>

namespace throughput {
namespace {

constexpr uint64_t kMagic = 0x676f6c2d776172ff;

struct Header {
  uint64_t magic = kMagic;
  uint64_t bytes = 0;  // behind the header
  uint64_t rows = 0;
  uint64_t unused[5] = {};
};
static_assert(sizeof(Header) == 64);

struct RowHeader {
  int64_t id;
  uint32_t size;
};
constexpr size_t kRowHeaderBytes = 12;

struct Row {
  int64_t id;
  std::string value;
};

tl::unexpected<Failure> Damaged(uint64_t position) {
  return tl::unexpected(
      Failure{"raw-log: the record at byte " + std::to_string(position) + " is damaged"});
}

// Absent: no record begins here.
Expected<std::optional<Header>> ReadHeader(const RawLogFile& file, uint64_t position) {
  Header header;
  const auto got = file.Read(position, reinterpret_cast<char*>(&header), sizeof header);
  if (!got) return tl::unexpected(got.error());
  if (*got < sizeof header || header.magic != kMagic) return std::optional<Header>();
  return std::optional<Header>(header);
}

// False: the bytes are not as many rows as the header says.
bool AddRows(const std::vector<char>& bytes, uint64_t count, std::vector<Row>& rows) {
  size_t at = 0;
  for (uint64_t i = 0; i < count; ++i) {
    RowHeader header{};
    if (bytes.size() - at < kRowHeaderBytes) return false;
    memcpy(&header.id, &bytes[at], sizeof header.id);
    memcpy(&header.size, &bytes[at + sizeof header.id], sizeof header.size);
    at += kRowHeaderBytes;
    if (bytes.size() - at < header.size) return false;
    rows.push_back({header.id, std::string(bytes.data() + at, header.size)});
    at += header.size;
  }
  return at == bytes.size();
}

Expected<> ReadRecord(const RawLogFile& file, uint64_t position, const Header& header,
                      std::vector<Row>& rows) {
  constexpr uint64_t kMostBytes = uint64_t{1} << 40;
  if (header.bytes > kMostBytes) return Damaged(position);
  std::vector<char> bytes;
  // In parts, so that a damaged length meets the end of the file before it takes all memory.
  constexpr uint64_t kPart = 64 << 20;
  while (bytes.size() < header.bytes) {
    const size_t start = bytes.size();
    bytes.resize(start + std::min(kPart, header.bytes - start));
    const auto got =
        file.Read(position + sizeof header + start, &bytes[start], bytes.size() - start);
    if (!got) return tl::unexpected(got.error());
    if (*got < bytes.size() - start) return Damaged(position);
  }
  if (!AddRows(bytes, header.rows, rows)) return Damaged(position);
  return {};
}

uint64_t NextBlock(uint64_t position) {
  return (position + RawLogFile::kBlockBytes - 1) / RawLogFile::kBlockBytes *
         RawLogFile::kBlockBytes;
}

// Records of a group lie side by side; a group begins at a block.
Expected<std::vector<Row>> ReadAllRows(const RawLogFile& file) {
  std::vector<Row> rows;
  uint64_t position = 0;
  for (;;) {
    auto header = ReadHeader(file, position);
    if (header && !*header && position != NextBlock(position)) {
      position = NextBlock(position);
      header = ReadHeader(file, position);
    }
    if (!header) return tl::unexpected(header.error());
    if (!*header) return rows;
    if (auto read = ReadRecord(file, position, **header, rows); !read) {
      return tl::unexpected(read.error());
    }
    position += sizeof(Header) + (*header)->bytes;
  }
}

}  // namespace

void RawLogRecord::Clear() {
  bytes_.assign(sizeof(Header), 0);
  rows_ = 0;
}

void RawLogRecord::Add(int64_t id, std::string_view value) {
  const auto size = static_cast<uint32_t>(value.size());
  char header[kRowHeaderBytes];
  memcpy(header, &id, sizeof id);
  memcpy(header + sizeof id, &size, sizeof size);
  bytes_.insert(bytes_.end(), header, header + sizeof header);
  bytes_.insert(bytes_.end(), value.begin(), value.end());
  ++rows_;
}

iovec RawLogRecord::Finish() {
  Header header;
  header.bytes = bytes_.size() - sizeof header;
  header.rows = rows_;
  memcpy(bytes_.data(), &header, sizeof header);
  return {bytes_.data(), bytes_.size()};
}

Expected<> ReadRawLog(const RawLogFile& file,
                      const std::function<bool(int64_t, std::string_view)>& row) {
  auto rows = ReadAllRows(file);
  if (!rows) return tl::unexpected(rows.error());
  std::sort(rows->begin(), rows->end(),
            [](const Row& left, const Row& right) { return left.id < right.id; });
  for (const Row& one : *rows) {
    if (!row(one.id, one.value)) break;
  }
  return {};
}

}  // namespace throughput
