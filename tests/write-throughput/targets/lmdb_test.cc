// LMDB alone: its readers, its map, and a writer lock that somebody else holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/write-throughput/targets/lmdb_library.h"
#include "tests/write-throughput/targets/engines.h"

namespace throughput {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class LmdbTest : public EngineTest {
 protected:
  void SetUp() override {
    const std::string missing = Missing("lmdb");
    if (!missing.empty()) GTEST_SKIP() << missing;
  }
};

// Another process with a write transaction of its own in the database at `path`, until it ends.
class ForeignWriter {
 public:
  explicit ForeignWriter(const std::string& path) {
    int ends[2];
    if (pipe(ends) != 0) return;
    process_ = fork();
    if (process_ == 0) {
      const char holds = TakesTheLock(path) ? 'y' : 'n';
      if (write(ends[1], &holds, 1) != 1) _exit(1);
      for (;;) pause();
    }
    close(ends[1]);
    char holds = 'n';
    holds_ = read(ends[0], &holds, 1) == 1 && holds == 'y';
    close(ends[0]);
  }
  ~ForeignWriter() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }

  bool holds() const { return holds_; }

 private:
  static bool TakesTheLock(const std::string& path) {
    LmdbLibrary lmdb;
    MDB_env* environment = nullptr;
    MDB_txn* transaction = nullptr;
    return lmdb.Load("liblmdb.so.0") && lmdb.env_create(&environment) == 0 &&
           lmdb.env_open(environment, path.c_str(), 0, 0666) == 0 &&
           lmdb.txn_begin(environment, nullptr, 0, &transaction) == 0;
  }

  pid_t process_ = -1;
  bool holds_ = false;
};

TEST_F(LmdbTest, AWriterLockThatAnotherProcessHoldsEndsTheRunInTime) {
  Program program({"--engine", "lmdb", "-t", "3", "-b", "1", "-d", "60", "--timeout", "100",
                   "--database", "locked.db", "-q"},
                  settings_);
  ASSERT_TRUE(program.WaitForLoad());
  const ForeignWriter writer(folder_ / "locked.db");
  ASSERT_TRUE(writer.holds());
  const Finished finished = program.Wait();
  EXPECT_EQ(finished.status, 1);
  EXPECT_EQ(finished.err,
            "write-throughput: lmdb: mdb_txn_begin, which awaits the writer lock, did not return "
            "within 2100 ms (--timeout and 2 s)\n");
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

TEST_F(LmdbTest, HasAReaderForEveryThread) {
  EXPECT_EQ(Run({"--engine", "lmdb", "-t", "130", "-b", "1", "-i", "1", "--verify", "-q"}).status,
            0);
}

TEST_F(LmdbTest, TheMapGrowsWhenItIsFull) {
  const auto run = Columns({"--engine", "lmdb", "-t", "4", "-b", "500", "-i", "5", "--value-size",
                            "1000", "--engine-option", "map-bytes=1048576", "--verify"});
  ASSERT_FALSE(run.empty());
  EXPECT_EQ(run.at("rows_verified"), "10000");
  EXPECT_THAT(Line(2, {"--engine", "lmdb", "--engine-option", "map-bytes=5"}),
              HasSubstr("multiple of 4096"));
}

}  // namespace
}  // namespace throughput
