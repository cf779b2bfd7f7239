// Leader/follower group commit: many transactions, one write and one sync.
//
// A writer pushes its node onto a list; who finds the list empty leads the group that forms behind
// it: takes the baton, takes the list, reverses it into join order, reserves space, assigns LSNs,
// writes, syncs, and finishes every node. Pipelined writers leave leading to a thread of its own
// (burin-flush), so that they can go on.
// Failure: before anything was submitted (no space for a segment) the group is aborted and nothing
// else happened; any later error poisons the log: that group gets kCommitUnknown, all later ones
// kPoisoned. Thread rule: all calls from any thread; a node belongs to the log from Push until
// finished.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/log/log_writer.h"
#include "engine/log/waiting.h"
#include "engine/table/record.h"

namespace burin {

// One transaction on its way to durability.
struct CommitNode {
  Record* record = nullptr;
  CommitNode* next = nullptr;
  uint32_t bell_bit = 0;
  bool reads_joined = false;  // saw what had joined but was not durable, and so fails with it
  uint64_t abort_epoch = 0;   // with reads_joined: AbortEpoch() when it began to read

  // Written by the leader before `finished`.
  StatusCode outcome = StatusCode::kOk;
  std::chrono::steady_clock::time_point durable_at;
  std::atomic<bool> finished{false};
};

class GroupCommit {
 public:
  GroupCommit(LogWriter& log, DatabaseId database);
  ~GroupCommit();  // nothing may be in flight

  // Joins; the answer is true for who must lead. A node whose record may become visible to
  // kSerial readers at once is marked joined.
  bool Push(CommitNode& node);

  void Lead();                   // by who was told to; returns when its node is finished
  void LeaveToFlusher();         // instead: the flusher leads
  void Wait(CommitNode& node) {  // sleeps until finished
    bell_.SleepUntil(node.bell_bit, [&node] { return node.finished.load(); });
  }

  // Returns when all that had joined before is finished.
  void Flush();

  // Instead of all that: commits a node that shares its sync with no other and did not read what
  // has joined, behind what has joined before. It is finished when this returns.
  void CommitAlone(CommitNode& node);

  Lsn durable() const { return durable_.load(std::memory_order_acquire); }
  uint64_t AbortEpoch() const { return abort_epoch_.load(std::memory_order_acquire); }
  bool poisoned() const { return poisoned_.load(std::memory_order_acquire); }
  [[gnu::cold]] Status Failure(StatusCode outcome) const;  // the outcome of a node as a status
  StatusCode FailureCode() const;                          // of the last failure

  // How many nodes without reads_joined have joined, all of which are finished; ~0 where they come
  // too thick for that. While the count stays, nobody but the holder of the writer lock makes rows
  // visible to kSerial readers.
  [[gnu::noinline]] uint64_t AwaitConcurrentJoins();
  uint64_t ConcurrentJoins() const { return concurrent_joins_.load(); }

  uint64_t groups() const { return groups_.load(std::memory_order_relaxed); }
  uint64_t commits() const { return commits_.load(std::memory_order_relaxed); }

  // Of a group's write and sync, since RestartLongest.
  uint64_t longest_sync_ns() const { return longest_sync_ns_.load(std::memory_order_relaxed); }
  void RestartLongest() { longest_sync_ns_.store(0); }

 private:
  using Clock = std::chrono::steady_clock;

  void WaitForRegroup(uint32_t expected);
  CommitNode* TakeInJoinOrder();
  [[gnu::noinline]] void FlushList(bool may_wait);
  [[gnu::noinline]] void FlushJoined(uint32_t& bits);
  CommitNode* FlushGroup(CommitNode* first, uint32_t& bits);
  [[gnu::cold]] CommitNode* DropDependents(CommitNode* first, uint32_t& bits);
  void Encode(CommitNode* node, uint32_t records, Lsn base, uint64_t bytes);
  [[gnu::cold]] void AbortAll(CommitNode* first, StatusCode outcome, uint32_t& bits);
  CommitNode* Finish(CommitNode* node, StatusCode outcome, Clock::time_point at, uint32_t& bits);
  void NoteFlush(Clock::duration took);
  [[gnu::cold]] void Remember(const Status& status);
  void RunFlusher();

  LogWriter& log_;
  const DatabaseId database_;
  const uint64_t max_group_bytes_;

  alignas(64) std::atomic<CommitNode*> head_{nullptr};
  std::atomic<uint32_t> joined_{0};  // nodes on the list, give or take those just arriving
  std::atomic<uint64_t> concurrent_joins_{0};
  std::atomic<uint64_t> concurrent_finished_{0};

  // Of whoever holds the baton.
  alignas(64) Baton baton_;
  uint32_t last_group_ = 0;        // nodes in the last flushed list
  uint32_t arrived_since_ = 0;     // nodes that joined while it was flushed
  Clock::duration last_flush_{0};  // of the last group: its write and sync
  bool some_read_joined_ = false;  // in the list under way
  std::vector<iovec> buffers_;

  alignas(64) std::atomic<Lsn> durable_;
  std::atomic<uint64_t> abort_epoch_{0};
  std::atomic<bool> poisoned_{false};
  std::atomic<uint64_t> groups_{0};
  std::atomic<uint64_t> commits_{0};
  std::atomic<uint64_t> longest_sync_ns_{0};
  GroupBell bell_;

  mutable std::mutex failure_mutex_;
  Status failure_;  // the error that poisoned, or the last that aborted a group

  std::mutex flusher_mutex_;
  std::atomic<bool> flusher_runs_{false};
  std::atomic<uint32_t> flush_requests_{0};
  std::atomic<bool> stop_{false};
  std::thread flusher_;
};

}  // namespace burin
