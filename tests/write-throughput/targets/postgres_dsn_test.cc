// Connection strings: what of them is shown (nothing), and where else they may come from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/write-throughput/targets/postgres_fixture.h"

namespace throughput {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class PostgresDsnTest : public PostgresTest {};

TEST_F(PostgresDsnTest, NoPartOfAPasswordIsEverShown) {
  Sql("CREATE ROLE locked_out LOGIN PASSWORD 'another'");
  for (const std::string dsn :
       {"postgresql+x://u:S3cretPw@127.0.0.1:1/d", "host=127.0.0.1 port=1 password='S3cret Pw' bad",
        "password = 'S3cret Pw' nonsense", "postgresql://u:S3cret%50w@127.0.0.1:1/d",
        "postgresql://u:S3cret@Pw@127.0.0.1:1/d", "postgresql://u:S3cret/Pw@127.0.0.1:1/d",
        "postgresql://u:S3cret?Pw@127.0.0.1:1/d", "postgresql://u@127.0.0.1:1/d?password=S3cret",
        "dbname='postgresql://u:S3cretPw@127.0.0.1:1/d'"}) {
    const Finished finished = Run(With({"--format", "json"}, "dsn=" + dsn));
    EXPECT_EQ(finished.status, 2);
    EXPECT_EQ(Lines(finished.err).size(), 1u) << finished.err;
    EXPECT_THAT(finished.err + finished.out, AllOf(Not(HasSubstr("S3cr")), Not(HasSubstr("Pw"))));
    for (const auto& words :
         std::vector<std::vector<std::string>>{{"--engine-option", dsn},
                                               {"--engine-option=dsn=" + dsn, "--engine", "sqlite"},
                                               {dsn}}) {
      const Finished misplaced = Run(words);
      EXPECT_EQ(misplaced.status, 2);
      EXPECT_THAT(misplaced.err, Not(HasSubstr("S3cr")));
    }
  }
}

TEST_F(PostgresDsnTest, APasswordThatIsRightIsInNoOutputRecordOrTitle) {
  const std::string dsn = server_->Dsn("postgres", "postgres", "password=S3cretPw");
  for (const char* form : {"json", "csv-wide"}) {
    const Finished finished = Run(With({"--format", form}, dsn));
    EXPECT_EQ(finished.status, 0);
    EXPECT_THAT(finished.out + finished.err, Not(HasSubstr("S3cretPw")));
    EXPECT_THAT(finished.err, HasSubstr("dsn=(hidden)"));
  }
  for (const char* scope : {"run", "process"}) {
    Program program(With({"-d", "60", "-q", "--scope", scope}, dsn), settings_);
    const auto cell = program.WaitForLoad();
    ASSERT_TRUE(cell);
    for (const pid_t process : {program.pid(), *cell}) {
      std::ifstream file("/proc/" + std::to_string(process) + "/cmdline");
      const std::string title(std::istreambuf_iterator<char>(file), {});
      EXPECT_THAT(title, AllOf(HasSubstr("dsn=(hidden)"), Not(HasSubstr("S3cretPw"))));
    }
    kill(program.pid(), SIGINT);
    EXPECT_EQ(program.Wait().status, 130);
  }
}

TEST_F(PostgresDsnTest, AServiceFileAndTheEnvironmentServeToo) {
  const std::string words = server_->Dsn().substr(4);
  std::string service = "[mine]\npassword=S3cretPw\n";
  std::istringstream pairs(words);
  for (std::string pair; pairs >> pair;) service += pair + "\n";
  settings_.environment = {{"PGSERVICEFILE", folder_.Write("services", service)},
                           {"PGPASSWORD", "S3cretPw"}};
  const Finished finished = Run(With({"--format", "json"}, "dsn=service=mine"));
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_THAT(finished.out + finished.err, Not(HasSubstr("S3cretPw")));
  settings_.environment["PGSERVICE"] = "mine";
  EXPECT_EQ(Run(With({"-q"}, "dsn=")).status, 0);
}

}  // namespace
}  // namespace throughput
