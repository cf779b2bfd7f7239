// A whole life of a database on the operating system's files, and the library's version.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "tests/engine/temporary_folder.h"
#include "tests/engine/test_database.h"

namespace burin {
namespace {

using testing::HasSubstr;

TEST(RealDatabaseTest, RealFilesDoTheSame) {
  const TemporaryFolder folder;
  const std::string path = folder / "db";
  EngineOptions options = SmallOptions(nullptr);
  options.creator = "test";
  {
    const auto engine = OpenDatabase(options, path);
    const TableId table = MakeTable(*engine);
    const auto session = engine->Connect();
    for (int64_t key = 0; key < 100; ++key) {
      ASSERT_EQ(Text(InsertRow(*session, table, key, std::string(20000, 'x'))), "ok");
    }
    const Status status = Engine::Open(path, options).TakeStatus();
    EXPECT_EQ(status.code(), StatusCode::kInUse);
    EXPECT_THAT(Text(status), HasSubstr("(" + std::to_string(getpid()) + ")"));
    const auto info = Engine::Inspect(path);
    ASSERT_TRUE(info.ok());
    EXPECT_EQ(info->creator, "test");
    EXPECT_TRUE(info->in_use);
    EXPECT_EQ(info->holder_pid, getpid());
  }
  {
    const auto engine = OpenDatabase(options, path);
    EXPECT_TRUE(engine->recovery().clean);
    EXPECT_EQ(AllRows(*engine, MakeTable(*engine)).size(), 100u);
  }
  EXPECT_FALSE(Engine::Inspect(path)->in_use);
  EXPECT_EQ(Text(Engine::Remove(path)), "ok");
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(VersionTest, HasThreeNumbers) {
  EXPECT_THAT(std::string(Version()), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

}  // namespace
}  // namespace burin
