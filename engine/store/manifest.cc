#include "engine/store/manifest.h"

#include <cstring>
#include <optional>
#include <type_traits>

namespace burin {
namespace {

constexpr uint64_t kMagic = 0x464e414d4e495242;  // "BRINMANF"
constexpr uint32_t kVersion = 1;
constexpr std::string_view kUnfinishedName = "MANIFEST.new";

// Room for the longest manifest: 1,024 tables and 4,096 runs.
constexpr uint64_t kSlotBytes = 128ULL << 10;

// The beginning of a slot, little-endian; behind it `bytes` of lists.
struct SlotHeader {
  uint64_t checksum = 0;  // of all that follows, lists included
  uint64_t magic = kMagic;
  uint32_t version = kVersion;
  uint32_t bytes = 0;
  DatabaseId database;
  uint64_t epoch = 0;
};
static_assert(sizeof(SlotHeader) == 48 && std::is_trivially_copyable_v<SlotHeader>);

class Encoder {
 public:
  explicit Encoder(std::vector<char>& to) : to_(to) {}
  void Word(uint64_t word) {
    const auto* bytes = reinterpret_cast<const char*>(&word);
    to_.insert(to_.end(), bytes, bytes + sizeof word);
  }
  void Text(std::string_view text) {
    Word(text.size());
    to_.insert(to_.end(), text.begin(), text.end());
  }

 private:
  std::vector<char>& to_;
};

// Reads what Encoder wrote; once something does not fit, everything after it is empty.
class Decoder {
 public:
  explicit Decoder(std::string_view from) : from_(from) {}
  uint64_t Word() {
    uint64_t word = 0;
    if (!Has(sizeof word)) return 0;
    std::memcpy(&word, from_.data(), sizeof word);
    from_.remove_prefix(sizeof word);
    return word;
  }
  std::string Text() {
    const uint64_t size = Word();
    if (!Has(size)) return {};
    std::string text(from_.substr(0, size));
    from_.remove_prefix(size);
    return text;
  }
  uint64_t Count(uint64_t least_bytes_each) {
    const uint64_t count = Word();
    return count <= from_.size() / least_bytes_each ? count : Fail();
  }
  bool ok() const { return ok_; }

 private:
  uint64_t Fail() {
    ok_ = false;
    return 0;
  }
  bool Has(uint64_t bytes) {
    ok_ = ok_ && bytes <= from_.size();
    return ok_;
  }

  std::string_view from_;
  bool ok_ = true;
};

std::vector<char> Encode(const Manifest& manifest) {
  std::vector<char> slot(sizeof(SlotHeader));
  Encoder encoder(slot);
  encoder.Text(manifest.creator);
  encoder.Word(manifest.log_start.sequence);
  encoder.Word(manifest.log_start.lsn);
  encoder.Word(manifest.checkpoint_lsn);
  encoder.Word(manifest.closed ? 1 : 0);
  encoder.Word(manifest.end.sequence);
  encoder.Word(manifest.end.generation);
  encoder.Word(manifest.end.end);
  encoder.Word(manifest.end.start_lsn);
  encoder.Word(manifest.end.capacity);
  encoder.Word(manifest.next_run);
  encoder.Word(manifest.runs.size());
  for (const uint64_t run : manifest.runs) encoder.Word(run);
  encoder.Word(manifest.tables.size());
  for (const std::string& name : manifest.tables) encoder.Text(name);

  SlotHeader header;
  header.bytes = static_cast<uint32_t>(slot.size() - sizeof header);
  header.database = manifest.database;
  header.epoch = manifest.epoch;
  std::memcpy(slot.data(), &header, sizeof header);
  header.checksum =
      Checksum(slot.data() + sizeof header.checksum, slot.size() - sizeof header.checksum);
  std::memcpy(slot.data(), &header.checksum, sizeof header.checksum);
  return slot;
}

std::optional<Manifest> Decode(std::string_view slot) {
  SlotHeader header;
  if (slot.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, slot.data(), sizeof header);
  if (header.magic != kMagic || header.version != kVersion ||
      header.bytes > slot.size() - sizeof header ||
      header.checksum != Checksum(slot.data() + sizeof header.checksum,
                                  sizeof header - sizeof header.checksum + header.bytes)) {
    return std::nullopt;
  }
  Decoder decoder(slot.substr(sizeof header, header.bytes));
  Manifest manifest;
  manifest.database = header.database;
  manifest.epoch = header.epoch;
  manifest.creator = decoder.Text();
  manifest.log_start.sequence = decoder.Word();
  manifest.log_start.lsn = decoder.Word();
  manifest.checkpoint_lsn = decoder.Word();
  manifest.closed = decoder.Word() != 0;
  manifest.end.sequence = decoder.Word();
  manifest.end.generation = decoder.Word();
  manifest.end.end = decoder.Word();
  manifest.end.start_lsn = decoder.Word();
  manifest.end.capacity = decoder.Word();
  manifest.next_run = decoder.Word();
  manifest.runs.resize(decoder.Count(sizeof(uint64_t)));
  for (uint64_t& run : manifest.runs) run = decoder.Word();
  manifest.tables.resize(decoder.Count(sizeof(uint64_t)));
  for (std::string& name : manifest.tables) name = decoder.Text();
  if (!decoder.ok()) return std::nullopt;
  return manifest;
}

Status WriteSlot(File& file, const Manifest& manifest) {
  std::vector<char> slot = Encode(manifest);
  if (slot.size() > kSlotBytes) {
    return {StatusCode::kInvalidArgument, file.path() + ": too many tables and runs"};
  }
  slot.resize(RoundUp(slot.size(), kBlockBytes));
  iovec buffer{slot.data(), slot.size()};
  Status status = file.Write({&buffer, 1}, manifest.epoch % 2 * kSlotBytes);
  return status.ok() ? file.Sync() : status;
}

Result<std::unique_ptr<File>> OpenManifest(FileSystem& files, const std::string& folder) {
  return files.Open(folder + "/" + std::string(kManifestName), FileSystem::OpenMode::kReadWrite);
}

// Both slots, beginning with the one that the last change left older.
Status WriteSlots(File& file, Manifest& manifest) {
  for (int i = 0; i < 2; ++i) {
    ++manifest.epoch;
    Status status = WriteSlot(file, manifest);
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
  content->resize(2 * kSlotBytes);  // a missing slot reads as zeros, which is not a whole one
  auto first = Decode({content->data(), kSlotBytes});
  auto second = Decode({content->data() + kSlotBytes, kSlotBytes});
  if (first && (!second || first->epoch > second->epoch)) return std::move(*first);
  if (second) return std::move(*second);
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

Status SettleManifest(FileSystem& files, const std::string& folder, const Manifest& manifest) {
  auto file = OpenManifest(files, folder);
  if (!file.ok()) return file.TakeStatus();
  Status status = WriteSlot(**file, manifest);
  return status.ok() ? files.SyncFolder(folder) : status;
}

Status WriteManifest(FileSystem& files, const std::string& folder, Manifest& manifest) {
  auto file = OpenManifest(files, folder);
  return file.ok() ? WriteSlots(**file, manifest) : file.TakeStatus();
}

}  // namespace burin
