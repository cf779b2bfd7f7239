// Which files are taken for results, and what is said of the others.
#include "apps/results/result_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/results/made_record.h"
#include "tests/results/scratch_folder.h"

namespace throughput {
namespace {

using testing::HasSubstr;

TEST(ReadResults, KeepsTheOrderOfFilesAndLines) {
  const ScratchFolder folder;
  auto record = MadeRecord();
  std::string text;
  for (int repeat = 1; repeat <= 2; ++repeat) {
    record.repeat = repeat;
    text += metrics::ToJson(record) + "\n";
  }
  record.repeat = 3;
  const auto first = folder.Write("a.json", text);
  const auto runs = ReadResults({first, folder.Write("b.json", metrics::ToJson(record))});
  ASSERT_TRUE(runs);
  ASSERT_EQ(runs->size(), 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ((*runs)[i].record.repeat, i + 1);
  EXPECT_EQ((*runs)[1].where, first + " line 2");
  EXPECT_EQ((*runs)[1].metrics.front().value, 100'000);
}

TEST(ReadResults, SaysOfABadFileWhereAndWhat) {
  const ScratchFolder folder;
  const std::string good = metrics::ToJson(MadeRecord());
  std::string other_version = good;
  other_version.replace(other_version.find(":1,"), 3, ":9,");
  auto interrupted = MadeRecord();
  interrupted.interrupted = true;
  auto nameless = MadeRecord();
  nameless.system.clear();
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "r.json: is empty: it holds no result"},
      {" \t\r\n\n", "r.json: is empty: it holds no result"},
      {good + "\n\n" + good, "r.json line 2: "},
      {metrics::ToJson(nameless), "r.json line 1: system is ''"},
      {good.substr(0, good.size() / 2), "r.json line 1: "},
      {good + "\n" + good.substr(0, 50), "r.json line 2: "},
      {other_version, "schema_version 9"},
      {good + "\n" + good, "r.json line 2: the same run as "},
      {metrics::ToJson(interrupted), "r.json line 1: the run was interrupted"},
      {"Burin,1,100,0,106875.21\n", "r.json line 1: "},
  };
  for (const auto& [contents, message] : cases) {
    const auto runs = ReadResults({folder.Write("r.json", contents)});
    ASSERT_FALSE(runs) << message;
    EXPECT_EQ(runs.error().exit_code, kExitRefused);
    EXPECT_THAT(runs.error().message, HasSubstr(message));
    EXPECT_EQ(runs.error().message.find('\n'), std::string::npos);
  }
}

TEST(ReadResults, FindsTheSameRunInAnotherFile) {
  const ScratchFolder folder;
  const std::string line = metrics::ToJson(MadeRecord());
  const auto runs = ReadResults({folder.Write("a.json", line), folder.Write("b.json", line)});
  ASSERT_FALSE(runs);
  EXPECT_THAT(runs.error().message, HasSubstr("b.json line 1: the same run as "));
}

}  // namespace
}  // namespace throughput
