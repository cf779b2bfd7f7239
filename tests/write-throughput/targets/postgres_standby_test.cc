// PostgreSQL with a synchronous standby: what is acknowledged is on both, and when the standby goes
// the load ends by its own deadline.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/write-throughput/targets/engines.h"
#include "tests/write-throughput/targets/postgres_server.h"

namespace throughput {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kCount = "SELECT count(*) FROM write_throughput.test_table";
// More than the runs before it have left.
constexpr const char* kLoading = "SELECT max(id) > 1000 FROM write_throughput.test_table";

class PostgresStandbyTest : public EngineTest {
 protected:
  void SetUp() override {
    if (PostgresPrograms().empty() || !Missing("postgres").empty()) {
      GTEST_SKIP() << "PostgreSQL is not installed: apt install libpq5 postgresql";
    }
    ASSERT_TRUE(primary_.Make());
    ASSERT_TRUE(primary_.Start());
    ASSERT_TRUE(standby_.MakeStandbyOf(primary_));
    primary_.Sql("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    primary_.Sql("SELECT pg_reload_conf()");
    ASSERT_TRUE(StartStandby());
  }

  std::vector<std::string> With(std::vector<std::string> words) const {
    words.insert(words.begin(),
                 {"--engine", "postgres", "--engine-option", primary_.Dsn(), "--keep", "--verify"});
    return words;
  }

  // What it keeps over a power cut is not in question here; it is to come back at once.
  bool StartStandby() {
    return standby_.Start({"fsync=off", "wal_retrieve_retry_interval=50ms"}) &&
           primary_.Await("SELECT sync_state FROM pg_stat_replication", "sync");
  }

  PostgresServer primary_;
  PostgresServer standby_;
};

TEST_F(PostgresStandbyTest, WhatIsAcknowledgedIsOnBothAndALostStandbyEndsTheLoad) {
  for (const char* method : {"method=pipeline", "method=multi-row", "method=copy"}) {
    SCOPED_TRACE(method);
    const auto run = Columns(With({"-t", "3", "-b", "20", "-i", "10", "--engine-option", method}));
    ASSERT_FALSE(run.empty());
    EXPECT_THAT(run.at("durability_note"), HasSubstr("of the standbys standby"));
    EXPECT_EQ(primary_.Sql(kCount), "600");
    EXPECT_TRUE(standby_.Await(kCount, "600"));

    Program program(With({"-m", "logical-log", "-t", "3", "-d", "60", "-q", "--timeout", "100",
                          "--engine-option", method}),
                    settings_);
    ASSERT_TRUE(primary_.Await(kLoading, "t"));
    standby_.Stop();
    const Finished finished = program.Wait();
    EXPECT_EQ(finished.status, 1);
    EXPECT_EQ(Lines(finished.err).size(), 1u);
    EXPECT_THAT(finished.err, AllOf(HasSubstr("no answer from the server within 2100 ms"),
                                    HasSubstr("transactions in doubt: 3"),
                                    HasSubstr("all acknowledged transactions are there")));
    ASSERT_TRUE(StartStandby());
    EXPECT_TRUE(standby_.Await(kCount, primary_.Sql(kCount)));
  }
}

TEST_F(PostgresStandbyTest, AStandbyIsRefusedAsAPlaceToWriteTo) {
  EXPECT_THAT(Line(2, {"--engine", "postgres", "--engine-option", standby_.Dsn()}),
              HasSubstr("read-only"));
}

TEST_F(PostgresStandbyTest, ACancelledWaitForTheStandbyIsNoAcknowledgement) {
  Program program(With({"-d", "60", "-q"}), settings_);
  ASSERT_TRUE(primary_.Await(kLoading, "t"));
  standby_.Stop();
  ASSERT_TRUE(
      primary_.Await("SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE "
                     "wait_event = 'SyncRep'",
                     "1"));
  const Finished finished = program.Wait();
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.err,
              AllOf(HasSubstr("no acknowledgement: canceling wait for synchronous replication"),
                    HasSubstr("transactions in doubt: 1")));
}

TEST_F(PostgresStandbyTest, AServerThatDiesEndsTheLoadInOneLine) {
  Program program(With({"-d", "60", "-q"}), settings_);
  ASSERT_TRUE(primary_.Await(kLoading, "t"));
  primary_.Stop();
  const Finished finished = program.Wait();
  EXPECT_EQ(finished.status, 1);
  EXPECT_EQ(Lines(finished.err).size(), 1u) << finished.err;
  EXPECT_THAT(finished.err, HasSubstr("postgres: "));
}

}  // namespace
}  // namespace throughput
