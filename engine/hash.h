// The two hash functions of Burin's tables: FxHash (fast, made for trusted keys) and SipHash-1-3
// (keyed mixing that resists chosen keys), so that one can be measured against the other.
//
// FxHash: as rustc-hash 2.1 defines it for 64-bit machines. SipHash-1-3: Aumasson and Bernstein,
// "SipHash: a fast short-input PRF" (2012), one compression and three finalization rounds, with a
// zero key, as Rust's default map uses it. Integers are hashed as their 8 little-endian bytes.
// Thread rule: pure functions.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace burin {
namespace hash_internal {

static_assert(std::endian::native == std::endian::little, "words are read as they lie in memory");

inline uint64_t Load64(const char* from) {
  uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

inline uint64_t Load32(const char* from) {
  uint32_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

__extension__ typedef unsigned __int128 Uint128;

inline uint64_t FoldedMultiply(uint64_t a, uint64_t b) {
  const Uint128 product = static_cast<Uint128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// The state of SipHash with a zero key.
struct SipState {
  uint64_t v0 = 0x736f6d6570736575, v1 = 0x646f72616e646f6d;
  uint64_t v2 = 0x6c7967656e657261, v3 = 0x7465646279746573;

  void Round() {
    v0 += v1;
    v2 += v3;
    v1 = std::rotl(v1, 13) ^ v0;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 = std::rotl(v0, 32) + v3;
    v2 += v1;
    v1 = std::rotl(v1, 17) ^ v2;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 = std::rotl(v2, 32);
  }

  void Absorb(uint64_t word) {
    v3 ^= word;
    Round();
    v0 ^= word;
  }

  uint64_t Finish() {
    v2 ^= 0xff;
    Round();
    Round();
    Round();
    return v0 ^ v1 ^ v2 ^ v3;
  }
};

// The mix of a byte string that FxHash adds as one word.
inline uint64_t FxMixBytes(std::string_view bytes) {
  uint64_t s0 = 0x243f6a8885a308d3, s1 = 0x13198a2e03707344;
  const char* data = bytes.data();
  const size_t size = bytes.size();
  if (size > 16) {
    for (size_t at = 0; at < size - 16; at += 16) {
      const uint64_t mixed =
          FoldedMultiply(s0 ^ Load64(data + at), 0xa4093822299f31d0 ^ Load64(data + at + 8));
      s0 = s1;
      s1 = mixed;
    }
    s0 ^= Load64(data + size - 16);
    s1 ^= Load64(data + size - 8);
  } else if (size >= 8) {
    s0 ^= Load64(data);
    s1 ^= Load64(data + size - 8);
  } else if (size >= 4) {
    s0 ^= Load32(data);
    s1 ^= Load32(data + size - 4);
  } else if (size > 0) {
    const auto byte = [&](size_t at) {
      return static_cast<uint64_t>(static_cast<uint8_t>(data[at]));
    };
    s0 ^= byte(0);
    s1 ^= byte(size - 1) << 8 | byte(size / 2);
  }
  return FoldedMultiply(s0, s1) ^ size;
}

}  // namespace hash_internal

inline uint64_t FxHash64(uint64_t value) { return std::rotl(value * 0xf1357aea2e62a9c5, 26); }

inline uint64_t FxHashBytes(std::string_view bytes) {
  return FxHash64(hash_internal::FxMixBytes(bytes));
}

inline uint64_t SipHash13(uint64_t value) {
  hash_internal::SipState state;
  state.Absorb(value);
  state.Absorb(uint64_t{sizeof value} << 56);
  return state.Finish();
}

inline uint64_t SipHash13Bytes(std::string_view bytes) {
  hash_internal::SipState state;
  size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) state.Absorb(hash_internal::Load64(bytes.data() + at));
  uint64_t last = static_cast<uint64_t>(bytes.size()) << 56;
  for (size_t i = 0; at + i < bytes.size(); ++i) {
    last |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[at + i])) << (8 * i);
  }
  state.Absorb(last);
  return state.Finish();
}

}  // namespace burin
