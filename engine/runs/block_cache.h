// The cache of what is read from runs: data blocks, their filters, and index pages.
//
// Bounded in bytes, in shards with a lock and a least-recently-used order each. An item stays alive
// for whoever holds it, in the cache or not, so the bound is on what nobody needs to hold.
// Thread rule: any thread.
// Invariant: an item is what its owner's file holds at that offset, proven before it came here.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace burin {

class CacheItem {
 public:
  virtual ~CacheItem() = default;
  virtual size_t MemoryBytes() const = 0;
};

class BlockCache {
 public:
  using Item = std::shared_ptr<const CacheItem>;

  struct Counts {
    uint64_t hits = 0;    // of Find
    uint64_t misses = 0;  // of Find
    uint64_t evictions = 0;
    uint64_t bytes = 0;  // held now
  };

  // Each shard has its part of the bytes, and what is larger than a part is not kept.
  explicit BlockCache(uint64_t capacity_bytes);
  BlockCache(const BlockCache&) = delete;
  BlockCache& operator=(const BlockCache&) = delete;

  // A number of its own for each opened file, so that a reused name never meets old items.
  uint64_t NewOwner() { return next_owner_.fetch_add(1, std::memory_order_relaxed); }

  // Null: it is not here. Find counts, and makes the item the most recently used one; Peek does
  // neither, for scans, which pass once and should leave no trace.
  Item Find(uint64_t owner, uint64_t offset);
  Item Peek(uint64_t owner, uint64_t offset);

  void Insert(uint64_t owner, uint64_t offset, Item item);
  void DropOwner(uint64_t owner);

  Counts Totals() const;

 private:
  static constexpr size_t kShards = 16;

  struct Key {
    uint64_t owner;
    uint64_t offset;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };
  struct Node {
    Key key;
    Item item;
    uint64_t bytes;
  };
  using Order = std::list<Node>;  // most recently used first

  struct alignas(64) Shard {
    mutable std::mutex mutex;
    Order order;
    std::unordered_map<Key, Order::iterator, KeyHash> nodes;
    Counts counts;

    void Remove(Order::iterator node);
  };

  Shard& ShardOf(const Key& key) { return shards_[KeyHash()(key) % kShards]; }

  const uint64_t shard_capacity_;
  std::atomic<uint64_t> next_owner_{1};
  std::array<Shard, kShards> shards_;
};

}  // namespace burin
