// Targets at their own interface: a database whose file was damaged is an error in the engine's own
// words, and never rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/write-throughput/targets/engines.h"

namespace throughput {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct Damage {
  const char* engine;
  const char* file;  // in the folder; a '*' at its end: whose name begins so
};

class DamagedFileTest : public testing::TestWithParam<Damage> {
 protected:
  void SetUp() override {
    const std::string missing = Missing(GetParam().engine);
    if (!missing.empty()) GTEST_SKIP() << missing;
    options_.path = folder_ / "x.db";
    options_.mode = FindTarget(GetParam().engine)->best_mode;
  }

  void Load() {
    const auto target = FindTarget(GetParam().engine)->make();
    ASSERT_TRUE(target->Create(options_));
    {
      const auto connection = target->Connect();
      ASSERT_TRUE(connection);
      ASSERT_EQ((*connection)->Begin(), Outcome::kOk);
      for (int64_t id = -3; id < 500; ++id) {
        ASSERT_EQ((*connection)->Insert(id, "value"), Outcome::kOk);
      }
      ASSERT_EQ((*connection)->Commit(), Outcome::kOk);
    }
    ASSERT_TRUE(target->Close());
  }

  std::string FileToDamage() const {
    const std::filesystem::path named = folder_ / ("x.db/" + std::string(GetParam().file));
    std::string prefix = named.filename();
    if (!prefix.ends_with('*')) return named;
    prefix.pop_back();
    for (const auto& entry : std::filesystem::directory_iterator(named.parent_path())) {
      if (entry.path().filename().string().starts_with(prefix)) return entry.path();
    }
    return "";
  }

  // Ids in the order they come; or the failure.
  Expected<std::vector<int64_t>> Rows() {
    const auto target = FindTarget(GetParam().engine)->make();
    if (auto opened = target->Reopen(options_); !opened) return tl::unexpected(opened.error());
    std::vector<int64_t> ids;
    const auto walked = target->ForEachRow([&](int64_t id, std::string_view value) {
      EXPECT_EQ(value, "value");
      ids.push_back(id);
      return true;
    });
    static_cast<void>(target->Close());
    if (!walked) return tl::unexpected(walked.error());
    return ids;
  }

  TemporaryFolder folder_;
  TargetOptions options_;
};

INSTANTIATE_TEST_SUITE_P(Engines, DamagedFileTest,
                         testing::Values(Damage{"sqlite", "database.sqlite"},
                                         Damage{"rocksdb", "rocksdb/MANIFEST*"},
                                         Damage{"lmdb", "data.mdb"}, Damage{"raw-log", "log"}),
                         [](const auto& test) {
                           std::string name = test.param.engine;
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(DamagedFileTest, AnUndamagedOneHasEveryRowInOrder) {
  Load();
  const auto rows = Rows();
  ASSERT_TRUE(rows) << rows.error().text;
  ASSERT_EQ(rows->size(), 503u);
  EXPECT_EQ(rows->front(), -3);
  EXPECT_TRUE(std::is_sorted(rows->begin(), rows->end()));
}

TEST_P(DamagedFileTest, IsAnErrorOfTheEngines) {
  Load();
  const std::string file = FileToDamage();
  ASSERT_NE(file, "");
  {
    // Not from its first byte on, by which raw-log knows that there is a record at all.
    std::fstream damaged(file, std::ios::binary | std::ios::in | std::ios::out);
    damaged.seekp(8);
    damaged << std::string(6000, '\x7e');
  }
  const auto rows = Rows();
  ASSERT_FALSE(rows);
  EXPECT_THAT(rows.error().text, AllOf(HasSubstr(GetParam().engine), Not(HasSubstr("\n"))));
}

TEST_P(DamagedFileTest, ThatIsGoneIsAnError) {
  if (std::string(GetParam().engine) == "lmdb") GTEST_SKIP() << "makes an empty one in its place";
  Load();
  std::filesystem::remove(FileToDamage());
  const auto rows = Rows();
  EXPECT_FALSE(rows && !rows->empty());
}

}  // namespace
}  // namespace throughput
