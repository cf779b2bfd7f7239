// A PostgreSQL server for all tests of a suite.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/write-throughput/targets/engines.h"
#include "tests/write-throughput/targets/postgres_server.h"

namespace throughput {

class PostgresTest : public EngineTest {
 protected:
  static void SetUpTestSuite() {
    if (PostgresPrograms().empty() || !Missing("postgres").empty()) return;
    server_ = std::make_unique<PostgresServer>();
    started_ = server_->Make() && server_->Start();
  }
  static void TearDownTestSuite() { server_.reset(); }

  void SetUp() override {
    if (!server_) GTEST_SKIP() << "PostgreSQL is not installed: apt install libpq5 postgresql";
    ASSERT_TRUE(started_);
  }
  void TearDown() override {
    if (server_) Sql("DROP SCHEMA IF EXISTS write_throughput CASCADE");
  }

  static std::string Sql(const std::string& text, const std::string& database = "postgres") {
    return server_->Sql(text, database);
  }

  static std::vector<std::string> With(std::vector<std::string> words,
                                       const std::string& dsn = server_->Dsn()) {
    words.insert(words.begin(), {"--engine", "postgres", "--engine-option", dsn});
    return words;
  }

  // In a database of its own each table of that name gets a trigger that runs `body`.
  static std::string DatabaseWithTrigger(const std::string& name, const std::string& kind,
                                         const std::string& body) {
    Sql("CREATE DATABASE " + name);
    Sql("CREATE SEQUENCE calls; CREATE FUNCTION strike() RETURNS trigger LANGUAGE plpgsql AS $$ "
        "BEGIN " +
            body +
            " RETURN NEW; END $$; "
            "CREATE FUNCTION arm() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN "
            "CREATE " +
            kind +
            " FOR EACH ROW EXECUTE FUNCTION public.strike(); END $$; "
            "CREATE EVENT TRIGGER arming ON ddl_command_end WHEN TAG IN ('CREATE TABLE') "
            "EXECUTE FUNCTION arm()",
        name);
    return server_->Dsn("postgres", name);
  }
  static constexpr const char* kBeforeInsert =
      "TRIGGER strike BEFORE INSERT ON write_throughput.test_table";
  static constexpr const char* kAtCommit =
      "CONSTRAINT TRIGGER strike AFTER INSERT ON write_throughput.test_table "
      "DEFERRABLE INITIALLY DEFERRED";

  inline static std::unique_ptr<PostgresServer> server_;
  inline static bool started_ = false;
};
}  // namespace throughput
