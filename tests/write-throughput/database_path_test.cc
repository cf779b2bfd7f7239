#include "apps/write-throughput/database_path.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/engine.h"
#include "tests/write-throughput/temporary_folder.h"

namespace throughput {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class DatabasePathTest : public testing::Test {
 protected:
  // A closed database that `creator` made, or an open one for as long as the result lives.
  std::unique_ptr<burin::Engine> Make(const std::string& path, const std::string& creator,
                                      bool stay_open = false) {
    burin::EngineOptions options;
    options.creator = creator;
    options.segment_bytes = 1 << 20;
    auto engine = burin::Engine::Open(path, options);
    EXPECT_TRUE(engine.ok()) << engine.status().message();
    if (!engine.ok()) return nullptr;
    if (stay_open) return std::move(*engine);
    EXPECT_TRUE((*engine)->Close().ok());
    return nullptr;
  }

  std::string Refusal(const std::string& path) {
    const auto checked = CheckDatabasePath(engine_, path);
    EXPECT_FALSE(checked);
    EXPECT_FALSE(ClearDatabasePath(engine_, path)) << "nor must it be cleared";
    return checked ? "" : checked.error().text;
  }

  TemporaryFolder folder_;
  const std::string path_ = folder_ / "x.db";
  const TargetInfo& engine_ = *FindTarget("burin");
};

TEST_F(DatabasePathTest, NothingThereIsFine) {
  EXPECT_TRUE(CheckDatabasePath(engine_, path_));
  EXPECT_TRUE(CheckDatabasePath(engine_, path_ + "/"));
  EXPECT_TRUE(ClearDatabasePath(engine_, path_));
  EXPECT_TRUE(RemoveDatabase(engine_, path_));
}

TEST_F(DatabasePathTest, OursIsReplacedWithAllItsFiles) {
  Make(path_, "write-throughput");
  EXPECT_TRUE(CheckDatabasePath(engine_, path_));
  EXPECT_FALSE(folder_.Names().empty()) << "a check changes nothing";
  EXPECT_TRUE(ClearDatabasePath(engine_, path_));
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

TEST_F(DatabasePathTest, ADatabaseOfAnotherProgramIsLeftAlone) {
  Make(path_, "somebody else");
  EXPECT_THAT(Refusal(path_), HasSubstr("made by 'somebody else'"));
  EXPECT_TRUE(RemoveDatabase(engine_, path_)) << "nothing of ours to remove";
  EXPECT_FALSE(folder_.Names().empty());
}

TEST_F(DatabasePathTest, ADatabaseInUseNamesTheProcess) {
  const auto open = Make(path_, "write-throughput", true);
  EXPECT_THAT(Refusal(path_), HasSubstr("in use"));
}

TEST_F(DatabasePathTest, FilesFoldersAndLinksOfOthersAreLeftAlone) {
  folder_.Write("file", "precious");
  ASSERT_EQ(mkdir((folder_ / "folder").c_str(), 0700), 0);
  ASSERT_EQ(symlink("nowhere", (folder_ / "dangling").c_str()), 0);
  Make(path_, "write-throughput");
  ASSERT_EQ(symlink(path_.c_str(), (folder_ / "link").c_str()), 0);
  for (const char* name : {"file", "folder", "dangling", "link"}) {
    EXPECT_THAT(Refusal(folder_ / name), HasSubstr("not made by write-throughput")) << name;
    EXPECT_TRUE(RemoveDatabase(engine_, folder_ / name));
  }
  EXPECT_THAT(folder_.Names(), testing::ElementsAre("dangling", "file", "folder", "link", "x.db"));
  EXPECT_EQ(folder_.Read("file"), "precious");
}

TEST_F(DatabasePathTest, AFolderThatIsMissingOrNoneIsRefused) {
  folder_.Write("file", "");
  EXPECT_THAT(Refusal(folder_ / "missing/x.db"), HasSubstr("No such file"));
  EXPECT_THAT(Refusal(folder_ / "file/x.db"), HasSubstr("Not a directory"));
  EXPECT_THAT(Refusal(std::string(5000, 'x')), HasSubstr("File name too long"));
}

TEST_F(DatabasePathTest, AFolderThatTakesNoFilesIsRefused) {
  EXPECT_THAT(Refusal("/proc/x.db"), HasSubstr("'/proc' takes no files"));
  if (geteuid() == 0) return;  // who may write everywhere
  ASSERT_EQ(chmod(folder_.path().c_str(), 0500), 0);
  EXPECT_THAT(Refusal(path_), HasSubstr("cannot be written: Permission denied"));
}

TEST_F(DatabasePathTest, OneOfOursThatMayNotBeChangedIsRefused) {
  constexpr uid_t kNobody = 65534;  // the superuser may change everything
  Make(path_, "write-throughput");
  ASSERT_EQ(chmod(path_.c_str(), 0555), 0);
  ASSERT_EQ(chmod(folder_.path().c_str(), 0777), 0);
  EXPECT_EXIT(
      {
        if (geteuid() == 0 && setuid(kNobody) != 0) _exit(1);
        fmt::print(stderr, "{}", Refusal(path_));
        _exit(0);
      },
      testing::ExitedWithCode(0), "made by .*, but cannot be replaced: Permission denied");
  EXPECT_EQ(chmod(path_.c_str(), 0755), 0);
}

TEST_F(DatabasePathTest, AnEngineWithoutFilesHasNoPath) {
  folder_.Write("x.db", "precious");
  const TargetInfo& null = *FindTarget("null");
  EXPECT_TRUE(CheckDatabasePath(null, path_));
  EXPECT_TRUE(ClearDatabasePath(null, path_));
  EXPECT_TRUE(RemoveDatabase(null, path_));
  EXPECT_EQ(folder_.Read("x.db"), "precious");
}

}  // namespace
}  // namespace throughput
