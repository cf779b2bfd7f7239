// A disk in memory that knows, for each sector and each name, what is certain to survive a power
// cut and what may or may not.
//
// A value: copying it is how a test keeps "the disk at that moment". Sectors are shared and never
// changed, so a copy costs a vector of pointers for each file.
// Thread rule: one thread at a time; SimulatedFileSystem brings the lock.
// Invariants: what is cached is what programs read; what is durable changes by a sync only.
//
// The model of a power cut. Of a file, each 512-byte sector written since its last sync is, by
// itself, as it was at the sync, or as any of the writes since left it, or torn between the oldest
// and the newest; its size is any it had since. Of a folder, each name change since its last sync
// has or has not happened, whatever became of the changes before it. A failed sync that marks pages
// clean leaves its sectors in doubt until they are written, the same bytes or others, and synced
// anew.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace burin {

class SimulatedDisk {
 public:
  static constexpr size_t kSectorBytes = 512;
  using FileId = uint64_t;

  enum class Tearing { kNo, kYes };

  SimulatedDisk();  // has the folders "/" and "."

  // Names. A path has no slash at its end, except "/". The caller has checked that the names are
  // there, or are not.
  std::optional<FileId> FindFile(const std::string& path) const;
  bool IsFolder(const std::string& path) const;
  std::vector<std::string> List(const std::string& folder) const;  // names, sorted
  FileId CreateFile(const std::string& path);                      // truncates what is there
  void CreateFolder(const std::string& path);
  void Rename(const std::string& from, const std::string& to);
  void Remove(const std::string& path);
  void SyncFolder(const std::string& path);

  // Content of a file, which may have lost its name.
  void Write(FileId file, std::string_view bytes, uint64_t offset);
  void FillWithZeros(FileId file, uint64_t size);
  size_t Read(FileId file, char* to, size_t size, uint64_t offset) const;
  uint64_t Size(FileId file) const;
  void Sync(FileId file);
  void FailSyncAndMarkClean(FileId file);

  // Something a power cut may decide one way or the other.
  struct Doubt {
    uint32_t outcomes = 2;  // how many; outcome 0 is "as at the last sync"
    uint32_t newest = 1;    // the outcome "as last written"
  };
  std::vector<Doubt> Doubts(Tearing tearing) const;  // in a fixed order

  // The disk after a power cut with these outcomes, one for each doubt.
  SimulatedDisk AfterPowerCut(std::span<const uint32_t> outcomes) const;

  // The disk after its program was killed: everything written is there.
  SimulatedDisk AfterKill() const;

  // A number for what programs read, names and all; equal disks have equal ones.
  uint64_t Fingerprint() const;

  // What the files that have a name take, in whole sectors; holes are not spared.
  uint64_t UsedBytes() const;

  // The hand from outside, for damage: durable at once. Paths of files only.
  std::string Content(const std::string& path) const;
  void SetContent(const std::string& path, std::string_view bytes);

 private:
  using Sector = std::array<char, kSectorBytes>;
  using SectorRef = std::shared_ptr<const Sector>;  // null: all zeros

  struct Bytes {
    uint64_t size = 0;
    std::vector<SectorRef> sectors;
    void Resize(uint64_t new_size);
    SectorRef At(size_t index) const { return index < sectors.size() ? sectors[index] : nullptr; }
  };

  struct UnsyncedSector {
    std::vector<SectorRef> versions;  // written since the last sync, oldest first
    bool marked_clean = false;        // a failed sync lost sight of it
  };

  struct FileState {
    Bytes cached;
    Bytes durable;
    std::map<size_t, UnsyncedSector> sectors;
    std::vector<uint64_t> sizes;  // since the last sync
  };

  using Names = std::map<std::string, FileId>;  // kFolder for a folder

  struct NameChange {
    std::string folder;
    std::vector<std::pair<std::string, std::optional<FileId>>> bindings;
  };

  static constexpr FileId kFolder = 0;

  static SectorRef MakeSector(const Sector& content);
  static bool Same(const SectorRef& left, const SectorRef& right);
  static SectorRef Torn(const SectorRef& head, const SectorRef& tail);
  static Bytes AfterPowerCut(const FileState& file, std::span<const uint32_t> outcomes,
                             size_t* next);
  static void Apply(const NameChange& change, Names* names);

  void Change(NameChange change);
  void SetSize(FileState* file, uint64_t size);
  void SetSector(FileState* file, size_t index, SectorRef content);
  std::set<FileId> Reachable() const;  // files that have a name, or may get one back

  Names names_;
  Names durable_names_;
  std::vector<NameChange> unsynced_names_;
  std::map<FileId, FileState> files_;
  FileId next_file_ = kFolder + 1;
};

std::string ParentFolder(const std::string& path);

}  // namespace burin
