// Keys that hash functions and power-of-two tables dislike: strides, and keys made to collide. They
// may cost space; they must not cost time without bound, nor right answers.
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <set>

#include "engine/hash.h"
#include "tests/engine/test_database.h"

namespace burin {
namespace {

// The inverse of FxHash's multiplier modulo 2^64, by Newton's method.
constexpr uint64_t Inverse(uint64_t odd) {
  uint64_t inverse = odd;
  for (int i = 0; i < 6; ++i) inverse *= 2 - odd * inverse;
  return inverse;
}

constexpr uint64_t kFxMultiplier = 0xf1357aea2e62a9c5;
static_assert(kFxMultiplier * Inverse(kFxMultiplier) == 1);

// A key whose FxHash is `hash`.
int64_t KeyWithFxHash(uint64_t hash) {
  return static_cast<int64_t>(std::rotr(hash, 26) * Inverse(kFxMultiplier));
}

TEST(HostileKeysTest, TheKeysMadeForThisTestDoCollide) {
  for (const uint64_t i : {1, 2, 77, 99999}) {
    EXPECT_EQ(FxHash64(static_cast<uint64_t>(KeyWithFxHash(i << 20))), i << 20);
  }
}

struct KeySet {
  const char* name;
  std::function<int64_t(int64_t)> key;
  bool harmless;
};

const KeySet kKeySets[] = {
    {"counting", [](int64_t i) { return i; }, true},
    {"shifted by 32", [](int64_t i) { return i << 32; }, true},
    {"shifted by 20", [](int64_t i) { return i << 20; }, true},
    {"negative", [](int64_t i) { return -i; }, true},
    {"low bits of FxHash zero",
     [](int64_t i) { return KeyWithFxHash(static_cast<uint64_t>(i) << 20); }, false},
    {"high bits of FxHash zero", [](int64_t i) { return KeyWithFxHash(static_cast<uint64_t>(i)); },
     false},
};

class HostileKeysTest : public testing::TestWithParam<std::tuple<Hasher, int>> {
 protected:
  static constexpr int64_t kCount = 20000;
  static constexpr int64_t kBatch = 500;

  Hasher hasher() const { return std::get<0>(GetParam()); }
  const KeySet& keys() const { return kKeySets[std::get<1>(GetParam())]; }

  EngineOptions Options() {
    EngineOptions options = SmallOptions(&files_);
    options.hasher = hasher();
    options.table_slots = 1 << 15;
    options.segment_bytes = 8 << 20;
    return options;
  }

  void InsertKeys(Engine& engine, std::set<int64_t>* expected) const {
    const TableId table = MakeTable(engine);
    const auto session = engine.Connect();
    for (int64_t first = 1; first <= kCount; first += kBatch) {
      Transaction transaction = BeginOn(*session);
      for (int64_t i = first; i < first + kBatch; ++i) {
        transaction.batch().Insert(table, keys().key(i), "row");
        expected->insert(keys().key(i));
      }
      ASSERT_EQ(Text(transaction.Commit()), "ok");
    }
    ASSERT_EQ(expected->size(), static_cast<size_t>(kCount));
  }

  // 20,000 rows fit into one table of 32,768 slots, unless their keys collide; and a table takes as
  // many colliding keys as a probe looks at, which is more than a hundred.
  void ExpectFewFreezes(uint64_t freezes) const {
    const bool collide = !keys().harmless && hasher() == Hasher::kFx;
    EXPECT_LE(freezes, collide ? static_cast<uint64_t>(kCount) / 100 : 0);
    RecordProperty("freezes", std::to_string(freezes));
  }

  void ExpectRightAnswers(Engine& engine, const std::set<int64_t>& expected) const {
    const TableId table = MakeTable(engine);
    const auto session = engine.Connect();
    Transaction reader = BeginOn(*session);
    for (int64_t i = 1; i <= kCount; i += 97) {
      for (const int64_t key : {keys().key(i), keys().key(i) ^ 1}) {
        const auto value = reader.Get(table, key);
        ASSERT_TRUE(value.ok());
        ASSERT_EQ(value->has_value(), expected.contains(key)) << key;
      }
    }
    const Rows rows = AllRows(reader, table);
    ASSERT_EQ(rows.size(), expected.size());
    EXPECT_TRUE(std::equal(rows.begin(), rows.end(), expected.begin(),
                           [](const auto& row, int64_t key) { return row.first == key; }));
    EXPECT_EQ(reader.Insert(table, keys().key(1), "x").code(), StatusCode::kDuplicate);
  }

  SimulatedFileSystem files_;
};

TEST_P(HostileKeysTest, TheyCostBoundedTimeAndSpaceAndNoRightAnswer) {
  WithDeadline(std::chrono::seconds(60), [this] {
    std::set<int64_t> expected;
    {
      const auto engine = OpenDatabase(Options());
      InsertKeys(*engine, &expected);
      ExpectFewFreezes(engine->Statistics().table_freezes);
      ExpectRightAnswers(*engine, expected);
    }
    const auto reopened = OpenDatabase(Options());
    EXPECT_EQ(AllRows(*reopened, MakeTable(*reopened)).size(), expected.size());
  });
}

INSTANTIATE_TEST_SUITE_P(Keys, HostileKeysTest,
                         testing::Combine(testing::Values(Hasher::kFx, Hasher::kSip13),
                                          testing::Range(0, 6)),
                         [](const auto& each) {
                           std::string name = std::get<0>(each.param) == Hasher::kFx ? "Fx" : "Sip";
                           for (const char c :
                                std::string(kKeySets[std::get<1>(each.param)].name)) {
                             name += c == ' ' ? '_' : c;
                           }
                           return name;
                         });

}  // namespace
}  // namespace burin
