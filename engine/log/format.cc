#include "engine/log/format.h"

namespace burin {
namespace {

constexpr uint64_t kSegmentMagic = 0x474f4c4e49525542;  // "BURINLOG"
constexpr uint32_t kLogVersion = 1;

uint64_t HeaderChecksum(const RecordHeader& header, const DatabaseId& database) {
  const auto* bytes = reinterpret_cast<const char*>(&header) + sizeof header.header_checksum;
  return Checksum(bytes, sizeof header - sizeof header.header_checksum,
                  database.words[0] ^ header.generation);
}

uint64_t HeaderChecksum(const SegmentHeader& header) {
  const auto* bytes = reinterpret_cast<const char*>(&header) + sizeof header.checksum;
  return Checksum(bytes, sizeof header - sizeof header.checksum);
}

}  // namespace

void SegmentHeader::Seal() {
  magic = kSegmentMagic;
  version = kLogVersion;
  block_bytes = kBlockBytes;
  checksum = HeaderChecksum(*this);
}

bool SegmentHeader::Valid() const {
  return magic == kSegmentMagic && version == kLogVersion && block_bytes == kBlockBytes &&
         checksum == HeaderChecksum(*this);
}

void RecordHeader::Seal(const DatabaseId& database) {
  header_checksum = HeaderChecksum(*this, database);
}

bool RecordHeader::Valid(const DatabaseId& database) const {
  return body_bytes > 0 && group_bytes > 0 && header_checksum == HeaderChecksum(*this, database);
}

}  // namespace burin
