#include "metrics/result_record.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/metrics/full_record.h"

namespace metrics {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Json = nlohmann::ordered_json;

std::string ErrorOf(const std::string& line) {
  ResultRecord record;
  record.system = "untouched";
  std::string error;
  EXPECT_FALSE(FromJson(line, record, error)) << line;
  EXPECT_FALSE(error.empty());
  EXPECT_THAT(error, Not(HasSubstr("\n")));
  EXPECT_EQ(record.system, "untouched");
  return error;
}

std::string With(const std::string& field, const Json& value) {
  Json json = Json::parse(ToJson(FullRecord()));
  json[Json::json_pointer(field)] = value;
  return json.dump();
}

TEST(ResultRecord, ComesBackFromItsJson) {
  const std::string line = ToJson(FullRecord());
  ResultRecord back;
  std::string error = "left over";
  ASSERT_TRUE(FromJson(line, back, error)) << error;
  EXPECT_EQ(error, "");
  EXPECT_EQ(ToJson(back), line);
  EXPECT_EQ(back.commit_latency_ns, FullRecord().commit_latency_ns);
  EXPECT_EQ(back.counters[0].value, 1e15 + 1);
  EXPECT_EQ(back.counters[1].status, CounterStatus::kSuspect);
  EXPECT_EQ(back.intervals[0].counters[0].event, "instructions");
  EXPECT_EQ(back.environment.libraries, FullRecord().environment.libraries);
  EXPECT_EQ(back.rows_per_second, 106875.21);
  EXPECT_EQ(back.thread_counters[0].counters[0].event, "task-clock");
  EXPECT_EQ(back.phases[0].instructions, 104);
}

TEST(ResultRecord, ReadsRecordsFromBeforeAFieldWasAdded) {
  Json json = Json::parse(ToJson(FullRecord()));
  for (const char* name :
       {"harness_percent", "thread_counters", "phases", "phase_overhead_percent", "phases_note"}) {
    json.erase(name);
  }
  ResultRecord back;
  std::string error;
  ASSERT_TRUE(FromJson(json.dump(), back, error)) << error;
  EXPECT_EQ(back.rows, 2000);
  EXPECT_TRUE(back.phases.empty());
  EXPECT_THAT(ErrorOf(With("/phases", 5)), HasSubstr("phases is not an array"));
}

TEST(ResultRecord, WritesEveryFieldThatItReads) {
  const Json full = Json::parse(ToJson(FullRecord()));
  const Json empty = Json::parse(ToJson(ResultRecord()));
  for (const auto& [name, value] : full.items()) {
    ASSERT_TRUE(empty.contains(name)) << name;
    if (name != "schema_version") {
      EXPECT_NE(value, empty[name]) << name;
    }
  }
}

TEST(ResultRecord, AnEmptyOneComesBack) {
  const std::string line = ToJson(ResultRecord());
  ResultRecord back;
  std::string error;
  ASSERT_TRUE(FromJson(line, back, error)) << error;
  EXPECT_EQ(ToJson(back), line);
}

TEST(ResultRecord, BeginsWithItsSchemaVersionAndIsOneLine) {
  const std::string line = ToJson(FullRecord());
  EXPECT_THAT(line, StartsWith("{\"schema_version\":1,\"system\":\"Burin\","));
  EXPECT_THAT(line, Not(HasSubstr("\n")));
}

TEST(ResultRecord, WritesDerivedFiguresForReaders) {
  const Json json = Json::parse(ToJson(FullRecord()));
  EXPECT_EQ(json["per_row"]["syncs"], 0.02);
  EXPECT_EQ(json["per_transaction"]["syncs"], 2);
  EXPECT_EQ(json["per_transaction"]["instructions:u"], (1e15 + 1) / 20);
  EXPECT_FALSE(json["per_row"].contains("cycles")) << "suspect";
  EXPECT_NEAR(json["commit_latency_us"]["p50"].get<double>(), 150, 0.15);
  EXPECT_EQ(json["commit_latency_us"]["max"], 9223372036854775.807);
  EXPECT_TRUE(json["commit_latency_us"].contains("p90"));
  EXPECT_TRUE(json["commit_latency_us"].contains("p99"));
  EXPECT_TRUE(json["commit_latency_us"].contains("p99.9"));
}

TEST(ResultRecord, DerivesNothingFromNothing) {
  const std::string line = ToJson(ResultRecord());
  EXPECT_THAT(line, HasSubstr("\"commit_latency_us\":{},\"per_row\":{},\"per_transaction\":{}}"));
}

TEST(ResultRecord, EscapesQuotesAndControlCharactersAndReplacesBadBytes) {
  ResultRecord record;
  record.environment.arguments = {"q\"b\\s\tn\nl\377.db", "\xc3\xa4"};
  record.environment.libraries = {{"lib\xff", "\xfe"}};
  record.counters_note = "\x80";
  const std::string line = ToJson(record);
  EXPECT_THAT(line, Not(HasSubstr("\n")));
  const Json json = Json::parse(line);  // throws for bad UTF-8
  EXPECT_EQ(json["environment"]["arguments"][0], "q\"b\\s\tn\nl\ufffd.db");
  EXPECT_EQ(json["environment"]["arguments"][1], "\u00e4");
  EXPECT_EQ(json["environment"]["libraries"]["lib\ufffd"], "\ufffd");
}

TEST(ResultRecord, RefusesALineThatIsCutOffAnywhere) {
  const std::string line = ToJson(FullRecord());
  for (size_t length = 0; length < line.size(); length += 7) {
    EXPECT_THAT(ErrorOf(line.substr(0, length)), HasSubstr("not a whole line of JSON"));
  }
  EXPECT_THAT(ErrorOf(line + line), HasSubstr("not a whole line of JSON"));
}

TEST(ResultRecord, RefusesAnotherSchemaVersion) {
  EXPECT_THAT(ErrorOf(With("/schema_version", 2)), HasSubstr("schema_version 2 is unknown"));
  EXPECT_THAT(ErrorOf(With("/schema_version", "1")), HasSubstr("schema_version"));
  EXPECT_THAT(ErrorOf("{}"), HasSubstr("schema_version is missing"));
}

TEST(ResultRecord, RefusesWhatIsNoObject) {
  EXPECT_THAT(ErrorOf("[1]"), HasSubstr("the line is not an object"));
  EXPECT_THAT(ErrorOf("null"), HasSubstr("the line is not an object"));
}

TEST(ResultRecord, RefusesNumbersThatAreNotFinite) {
  EXPECT_THAT(ErrorOf(R"({"schema_version":1,"seconds":NaN})"), HasSubstr("byte"));
  EXPECT_THAT(ErrorOf(R"({"schema_version":1,"seconds":1e999})"), HasSubstr("out of range"));
  ResultRecord record;
  record.seconds = std::nan("");
  EXPECT_THAT(ErrorOf(ToJson(record)), HasSubstr("seconds is not a number"));
  record.seconds = std::numeric_limits<double>::infinity();
  EXPECT_THAT(ErrorOf(ToJson(record)), HasSubstr("seconds is not a number"));
}

TEST(ResultRecord, RefusesAFieldOfAnotherKindNamingIt) {
  EXPECT_THAT(ErrorOf(With("/rows", 1.5)), HasSubstr("rows is not a whole number"));
  EXPECT_THAT(ErrorOf(With("/rows", "7")), HasSubstr("rows is not a whole number"));
  EXPECT_THAT(ErrorOf(With("/threads", 3'000'000'000)), HasSubstr("threads is not a whole number"));
  EXPECT_THAT(ErrorOf(With("/rows", uint64_t{1} << 63)), HasSubstr("rows is not"));
  EXPECT_THAT(ErrorOf(With("/syncs", -1)), HasSubstr("syncs is not a whole number from 0"));
  EXPECT_THAT(ErrorOf(With("/interrupted", 1)), HasSubstr("interrupted is not true or false"));
  EXPECT_THAT(ErrorOf(With("/mode", nullptr)), HasSubstr("mode is not a string"));
  EXPECT_THAT(ErrorOf(With("/seconds", "1")), HasSubstr("seconds is not a number"));
  EXPECT_THAT(ErrorOf(With("/counters", 1)), HasSubstr("counters is not an array"));
  EXPECT_THAT(ErrorOf(With("/counters/1", 1)), HasSubstr("counters[1] is not an object"));
  EXPECT_THAT(ErrorOf(With("/counters/1/status", "fine")), HasSubstr("counters[1].status is not"));
  EXPECT_THAT(ErrorOf(With("/environment", 1)), HasSubstr("environment is not an object"));
  EXPECT_THAT(ErrorOf(With("/environment/libraries", 1)),
              HasSubstr("environment.libraries is not"));
  EXPECT_THAT(ErrorOf(With("/environment/libraries/x", 1)), HasSubstr("libraries.x is not"));
}

TEST(ResultRecord, RefusesAMissingFieldNamingIt) {
  Json json = Json::parse(ToJson(FullRecord()));
  json.erase("rows_per_second");
  EXPECT_EQ(ErrorOf(json.dump()), "rows_per_second is missing");
  json = Json::parse(ToJson(FullRecord()));
  json["counters"][0].erase("value");
  EXPECT_EQ(ErrorOf(json.dump()), "counters[0].value is missing");
}

TEST(ResultRecord, TakesLinesOfProgramsThatKnewNothingOfTheBackground) {
  Json json = Json::parse(ToJson(FullRecord()));
  json.erase("background");
  json.erase("engine_io");
  for (Json& interval : json["intervals"]) {
    for (const char* added : {"checkpoint", "merge", "stall"}) interval.erase(added);
  }
  ResultRecord back;
  std::string error;
  ASSERT_TRUE(FromJson(json.dump(), back, error)) << error;
  EXPECT_EQ(back.background.longest_sync_ns, 0u);
  EXPECT_EQ(back.engine_io, "");
  EXPECT_FALSE(back.intervals[1].stall);
}

TEST(ResultRecord, RefusesABackgroundThatIsNotOne) {
  EXPECT_THAT(ErrorOf(With("/background", 1)), HasSubstr("background is not an object"));
  EXPECT_THAT(ErrorOf(With("/background/stalls", -1)), HasSubstr("background.stalls is not"));
  EXPECT_THAT(ErrorOf(With("/intervals/0/stall", 1)), HasSubstr("intervals[0].stall is not"));
}

TEST(ResultRecord, RefusesAHistogramThatCannotBe) {
  EXPECT_THAT(ErrorOf(With("/commit_latency_ns/sum", "12x")), HasSubstr("commit_latency_ns.sum"));
  EXPECT_THAT(ErrorOf(With("/commit_latency_ns/sum", "")), HasSubstr("commit_latency_ns.sum"));
  EXPECT_THAT(ErrorOf(With("/commit_latency_ns/sum", std::string(40, '9'))),
              HasSubstr("commit_latency_ns.sum"));
  EXPECT_THAT(ErrorOf(With("/commit_latency_ns/sum", "5")), HasSubstr("commit_latency_ns: "));
  EXPECT_THAT(ErrorOf(With("/commit_latency_ns/buckets/0", Json::array({1}))),
              HasSubstr("commit_latency_ns.buckets"));
  EXPECT_THAT(ErrorOf(With("/commit_latency_ns/buckets/0", Json::array({uint64_t{1} << 63, 1}))),
              HasSubstr("commit_latency_ns.buckets"));
  EXPECT_THAT(ErrorOf(With("/commit_latency_ns/buckets/0", Json::array({2049, 1}))),
              HasSubstr("commit_latency_ns: no histogram bucket begins at 2049"));
}

TEST(ResultRecord, PassesOverFieldsItDoesNotKnow) {
  Json json = Json::parse(ToJson(FullRecord()));
  json["of_a_later_version"] = Json::array({1, 2});
  ResultRecord back;
  std::string error;
  EXPECT_TRUE(FromJson(json.dump(), back, error)) << error;
}

TEST(ResultRecord, ALineOfAnOlderVersionLacksTheLaterFields) {
  Json json = Json::parse(ToJson(FullRecord()));
  for (const char* later : {"engine_library", "os_syncs", "sync_latency_ns", "device_flushes"}) {
    json.erase(later);
  }
  ResultRecord back;
  std::string error;
  ASSERT_TRUE(FromJson(json.dump(), back, error)) << error;
  EXPECT_EQ(back.engine_library, "");
  EXPECT_EQ(back.device_flushes, -1);
  EXPECT_EQ(back.os_writes, 43u);
  EXPECT_THAT(ErrorOf(With("/os_syncs", "many")), HasSubstr("os_syncs is not a whole number"));
}

TEST(ResultRecord, TakesWholeNumbersWhereFractionsMayStand) {
  ResultRecord back;
  std::string error;
  ASSERT_TRUE(FromJson(With("/seconds", 2), back, error)) << error;
  EXPECT_EQ(back.seconds, 2);
}

TEST(ResultRecord, HasTheTimesOfTheProcessOnlyWhereItWasCounted) {
  ResultRecord record = FullRecord();
  EXPECT_FALSE(Json::parse(ToJson(record)).contains("process"));
  record.process = ProcessSpan{2.5, 1.25, 0.75};
  ResultRecord back;
  std::string error;
  ASSERT_TRUE(FromJson(ToJson(record), back, error)) << error;
  EXPECT_EQ(ToJson(back), ToJson(record));
  EXPECT_EQ(back.process->system_seconds, 0.75);
  EXPECT_EQ(back.scope, "process");
}

TEST(ResultRecord, HasAnOpenLoopOnlyWhereThereWasOne) {
  ResultRecord record = FullRecord();
  EXPECT_FALSE(Json::parse(ToJson(record)).contains("open_loop"));
  record.open_loop = OpenLoop{2500, {}, 7, 5, true};
  record.open_loop->service_ns.Record(1000);
  const std::string line = ToJson(record);
  ResultRecord back;
  std::string error;
  ASSERT_TRUE(FromJson(line, back, error)) << error;
  EXPECT_EQ(ToJson(back), line);
  EXPECT_EQ(back.open_loop->rate, 2500);
  EXPECT_TRUE(back.open_loop->saturated);
  Json cut = Json::parse(line);
  cut["open_loop"].erase("backlog_last");
  EXPECT_THAT(ErrorOf(cut.dump()), HasSubstr("open_loop.backlog_last is missing"));
}

}  // namespace
}  // namespace metrics
