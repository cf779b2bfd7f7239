#include "apps/write-throughput/option_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/write-throughput/temporary_folder.h"

namespace throughput {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class OptionFilesTest : public testing::Test {
 protected:
  Expected<> Check(std::vector<std::string> words) {
    words.insert(words.begin(), "prog");
    const auto options = ParseOptions(words);
    EXPECT_TRUE(options) << (options ? "" : options.error().text);
    if (!options) return {};
    return CheckPaths(*options, MakeCells(*options));
  }

  TemporaryFolder folder_;
};

TEST_F(OptionFilesTest, EveryDatabaseOfASweepIsLookedAt) {
  folder_.Write("2.db", "precious");
  const std::string path = folder_ / "{cell}.db";
  EXPECT_TRUE(Check({"--database", path, "-t", "1"}));
  const auto refused = Check({"--database", path, "-t", "1,2"});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text, AllOf(HasSubstr("--database"), HasSubstr("/2.db'")));
}

TEST_F(OptionFilesTest, AnOutputIsNeitherTheDataFileNorInTheDatabase) {
  const std::string data = folder_.Write("data", "a\n");
  const std::string database = folder_ / "x.db";
  ASSERT_EQ(symlink(data.c_str(), (folder_ / "link").c_str()), 0);
  const std::vector<std::string> base = {"--data-file", data, "--database", database};
  const auto with = [&base](const std::string& flag, const std::string& path) {
    std::vector<std::string> words = base;
    words.insert(words.end(), {flag, path});
    return words;
  };
  EXPECT_TRUE(Check(with("-o", folder_ / "rows.csv")));
  EXPECT_TRUE(Check(with("-o", folder_ / "x.db.csv")));
  for (const char* flag : {"-o", "--summary-output"}) {
    EXPECT_FALSE(Check(with(flag, data)));
    EXPECT_FALSE(Check(with(flag, folder_ / "./data")));
    EXPECT_FALSE(Check(with(flag, folder_ / "link")));
    EXPECT_FALSE(Check(with(flag, database)));
    EXPECT_FALSE(Check(with(flag, database + "/rows.csv")));
  }
}

TEST_F(OptionFilesTest, TheDataFilesErrorNamesTheFlag) {
  Options options;
  EXPECT_TRUE(ReadDataFile(options));
  options.data_file = folder_ / "missing";
  const auto file = ReadDataFile(options);
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().text, AllOf(HasSubstr("--data-file"), HasSubstr("missing'")));
}

}  // namespace
}  // namespace throughput
