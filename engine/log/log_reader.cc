#include "engine/log/log_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace burin {
namespace {

// One segment's bytes with what its place in the chain demands of them.
struct Segment {
  std::string path;
  std::vector<char> content;
  Lsn start_lsn = 0;
  uint64_t generation = 0;  // 0: any, for a segment whose header is lost
  bool reused = false;

  template <typename Header>
  bool Load(uint64_t offset, Header& header) const {
    if (offset > content.size() || content.size() - offset < sizeof header) return false;
    std::memcpy(&header, content.data() + offset, sizeof header);
    return true;
  }
};

std::string Place(const std::string& path, uint64_t offset, const std::string& reason) {
  return path + " at " + std::to_string(offset) + ": " + reason;
}

// Why the record at `offset` does not count; empty when it is whole.
std::string WhyBadRecord(const Segment& segment, uint64_t offset, const DatabaseId& database,
                         RecordHeader& header) {
  if (!segment.Load(offset, header)) return "the file ends within a record header";
  if (!header.Valid(database)) return "no valid record header";
  if (segment.generation != 0 && header.generation != segment.generation) {
    return "a record of an earlier use of the file";
  }
  if (header.lsn != segment.start_lsn + offset) return "a record that belongs elsewhere";
  if (header.group_base > header.lsn) return "a record whose group begins behind it";
  if (segment.content.size() - offset < header.TotalBytes()) return "the file ends within a record";
  const char* body = segment.content.data() + offset + sizeof header;
  if (Checksum(body, header.body_bytes) != header.body_checksum) return "record checksum differs";
  return {};
}

// A valid record behind `offset` that could only be written after everything below its group was
// durable, which `offset` is: proof of damage. 0: there is none.
uint64_t FindProofBehind(const Segment& segment, uint64_t offset, const DatabaseId& database) {
  constexpr uint64_t kLsnOffset = offsetof(RecordHeader, lsn);
  RecordHeader header;
  Lsn lsn = 0;
  for (uint64_t at = RoundUp(offset + 1, kRecordAlignment); segment.Load(at + kLsnOffset, lsn);
       at += kRecordAlignment) {
    if (lsn != segment.start_lsn + at) continue;  // cheap, and almost always decides
    if (!segment.Load(at, header) || header.group_base <= segment.start_lsn + offset) continue;
    if (WhyBadRecord(segment, at, database, header).empty()) return at;
  }
  return 0;
}

// How much of a group that was being written at `offset` is there. A fresh segment holds zeros
// behind its end; a reused one holds groups of its earlier use, which only a header tells apart.
uint64_t TornBytes(const Segment& segment, uint64_t offset, bool reused) {
  if (offset >= segment.content.size()) return 0;
  if (reused) {
    RecordHeader header;
    const bool whole = segment.Load(offset, header);
    const bool new_use =
        whole && (header.lsn == segment.start_lsn + offset ||
                  (segment.generation != 0 && header.generation == segment.generation));
    const uint64_t bytes = std::max<uint64_t>(header.group_bytes, kBlockBytes);
    return new_use ? std::min<uint64_t>(segment.content.size() - offset, bytes) : 0;
  }
  static constexpr char kZeros[kBlockBytes] = {};
  const char* const content = segment.content.data();
  uint64_t end = segment.content.size();
  while (end - offset >= kBlockBytes &&
         std::memcmp(content + end - kBlockBytes, kZeros, kBlockBytes) == 0) {
    end -= kBlockBytes;
  }
  while (end > offset && content[end - 1] == 0) --end;
  return end - offset;
}

class Reader {
 public:
  Reader(FileSystem& files, const std::string& folder, const DatabaseId& database,
         const std::function<Status(const RecordHeader&, const char*)>& record)
      : files_(files), folder_(folder), database_(database), record_(record) {}

  Result<LogScan> Read(const LogStart& start) {
    next_start_ = start.lsn;
    for (uint64_t sequence = start.sequence;; ++sequence) {
      Result<bool> goes_on = ReadSegment(sequence);
      if (!goes_on.ok()) return goes_on.TakeStatus();
      if (*goes_on) continue;
      scan_.end_reason = end_of_log_;
      Status status = CheckNothingBehind(sequence);
      if (!status.ok()) return status;
      return std::move(scan_);
    }
  }

 private:
  // Reads one segment and moves the tail to it when it holds a record; false: the log ends.
  Result<bool> ReadSegment(uint64_t sequence) {
    Segment segment;
    segment.path = SegmentPath(folder_, sequence);
    auto exists = files_.Exists(segment.path);
    if (!exists.ok()) return exists.TakeStatus();
    if (!*exists) {
      end_of_log_ = segment.path + ": missing";
      return false;
    }
    auto content = ReadWholeFile(files_, segment.path);
    if (!content.ok()) return content.TakeStatus();
    segment.content = std::move(*content);

    SegmentHeader header;
    if (!HasHeader(segment, sequence, header)) return NoHeader(segment);
    Status status = CheckLink(segment, header);
    if (!status.ok()) return status;
    segment.start_lsn = header.start_lsn;
    segment.generation = header.generation;
    segment.reused = header.reused != 0;

    auto end = ReadRecords(segment);
    if (!end.ok()) return end.TakeStatus();
    if (*end == kBlockBytes) return false;  // begun, but not one record of it is whole
    scan_.segments.push_back({.sequence = sequence,
                              .generation = header.generation,
                              .end = header.start_lsn + RoundUp(*end, kBlockBytes),
                              .start_lsn = header.start_lsn,
                              .capacity = header.capacity});
    next_start_ = scan_.segments.back().NextStart();
    return true;
  }

  // A file without a header was never used, unless records in it say otherwise.
  Result<bool> NoHeader(Segment& segment) {
    segment.start_lsn = next_start_;
    if (const uint64_t proof = FindProofBehind(segment, kBlockBytes, database_); proof != 0) {
      return Status(StatusCode::kCorruption,
                    Place(segment.path, 0,
                          "the segment header is damaged; the record at " + std::to_string(proof) +
                              " shows that it was durable"));
    }
    SegmentHeader earlier;  // of an earlier use, which then also left records
    const bool reused = segment.Load(0, earlier) && earlier.Valid();
    scan_.bytes_dropped += TornBytes(segment, reused ? kBlockBytes : 0, reused);
    end_of_log_ = Place(segment.path, 0, "no segment header");
    return false;
  }

  bool HasHeader(const Segment& segment, uint64_t sequence, SegmentHeader& header) const {
    return segment.Load(0, header) && header.Valid() && header.database == database_ &&
           header.sequence == sequence;
  }

  // The log ends in segment `sequence`. A later one that was begun says that it should not: all of
  // a segment is durable before the next is begun. Segments made ahead have no header and no
  // records.
  Status CheckNothingBehind(uint64_t sequence) {
    auto names = files_.List(folder_);
    if (!names.ok()) return names.TakeStatus();
    for (const std::string& name : *names) {
      const uint64_t later = SegmentSequence(name);
      if (later <= sequence) continue;
      Segment segment;
      segment.path = SegmentPath(folder_, later);
      auto content = ReadWholeFile(files_, segment.path);
      if (!content.ok()) return content.TakeStatus();
      segment.content = std::move(*content);
      SegmentHeader header;
      if (HasHeader(segment, later, header) || HasRecordAbove(segment, End())) {
        return {StatusCode::kCorruption,
                end_of_log_ + "; " + segment.path + " shows that there was more"};
      }
    }
    return {};
  }

  // Nothing that is not needed any more has a record here or above.
  Lsn End() const { return scan_.segments.empty() ? next_start_ : scan_.segments.back().end; }

  // Whether a group begins anywhere in the file whose LSN is not below `end`.
  bool HasRecordAbove(Segment& segment, Lsn end) const {
    RecordHeader header;
    for (uint64_t at = kBlockBytes; segment.Load(at, header); at += kBlockBytes) {
      if (header.lsn < end || header.lsn < at || !header.Valid(database_)) continue;
      segment.start_lsn = header.lsn - at;
      if (WhyBadRecord(segment, at, database_, header).empty()) return true;
    }
    return false;
  }

  Status CheckLink(const Segment& segment, const SegmentHeader& header) {
    if (header.start_lsn != next_start_) {
      return {StatusCode::kCorruption,
              Place(segment.path, 0, "the segment begins at the wrong LSN")};
    }
    if (scan_.segments.empty()) return {};
    const LogTail& tail = scan_.segments.back();
    if (header.predecessor_generation != tail.generation || header.predecessor_end < tail.end) {
      return {StatusCode::kCorruption,
              Place(segment.path, 0, "the segment does not follow the one before it")};
    }
    if (header.predecessor_end > tail.end) {
      return {StatusCode::kCorruption,
              end_of_log_ + "; the next segment shows that more was durable"};
    }
    return {};
  }

  // Hands over the whole records; answers the offset behind the last one, or of the group that
  // would have come next.
  Result<uint64_t> ReadRecords(const Segment& segment) {
    uint64_t group = kBlockBytes;  // offset of the group that is expected next
    for (;;) {
      uint64_t at = group;
      RecordHeader header;
      std::string bad = WhyBadRecord(segment, at, database_, header);
      if (bad.empty() && header.group_base != header.lsn) bad = "a group without its beginning";
      uint64_t group_end = group;
      while (bad.empty()) {
        group_end = group + header.group_bytes;
        Status status = record_(header, segment.content.data() + at + sizeof header);
        if (!status.ok()) return status;
        at += header.TotalBytes();
        if (header.records_behind == 0) break;
        const RecordHeader previous = header;
        bad = WhyBadRecord(segment, at, database_, header);
        if (bad.empty() && (header.group_base != previous.group_base ||
                            header.records_behind + 1 != previous.records_behind)) {
          bad = "a record of another group";
        }
      }
      if (bad.empty()) {
        group = group_end;
        continue;
      }
      end_of_log_ = Place(segment.path, at, bad);
      if (const uint64_t proof = FindProofBehind(segment, at, database_); proof != 0) {
        return Status(StatusCode::kCorruption, end_of_log_ + "; the record at " +
                                                   std::to_string(proof) +
                                                   " shows that it was durable");
      }
      scan_.bytes_dropped += at == group || !segment.reused
                                 ? TornBytes(segment, at, segment.reused)
                                 : std::min<uint64_t>(group_end, segment.content.size()) - at;
      return at;
    }
  }

  FileSystem& files_;
  const std::string& folder_;
  const DatabaseId& database_;
  const std::function<Status(const RecordHeader&, const char*)>& record_;
  LogScan scan_;
  Lsn next_start_ = 0;      // where the next segment begins
  std::string end_of_log_;  // why the last segment looked at has no more
};

}  // namespace

Result<LogScan> ReadLog(
    FileSystem& files, const std::string& folder, const DatabaseId& database, const LogStart& start,
    const std::function<Status(const RecordHeader& header, const char* body)>& record) {
  return Reader(files, folder, database, record).Read(start);
}

}  // namespace burin
