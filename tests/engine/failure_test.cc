// Failing files: every call of a workload fails once in every way it can. Nothing acknowledged is
// lost, nothing is acknowledged that was not, and what the engine says fits what it then does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/failing_workload.h"

namespace burin {
namespace {

using testing::HasSubstr;

// Every third call, where there are very many, so that three programs share them.
struct FailingCalls {
  Fault fault;
  uint64_t first;
  uint64_t step;
  const char* name;
};

class FailureTest : public testing::TestWithParam<FailingCalls> {};

TEST_P(FailureTest, EveryCallMayFailOnce) {
  const auto [fault, first, step, name] = GetParam();
  FailingWorkload undisturbed(FailingWorkload::kNever, fault);
  undisturbed.Run();
  ASSERT_GE(undisturbed.could_fail(), static_cast<uint64_t>(FailingWorkload::kCommits));
  ASSERT_GE(undisturbed.statistics().checkpoints, 5u);
  ASSERT_GE(undisturbed.statistics().merges, 2u);
  ASSERT_GE(undisturbed.Count(FileCall::Kind::kRename, "/log-"), 1u) << "no segment is used again";
  for (uint64_t call = first; call < undisturbed.could_fail() && !HasFailure(); call += step) {
    SCOPED_TRACE("call " + std::to_string(call) + " of those that can fails");
    FailingWorkload workload(call, fault);
    workload.Run();
  }
}

INSTANTIATE_TEST_SUITE_P(Faults, FailureTest,
                         testing::Values(FailingCalls{Fault::kError, 0, 3, "Error0"},
                                         FailingCalls{Fault::kError, 1, 3, "Error1"},
                                         FailingCalls{Fault::kError, 2, 3, "Error2"},
                                         FailingCalls{Fault::kPartialError, 0, 1, "PartialError"},
                                         FailingCalls{Fault::kNoSpace, 0, 1, "NoSpace"},
                                         FailingCalls{Fault::kPartialNoSpace, 0, 1,
                                                      "PartialNoSpace"},
                                         FailingCalls{Fault::kLostPages, 0, 1, "LostPages"}),
                         [](const auto& calls) { return calls.param.name; });

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
