// Failing files: every call of a workload fails once in every way it can. Nothing acknowledged is
// lost, nothing is acknowledged that was not, and what the engine says fits what it then does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/failing_workload.h"

namespace burin {
namespace {

using testing::HasSubstr;

class FailureTest : public testing::TestWithParam<Fault> {};

TEST_P(FailureTest, EveryCallMayFailOnce) {
  FailingWorkload undisturbed(FailingWorkload::kNever, GetParam());
  undisturbed.Run();
  ASSERT_GE(undisturbed.could_fail(), static_cast<uint64_t>(FailingWorkload::kCommits));
  ASSERT_GE(undisturbed.statistics().checkpoints, 5u);
  ASSERT_GE(undisturbed.statistics().merges, 2u);
  ASSERT_GE(undisturbed.Count(FileCall::Kind::kRename, "/log-"), 1u) << "no segment is used again";
  for (uint64_t call = 0; call < undisturbed.could_fail() && !HasFailure(); ++call) {
    SCOPED_TRACE("call " + std::to_string(call) + " of those that can fails");
    FailingWorkload workload(call, GetParam());
    workload.Run();
  }
}

std::string FaultName(const testing::TestParamInfo<Fault>& fault) {
  constexpr const char* kNames[] = {"None",    "Error",          "PartialError",
                                    "NoSpace", "PartialNoSpace", "LostPages"};
  return kNames[static_cast<int>(fault.param)];
}

INSTANTIATE_TEST_SUITE_P(Faults, FailureTest,
                         testing::Values(Fault::kError, Fault::kPartialError, Fault::kNoSpace,
                                         Fault::kPartialNoSpace, Fault::kLostPages),
                         FaultName);

TEST(OpeningFailureTest, AnUnreadableFileIsNeitherDamageNorANewDatabase) {
  SimulatedFileSystem files;
  {
    const auto engine = OpenDatabase(SmallOptions(&files));
    EXPECT_EQ(Text(InsertRow(*engine->Connect(), MakeTable(*engine), 1, "one")), "ok");
  }
  const SimulatedDisk disk = files.Disk();
  for (uint64_t failing = 0;; ++failing) {
    SimulatedFileSystem again(disk);
    std::string failed;
    again.SetHook([&](const FileCall& call) {
      if (call.index != failing) return Fault::kNone;
      failed = call.path;
      return Fault::kError;
    });
    const Status status = Engine::Open(kDatabase, SmallOptions(&again)).TakeStatus();
    if (status.ok()) {
      ASSERT_GT(failing, 5u);
      break;
    }
    ASSERT_EQ(status.code(), StatusCode::kIoError) << status.message();
    ASSERT_THAT(Text(status), HasSubstr(failed));
    again.SetHook(nullptr);
    const auto engine = OpenDatabase(SmallOptions(&again));
    ASSERT_EQ(AllRows(*engine, MakeTable(*engine)), (Rows{{1, "one"}}));
  }
}

}  // namespace
}  // namespace burin
