#include "tests/engine/simulated_disk.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "engine/log/format.h"

namespace burin {
namespace {

constexpr size_t kSectorBytes = SimulatedDisk::kSectorBytes;

size_t SectorCount(uint64_t bytes) { return (bytes + kSectorBytes - 1) / kSectorBytes; }

// Each of the versions since the last sync is an outcome, and so are two mixtures of a torn sector.
SimulatedDisk::Doubt DoubtOf(size_t versions, bool torn) {
  const auto newest = static_cast<uint32_t>(versions);
  return {newest + (torn ? 3 : 1), newest};
}

}  // namespace

std::string ParentFolder(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

SimulatedDisk::SimulatedDisk() {
  names_ = {{"/", kFolder}, {".", kFolder}};
  durable_names_ = names_;
}

void SimulatedDisk::Bytes::Resize(uint64_t new_size) {
  const bool shrinks = new_size < size;
  size = new_size;
  sectors.resize(SectorCount(new_size));
  const size_t tail = new_size % kSectorBytes;
  if (!shrinks || tail == 0 || sectors.back() == nullptr) return;
  Sector content = *sectors.back();
  std::fill(content.begin() + static_cast<ptrdiff_t>(tail), content.end(), '\0');
  sectors.back() = MakeSector(content);
}

SimulatedDisk::SectorRef SimulatedDisk::MakeSector(const Sector& content) {
  static constexpr Sector kZeros{};
  if (content == kZeros) return nullptr;
  return std::make_shared<const Sector>(content);
}

bool SimulatedDisk::Same(const SectorRef& left, const SectorRef& right) {
  if (left == right) return true;
  return left != nullptr && right != nullptr && *left == *right;
}

SimulatedDisk::SectorRef SimulatedDisk::Torn(const SectorRef& head, const SectorRef& tail) {
  constexpr size_t kHalf = kSectorBytes / 2;
  Sector content{};
  if (head != nullptr) std::copy_n(head->begin(), kHalf, content.begin());
  if (tail != nullptr) std::copy_n(tail->begin() + kHalf, kHalf, content.begin() + kHalf);
  return MakeSector(content);
}

std::optional<SimulatedDisk::FileId> SimulatedDisk::FindFile(const std::string& path) const {
  const auto found = names_.find(path);
  if (found == names_.end() || found->second == kFolder) return std::nullopt;
  return found->second;
}

bool SimulatedDisk::IsFolder(const std::string& path) const {
  const auto found = names_.find(path);
  return found != names_.end() && found->second == kFolder;
}

std::vector<std::string> SimulatedDisk::List(const std::string& folder) const {
  std::vector<std::string> names;
  for (const auto& [path, file] : names_) {
    if (path != folder && path != "." && ParentFolder(path) == folder) {
      names.push_back(path.substr(path.rfind('/') + 1));
    }
  }
  return names;
}

void SimulatedDisk::Apply(const NameChange& change, Names* names) {
  for (const auto& [path, file] : change.bindings) {
    if (file.has_value()) {
      (*names)[path] = *file;
    } else {
      names->erase(path);
    }
  }
}

void SimulatedDisk::Change(NameChange change) {
  Apply(change, &names_);
  unsynced_names_.push_back(std::move(change));
}

SimulatedDisk::FileId SimulatedDisk::CreateFile(const std::string& path) {
  if (const std::optional<FileId> existing = FindFile(path)) {
    FileState& file = files_.at(*existing);
    for (size_t index = 0; index < file.cached.sectors.size(); ++index) {
      SetSector(&file, index, nullptr);
    }
    SetSize(&file, 0);
    return *existing;
  }
  const FileId file = next_file_++;
  files_[file];
  Change({ParentFolder(path), {{path, file}}});
  return file;
}

void SimulatedDisk::CreateFolder(const std::string& path) {
  Change({ParentFolder(path), {{path, kFolder}}});
}

void SimulatedDisk::Rename(const std::string& from, const std::string& to) {
  assert(ParentFolder(from) == ParentFolder(to));
  Change({ParentFolder(to), {{from, std::nullopt}, {to, names_.at(from)}}});
}

void SimulatedDisk::Remove(const std::string& path) {
  Change({ParentFolder(path), {{path, std::nullopt}}});
}

void SimulatedDisk::SyncFolder(const std::string& path) {
  std::vector<NameChange> others;
  for (NameChange& change : unsynced_names_) {
    if (change.folder == path) {
      Apply(change, &durable_names_);
    } else {
      others.push_back(std::move(change));
    }
  }
  unsynced_names_ = std::move(others);
}

void SimulatedDisk::SetSize(FileState* file, uint64_t size) {
  if (file->cached.size == size) return;
  file->cached.Resize(size);
  file->sizes.push_back(size);
}

void SimulatedDisk::SetSector(FileState* file, size_t index, SectorRef content) {
  SectorRef& cached = file->cached.sectors.at(index);
  if (Same(cached, content)) {
    const auto known = file->sectors.find(index);
    if (known != file->sectors.end()) known->second.marked_clean = false;
    return;
  }
  cached = std::move(content);
  UnsyncedSector& unsynced = file->sectors[index];
  unsynced.versions.push_back(cached);
  unsynced.marked_clean = false;
}

void SimulatedDisk::Write(FileId id, std::string_view bytes, uint64_t offset) {
  FileState& file = files_.at(id);
  SetSize(&file, std::max(file.cached.size, offset + bytes.size()));
  while (!bytes.empty()) {
    const size_t index = offset / kSectorBytes;
    const size_t inside = offset % kSectorBytes;
    const size_t count = std::min(bytes.size(), kSectorBytes - inside);
    const SectorRef before = file.cached.At(index);
    Sector content{};
    if (before != nullptr) content = *before;
    std::copy_n(bytes.begin(), count, content.begin() + static_cast<ptrdiff_t>(inside));
    SetSector(&file, index, MakeSector(content));
    bytes.remove_prefix(count);
    offset += count;
  }
}

void SimulatedDisk::FillWithZeros(FileId id, uint64_t size) {
  FileState& file = files_.at(id);
  SetSize(&file, size);
  for (size_t index = 0; index < file.cached.sectors.size(); ++index) {
    SetSector(&file, index, nullptr);
  }
}

size_t SimulatedDisk::Read(FileId id, char* to, size_t size, uint64_t offset) const {
  const Bytes& bytes = files_.at(id).cached;
  if (offset >= bytes.size) return 0;
  size = std::min<uint64_t>(size, bytes.size - offset);
  for (size_t done = 0; done < size;) {
    const size_t inside = (offset + done) % kSectorBytes;
    const size_t count = std::min(size - done, kSectorBytes - inside);
    const SectorRef& sector = bytes.sectors[(offset + done) / kSectorBytes];
    if (sector == nullptr) {
      std::memset(to + done, 0, count);
    } else {
      std::memcpy(to + done, sector->data() + inside, count);
    }
    done += count;
  }
  return size;
}

uint64_t SimulatedDisk::Size(FileId id) const { return files_.at(id).cached.size; }

void SimulatedDisk::Sync(FileId id) {
  FileState& file = files_.at(id);
  file.durable.Resize(file.cached.size);
  file.sizes.clear();
  for (auto entry = file.sectors.begin(); entry != file.sectors.end();) {
    if (entry->second.marked_clean) {
      ++entry;
      continue;
    }
    if (entry->first < file.durable.sectors.size()) {  // else truncated since
      file.durable.sectors[entry->first] = entry->second.versions.back();
    }
    entry = file.sectors.erase(entry);
  }
}

void SimulatedDisk::FailSyncAndMarkClean(FileId id) {
  FileState& file = files_.at(id);
  for (auto& [index, sector] : file.sectors) sector.marked_clean = true;
}

std::set<SimulatedDisk::FileId> SimulatedDisk::Reachable() const {
  std::set<FileId> reachable;
  for (const auto& [path, file] : names_) reachable.insert(file);
  for (const auto& [path, file] : durable_names_) reachable.insert(file);
  for (const NameChange& change : unsynced_names_) {
    for (const auto& [path, file] : change.bindings) reachable.insert(file.value_or(kFolder));
  }
  reachable.erase(kFolder);
  return reachable;
}

std::vector<SimulatedDisk::Doubt> SimulatedDisk::Doubts(Tearing tearing) const {
  std::vector<Doubt> doubts(unsynced_names_.size());
  for (const FileId id : Reachable()) {
    const FileState& file = files_.at(id);
    if (!file.sizes.empty()) doubts.push_back(DoubtOf(file.sizes.size(), false));
    for (const auto& [index, sector] : file.sectors) {
      doubts.push_back(DoubtOf(sector.versions.size(), tearing == Tearing::kYes));
    }
  }
  return doubts;
}

SimulatedDisk::Bytes SimulatedDisk::AfterPowerCut(const FileState& file,
                                                  std::span<const uint32_t> outcomes,
                                                  size_t* next) {
  Bytes bytes = file.durable;
  uint64_t size = bytes.size;
  if (!file.sizes.empty()) {
    const uint32_t outcome = outcomes[(*next)++];
    if (outcome > 0) size = file.sizes[outcome - 1];
  }
  bytes.Resize(
      std::max(size, file.sectors.empty() ? 0 : (file.sectors.rbegin()->first + 1) * kSectorBytes));
  for (const auto& [index, sector] : file.sectors) {
    const size_t outcome = outcomes[(*next)++];
    SectorRef& content = bytes.sectors[index];
    const SectorRef& newest = sector.versions.back();
    if (outcome == 0) continue;
    if (outcome <= sector.versions.size()) {
      content = sector.versions[outcome - 1];
    } else {
      const bool head_is_new = outcome == sector.versions.size() + 1;
      content = head_is_new ? Torn(newest, content) : Torn(content, newest);
    }
  }
  bytes.Resize(size);
  return bytes;
}

SimulatedDisk SimulatedDisk::AfterPowerCut(std::span<const uint32_t> outcomes) const {
  SimulatedDisk after;
  after.names_ = durable_names_;
  size_t next = 0;
  for (const NameChange& change : unsynced_names_) {
    if (outcomes[next++] != 0) Apply(change, &after.names_);
  }
  for (const FileId id : Reachable()) {
    FileState state;
    state.cached = AfterPowerCut(files_.at(id), outcomes, &next);
    state.durable = state.cached;
    after.files_[id] = std::move(state);
  }
  // A name whose folder did not survive is gone with it; parents sort before what is in them.
  for (auto name = after.names_.begin(); name != after.names_.end();) {
    name = after.IsFolder(ParentFolder(name->first)) ? std::next(name) : after.names_.erase(name);
  }
  after.durable_names_ = after.names_;
  after.next_file_ = next_file_;
  return after;
}

SimulatedDisk SimulatedDisk::AfterKill() const {
  SimulatedDisk after = *this;
  after.durable_names_ = after.names_;
  after.unsynced_names_.clear();
  for (auto& [id, file] : after.files_) {
    file.durable = file.cached;
    file.sectors.clear();
    file.sizes.clear();
  }
  return after;
}

uint64_t SimulatedDisk::Fingerprint() const {
  uint64_t state = 0;
  const auto add = [&state](const void* bytes, size_t size) {
    state = Checksum(bytes, size, state);
  };
  for (const auto& [path, id] : names_) {
    add(path.data(), path.size() + 1);
    if (id == kFolder) continue;
    const Bytes& bytes = files_.at(id).cached;
    add(&bytes.size, sizeof bytes.size);
    for (size_t index = 0; index < bytes.sectors.size(); ++index) {
      if (bytes.sectors[index] == nullptr) continue;
      add(&index, sizeof index);
      add(bytes.sectors[index]->data(), kSectorBytes);
    }
  }
  return state;
}

uint64_t SimulatedDisk::UsedBytes() const {
  uint64_t sectors = 0;
  for (const auto& [path, id] : names_) {
    if (id != kFolder) sectors += SectorCount(files_.at(id).cached.size);
  }
  return sectors * kSectorBytes;
}

std::string SimulatedDisk::Content(const std::string& path) const {
  const FileId file = names_.at(path);
  std::string bytes(Size(file), '\0');
  Read(file, bytes.data(), bytes.size(), 0);
  return bytes;
}

void SimulatedDisk::SetContent(const std::string& path, std::string_view bytes) {
  const FileId id = names_.at(path);
  FileState fresh;
  files_.at(id) = fresh;
  Write(id, bytes, 0);
  Sync(id);
}

}  // namespace burin
