#include "engine/log/group_commit.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <utility>

namespace burin {
namespace {

using std::chrono::microseconds;

// Bounds the memory and the time of one write, and the regroup wait.
constexpr uint64_t kMaxGroupBytes = 16ULL << 20;
constexpr microseconds kMaxRegroupWait(60);

alignas(kBlockBytes) constexpr char kZeroBlock[kBlockBytes] = {};

}  // namespace

GroupCommit::GroupCommit(LogWriter& log, DatabaseId database)
    : log_(log),
      database_(database),
      max_group_bytes_(std::min(kMaxGroupBytes, log.MaxGroupBytes() / 4)),
      durable_(log.end()) {}

GroupCommit::~GroupCommit() {
  stop_.store(true);
  flush_requests_.fetch_add(1);
  flush_requests_.notify_one();
  if (flusher_.joinable()) flusher_.join();
}

bool GroupCommit::Push(CommitNode& node) {
  Record* record = node.record;
  const bool mark_joined = node.reads_joined;
  if (!mark_joined) concurrent_joins_.fetch_add(1);  // before anyone can see the rows
  node.finished.store(false, std::memory_order_relaxed);
  joined_.fetch_add(1, std::memory_order_relaxed);  // first, so that it never falls below 0
  CommitNode* head = head_.load(std::memory_order_relaxed);
  do {
    node.next = head;
  } while (!head_.compare_exchange_weak(head, &node, std::memory_order_release,
                                        std::memory_order_relaxed));
  if (mark_joined) {
    Lsn expected = kPending;  // unless the leader has assigned the LSN, or aborted it, already
    record->lsn.compare_exchange_strong(expected, kJoined);
  }
  return head == nullptr;
}

void GroupCommit::Lead() { FlushList(true); }

void GroupCommit::LeaveToFlusher() {
  if (!flusher_runs_.load(std::memory_order_acquire)) {
    const std::lock_guard lock(flusher_mutex_);
    if (!flusher_.joinable()) flusher_ = std::thread(&GroupCommit::RunFlusher, this);
    flusher_runs_.store(true, std::memory_order_release);
  }
  flush_requests_.fetch_add(1, std::memory_order_release);
  flush_requests_.notify_one();
}

void GroupCommit::RunFlusher() {
  pthread_setname_np(pthread_self(), "burin-flush");
  uint32_t seen = 0;
  while (!stop_.load()) {
    flush_requests_.wait(seen);
    seen = flush_requests_.load(std::memory_order_acquire);
    FlushList(false);
  }
}

uint64_t GroupCommit::AwaitConcurrentJoins() {
  for (int attempt = 0; attempt < 16; ++attempt) {
    const uint64_t finished = concurrent_finished_.load();  // first: then equal means none is open
    const uint64_t joins = concurrent_joins_.load();
    if (finished == joins) return joins;
    Flush();
    sched_yield();  // one that has been counted may not be on the list yet
  }
  return ~uint64_t{0};
}

void GroupCommit::Flush() { FlushList(false); }

void GroupCommit::CommitAlone(CommitNode& node) {
  concurrent_joins_.fetch_add(1);  // before anyone can see the rows
  node.next = nullptr;
  uint32_t bits = 0;
  uint32_t own_bit = 0;  // nobody sleeps for this node
  baton_.Acquire();
  // A kSerial transaction that has joined did not see these rows: it keeps its place before them.
  if (head_.load(std::memory_order_acquire) != nullptr) FlushJoined(bits);
  some_read_joined_ = false;
  FlushGroup(&node, own_bit);
  baton_.Release();
  if (bits != 0) bell_.Ring(bits);
}

// The members of the last group are on their way back. Taking what has joined so far would split
// the writers into two halves that wait for each other's syncs for ever.
void GroupCommit::WaitForRegroup(uint32_t expected) {
  const auto deadline = Clock::now() + std::min<Clock::duration>(last_flush_ / 4, kMaxRegroupWait);
  while (joined_.load(std::memory_order_relaxed) < expected && Clock::now() < deadline) {
    sched_yield();
  }
}

CommitNode* GroupCommit::TakeInJoinOrder() {
  CommitNode* node = head_.exchange(nullptr, std::memory_order_acquire);
  CommitNode* first = nullptr;
  uint32_t count = 0;
  some_read_joined_ = false;
  while (node != nullptr) {
    some_read_joined_ |= node->reads_joined;
    CommitNode* next = std::exchange(node->next, first);
    first = node;
    node = next;
    ++count;
  }
  joined_.fetch_sub(count, std::memory_order_relaxed);
  last_group_ = count;
  return first;
}

void GroupCommit::FlushList(bool may_wait) {
  baton_.Acquire();
  const uint32_t expected = last_group_ + arrived_since_;
  if (may_wait && expected > 1) WaitForRegroup(expected);
  uint32_t bits = 0;
  FlushJoined(bits);
  arrived_since_ = joined_.load(std::memory_order_relaxed);
  baton_.Release();  // the next leader first: it holds up the most
  if (bits != 0) bell_.Ring(bits);
}

void GroupCommit::FlushJoined(uint32_t& bits) {
  CommitNode* node = TakeInJoinOrder();
  while (node != nullptr) node = FlushGroup(node, bits);
}

// Writes and finishes as many nodes as one group takes, from `first` on; answers the next one.
CommitNode* GroupCommit::FlushGroup(CommitNode* first, uint32_t& bits) {
  if (some_read_joined_) {
    first = DropDependents(first, bits);
    if (first == nullptr) return nullptr;
  }
  if (poisoned()) {
    AbortAll(first, StatusCode::kPoisoned, bits);
    return nullptr;
  }
  buffers_.clear();
  uint64_t bytes = 0;
  uint32_t records = 0;
  CommitNode* end = first;
  do {
    RecordHeader& header = end->record->header;
    const uint64_t more = header.TotalBytes();
    if (bytes != 0 && bytes + more > max_group_bytes_) break;
    buffers_.push_back({&header, more});
    bytes += more;
    ++records;
    end = end->next;
  } while (end != nullptr);
  bytes = RoundUp(bytes, kBlockBytes);

  if (const Status status = log_.Reserve(bytes); !status.ok()) {
    Remember(status);
    AbortAll(first, status.code(), bits);
    abort_epoch_.fetch_add(1,
                           std::memory_order_release);  // after: whoever saw the rows has the old
    return nullptr;
  }
  Encode(first, records, log_.end(), bytes);
  const auto begin = Clock::now();
  const Status status = log_.Append(buffers_, bytes);
  const auto now = Clock::now();
  NoteFlush(now - begin);
  StatusCode outcome = StatusCode::kOk;
  if (status.ok()) {
    durable_.store(log_.end(), std::memory_order_release);
    groups_.fetch_add(1, std::memory_order_relaxed);
    commits_.fetch_add(records, std::memory_order_relaxed);
  } else {
    Remember(status);
    poisoned_.store(true, std::memory_order_release);
    outcome = StatusCode::kCommitUnknown;
  }
  while (first != end) first = Finish(first, outcome, now, bits);
  return end;
}

// Takes those out that read what an aborted group had written; answers the list that is left.
CommitNode* GroupCommit::DropDependents(CommitNode* first, uint32_t& bits) {
  const uint64_t epoch = AbortEpoch();
  CommitNode** link = &first;
  while (CommitNode* node = *link) {
    if (!node->reads_joined || node->abort_epoch == epoch) {
      link = &node->next;
      continue;
    }
    node->record->lsn.store(kAborted, std::memory_order_release);
    *link = Finish(node, FailureCode(), Clock::now(), bits);
  }
  return first;
}

// Completes the headers of the records in buffers_, which are those of `node` and on from there.
void GroupCommit::Encode(CommitNode* node, uint32_t records, Lsn base, uint64_t bytes) {
  Lsn lsn = base;
  for (const iovec& buffer : buffers_) {
    RecordHeader& header = node->record->header;
    header.lsn = lsn;
    header.group_base = base;
    header.group_bytes = static_cast<uint32_t>(bytes);
    header.records_behind = --records;
    header.generation = log_.generation();
    header.Seal(database_);
    node->record->lsn.store(lsn, std::memory_order_release);
    lsn += buffer.iov_len;
    node = node->next;
  }
  if (const uint64_t padding = base + bytes - lsn; padding != 0) {
    buffers_.push_back({const_cast<char*>(kZeroBlock), padding});
  }
}

// Gives the node back to its writer, who may reuse it at once: answers the next one.
CommitNode* GroupCommit::Finish(CommitNode* node, StatusCode outcome, Clock::time_point at,
                                uint32_t& bits) {
  CommitNode* next = node->next;
  bits |= node->bell_bit;
  if (!node->reads_joined) concurrent_finished_.fetch_add(1);
  node->outcome = outcome;
  node->durable_at = at;
  node->finished.store(true);
  return next;
}

void GroupCommit::AbortAll(CommitNode* first, StatusCode outcome, uint32_t& bits) {
  while (first != nullptr) {
    first->record->lsn.store(kAborted, std::memory_order_release);
    first = Finish(first, outcome, Clock::now(), bits);
  }
}

void GroupCommit::NoteFlush(Clock::duration took) {
  last_flush_ = took;
  const auto ns = static_cast<uint64_t>(std::chrono::nanoseconds(took).count());
  if (ns > longest_sync_ns_.load(std::memory_order_relaxed)) longest_sync_ns_.store(ns);
}

void GroupCommit::Remember(const Status& status) {
  const std::lock_guard lock(failure_mutex_);
  failure_ = status;
}

StatusCode GroupCommit::FailureCode() const {
  const std::lock_guard lock(failure_mutex_);
  return failure_.code();
}

Status GroupCommit::Failure(StatusCode outcome) const {
  if (outcome == StatusCode::kOk) return {};
  const std::lock_guard lock(failure_mutex_);
  std::string reason(failure_.message());
  if (outcome == StatusCode::kPoisoned) reason = "no commits after an earlier failure: " + reason;
  return {outcome, std::move(reason)};
}

}  // namespace burin
