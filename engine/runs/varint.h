// Integers in as few bytes as they need: 7 bits a byte, lowest first, the eighth says "more".
//
// Thread rule: pure functions.
#pragma once

#include <cstdint>

namespace burin {

// Takes up to 10 bytes at `to`; answers the place behind them.
inline char* PutVarint(char* to, uint64_t value) {
  while (value >= 0x80) {
    *to++ = static_cast<char>(value | 0x80);
    value >>= 7;
  }
  *to++ = static_cast<char>(value);
  return to;
}

// Answers the place behind the integer at `from`; null: it does not end before `end`, or is longer
// than 64 bits.
inline const char* GetLongVarint(const char* from, const char* end, uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; from < end && shift < 64; shift += 7) {
    const auto byte = static_cast<uint8_t>(*from++);
    if (shift == 63 && byte > 1) return nullptr;
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return from;
  }
  return nullptr;
}

// The same, quick for an integer of one byte.
inline const char* GetVarint(const char* from, const char* end, uint64_t& value) {
  if (from >= end || static_cast<uint8_t>(*from) >= 0x80) [[unlikely]] {
    return GetLongVarint(from, end, value);
  }
  value = static_cast<uint8_t>(*from);
  return from + 1;
}

// Small differences of either sign as small numbers: 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
inline uint64_t ZigZag(uint64_t difference) { return difference << 1 ^ (0 - (difference >> 63)); }
inline uint64_t UnZigZag(uint64_t zigzag) { return zigzag >> 1 ^ (0 - (zigzag & 1)); }

}  // namespace burin
