// PostgreSQL itself, in a temporary folder: methods and modes, our schema and what is not ours,
// and what goes wrong at a server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include "apps/write-throughput/targets/postgres_server.h"
#include "tests/write-throughput/targets/postgres_fixture.h"

namespace throughput {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kSchemas =
    "SELECT count(*) FROM pg_namespace WHERE nspname = 'write_throughput'";

constexpr const char* kMethods[] = {"method=pipeline", "method=multi-row", "method=copy"};

TEST_F(PostgresTest, EveryMethodKeepsEveryRowInEveryMode) {
  for (const char* method : kMethods) {
    for (const char* mode : {"legacy", "logical-log"}) {
      SCOPED_TRACE(std::string(method) + " " + mode);
      const auto run = Columns(With({"-m", mode, "-t", "3", "-b", "150", "-i", "4", "--warmup",
                                     "0.02", "--verify", "--engine-option", method}));
      ASSERT_FALSE(run.empty());
      EXPECT_EQ(run.at("rows"), "1800");
      EXPECT_EQ(run.at("verified"), "true");
      EXPECT_EQ(run.at("system"), "PostgreSQL");
      EXPECT_EQ(run.at("durability"), "out of sight");
      EXPECT_THAT(run.at("durability_note"), HasSubstr("synchronous_commit=on"));
      EXPECT_EQ(Sql(kSchemas), "0") << "the schema is removed behind the run";
    }
  }
}

TEST_F(PostgresTest, LargeTransactionsPassInPieces) {
  for (const char* method : kMethods) {
    SCOPED_TRACE(method);
    const auto run = Columns(With(
        {"-b", "2500", "-i", "2", "--value-size", "3000", "--verify", "--engine-option", method}));
    ASSERT_FALSE(run.empty());
    EXPECT_EQ(run.at("rows_verified"), "5000");
  }
}

TEST_F(PostgresTest, RunsInTheScopeOfTheProcessToo) {
  const auto run = Columns(With({"--scope", "process", "--verify"}));
  ASSERT_FALSE(run.empty());
  EXPECT_EQ(run.at("verified"), "true");
}

TEST_F(PostgresTest, KeptRowsAreThereAndTheNextRunReplacesThem) {
  EXPECT_EQ(Run(With({"-b", "10", "-i", "3", "--keep", "-q"})).status, 0);
  EXPECT_EQ(Sql("SELECT count(*), min(data), max(id) FROM write_throughput.test_table"),
            "30|data_0|29");
  EXPECT_EQ(Run(With({"-b", "10", "-i", "2", "--keep", "-q"})).status, 0);
  EXPECT_EQ(Sql("SELECT count(*) FROM write_throughput.test_table"), "20");
}

TEST_F(PostgresTest, ASchemaThatIsNotOursIsLeftAlone) {
  Sql("CREATE SCHEMA write_throughput; CREATE TABLE write_throughput.test_table AS SELECT 7 AS id");
  EXPECT_THAT(Line(2, With({})), HasSubstr("was not made by write-throughput"));
  EXPECT_EQ(Sql("SELECT id FROM write_throughput.test_table"), "7");
  EXPECT_EQ(Run(With({"--engine-option", "schema=another_one", "-q"})).status, 0);
  EXPECT_THAT(Line(2, With({"--engine-option", "schema=x'; DROP"})), HasSubstr("lower-case"));
}

TEST_F(PostgresTest, WhatOthersHungOnOurSchemaIsNotTakenAlong) {
  EXPECT_EQ(Run(With({"-i", "1", "--keep", "-q"})).status, 0);
  Sql("CREATE VIEW public.theirs AS SELECT id FROM write_throughput.test_table");
  EXPECT_THAT(Line(1, With({})), HasSubstr("other objects depend on it (2BP01)"));
  EXPECT_EQ(Sql("SELECT count(*) FROM public.theirs"), "100");
  Sql("DROP VIEW public.theirs");

  Program program(With({"-d", "1", "-q"}), settings_);
  ASSERT_TRUE(server_->Await("SELECT count(*) > 100 FROM write_throughput.test_table", "t"));
  Sql("CREATE VIEW public.theirs AS SELECT id FROM write_throughput.test_table");
  const Finished finished = program.Wait();
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.out, HasSubstr("PostgreSQL,1,100,")) << "what was measured stays";
  EXPECT_THAT(finished.err, HasSubstr("other objects depend on it"));
}

TEST_F(PostgresTest, ASecondRunInTheSameSchemaIsRefused) {
  Program first(With({"-d", "60", "-q"}), settings_);
  ASSERT_TRUE(server_->Await("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'", "1"));
  ASSERT_TRUE(server_->Await(kSchemas, "1"));
  EXPECT_THAT(Line(2, With({})), HasSubstr("in use by another run"));
  kill(first.pid(), SIGINT);
  EXPECT_EQ(first.Wait().status, 130);
}

TEST_F(PostgresTest, WhatTheServerRefusesBeforeTheRunIsExitTwoInItsOwnWords) {
  const std::string gone = "dsn=host=" + folder_.path() + " user=postgres";
  for (const auto& [dsn, says] : std::map<std::string, std::string>{
           {gone, "No such file or directory"},
           {server_->Dsn("postgres", "nowhere"), "database \"nowhere\" does not exist"},
           {server_->Dsn("nobody_known"), "role \"nobody_known\" does not exist"}}) {
    EXPECT_THAT(Line(2, With({}, dsn)), AllOf(HasSubstr("--engine 'postgres'"), HasSubstr(says)));
  }
  Sql("CREATE ROLE without_rights LOGIN");
  EXPECT_THAT(Line(2, With({}, server_->Dsn("without_rights"))),
              HasSubstr("may not create a schema"));
  EXPECT_THAT(Line(2, {"--engine", "postgres"}), HasSubstr("--engine-option dsn="));
  EXPECT_THAT(Line(2, With({"--engine-option", "method=slow"})), HasSubstr("multi-row"));
  EXPECT_THAT(Line(2, With({"-m", "concurrent"})), HasSubstr("postgres has legacy, logical-log"));
  EXPECT_THAT(Line(2, With({"--engine-option", "libpq=missing.so"})), HasSubstr("missing.so"));
  EXPECT_THAT(Line(2, With({"--counters", "callgrind", "--keep"})),
              HasSubstr("not together with --keep for postgres"));
  EXPECT_THAT(Line(1, With({"-t", "200"})), HasSubstr("too many clients"));
}

TEST_F(PostgresTest, ASerializationFailureStartsTheTransactionAnewAndIsCounted) {
  for (const char* kind : {kBeforeInsert, kAtCommit}) {
    const std::string name = kind == kAtCommit ? "conflicts_at_commit" : "conflicts";
    const std::string dsn = DatabaseWithTrigger(
        name, kind,
        "IF nextval('public.calls') % 25 = 0 THEN RAISE 'not now' USING ERRCODE = '40001'; "
        "END IF;");
    for (const char* method : kMethods) {
      SCOPED_TRACE(name + " " + method);
      const auto run = Columns(
          With({"-t", "2", "-b", "10", "-i", "10", "--verify", "--engine-option", method}, dsn));
      ASSERT_FALSE(run.empty());
      EXPECT_EQ(run.at("rows_verified"), "200");
      EXPECT_GE(std::stoi(run.at("conflicts")), 8);
      EXPECT_EQ(run.at("conflicts"), run.at("retries"));
    }
  }
}

TEST_F(PostgresTest, RetriesEndAfterTheTimeout) {
  const std::string dsn = DatabaseWithTrigger("always_conflicts", kBeforeInsert,
                                              "RAISE 'never' USING ERRCODE = '40P01';");
  EXPECT_THAT(Line(1, With({"--timeout", "100"}, dsn)),
              AllOf(HasSubstr("conflicts for 100 ms"), HasSubstr("never (40P01)")));
}

TEST_F(PostgresTest, AFullDiskEndsTheRunInTheServersWords) {
  const std::string dsn = DatabaseWithTrigger(
      "full_disk", kBeforeInsert,
      "IF NEW.id > 150 THEN RAISE 'could not extend file' USING ERRCODE = '53100'; END IF;");
  for (const char* method : kMethods) {
    EXPECT_THAT(Line(1, With({"--verify", "--engine-option", method}, dsn)),
                AllOf(HasSubstr("could not extend file (53100)"),
                      HasSubstr("all acknowledged transactions are there")));
  }
}

TEST_F(PostgresTest, ACommitAnsweredWithAWarningIsNoAcknowledgement) {
  const std::string dsn = DatabaseWithTrigger("warns", kAtCommit, "RAISE WARNING 'perhaps';");
  for (const char* method : kMethods) {
    EXPECT_THAT(
        Line(1, With({"-b", "5", "--verify", "--engine-option", method}, dsn)),
        AllOf(HasSubstr("no acknowledgement: perhaps"), HasSubstr("transactions in doubt: 1")));
  }
  const std::string early =
      DatabaseWithTrigger("warns_early", kBeforeInsert, "RAISE WARNING 'perhaps';");
  EXPECT_EQ(Run(With({"-b", "5", "-q"}, early)).status, 0) << "only the COMMIT's own counts";
}

TEST_F(PostgresTest, ACommitAnsweredByRollingBackIsNoAcknowledgement) {
  EXPECT_THAT(Line(1, With({"--verify", "--engine-option",
                            "libpq=" + std::string(OWN_ENGINES) + "/rolling_back_libpq.so"})),
              AllOf(HasSubstr("answered COMMIT by rolling back"), HasSubstr("in doubt")));
}

TEST_F(PostgresTest, ATableThatSomebodyLocksEndsTheRunAfterTheTimeout) {
  Program program(With({"-m", "legacy", "-d", "60", "--timeout", "300", "-q"}), settings_);
  ASSERT_TRUE(server_->Await("SELECT count(*) FROM pg_tables WHERE tablename = 'test_table'", "1"));
  const pid_t locker = server_->StartSql(
      "BEGIN; LOCK TABLE write_throughput.test_table IN ACCESS EXCLUSIVE MODE; "
      "SELECT pg_sleep(60)");
  const Finished finished = program.Wait();
  kill(locker, SIGKILL);
  waitpid(locker, nullptr, 0);
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.err, AllOf(HasSubstr("a busy database for 300 ms"), HasSubstr("(55P03)")));
  EXPECT_EQ(Lines(finished.err).size(), 1u) << finished.err;
  Sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)' "
      "AND pid <> pg_backend_pid()");
}

TEST_F(PostgresTest, ASessionThatTheServerEndsIsInDoubtInItsWords) {
  Program program(With({"-d", "60", "-q", "--verify"}), settings_);
  ASSERT_TRUE(server_->Await("SELECT count(*) > 100 FROM write_throughput.test_table", "t"));
  Sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'COMMIT%' OR "
      "query LIKE 'INSERT%' OR query LIKE 'BEGIN%'");
  const Finished finished = program.Wait();
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.err, AllOf(HasSubstr("terminating connection due to administrator command"),
                                  HasSubstr("all acknowledged transactions are there")));
}

TEST_F(PostgresTest, WhatIsNotDurableIsSaid) {
  const auto with = [](const std::string& value) {
    return server_->Dsn("postgres", "postgres", "options='-c synchronous_commit=" + value + "'");
  };
  EXPECT_EQ(Columns(With({}, with("off"))).at("durability"), "not claimed");
  EXPECT_THAT(Columns(With({}, with("local"))).at("durability_note"),
              HasSubstr("synchronous_commit=local: on the server's device, and no standby"));
  EXPECT_THAT(Run({"--list-engines", "--engine-option", with("off")}).out,
              HasSubstr("synchronous_commit=off: commits are acknowledged before"));
  PgServer unsynced;
  DescribeDurability("on", "off", "standby", unsynced);
  EXPECT_FALSE(unsynced.claims_durability);
}

TEST_F(PostgresTest, TheListTellsWhatItIsWithoutAServer) {
  EXPECT_THAT(Run({"--list-engines"}).out, AllOf(HasSubstr("postgres\n"), HasSubstr("libpq ")));
}

}  // namespace
}  // namespace throughput
