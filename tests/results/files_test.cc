// Files are read whole, and replaced whole or not at all.
#include "apps/results/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/results/scratch_folder.h"

namespace throughput {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::chrono::milliseconds kNoPatience{0};

TEST(ReadFile, RefusesWhatIsNoRegularFile) {
  const ScratchFolder folder;
  ASSERT_EQ(::mkfifo(folder.Path("pipe").c_str(), 0600), 0);
  for (const std::string& path : {folder.Path("missing"), folder.Path(""), folder.Path("pipe")}) {
    const auto text = ReadFile(path);
    ASSERT_FALSE(text) << path;
    EXPECT_EQ(text.error().exit_code, kExitRefused);
    EXPECT_THAT(text.error().message, HasSubstr(path));
  }
}

TEST(ReadFile, SaysWhatStandsInItsWay) {
  const ScratchFolder folder;
  folder.Write("file", "");
  EXPECT_THAT(ReadFile(folder.Path("none")).error().message, HasSubstr("No such file"));
  EXPECT_THAT(ReadFile(folder.Path("")).error().message, HasSubstr("Is a directory"));
  EXPECT_THAT(ReadFile(folder.Path("file/x")).error().message, HasSubstr("Not a directory"));
}

TEST(ReadFile, KeepsEveryByte) {
  const ScratchFolder folder;
  const std::string contents("a\0b\r\n\n", 6);
  EXPECT_EQ(ReadFile(folder.Write("file", contents)), contents);
}

TEST(SplitLines, CountsALastLineWithoutItsNewline) {
  EXPECT_THAT(SplitLines(""), ElementsAre());
  EXPECT_THAT(SplitLines("a\n\nb"), ElementsAre("a", "", "b"));
  EXPECT_THAT(SplitLines("a\nb\n"), ElementsAre("a", "b"));
}

TEST(ReplaceFile, LeavesNothingBesideTheFile) {
  const ScratchFolder folder;
  ASSERT_TRUE(ReplaceFile(folder.Path("file"), "old"));
  ASSERT_TRUE(ReplaceFile(folder.Path("file"), "new"));
  EXPECT_EQ(folder.Read("file"), "new");
  EXPECT_THAT(folder.Names(), ElementsAre("file"));
}

TEST(ReplaceFile, KeepsPermissionsAndFollowsLinks) {
  const ScratchFolder folder;
  folder.Write("file", "old");
  ASSERT_EQ(::chmod(folder.Path("file").c_str(), 0640), 0);
  ASSERT_EQ(::symlink("file", folder.Path("link").c_str()), 0);
  ASSERT_TRUE(ReplaceFile(folder.Path("link"), "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.Path("link")));
  EXPECT_EQ(folder.Read("file"), "new");
  struct stat status {};
  ASSERT_EQ(::stat(folder.Path("file").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640);
}

TEST(ReplaceFile, StepsAsideForWhatAKilledProcessLeft) {
  const ScratchFolder folder;
  folder.Write("file.partial-1", "half");
  ASSERT_TRUE(ReplaceFile(folder.Path("file"), "new"));
  EXPECT_EQ(folder.Read("file.partial-1"), "half");
  EXPECT_EQ(folder.Read("file"), "new");
}

TEST(ReplaceFile, FailsWithoutItsFolder) {
  const ScratchFolder folder;
  const auto written = ReplaceFile(folder.Path("missing/file"), "new");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().exit_code, kExitFailed);
  EXPECT_THAT(written.error().message, HasSubstr("No such file"));
}

TEST(ReplaceFile, LeavesAFolderOfThatNameAlone) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder.Path("file"));
  EXPECT_FALSE(ReplaceFile(folder.Path("file"), "new"));
  EXPECT_THAT(folder.Names(), ElementsAre("file"));
}

TEST(WriteNewFolder, TakesANewOrAnEmptyFolder) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder.Path("empty"));
  for (const char* name : {"new", "empty", "slash/"}) {
    EXPECT_TRUE(WriteNewFolder(folder.Path(name), {{"a", "1"}, {"b", "2"}})) << name;
  }
  EXPECT_THAT(folder.Names(), ElementsAre("empty", "new", "slash"));
  EXPECT_EQ(folder.Read("empty/b"), "2");
  EXPECT_EQ(folder.Read("slash/a"), "1");
}

TEST(WriteNewFolder, RefusesAFolderInUseAndAFile) {
  const ScratchFolder folder;
  folder.Write("file", "mine");
  std::filesystem::create_directory(folder.Path("used"));
  folder.Write("used/otava.yaml", "mine");
  for (const char* name : {"file", "used", "missing/new"}) {
    const auto written = WriteNewFolder(folder.Path(name), {{"otava.yaml", "ours"}});
    ASSERT_FALSE(written) << name;
    EXPECT_EQ(written.error().exit_code, kExitRefused);
  }
  EXPECT_EQ(folder.Read("file"), "mine");
  EXPECT_EQ(folder.Read("used/otava.yaml"), "mine");
  EXPECT_THAT(folder.Names(), ElementsAre("file", "used"));
}

TEST(WriteNewFolder, LeavesNothingWhenAFileCannotBeWritten) {
  const ScratchFolder folder;
  const auto written = WriteNewFolder(folder.Path("new"), {{"a", "1"}, {"no/such", "2"}});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().exit_code, kExitFailed);
  EXPECT_THAT(folder.Names(), ElementsAre());
}

TEST(FolderLock, IsHeldByOneAndFreedWithIt) {
  const ScratchFolder folder;
  {
    const auto first = FolderLock::Around(folder.Path("history"), kNoPatience);
    ASSERT_TRUE(first);
    const auto second = FolderLock::Around(folder.Path("history"), kNoPatience);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().exit_code, kExitRefused);
    EXPECT_THAT(second.error().message, HasSubstr("another process"));
  }
  EXPECT_TRUE(FolderLock::Around(folder.Path("history"), kNoPatience));
}

TEST(FolderLock, NeedsTheFolder) {
  const ScratchFolder folder;
  EXPECT_FALSE(FolderLock::Around(folder.Path("missing/history"), kNoPatience));
}

}  // namespace
}  // namespace throughput
