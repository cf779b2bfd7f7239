#include "engine/log/segment_files.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>

namespace burin {
namespace {

constexpr std::string_view kPrefix = "log-";
constexpr std::string_view kUnfinished = ".new";
constexpr size_t kDigits = 12;

}  // namespace

std::string SegmentPath(const std::string& folder, uint64_t sequence) {
  std::string digits = std::to_string(sequence);
  digits.insert(0, kDigits - std::min(kDigits, digits.size()), '0');
  return folder + "/" + std::string(kPrefix) + digits;
}

uint64_t SegmentSequence(std::string_view name) {
  if (name.size() != kPrefix.size() + kDigits || !name.starts_with(kPrefix)) return 0;
  name.remove_prefix(kPrefix.size());
  uint64_t sequence = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), sequence);
  return error == std::errc() && end == name.data() + name.size() ? sequence : 0;
}

bool IsSegmentName(std::string_view name) {
  if (name.ends_with(kUnfinished)) name.remove_suffix(kUnfinished.size());
  return SegmentSequence(name) != 0;
}

Result<PreparedSegment> PrepareSegment(FileSystem& files, const std::string& folder,
                                       uint64_t sequence, uint64_t bytes) {
  const std::string path = SegmentPath(folder, sequence);
  auto file = files.Open(path, FileSystem::OpenMode::kCreate);
  if (!file.ok()) return file.TakeStatus();
  Status status = (*file)->FillWithZeros(bytes);
  if (status.ok()) status = (*file)->Sync();
  if (status.ok()) status = files.SyncFolder(folder);
  if (status.ok()) return PreparedSegment{std::move(*file), false};
  // The first failure is the one to report; what cannot be removed is found and removed at the
  // next opening.
  static_cast<void>(files.Remove(path));
  return status;
}

Result<std::vector<char>> ReadWholeFile(FileSystem& files, const std::string& path) {
  auto file = files.Open(path, FileSystem::OpenMode::kReadOnly);
  if (!file.ok()) return file.TakeStatus();
  auto size = (*file)->Size();
  if (!size.ok()) return size.TakeStatus();
  std::vector<char> content(*size);
  auto read = (*file)->Read(content.data(), content.size(), 0);
  if (!read.ok()) return read.TakeStatus();
  content.resize(*read);
  return content;
}

Result<PreparedSegment> RecycleSegment(FileSystem& files, const std::string& folder,
                                       uint64_t old_sequence, uint64_t sequence, uint64_t bytes) {
  const std::string path = SegmentPath(folder, sequence);
  Status status = files.Rename(SegmentPath(folder, old_sequence), path);
  if (status.ok()) status = files.SyncFolder(folder);
  if (!status.ok()) return status;
  auto file = files.Open(path, FileSystem::OpenMode::kReadWrite);
  if (!file.ok()) return file.TakeStatus();
  auto size = (*file)->Size();
  if (!size.ok()) return size.TakeStatus();
  if (*size < bytes)
    return Status(StatusCode::kInvalidArgument, path + ": too short to be used again");
  return PreparedSegment{std::move(*file), true};
}

}  // namespace burin
