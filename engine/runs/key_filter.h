// The Bloom filter of one data block: says for certain which keys are not in it, for a fifteenth of
// the memory that the block itself would take.
//
// 10 bits a key, in words of 64 bits; a key sets 5 bits of one word, so that a test is one load.
// About 1.5 % of the absent keys pass (measured by a test).
// Thread rule: building is pure; a KeyFilter is immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/runs/block_cache.h"

namespace burin {

// Bytes in the file, of a checksum and the words.
size_t FilterBytes(size_t keys);

// Writes the filter of `keys`, which are all different, to `to`; without its checksum.
void BuildFilter(std::span<const int64_t> keys, char* to);

// Seeds with the checksum of the filter's block, so that it proves whose filter it is.
void SealFilter(char* filter, size_t bytes, uint64_t block_checksum);
bool FilterIsWhole(std::string_view filter, uint64_t block_checksum);

class KeyFilter final : public CacheItem {
 public:
  // Of bytes that FilterIsWhole proved.
  explicit KeyFilter(std::string_view filter);

  bool MayContain(int64_t key) const;
  size_t MemoryBytes() const override { return sizeof *this + words_.size() * sizeof(uint64_t); }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace burin
