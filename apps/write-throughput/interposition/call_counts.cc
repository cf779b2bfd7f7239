#include "apps/write-throughput/interposition/call_counts.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <new>

namespace throughput {
namespace {

// Buckets as metrics::Histogram has them, but fewer: values below 64 have one each, and every power
// of two above is cut into 32. Bucket of v: s = bit_width(v | 63) - 6, index = 32 s + (v >> s).
constexpr size_t kBuckets = 32 * 57 + 64;

size_t BucketOf(int64_t ns) {
  const auto value = static_cast<uint64_t>(ns < 0 ? 0 : ns);
  const auto shift = static_cast<int>(std::bit_width(value | 63)) - 6;
  return 32 * static_cast<size_t>(shift) + static_cast<size_t>(value >> shift);
}

int64_t MiddleOf(size_t bucket) {
  const size_t shift = bucket < 64 ? 0 : bucket / 32 - 1;
  const int64_t lowest = static_cast<int64_t>(bucket - 32 * shift) << shift;
  return lowest + (int64_t{1} << shift) / 2;
}

// Written by the thread that uses it, read by any.
using Count = std::atomic<uint64_t>;
void Add(Count& count, uint64_t more) {
  count.store(count.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}
uint64_t Read(const Count& count) { return count.load(std::memory_order_relaxed); }

struct Block {
  Count syncs{0};
  Count range_syncs{0};
  Count writes{0};
  Count bytes{0};
  std::array<Count, kBuckets> sync_latency{};
  std::atomic<int64_t> sync_since{0};  // ns of the steady clock; 0: none is under way
  std::atomic<bool> used{true};
  Block* next = nullptr;  // constant once the block is in the list
};

// Global and mutable, as the functions that it serves have no other place to keep anything.
constinit std::atomic<Block*> blocks{nullptr};  // only ever grows
constinit thread_local Block* own_block = nullptr;
constinit thread_local bool thread_ends = false;

struct Releaser {
  ~Releaser() {
    thread_ends = true;
    if (own_block != nullptr) own_block->used.store(false, std::memory_order_release);
    own_block = nullptr;
  }
  void Arm() {}
};
thread_local Releaser releaser;

Block* TakeBlock() {
  for (Block* block = blocks.load(std::memory_order_acquire); block != nullptr;
       block = block->next) {
    bool used = false;
    if (block->used.compare_exchange_strong(used, true, std::memory_order_acquire)) return block;
  }
  auto* block = new (std::nothrow) Block;
  if (block == nullptr) return nullptr;
  block->next = blocks.load(std::memory_order_relaxed);
  while (!blocks.compare_exchange_weak(block->next, block, std::memory_order_release,
                                       std::memory_order_relaxed)) {
  }
  return block;
}

// What a thread calls while it ends, behind its releaser, keeps a block that nobody gets later.
[[gnu::cold]] Block* MakeOwnBlock() {
  own_block = TakeBlock();
  if (!thread_ends) releaser.Arm();
  return own_block;
}

// Null: no memory, and the call goes uncounted.
Block* OwnBlock() { return own_block != nullptr ? own_block : MakeOwnBlock(); }

}  // namespace

metrics::Histogram CallCounts::SyncLatency() const {
  metrics::Histogram latency;
  for (size_t bucket = 0; bucket < sync_latency.size(); ++bucket) {
    if (sync_latency[bucket] > 0) latency.Record(MiddleOf(bucket), sync_latency[bucket]);
  }
  return latency;
}

CallCounts operator-(const CallCounts& later, const CallCounts& earlier) {
  CallCounts difference = later;
  difference.syncs -= earlier.syncs;
  difference.range_syncs -= earlier.range_syncs;
  difference.writes -= earlier.writes;
  difference.bytes -= earlier.bytes;
  for (size_t i = 0; i < earlier.sync_latency.size(); ++i) {
    difference.sync_latency[i] -= earlier.sync_latency[i];
  }
  return difference;
}

CallCounts CountCalls() {
  CallCounts counts;
  counts.sync_latency.resize(kBuckets);
  for (const Block* block = blocks.load(std::memory_order_acquire); block != nullptr;
       block = block->next) {
    counts.syncs += Read(block->syncs);
    counts.range_syncs += Read(block->range_syncs);
    counts.writes += Read(block->writes);
    counts.bytes += Read(block->bytes);
    for (size_t i = 0; i < kBuckets; ++i) counts.sync_latency[i] += Read(block->sync_latency[i]);
  }
  return counts;
}

std::chrono::nanoseconds LongestSyncUnderWay() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  std::chrono::nanoseconds longest{0};
  for (const Block* block = blocks.load(std::memory_order_acquire); block != nullptr;
       block = block->next) {
    const std::chrono::nanoseconds since(block->sync_since.load(std::memory_order_relaxed));
    if (since.count() != 0) longest = std::max<std::chrono::nanoseconds>(longest, now - since);
  }
  return longest;
}

void BeginSync(int64_t now_ns) {
  if (Block* block = OwnBlock()) block->sync_since.store(now_ns, std::memory_order_relaxed);
}

void CountWrite(ssize_t written) {
  Block* block = OwnBlock();
  if (block == nullptr) return;
  Add(block->writes, 1);
  if (written > 0) Add(block->bytes, static_cast<uint64_t>(written));
}

void EndSync(bool succeeded, int64_t took_ns) {
  Block* block = OwnBlock();
  if (block == nullptr) return;
  block->sync_since.store(0, std::memory_order_relaxed);
  if (!succeeded) return;
  Add(block->syncs, 1);
  Add(block->sync_latency[BucketOf(took_ns)], 1);
}

void CountRangeSync() {
  if (Block* block = OwnBlock()) Add(block->range_syncs, 1);
}

}  // namespace throughput
