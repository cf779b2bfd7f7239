#include "tests/engine/simulated_file_system.h"

#include <algorithm>

namespace burin {
namespace {

Status Failed(const std::string& path, std::string_view operation, std::string_view reason) {
  return Status(StatusCode::kIoError,
                path + ": " + std::string(operation) + ": " + std::string(reason));
}

// What an injected fault answers.
Status Injected(Fault fault, const std::string& path, std::string_view operation) {
  if (fault == Fault::kNoSpace || fault == Fault::kPartialNoSpace) {
    return Status(StatusCode::kNoSpace,
                  path + ": " + std::string(operation) + ": No space left on device");
  }
  return Failed(path, operation, "Input/output error");
}

bool IsPartial(Fault fault) {
  return fault == Fault::kPartialError || fault == Fault::kPartialNoSpace;
}

std::string Joined(std::span<const iovec> buffers) {
  std::string bytes;
  for (const iovec& buffer : buffers) {
    bytes.append(static_cast<const char*>(buffer.iov_base), buffer.iov_len);
  }
  return bytes;
}

// As the kernel reads it: slashes side by side, and at the end, do not count.
std::string Clean(const std::string& path) {
  std::string clean;
  for (const char c : path) {
    if (c != '/' || !clean.ends_with('/')) clean.push_back(c);
  }
  if (clean.size() > 1 && clean.ends_with('/')) clean.pop_back();
  return clean;
}

}  // namespace

bool FileCall::Changes() const {
  switch (kind) {
    case Kind::kCreate:
    case Kind::kCreateFolder:
    case Kind::kRename:
    case Kind::kLock:
    case Kind::kWrite:
    case Kind::kFillWithZeros:
      return true;
    default:
      return false;
  }
}

class SimulatedFileSystem::SimulatedFile final : public File {
 public:
  SimulatedFile(SimulatedFileSystem* owner, SimulatedDisk::FileId id, std::string path,
                bool writable)
      : owner_(owner), id_(id), path_(std::move(path)), writable_(writable) {}

  Status Write(std::span<iovec> buffers, uint64_t offset) override {
    std::string bytes = Joined(buffers);
    const Fault fault = owner_->Announce(FileCall::Kind::kWrite, path_, offset, bytes.size());
    if (!writable_) return Failed(path_, "write", "Bad file descriptor");
    if (IsPartial(fault)) bytes.resize(bytes.size() / 2);
    bool full = false;
    if (fault == Fault::kNone || IsPartial(fault)) {
      const std::lock_guard guard(owner_->mutex_);
      const uint64_t most = MostSize();
      full = offset + bytes.size() > most;
      if (full) bytes.resize(most - std::min(most, offset));
      if (!bytes.empty()) owner_->disk_.Write(id_, bytes, offset);
    }
    if (fault != Fault::kNone) return Injected(fault, path_, "write");
    return full ? Injected(Fault::kNoSpace, path_, "write") : Status();
  }

  Result<size_t> Read(void* to, size_t size, uint64_t offset) override {
    const Fault fault = owner_->Announce(FileCall::Kind::kRead, path_, offset, size);
    if (fault != Fault::kNone) return Injected(fault, path_, "read");
    const std::lock_guard guard(owner_->mutex_);
    return owner_->disk_.Read(id_, static_cast<char*>(to), size, offset);
  }

  Status Sync() override {
    const Fault fault = owner_->Announce(FileCall::Kind::kSync, path_);
    const std::lock_guard guard(owner_->mutex_);
    if (fault == Fault::kLostPages) owner_->disk_.FailSyncAndMarkClean(id_);
    if (fault != Fault::kNone) return Injected(fault, path_, "fdatasync");
    owner_->disk_.Sync(id_);
    return {};
  }

  void LeaveCache() override { owner_->Announce(FileCall::Kind::kLeaveCache, path_); }

  Result<uint64_t> Size() override {
    const Fault fault = owner_->Announce(FileCall::Kind::kSize, path_);
    if (fault != Fault::kNone) return Injected(fault, path_, "stat");
    const std::lock_guard guard(owner_->mutex_);
    return owner_->disk_.Size(id_);
  }

  Status FillWithZeros(uint64_t size) override {
    const Fault fault = owner_->Announce(FileCall::Kind::kFillWithZeros, path_, 0, size);
    if (!writable_) return Failed(path_, "fallocate", "Bad file descriptor");
    bool full = false;
    if (fault == Fault::kNone || IsPartial(fault)) {
      const std::lock_guard guard(owner_->mutex_);
      const uint64_t most = MostSize();
      full = size > most;
      owner_->disk_.FillWithZeros(id_, std::min(most, IsPartial(fault) ? size / 2 : size));
    }
    if (fault != Fault::kNone) return Injected(fault, path_, "write");
    return full ? Injected(Fault::kNoSpace, path_, "write") : Status();
  }

  const std::string& path() const override { return path_; }

 private:
  // What the file may grow to.
  uint64_t MostSize() const {
    constexpr uint64_t kSector = SimulatedDisk::kSectorBytes;
    const uint64_t held = (owner_->disk_.Size(id_) + kSector - 1) / kSector * kSector;
    return held + std::min(owner_->Room(), UINT64_MAX - held);
  }

  SimulatedFileSystem* const owner_;
  const SimulatedDisk::FileId id_;
  const std::string path_;
  const bool writable_;
};

class SimulatedFileSystem::SimulatedLock final : public FileLock {
 public:
  SimulatedLock(SimulatedFileSystem* owner, std::string path)
      : owner_(owner), path_(std::move(path)) {}
  ~SimulatedLock() override {
    const std::lock_guard guard(owner_->mutex_);
    owner_->locked_.erase(path_);
  }

 private:
  SimulatedFileSystem* const owner_;
  const std::string path_;
};

SimulatedFileSystem::SimulatedFileSystem(SimulatedDisk disk) : disk_(std::move(disk)) {}
SimulatedFileSystem::~SimulatedFileSystem() = default;

SimulatedDisk SimulatedFileSystem::Disk() const {
  const std::lock_guard guard(mutex_);
  return disk_;
}

uint64_t SimulatedFileSystem::Room() const {
  const uint64_t capacity = capacity_.load();
  if (capacity == UINT64_MAX) return capacity;
  const uint64_t used = disk_.UsedBytes();
  return (capacity - std::min(capacity, used)) / SimulatedDisk::kSectorBytes *
         SimulatedDisk::kSectorBytes;
}

Fault SimulatedFileSystem::Announce(FileCall::Kind kind, const std::string& path, uint64_t offset,
                                    uint64_t size) {
  const uint64_t index = calls_.fetch_add(1);
  return hook_ ? hook_(FileCall{index, kind, path, offset, size}) : Fault::kNone;
}

Result<std::unique_ptr<File>> SimulatedFileSystem::Open(const std::string& path, OpenMode mode) {
  const bool create = mode == OpenMode::kCreate;
  const std::string_view operation = create ? "create" : "open";
  const Fault fault = Announce(create ? FileCall::Kind::kCreate : FileCall::Kind::kOpen, path);
  if (fault != Fault::kNone) return Injected(fault, path, operation);
  const std::lock_guard guard(mutex_);
  const std::string name = Clean(path);
  if (disk_.IsFolder(name)) return Failed(path, operation, "Is a directory");
  std::optional<SimulatedDisk::FileId> file = disk_.FindFile(name);
  if (create) {
    if (!disk_.IsFolder(ParentFolder(name))) {
      return Failed(path, operation, "No such file or directory");
    }
    file = disk_.CreateFile(name);
  }
  if (!file.has_value()) return Failed(path, operation, "No such file or directory");
  return std::unique_ptr<File>(
      std::make_unique<SimulatedFile>(this, *file, path, mode != OpenMode::kReadOnly));
}

Result<bool> SimulatedFileSystem::Exists(const std::string& path) {
  const Fault fault = Announce(FileCall::Kind::kExists, path);
  if (fault != Fault::kNone) return Injected(fault, path, "stat");
  const std::lock_guard guard(mutex_);
  return disk_.IsFolder(Clean(path)) || disk_.FindFile(Clean(path)).has_value();
}

Result<std::vector<std::string>> SimulatedFileSystem::List(const std::string& folder) {
  const Fault fault = Announce(FileCall::Kind::kList, folder);
  if (fault != Fault::kNone) return Injected(fault, folder, "read the folder");
  const std::lock_guard guard(mutex_);
  const std::string path = Clean(folder);
  if (!disk_.IsFolder(path)) return Failed(folder, "open the folder", "No such file or directory");
  return disk_.List(path);
}

Status SimulatedFileSystem::CreateFolder(const std::string& path) {
  const Fault fault = Announce(FileCall::Kind::kCreateFolder, path);
  if (fault != Fault::kNone) return Injected(fault, path, "create the folder");
  const std::lock_guard guard(mutex_);
  const std::string name = Clean(path);
  if (disk_.IsFolder(name) || disk_.FindFile(name).has_value()) {
    return Failed(path, "create the folder", "File exists");
  }
  if (!disk_.IsFolder(ParentFolder(name))) {
    return Failed(path, "create the folder", "No such file or directory");
  }
  disk_.CreateFolder(name);
  return {};
}

Status SimulatedFileSystem::Rename(const std::string& from, const std::string& to) {
  const Fault fault = Announce(FileCall::Kind::kRename, from);
  if (fault != Fault::kNone) return Injected(fault, from, "rename");
  const std::lock_guard guard(mutex_);
  const std::string old_name = Clean(from);
  const std::string new_name = Clean(to);
  if (!disk_.FindFile(old_name).has_value() || ParentFolder(old_name) != ParentFolder(new_name)) {
    return Failed(from, "rename", "No such file or directory");
  }
  disk_.Rename(old_name, new_name);
  return {};
}

Status SimulatedFileSystem::Remove(const std::string& path) {
  const Fault fault = Announce(FileCall::Kind::kRemove, path);
  if (fault != Fault::kNone) return Injected(fault, path, "remove");
  const std::lock_guard guard(mutex_);
  const std::string name = Clean(path);
  if (!disk_.FindFile(name).has_value()) return Failed(path, "remove", "No such file or directory");
  disk_.Remove(name);
  return {};
}

Status SimulatedFileSystem::RemoveFolder(const std::string& path) {
  const Fault fault = Announce(FileCall::Kind::kRemoveFolder, path);
  if (fault != Fault::kNone) return Injected(fault, path, "remove the folder");
  const std::lock_guard guard(mutex_);
  const std::string name = Clean(path);
  if (!disk_.IsFolder(name)) {
    return Failed(path, "remove the folder", "No such file or directory");
  }
  if (!disk_.List(name).empty()) {
    return Failed(path, "remove the folder", "Directory not empty");
  }
  disk_.Remove(name);
  return {};
}

Status SimulatedFileSystem::SyncFolder(const std::string& path) {
  const Fault fault = Announce(FileCall::Kind::kSyncFolder, path);
  if (fault != Fault::kNone) return Injected(fault, path, "sync the folder");
  const std::lock_guard guard(mutex_);
  const std::string name = Clean(path);
  if (!disk_.IsFolder(name)) return Failed(path, "open the folder", "No such file or directory");
  disk_.SyncFolder(name);
  return {};
}

Result<std::unique_ptr<FileLock>> SimulatedFileSystem::Lock(const std::string& path, bool create) {
  const Fault fault = Announce(FileCall::Kind::kLock, path);
  if (fault != Fault::kNone) return Injected(fault, path, "lock");
  const std::lock_guard guard(mutex_);
  const std::string name = Clean(path);
  if (!disk_.FindFile(name).has_value()) {
    if (!create || !disk_.IsFolder(ParentFolder(name))) {
      return Failed(path, "open", "No such file or directory");
    }
    disk_.CreateFile(name);
  }
  if (locked_.contains(name)) return Status(StatusCode::kInUse, path + ": in use by this process");
  if (!create) return std::unique_ptr<FileLock>(std::make_unique<FileLock>());
  locked_.insert(name);
  return std::unique_ptr<FileLock>(std::make_unique<SimulatedLock>(this, name));
}

}  // namespace burin
