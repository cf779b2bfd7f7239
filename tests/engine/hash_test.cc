// The hash functions against values that Rust's own implementations gave (vectors/README.md).
#include "engine/hash.h"

#include <gtest/gtest.h>

#include <charconv>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace burin {
namespace {

struct Vector {
  std::string kind;
  std::string input;
  uint64_t fx = 0;
  uint64_t sip13 = 0;
};

uint64_t Number(std::string_view text, int base) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  EXPECT_TRUE(error == std::errc() && end == text.data() + text.size()) << text;
  return value;
}

std::string Bytes(std::string_view hex) {
  std::string bytes;
  if (hex == "-") return bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(Number(hex.substr(i, 2), 16)));
  }
  return bytes;
}

std::vector<Vector> ReadVectors() {
  std::ifstream file(HASH_VECTORS);
  std::vector<Vector> vectors;
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "kind,input,fxhash64,siphash13");
  while (std::getline(file, line)) {
    std::vector<std::string> fields(1);
    for (const char c : line) {
      if (c == ',') {
        fields.emplace_back();
      } else {
        fields.back().push_back(c);
      }
    }
    EXPECT_EQ(fields.size(), 4u) << line;
    vectors.push_back({fields[0], fields[1], Number(fields[2], 16), Number(fields[3], 16)});
  }
  return vectors;
}

TEST(HashTest, EveryVectorIsMet) {
  const std::vector<Vector> vectors = ReadVectors();
  EXPECT_EQ(vectors.size(), 70u);
  std::set<std::string> kinds;
  for (const Vector& vector : vectors) {
    kinds.insert(vector.kind);
    if (vector.kind == "u64") {
      const uint64_t input = Number(vector.input, 10);
      EXPECT_EQ(FxHash64(input), vector.fx) << vector.input;
      EXPECT_EQ(SipHash13(input), vector.sip13) << vector.input;
    } else {
      const std::string input = Bytes(vector.input);
      EXPECT_EQ(FxHashBytes(input), vector.fx) << vector.input;
      EXPECT_EQ(SipHash13Bytes(input), vector.sip13) << vector.input;
    }
  }
  EXPECT_EQ(kinds, (std::set<std::string>{"bytes", "u64"}));
}

TEST(HashTest, AnIntegerHashesAsItsLittleEndianBytesUnderSipHash) {
  EXPECT_EQ(SipHash13(0x0807060504030201), SipHash13Bytes("\1\2\3\4\5\6\7\10"));
}

TEST(HashTest, BytesMayLieAtAnyAddress) {
  const std::string text = "0123456789abcdefghijklmnopqrstuvwxyz";
  for (size_t shift = 1; shift < 8; ++shift) {
    const std::string shifted = std::string(shift, 'x') + text;
    EXPECT_EQ(FxHashBytes(std::string_view(shifted).substr(shift)), FxHashBytes(text));
    EXPECT_EQ(SipHash13Bytes(std::string_view(shifted).substr(shift)), SipHash13Bytes(text));
  }
}

}  // namespace
}  // namespace burin
