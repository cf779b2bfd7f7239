// Writes to a database until it is killed, and tells on standard output what was acknowledged.
//
//   engine_kill_writer DATABASE TABLE exclusive|serial|concurrent|pipelined
//
// Thread rule: main makes the threads; each owns its session and its stream of batches.
#include <unistd.h>

#include <cstdio>
#include <deque>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/engine.h"
#include "tests/engine/kill_workload.h"

namespace burin {
namespace {

struct Job {
  Engine& engine;
  std::string table_name;
  TableId table;
  TransactionKind kind;
  uint32_t in_flight;
};

[[noreturn]] void Fail(const Status& status) {
  std::fprintf(stderr, "engine_kill_writer: %s\n", std::string(status.message()).c_str());
  _exit(1);
}

void Check(const Status& status) {
  if (!status.ok()) Fail(status);
}

void Tell(uint32_t thread, uint32_t batch) {
  const KillAcknowledgement told{thread, batch};
  if (write(STDOUT_FILENO, &told, sizeof told) != sizeof told) _exit(1);
}

Transaction Write(Session& session, const Job& job, uint32_t thread, uint32_t batch) {
  auto transaction = session.Begin(job.kind);
  Check(transaction.status());
  Batch rows = transaction->batch();
  const int64_t oldest_new_key = KillBatch(job.table_name, thread, batch).front().key;
  for (const auto& [name, key, value] : KillBatch(job.table_name, thread, batch)) {
    if (!value.has_value()) {
      rows.Erase(job.table, key);
    } else if (key >= oldest_new_key) {
      rows.Insert(job.table, key, *value);
    } else {
      rows.Update(job.table, key, *value);
    }
  }
  return std::move(*transaction);
}

void WriteForEver(const Job& job, uint32_t thread) {
  const auto session = job.engine.Connect();
  std::deque<Transaction> in_flight;
  for (uint32_t batch = 0;; ++batch) {
    Transaction transaction = Write(*session, job, thread, batch);
    if (job.in_flight == 1) {
      Check(transaction.Commit());
      Tell(thread, batch);
      continue;
    }
    Check(transaction.CommitAsync());
    in_flight.push_back(std::move(transaction));
    if (in_flight.size() < job.in_flight) continue;
    Check(in_flight.front().Await());
    Tell(thread, batch - job.in_flight + 1);
    in_flight.pop_front();
  }
}

int Main(const std::string& path, const std::string& table_name, std::string_view mode) {
  EngineOptions options;
  options.segment_bytes = 1 << 20;
  options.table_slots = 1 << 14;
  const bool io_uring = mode == "io_uring";
  if (io_uring) options.io = Io::kIoUring;
  const bool pipelined = mode == "pipelined" || io_uring;
  auto engine = Engine::Open(path, options);
  Check(engine.status());
  const auto table = (*engine)->CreateTable(table_name);
  Check(table.status());
  const TransactionKind kind = mode == "exclusive" ? TransactionKind::kExclusive
                               : mode == "serial"  ? TransactionKind::kSerial
                                                   : TransactionKind::kConcurrent;
  const Job job{**engine, table_name, *table, kind, pipelined ? kKillInFlight : 1};
  std::vector<std::thread> threads;
  for (uint32_t thread = 0; thread < kKillThreads; ++thread) {
    threads.emplace_back(WriteForEver, std::cref(job), thread);
  }
  for (std::thread& thread : threads) thread.join();
  return 0;
}

}  // namespace
}  // namespace burin

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs(
        "usage: engine_kill_writer DATABASE TABLE exclusive|serial|concurrent|pipelined|io_uring\n",
        stderr);
    return 2;
  }
  return burin::Main(argv[1], argv[2], argv[3]);
}
