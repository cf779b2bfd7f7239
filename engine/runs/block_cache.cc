#include "engine/runs/block_cache.h"

#include "engine/hash.h"

namespace burin {
namespace {

// What a list node, a hash node and its bucket cost beside the item, about.
constexpr uint64_t kNodeBytes = 128;

}  // namespace

size_t BlockCache::KeyHash::operator()(const Key& key) const {
  return FxHash64(FxHash64(key.owner) + key.offset);
}

BlockCache::BlockCache(uint64_t capacity_bytes) : shard_capacity_(capacity_bytes / kShards) {}

void BlockCache::Shard::Remove(Order::iterator node) {
  counts.bytes -= node->bytes;
  nodes.erase(node->key);
  order.erase(node);
}

BlockCache::Item BlockCache::Find(uint64_t owner, uint64_t offset) {
  const Key key{owner, offset};
  Shard& shard = ShardOf(key);
  const std::lock_guard lock(shard.mutex);
  const auto found = shard.nodes.find(key);
  if (found == shard.nodes.end()) {
    ++shard.counts.misses;
    return nullptr;
  }
  ++shard.counts.hits;
  shard.order.splice(shard.order.begin(), shard.order, found->second);
  return found->second->item;
}

BlockCache::Item BlockCache::Peek(uint64_t owner, uint64_t offset) {
  const Key key{owner, offset};
  Shard& shard = ShardOf(key);
  const std::lock_guard lock(shard.mutex);
  const auto found = shard.nodes.find(key);
  return found != shard.nodes.end() ? found->second->item : nullptr;
}

void BlockCache::Insert(uint64_t owner, uint64_t offset, Item item) {
  const uint64_t bytes = item->MemoryBytes() + kNodeBytes;
  if (bytes > shard_capacity_) return;
  const Key key{owner, offset};
  Shard& shard = ShardOf(key);
  const std::lock_guard lock(shard.mutex);
  if (shard.nodes.contains(key)) return;  // another thread read it at the same time
  while (shard.counts.bytes + bytes > shard_capacity_) {
    shard.Remove(std::prev(shard.order.end()));
    ++shard.counts.evictions;
  }
  shard.order.push_front({key, std::move(item), bytes});
  shard.nodes.emplace(key, shard.order.begin());
  shard.counts.bytes += bytes;
}

void BlockCache::DropOwner(uint64_t owner) {
  for (Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    for (auto node = shard.order.begin(); node != shard.order.end();) {
      const auto next = std::next(node);
      if (node->key.owner == owner) shard.Remove(node);
      node = next;
    }
  }
}

BlockCache::Counts BlockCache::Totals() const {
  Counts sum;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    sum.hits += shard.counts.hits;
    sum.misses += shard.counts.misses;
    sum.evictions += shard.counts.evictions;
    sum.bytes += shard.counts.bytes;
  }
  return sum;
}

}  // namespace burin
