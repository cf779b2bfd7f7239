#include "engine/runs/key_filter.h"

#include <cstring>

#include "engine/log/format.h"

namespace burin {
namespace {

constexpr size_t kBitsOfKey = 10;
constexpr size_t kWordBits = 64;

// Mixes all bits of a key into all of its hash: the finalizer of MurmurHash3 (Appleby, fmix64).
uint64_t Mix(int64_t key) {
  auto hash = static_cast<uint64_t>(key);
  hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccd;
  hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53;
  return hash ^ hash >> 33;
}

// The upper half of the hash picks the word, the lower 30 bits pick bits in it.
size_t WordOf(uint64_t hash, size_t words) { return (hash >> 32) * words >> 32; }

inline uint64_t BitsOf(uint64_t hash) {
  const auto bit = [hash](unsigned shift) { return uint64_t{1} << (hash >> shift & 63); };
  return bit(0) | bit(6) | bit(12) | bit(18) | bit(24);
}

size_t WordsFor(size_t keys) { return (keys * kBitsOfKey + kWordBits - 1) / kWordBits; }

}  // namespace

size_t FilterBytes(size_t keys) { return sizeof(uint64_t) * (1 + WordsFor(keys)); }

void BuildFilter(std::span<const int64_t> keys, char* to) {
  std::vector<uint64_t> words(WordsFor(keys.size()));
  for (const int64_t key : keys) {
    const uint64_t hash = Mix(key);
    words[WordOf(hash, words.size())] |= BitsOf(hash);
  }
  std::memcpy(to + sizeof(uint64_t), words.data(), words.size() * sizeof(uint64_t));
}

void SealFilter(char* filter, size_t bytes, uint64_t block_checksum) {
  const uint64_t checksum =
      Checksum(filter + sizeof(uint64_t), bytes - sizeof(uint64_t), block_checksum);
  std::memcpy(filter, &checksum, sizeof checksum);
}

bool FilterIsWhole(std::string_view filter, uint64_t block_checksum) {
  uint64_t checksum;
  if (filter.size() < FilterBytes(1) || filter.size() % sizeof checksum != 0) return false;
  std::memcpy(&checksum, filter.data(), sizeof checksum);
  return checksum ==
         Checksum(filter.data() + sizeof checksum, filter.size() - sizeof checksum, block_checksum);
}

KeyFilter::KeyFilter(std::string_view filter) : words_(filter.size() / sizeof(uint64_t) - 1) {
  std::memcpy(words_.data(), filter.data() + sizeof(uint64_t), words_.size() * sizeof(uint64_t));
}

bool KeyFilter::MayContain(int64_t key) const {
  const uint64_t hash = Mix(key);
  const uint64_t bits = BitsOf(hash);
  return (words_[WordOf(hash, words_.size())] & bits) == bits;
}

}  // namespace burin
