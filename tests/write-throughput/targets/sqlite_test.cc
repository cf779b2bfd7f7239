// What only SQLite has: connections anew, other libraries, locks of others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "apps/write-throughput/targets/sqlite_connection.h"
#include "tests/write-throughput/targets/engines.h"

namespace throughput {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kFile = "write_throughput_test.db/database.sqlite";

class SqliteTest : public EngineTest {
 protected:
  void SetUp() override {
    const std::string missing = Missing("sqlite");
    if (!missing.empty()) GTEST_SKIP() << missing;
    ASSERT_TRUE(library_.Load("libsqlite3.so.0"));
  }

  SqliteLibrary library_;
  std::atomic<uint64_t> waits_{0};
};

TEST_F(SqliteTest, ConnectsAnewForEachTransactionWhereAsked) {
  const auto run = Columns({"--engine", "sqlite", "--engine-option", "connection=per-transaction",
                            "-t", "2", "-i", "10", "--verify"});
  ASSERT_FALSE(run.empty());
  EXPECT_EQ(run.at("rows_verified"), "2000");
  EXPECT_EQ(run.at("durability"), "counted");
  EXPECT_THAT(Line(2, {"--engine", "sqlite", "--engine-option", "connection=sometimes"}),
              HasSubstr("per-transaction"));
}

TEST_F(SqliteTest, TheRecordTellsWhichLibraryWasLoaded) {
  const auto run = Columns(
      {"--engine", "sqlite", "-i", "2", "--engine-option", "library=" + library_.library.path()});
  ASSERT_FALSE(run.empty());
  EXPECT_EQ(run.at("engine_library"), library_.library.path());
  EXPECT_EQ(run.at("engine_version"), library_.libversion());
  EXPECT_EQ(run.at("engine_source_id"), library_.sourceid());
}

TEST_F(SqliteTest, ALibraryThatIsNoneIsRefusedInOneLine) {
  folder_.Write("text.so", "no library");
  for (const auto& [path, says] : std::map<std::string, std::string>{
           {"missing.so", "missing.so"},
           {"./text.so", "text.so"},
           {std::string(OWN_ENGINES) + "/append_file.so", "no symbol 'sqlite3_libversion'"}}) {
    EXPECT_THAT(Line(2, {"--engine", "sqlite", "--engine-option", "library=" + path}),
                AllOf(HasSubstr("--engine 'sqlite'"), HasSubstr(says)));
  }
  EXPECT_THAT(Line(2, {"--engine", "sqlite", "--engine-option", "library="}),
              HasSubstr("--engine-option 'library=': library: path of another library"));
}

TEST_F(SqliteTest, ConcurrentModesAreThoseOfTheLibrary) {
  if (library_.HasBeginConcurrent()) GTEST_SKIP() << "this library has BEGIN CONCURRENT";
  EXPECT_THAT(Line(2, {"--engine", "sqlite", "-m", "logical-log"}),
              AllOf(HasSubstr("--mode 'logical-log'"), HasSubstr("sqlite has legacy")));
}

TEST_F(SqliteTest, AStaleSnapshotStartsTheTransactionAnewAndIsCounted) {
  const auto run =
      Columns({"--engine", "sqlite", "-m", "logical-log", "-i", "10", "--verify", "--engine-option",
               "library=" + std::string(OWN_ENGINES) + "/concurrent_sqlite.so"});
  ASSERT_FALSE(run.empty());
  EXPECT_EQ(run.at("mode"), "logical-log");
  EXPECT_EQ(run.at("retries"), "1");
  EXPECT_EQ(run.at("conflicts"), "1");
  EXPECT_EQ(run.at("rows_verified"), "1000");
  EXPECT_EQ(run.at("engine_source_id"), "") << "this one tells none";
}

TEST_F(SqliteTest, ADatabaseThatSomebodyElseLocksEndsTheRunAfterTheTimeout) {
  Program program({"--engine", "sqlite", "-d", "60", "--timeout", "300", "-q"}, settings_);
  ASSERT_TRUE(program.WaitForLoad());
  // The load leaves the lock alone for microseconds only: they are met by trying without a pause.
  SqliteDatabase other(library_, std::chrono::milliseconds(0), waits_);
  ASSERT_EQ(other.Open(folder_ / kFile, false), kSqliteOk) << other.error();
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  int code = kSqliteBusy;
  while (code == kSqliteBusy && std::chrono::steady_clock::now() < patience) {
    code = other.Execute("BEGIN IMMEDIATE");
  }
  ASSERT_EQ(code, kSqliteOk) << other.error();
  const Finished finished = program.Wait();
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.err, AllOf(HasSubstr("busy database for 300 ms"), HasSubstr("locked")));
}

TEST_F(SqliteTest, WaitsForALockAreCountedAndEnd) {
  SqliteDatabase first(library_, std::chrono::seconds(20), waits_);
  ASSERT_EQ(first.Open(folder_ / "x.sqlite", true), kSqliteOk) << first.error();
  SqliteDatabase second(library_, std::chrono::milliseconds(20), waits_);
  ASSERT_EQ(second.Open(folder_ / "x.sqlite", false), kSqliteOk) << second.error();
  ASSERT_EQ(first.Execute("BEGIN IMMEDIATE"), kSqliteOk);
  EXPECT_EQ(waits_, 0u);
  EXPECT_EQ(second.Execute("BEGIN IMMEDIATE"), kSqliteBusy);
  EXPECT_GE(waits_, 2u);
  EXPECT_THAT(second.error(), HasSubstr("database is locked"));
}

TEST_F(SqliteTest, WhatIsNoDatabaseIsAnErrorOfItsOwn) {
  folder_.Write("x.sqlite", std::string(8192, 'x'));
  SqliteDatabase database(library_, std::chrono::seconds(1), waits_);
  EXPECT_NE(database.Open(folder_ / "x.sqlite", false), kSqliteOk);
  EXPECT_THAT(database.error(), HasSubstr("file is not a database"));
  EXPECT_FALSE(database.opened());
}

}  // namespace
}  // namespace throughput
