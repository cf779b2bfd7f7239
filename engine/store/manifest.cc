#include "engine/store/manifest.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <type_traits>

namespace burin {
namespace {

constexpr uint64_t kMagic = 0x464e414d4e495242;  // "BRINMANF"
constexpr uint32_t kVersion = 1;
constexpr std::string_view kUnfinishedName = "MANIFEST.new";

// A slot's bytes, little-endian; the rest of its block is zeros.
struct Slot {
  uint64_t checksum = 0;  // of all that follows
  uint64_t magic = kMagic;
  uint32_t version = kVersion;
  uint32_t closed = 0;
  DatabaseId database;
  uint64_t epoch = 0;
  uint64_t first_sequence = 0;
  LogTail end;
  std::array<char, kMaxCreatorBytes + 1> creator{};
};
static_assert(sizeof(Slot) == 160 && std::is_trivially_copyable_v<Slot>);

uint64_t ChecksumOf(const Slot& slot) {
  return Checksum(reinterpret_cast<const char*>(&slot) + sizeof slot.checksum,
                  sizeof slot - sizeof slot.checksum);
}

std::array<char, kBlockBytes> Encode(const Manifest& manifest) {
  Slot slot;
  slot.closed = manifest.closed ? 1 : 0;
  slot.database = manifest.database;
  slot.epoch = manifest.epoch;
  slot.first_sequence = manifest.first_sequence;
  slot.end = manifest.end;
  std::copy_n(manifest.creator.data(), std::min(manifest.creator.size(), kMaxCreatorBytes),
              slot.creator.data());
  slot.checksum = ChecksumOf(slot);
  std::array<char, kBlockBytes> block{};
  std::memcpy(block.data(), &slot, sizeof slot);
  return block;
}

std::optional<Manifest> Decode(const char* block) {
  Slot slot;
  std::memcpy(&slot, block, sizeof slot);
  if (slot.magic != kMagic || slot.version != kVersion || slot.checksum != ChecksumOf(slot)) {
    return std::nullopt;
  }
  slot.creator.back() = '\0';
  return Manifest{.database = slot.database,
                  .epoch = slot.epoch,
                  .creator = slot.creator.data(),
                  .first_sequence = slot.first_sequence,
                  .closed = slot.closed != 0,
                  .end = slot.end};
}

Status WriteSlot(File& file, const Manifest& manifest, uint64_t slot) {
  auto block = Encode(manifest);
  iovec buffer{block.data(), block.size()};
  Status status = file.Write({&buffer, 1}, slot * kBlockBytes);
  return status.ok() ? file.Sync() : status;
}

// Both slots, beginning with the one that the last change left older.
Status WriteSlots(File& file, Manifest& manifest) {
  for (int i = 0; i < 2; ++i) {
    ++manifest.epoch;
    Status status = WriteSlot(file, manifest, manifest.epoch % 2);
    if (!status.ok()) return status;
  }
  return {};
}

}  // namespace

bool IsManifestName(std::string_view name) {
  return name == kManifestName || name == kUnfinishedName;
}

Result<Manifest> ReadManifest(FileSystem& files, const std::string& folder) {
  const std::string path = folder + "/" + std::string(kManifestName);
  auto exists = files.Exists(path);
  if (!exists.ok()) return exists.TakeStatus();
  if (!*exists) return Status(StatusCode::kNotFound, path + ": there is none");
  auto content = ReadWholeFile(files, path);
  if (!content.ok()) return content.TakeStatus();
  content->resize(2 * kBlockBytes);  // a missing slot reads as zeros, which is not a whole one
  const auto first = Decode(content->data());
  const auto second = Decode(content->data() + kBlockBytes);
  if (first && (!second || first->epoch > second->epoch)) return *first;
  if (second) return *second;
  return Status(StatusCode::kCorruption, path + " at 0: both slots are damaged");
}

Status CreateManifest(FileSystem& files, const std::string& folder, Manifest& manifest) {
  const std::string unfinished = folder + "/" + std::string(kUnfinishedName);
  auto file = files.Open(unfinished, FileSystem::OpenMode::kCreate);
  if (!file.ok()) return file.TakeStatus();
  Status status = WriteSlots(**file, manifest);
  if (status.ok()) {
    status = files.Rename(unfinished, folder + "/" + std::string(kManifestName));
  }
  if (status.ok()) status = files.SyncFolder(folder);
  return status;
}

Status WriteManifest(FileSystem& files, const std::string& folder, Manifest& manifest) {
  auto file = files.Open(folder + "/" + std::string(kManifestName), FileSystem::OpenMode::kReadWrite);
  if (!file.ok()) return file.TakeStatus();
  return WriteSlots(**file, manifest);
}

}  // namespace burin
