#include "apps/write-throughput/report/rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/write-throughput/report/records.h"

namespace throughput {
namespace {

using metrics::CounterStatus;
using metrics::ResultRecord;
using testing::EndsWith;
using testing::StartsWith;

// The records of RFC 4180 text, read by a reader of its own.
std::vector<std::vector<std::string>> Parsed(const std::string& text) {
  std::vector<std::vector<std::string>> records(1, {""});
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      if (quoted && i + 1 < text.size() && text[i + 1] == '"') {
        records.back().back() += text[++i];
      } else {
        quoted = !quoted;
      }
    } else if (c == ',' && !quoted) {
      records.back().emplace_back();
    } else if (c == '\n' && !quoted) {
      if (i + 1 < text.size()) records.push_back({""});
    } else {
      records.back().back() += c;
    }
  }
  return records;
}

// The one row of csv-wide output by column name.
std::map<std::string, std::string> Wide(const ResultRecord& run) {
  Rows rows(RowFormat::kCsvWide, false);
  const auto records = Parsed(rows.Text(run));
  EXPECT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].size(), records[1].size());
  std::map<std::string, std::string> fields;
  for (size_t i = 0; i < records[0].size(); ++i) fields[records[0][i]] = records[1][i];
  EXPECT_EQ(fields.size(), records[0].size()) << "a column name appears twice";
  return fields;
}

TEST(ClassicRow, IsFrozen) {
  const ResultRecord run =
      With(ExampleRecord(), [](ResultRecord& record) { record.rows_per_second = 106875.2149; });
  Rows rows(RowFormat::kCsv, false);
  EXPECT_EQ(rows.Text(run), "Burin,1,100,0,106875.21\n");
  EXPECT_EQ(rows.Text(run), "Burin,1,100,0,106875.21\n");
}

TEST(ClassicRow, HasItsHeaderOnceAndOnlyWhenAsked) {
  Rows rows(RowFormat::kCsv, true);
  EXPECT_THAT(rows.Text(ExampleRecord()),
              StartsWith("system,threads,batch_size,compute,throughput\nBurin,"));
  EXPECT_THAT(rows.Text(ExampleRecord()), StartsWith("Burin,"));
}

TEST(ClassicRow, ShowsComputeInMicroseconds) {
  const ResultRecord run = With(ExampleRecord(), [](ResultRecord& record) {
    record.compute_us = 500;
    record.threads = 8;
    record.batch_size = 1;
    record.rows_per_second = 0.004;
  });
  EXPECT_EQ(Rows(RowFormat::kCsv, false).Text(run), "Burin,8,1,500,0.00\n");
}

TEST(ClassicRow, QuotesASystemWhoseNameNeedsIt) {
  const ResultRecord run =
      With(ExampleRecord(), [](ResultRecord& record) { record.system = "my,\"own\".so"; });
  EXPECT_THAT(Rows(RowFormat::kCsv, false).Text(run), StartsWith("\"my,\"\"own\"\".so\",1,"));
}

// Readers go by position, too: this line only ever grows at its end, before the counters.
TEST(WideRow, HasItsColumnsInThisOrder) {
  const ResultRecord run = With(ExampleRecord(), [](ResultRecord& record) {
    record.counters = {Counted("task-clock", 1), Counted("cycles", 1, "u")};
  });
  const std::string text = Rows(RowFormat::kCsvWide, false).Text(run);
  EXPECT_EQ(
      LinesOf(text)[0],
      "system,threads,batch_size,compute,throughput,mode,hasher,engine_version,rows,transactions,"
      "seconds,interrupted,commit_latency_p50_us,commit_latency_p90_us,commit_latency_p99_us,"
      "commit_latency_p99_9_us,commit_latency_max_us,retries,conflicts,syncs_per_transaction,"
      "bytes_written_per_row,bytes_prepared_per_row,cell,repeat,compute_clock,in_flight_per_thread,"
      "value_size_bytes,in_doubt_transactions,start_skew_us,user_seconds,system_seconds,"
      "rows_per_thread_min,rows_per_thread_max,rows_verified,engine_library,engine_source_id,"
      "busy_waits,os_syncs_per_transaction,os_bytes_written_per_row,write_amplification,"
      "sync_latency_p50_us,sync_latency_p99_us,device_flushes_per_transaction,durability,"
      "limit_rows_per_second,"
      "rate_transactions_per_second,service_time_p50_us,service_time_p99_us,"
      "backlog_most_transactions,backlog_last_transactions,saturated,"
      "engine_io,checkpoints,merges,"
      "background_bytes,background_bytes_share,background_cpu_seconds,background_cpu_share,stalls,"
      "stall_total_us,stall_longest_us,sync_longest_us,intervals,intervals_without_rows,"
      "durability_note,scope,"
      "task-clock_ns,task-clock_ns_per_row,cycles:u,cycles:u_per_row");
}

TEST(WideRow, HoldsTheFiguresOfTheRun) {
  auto fields = Wide(With(ExampleRecord(), [](ResultRecord& record) {
    record.threads = 2;
    record.rows_per_thread = {400000, 600000};
    record.retries = 4;
    record.conflicts = 3;
    record.in_doubt = 2;
    record.syncs = 2500;
    record.cell = 7;
    record.repeat = 2;
    record.in_flight = 64;
    record.value_size_bytes = 256;
    record.interrupted = true;
    record.verified = true;
    record.rows_verified = 1000100;
    record.engine_library = "/lib/a,b.so";
    record.engine_source_id = "2022 abc";
    record.busy_waits = 9;
    record.row_bytes = 20000000;
    record.os_syncs = 5000;
    record.os_bytes_written = 3000000;
    record.sync_latency_ns.Record(1000, 90);
    record.sync_latency_ns.Record(900'000, 10);
    record.device_flushes = 20000;
    record.durability = "counted";
    record.limit_rows_per_second = 1234.5;
    record.durability_note = "synchronous_commit=on, really";
  }));
  EXPECT_EQ(fields["engine_library"], "/lib/a,b.so");
  EXPECT_EQ(fields["engine_source_id"], "2022 abc");
  EXPECT_EQ(fields["busy_waits"], "9");
  EXPECT_EQ(fields["os_syncs_per_transaction"], "0.5");
  EXPECT_EQ(fields["os_bytes_written_per_row"], "3");
  EXPECT_EQ(fields["write_amplification"], "5.67456");
  EXPECT_EQ(fields["sync_latency_p50_us"], "1.000");
  EXPECT_NEAR(std::stod(fields["sync_latency_p99_us"]), 900, 1);
  EXPECT_EQ(fields["device_flushes_per_transaction"], "2");
  EXPECT_EQ(fields["durability"], "counted");
  EXPECT_EQ(fields["limit_rows_per_second"], "1234.50");
  EXPECT_EQ(fields["durability_note"], "synchronous_commit=on, really");
  EXPECT_EQ(fields["system"], "Burin");
  EXPECT_EQ(fields["mode"], "legacy");
  EXPECT_EQ(fields["hasher"], "fx");
  EXPECT_EQ(fields["engine_version"], "0.1.0");
  EXPECT_EQ(fields["rows"], "1000000");
  EXPECT_EQ(fields["transactions"], "10000");
  EXPECT_EQ(fields["seconds"], "9.218225731");
  EXPECT_EQ(fields["interrupted"], "true");
  EXPECT_EQ(fields["commit_latency_max_us"], "8123.900");
  EXPECT_NEAR(std::stod(fields["commit_latency_p50_us"]), 800, 1);
  EXPECT_NEAR(std::stod(fields["commit_latency_p90_us"]), 800, 1);
  EXPECT_NEAR(std::stod(fields["commit_latency_p99_us"]), 1200, 2);
  EXPECT_NEAR(std::stod(fields["commit_latency_p99_9_us"]), 1200, 2);
  EXPECT_EQ(fields["retries"], "4");
  EXPECT_EQ(fields["conflicts"], "3");
  EXPECT_EQ(fields["syncs_per_transaction"], "0.25");
  EXPECT_EQ(fields["bytes_written_per_row"], "113.4912");
  EXPECT_EQ(fields["bytes_prepared_per_row"], "67.108864");
  EXPECT_EQ(fields["cell"], "7");
  EXPECT_EQ(fields["repeat"], "2");
  EXPECT_EQ(fields["compute_clock"], "wall");
  EXPECT_EQ(fields["in_flight_per_thread"], "64");
  EXPECT_EQ(fields["value_size_bytes"], "256");
  EXPECT_EQ(fields["in_doubt_transactions"], "2");
  EXPECT_EQ(fields["start_skew_us"], "12.400");
  EXPECT_EQ(fields["user_seconds"], "2.231889000");
  EXPECT_EQ(fields["system_seconds"], "0.508785000");
  EXPECT_EQ(fields["rows_per_thread_min"], "400000");
  EXPECT_EQ(fields["rows_per_thread_max"], "600000");
  EXPECT_EQ(fields["rows_verified"], "1000100");
  EXPECT_EQ(fields["instructions"], "19887102451");
  EXPECT_EQ(fields["instructions_per_row"], "19887.1025");
  EXPECT_EQ(fields["task-clock_ns"], "2838650000");
  EXPECT_EQ(fields["task-clock_ns_per_row"], "2838.65");
  EXPECT_EQ(fields["cpu-migrations_per_row"], "0.000351");
}

TEST(WideRow, HoldsWhatHappenedBehindTheLoad) {
  auto fields = Wide(With(ExampleRecord(), [](ResultRecord& record) {
    record.engine_io = "pwrite";
    record.background = {.checkpoints = 3,
                         .merges = 1,
                         .bytes_written = 45'150'016,
                         .cpu_ns = 274'067'400,
                         .stalls = 2,
                         .stall_ns = 1'500'500,
                         .longest_stall_ns = 1'000'000,
                         .longest_sync_ns = 12'345'678};
    record.intervals = {{4, 500000, {}}, {8, 0, {}}, {9.2, 0, {}}};
  }));
  EXPECT_EQ(fields["engine_io"], "pwrite");
  EXPECT_EQ(fields["checkpoints"], "3");
  EXPECT_EQ(fields["merges"], "1");
  EXPECT_EQ(fields["background_bytes"], "45150016");
  EXPECT_EQ(fields["background_bytes_share"], "0.25");
  EXPECT_EQ(fields["background_cpu_seconds"], "0.274067400");
  EXPECT_EQ(fields["background_cpu_share"], "0.1");
  EXPECT_EQ(fields["stalls"], "2");
  EXPECT_EQ(fields["stall_total_us"], "1500.500");
  EXPECT_EQ(fields["stall_longest_us"], "1000.000");
  EXPECT_EQ(fields["sync_longest_us"], "12345.678");
  EXPECT_EQ(fields["intervals"], "2");
  EXPECT_EQ(fields["intervals_without_rows"], "1");
}

TEST(WideRow, LeavesEmptyWhatThereIsNot) {
  auto fields = Wide(With(ExampleRecord(), [](ResultRecord& record) {
    record.rows = record.transactions = 0;
    record.rows_per_thread = {};
    record.commit_latency_ns = {};
    record.hasher = "";
    record.counters = {Counted("cycles", 5), Missing("branches", CounterStatus::kNotCounted),
                       Missing("instructions", CounterStatus::kSuspect),
                       Missing("cache-misses", CounterStatus::kNotSupported)};
  }));
  for (const char* name : {"hasher",
                           "commit_latency_p50_us",
                           "commit_latency_max_us",
                           "syncs_per_transaction",
                           "bytes_written_per_row",
                           "rows_per_thread_min",
                           "rows_per_thread_max",
                           "rows_verified",
                           "engine_library",
                           "write_amplification",
                           "sync_latency_p50_us",
                           "device_flushes_per_transaction",
                           "durability",
                           "limit_rows_per_second",
                           "rate_transactions_per_second",
                           "service_time_p50_us",
                           "backlog_last_transactions",
                           "saturated",
                           "engine_io",
                           "sync_longest_us",
                           "durability_note",
                           "cycles_per_row",
                           "branches",
                           "branches_per_row",
                           "instructions",
                           "instructions_per_row",
                           "cache-misses"}) {
    ASSERT_EQ(fields.count(name), 1u) << name;
    EXPECT_EQ(fields[name], "") << name;
  }
  EXPECT_EQ(fields["cycles"], "5");
}

TEST(WideRow, ShowsAnOpenLoop) {
  auto fields = Wide(With(ExampleRecord(), [](ResultRecord& record) {
    record.open_loop = metrics::OpenLoop{2500, {}, 7, 5, true};
    record.open_loop->service_ns.Record(1000);
  }));
  EXPECT_EQ(fields["rate_transactions_per_second"], "2500");
  EXPECT_EQ(fields["service_time_p99_us"], "1.000");
  EXPECT_EQ(fields["backlog_most_transactions"], "7");
  EXPECT_EQ(fields["backlog_last_transactions"], "5");
  EXPECT_EQ(fields["saturated"], "true");
}

TEST(WideRow, KeepsTheColumnsOfTheFirstRun) {
  Rows rows(RowFormat::kCsvWide, false);
  const auto holding = [](std::vector<metrics::CounterReading> counters) {
    return With(ExampleRecord(), [&](ResultRecord& run) { run.counters = std::move(counters); });
  };
  std::string text = rows.Text(holding({Counted("cycles", 1e6), Counted("branches", 2e6)}));
  text += rows.Text(holding({Counted("branches", 3e6), Counted("page-faults", 5)}));
  text += rows.Text(holding({}));
  EXPECT_THAT(LinesOf(text)[1], EndsWith(",1000000,1,2000000,2"));
  EXPECT_THAT(LinesOf(text)[2], EndsWith(",,,3000000,3"));
  EXPECT_THAT(LinesOf(text)[3], EndsWith(",,,,"));
  for (const auto& record : Parsed(text)) EXPECT_EQ(record.size(), Parsed(text)[0].size());
}

TEST(WideRow, CanBeParsedWhateverItsStringsHold) {
  const std::string nasty = "q\"b\\s\tn\nl\xff,.so";
  auto fields = Wide(With(ExampleRecord(), [&](ResultRecord& record) {
    record.system = nasty;
    record.engine_version = nasty;
    record.counters = {Counted("cpu/a=1,b=2/", 7)};
  }));
  EXPECT_EQ(fields["system"], "q\"b\\s\tn\nl\uFFFD,.so");
  EXPECT_EQ(fields["engine_version"], "q\"b\\s\tn\nl\uFFFD,.so");
  EXPECT_EQ(fields["cpu/a=1,b=2/"], "7");
}

TEST(JsonRow, IsTheRecordOnOneLine) {
  const ResultRecord run = ExampleRecord();
  Rows rows(RowFormat::kJson, true);
  EXPECT_EQ(rows.Text(run), metrics::ToJson(run) + "\n");
  EXPECT_EQ(rows.Text(run), metrics::ToJson(run) + "\n");
}

TEST(JsonRow, IsUtf8JsonWhateverItsStringsHold) {
  const std::string nasty = "q\"b\\s\tn\nl\xff.db";
  const std::string text =
      Rows(RowFormat::kJson, false).Text(With(ExampleRecord(), [&](ResultRecord& record) {
        record.system = nasty;
        record.environment.arguments = {"--database", nasty};
      }));
  ASSERT_EQ(LinesOf(text).size(), 1u);
  const auto object = nlohmann::json::parse(text);
  EXPECT_EQ(object["system"], "q\"b\\s\tn\nl\uFFFD.db");
}

// FORMATS.md, where the percentiles share one row under their endings.
TEST(FormatsDocument, NamesEveryColumnAndEveryField) {
  std::ifstream file(FORMATS_DOCUMENT);
  std::ostringstream content;
  content << file.rdbuf();
  const std::string document = content.str();
  const auto named = [&](const std::string& name) {
    return document.find("`" + name + "`") != std::string::npos;
  };
  const std::string prefix = "commit_latency";
  ResultRecord run = ExampleRecord();
  run.counters = {};
  for (const auto& [name, value] : Wide(run)) {
    const bool percentile = name.starts_with(prefix);
    EXPECT_TRUE(named(name) || (percentile && named(name.substr(prefix.size())))) << name;
  }
  run = ExampleRecord();
  run.intervals = {{1, 5, {}}};
  run.thread_counters = {{"load-0", {}}};
  run.phases = {{"insert", 1, true, 2, 3}};
  const auto object = nlohmann::json::parse(metrics::ToJson(run));
  for (const auto& [name, value] : object.items()) EXPECT_TRUE(named(name)) << name;
  for (const char* part : {"environment", "commit_latency_ns", "commit_latency_us"}) {
    for (const auto& [name, value] : object[part].items()) EXPECT_TRUE(named(name)) << name;
  }
  for (const char* part : {"counters", "intervals", "thread_counters", "phases"}) {
    for (const auto& [name, value] : object[part][0].items()) EXPECT_TRUE(named(name)) << name;
  }
}

}  // namespace
}  // namespace throughput
