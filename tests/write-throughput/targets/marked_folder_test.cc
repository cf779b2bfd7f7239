#include "apps/write-throughput/targets/marked_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/write-throughput/temporary_folder.h"

namespace throughput {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class MarkedFolderTest : public testing::Test {
 protected:
  PathReport Report() { return MarkedFolder::Inspect(path_).value(); }

  TemporaryFolder folder_;
  const std::string path_ = folder_ / "x.db";
};

TEST_F(MarkedFolderTest, IsOursOnceItIsMadeAndGoesWithAllThatIsInIt) {
  EXPECT_EQ(Report().state, PathState::kAbsent);
  {
    MarkedFolder made;
    ASSERT_TRUE(made.Create(path_));
    folder_.Write("x.db/data", "rows");
    std::filesystem::create_directories(folder_ / "x.db/deep/deeper");
  }
  EXPECT_EQ(Report().state, PathState::kOurs);
  EXPECT_TRUE(MarkedFolder::Remove(path_));
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

TEST_F(MarkedFolderTest, IsInUseWhileAnotherProcessHasIt) {
  int ready[2];
  int leave[2];
  ASSERT_EQ(pipe(ready), 0);
  ASSERT_EQ(pipe(leave), 0);
  const pid_t other = fork();
  if (other == 0) {
    MarkedFolder made;
    char byte = made.Create(path_) ? 'y' : 'n';
    if (write(ready[1], &byte, 1) != 1 || read(leave[0], &byte, 1) != 1) _exit(1);
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'y');
  EXPECT_EQ(Report().state, PathState::kInUse);
  EXPECT_EQ(Report().detail, "by process " + std::to_string(other));
  ASSERT_EQ(write(leave[1], &byte, 1), 1);
  waitpid(other, nullptr, 0);
  EXPECT_EQ(Report().state, PathState::kOurs) << "the lock ends with its process";
}

TEST_F(MarkedFolderTest, IsForeignWithoutTheMarkOrWithAnotherText) {
  folder_.Write("x.db", "a file");
  EXPECT_EQ(Report().state, PathState::kForeign);
  std::filesystem::remove(path_);
  std::filesystem::create_directory(path_);
  EXPECT_EQ(Report().state, PathState::kForeign);
  folder_.Write("x.db/write-throughput.mark", "not our text");
  EXPECT_EQ(Report().state, PathState::kForeign);
  std::filesystem::remove(folder_ / "x.db/write-throughput.mark");
  folder_.Write("mark", "This folder was made by write-throughput.\n");
  std::filesystem::create_symlink(folder_ / "mark", folder_ / "x.db/write-throughput.mark");
  EXPECT_EQ(Report().state, PathState::kForeign) << "a link may point anywhere";
}

TEST_F(MarkedFolderTest, IsNeverMadeOverSomething) {
  std::filesystem::create_directory(path_);
  MarkedFolder made;
  const auto created = made.Create(path_);
  ASSERT_FALSE(created);
  EXPECT_THAT(created.error().text, HasSubstr("File exists"));
}

TEST_F(MarkedFolderTest, LinksInItAreRemovedAndWhatTheyPointToStays) {
  folder_.Write("precious", "precious");
  {
    MarkedFolder made;
    ASSERT_TRUE(made.Create(path_));
  }
  std::filesystem::create_symlink(folder_ / "precious", folder_ / "x.db/link");
  EXPECT_TRUE(MarkedFolder::Remove(path_));
  EXPECT_EQ(folder_.Read("precious"), "precious");
}

}  // namespace
}  // namespace throughput
