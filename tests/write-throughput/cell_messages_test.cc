#include "apps/write-throughput/cell_messages.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

namespace throughput {
namespace {

class CellMessagesTest : public testing::Test {
 protected:
  CellMessagesTest() { EXPECT_EQ(pipe(ends_), 0); }
  ~CellMessagesTest() override {
    close(ends_[0]);
    if (ends_[1] >= 0) close(ends_[1]);
  }

  // Everything that was written, handed over in pieces of `size` bytes.
  void Deliver(size_t size) {
    close(ends_[1]);
    ends_[1] = -1;
    std::string bytes(size, '\0');
    for (ssize_t got; (got = read(ends_[0], bytes.data(), size)) > 0;) {
      reader_.Add({bytes.data(), static_cast<size_t>(got)});
    }
  }

  int ends_[2];
  std::vector<LoadSample> samples_;
  CellMessageReader reader_{[this](const LoadSample& sample) { samples_.push_back(sample); }};
};

TEST_F(CellMessagesTest, EverythingArrivesWhateverThePieces) {
  CellMessageWriter writer(ends_[1]);
  writer.Progress({std::chrono::nanoseconds(1'500'000'000), 42});
  RunOutcome sent;
  sent.record.emplace();
  sent.record->rows = 1234;
  sent.record->commit_latency_ns.Record(5);
  sent.interrupted = true;
  sent.failure = "line\nbroken";
  writer.Outcome(sent);
  Deliver(3);
  ASSERT_EQ(samples_.size(), 1u);
  EXPECT_EQ(samples_[0].since_open, std::chrono::milliseconds(1500));
  EXPECT_EQ(samples_[0].transactions, 42);
  const auto outcome = reader_.TakeOutcome();
  ASSERT_TRUE(outcome && outcome->record);
  EXPECT_EQ(outcome->record->rows, 1234);
  EXPECT_EQ(outcome->record->commit_latency_ns.Count(), 1u);
  EXPECT_TRUE(outcome->interrupted);
  EXPECT_EQ(outcome->failure, "line\\nbroken");
}

TEST_F(CellMessagesTest, WithoutItsEndThereIsNoOutcome) {
  const std::string half = "fan engine failed\n";
  ASSERT_EQ(write(ends_[1], half.data(), half.size()), static_cast<ssize_t>(half.size()));
  Deliver(100);
  EXPECT_FALSE(reader_.TakeOutcome());
}

TEST_F(CellMessagesTest, ARecordThatCannotBeReadIsAFailure) {
  const std::string broken = "r{\ne\n";
  ASSERT_EQ(write(ends_[1], broken.data(), broken.size()), static_cast<ssize_t>(broken.size()));
  Deliver(100);
  const auto outcome = reader_.TakeOutcome();
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(outcome->record);
  EXPECT_TRUE(outcome->failure);
}

TEST_F(CellMessagesTest, AReaderThatIsGoneIsNoError) {
  std::signal(SIGPIPE, SIG_IGN);  // as the program does
  close(ends_[0]);
  CellMessageWriter(ends_[1]).Outcome({});
  ends_[0] = dup(ends_[1]);
}

}  // namespace
}  // namespace throughput
