// What a run was asked to do, as its record tells.
#include "apps/results/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/results/made_record.h"

namespace throughput {
namespace {

using testing::ElementsAre;

std::vector<std::string> BeyondRecord(const std::vector<std::string>& words) {
  auto record = MadeRecord();
  record.environment.arguments = {"write-throughput"};
  record.environment.arguments.insert(record.environment.arguments.end(), words.begin(),
                                      words.end());
  std::vector<std::string> shown;
  for (const Setting& setting : SettingsBeyondRecord(record)) {
    shown.push_back(setting.name + "=" + setting.value);
  }
  return shown;
}

TEST(Settings, AreReadInEveryFormOfACommandLine) {
  for (const auto& words : std::vector<std::vector<std::string>>{{"-i", "2000"},
                                                                 {"-i2000"},
                                                                 {"--iterations", "2000"},
                                                                 {"--iterations=2000"},
                                                                 {"-qi", "2000"},
                                                                 {"-i", "5", "-i", "2000"}}) {
    EXPECT_THAT(BeyondRecord(words), ElementsAre("iterations=2000"));
  }
}

TEST(Settings, AreTheSameInWhateverOrderTheyWereGiven) {
  EXPECT_THAT(BeyondRecord({"--warmup", "1", "--engine-option", "b=2", "-d", "3", "--engine-option",
                            "a=1", "--data-file", "lines"}),
              ElementsAre("data-file=lines", "duration=3", "warmup=1", "a=1", "b=2"));
}

TEST(Settings, LeaveOutDefaultsAndWhatIsNoneOfTheLoad) {
  EXPECT_THAT(BeyondRecord({"-i", "10", "--warmup=0", "-q", "--database", "-d", "--format", "json",
                            "-o", "r.json", "-r", "5", "--interval", "100"}),
              ElementsAre());
}

TEST(Settings, TakeIoScopeAndWhatCostsTimeFromTheRecord) {
  auto record = MadeRecord();
  record.scope = "run";
  record.engine_io = "pwrite";
  EXPECT_TRUE(SettingsBeyondRecord(record).empty());
  record.engine_io = "io-uring";
  record.scope = "process";
  record.phases.resize(1);
  record.thread_counters.resize(1);
  std::vector<std::string> names;
  for (const Setting& setting : SettingsBeyondRecord(record)) names.push_back(setting.name);
  EXPECT_THAT(names, ElementsAre("io", "scope", "per-thread", "phases"));
}

TEST(Differences, NameWhatDiffersAndNothingElse) {
  auto before = MadeRecord();
  auto after = MadeRecord();
  EXPECT_THAT(DifferencesOf(SettingsOf(before), SettingsOf(after)), ElementsAre());
  after.hasher = "sip13";
  after.value_size_bytes = 200;
  EXPECT_THAT(DifferencesOf(SettingsOf(before), SettingsOf(after)),
              ElementsAre("hasher: fx -> sip13", "value-size: not set -> 200"));
  EXPECT_THAT(DifferencesOf({{"a", "1"}, {"a", "2"}}, {{"a", "1"}}),
              ElementsAre("a: 1 and 2 -> 1"));
}

TEST(Build, TellsBuildsAndFileSystemsApart) {
  auto before = MadeRecord();
  auto after = MadeRecord();
  after.environment.commit = "abc";
  after.environment.file_system = "tmpfs";
  after.environment.libraries = {{"libtbb", "2021.8"}, {"libc", "2.36"}};
  EXPECT_THAT(DifferencesOf(BuildOf(before), BuildOf(after)),
              ElementsAre("libraries: not set -> libtbb 2021.8, libc 2.36",
                          "commit: not set -> abc", "file system: not set -> tmpfs"));
}

}  // namespace
}  // namespace throughput
