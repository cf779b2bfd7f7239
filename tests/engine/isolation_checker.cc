#include "tests/engine/isolation_checker.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "tests/engine/dependency_graph.h"

namespace burin {
namespace {

using Outcome = TransactionRecord::Outcome;
using Operation = TransactionRecord::Operation;
using KeyVersion = std::pair<int64_t, WriteId>;

std::string Name(WriteId write) {
  if (write.transaction == 0) return "the absent row";
  return "write " + std::to_string(write.number) + " of transaction " +
         std::to_string(write.transaction);
}

class Checker {
 public:
  explicit Checker(const std::vector<TransactionRecord>& history) : history_(history) {
    for (size_t i = 0; i < history_.size(); ++i) {
      index_[history_[i].id] = i;
      for (const Operation& operation : history_[i].operations) {
        if (operation.is_write) last_write_[{history_[i].id, operation.key}] = operation.version;
      }
    }
  }

  std::vector<Anomaly> Run() {
    for (const TransactionRecord& transaction : history_) CheckReads(transaction);
    FindSuccessors();
    if (anomalies_.empty()) CheckCycles();  // versions are in order only then
    return std::move(anomalies_);
  }

 private:
  void Report(Anomaly::Kind kind, const TransactionRecord& reader, int64_t key,
              const std::string& text) {
    anomalies_.push_back({kind, "transaction " + std::to_string(reader.id) + ", key " +
                                    std::to_string(key) + ": " + text});
  }

  void CheckReads(const TransactionRecord& transaction) {
    std::map<int64_t, WriteId> own;
    std::map<int64_t, WriteId> seen;
    for (const Operation& operation : transaction.operations) {
      if (operation.is_write) {
        own[operation.key] = operation.version;
        continue;
      }
      if (const auto written = own.find(operation.key); written != own.end()) {
        if (written->second != operation.version) {
          Report(Anomaly::Kind::kOwnWriteUnseen, transaction, operation.key,
                 "saw " + Name(operation.version) + " after its own write");
        }
        continue;
      }
      const auto [first, fresh] = seen.try_emplace(operation.key, operation.version);
      if (!fresh && first->second != operation.version) {
        Report(Anomaly::Kind::kNonRepeatableRead, transaction, operation.key,
               "saw " + Name(first->second) + ", then " + Name(operation.version));
      }
      CheckSource(transaction, operation);
    }
  }

  // Whether what was read had been committed by somebody.
  void CheckSource(const TransactionRecord& reader, const Operation& read) {
    const WriteId version = read.version;
    if (version.transaction == 0) return;
    const auto found = index_.find(version.transaction);
    if (found == index_.end() || history_[found->second].outcome == Outcome::kAborted) {
      Report(Anomaly::Kind::kAbortedRead, reader, read.key,
             "saw " + Name(version) + ", which did not commit");
      return;
    }
    if (read.time < history_[found->second].commit_called) {
      Report(Anomaly::Kind::kDirtyRead, reader, read.key,
             "saw " + Name(version) + " before it called commit");
    }
    const auto last = last_write_.find({version.transaction, read.key});
    if (last == last_write_.end() || last->second != version) {
      Report(Anomaly::Kind::kIntermediateRead, reader, read.key,
             "saw " + Name(version) + ", which its transaction replaced");
    }
  }

  // Which committed transaction replaced which version.
  void FindSuccessors() {
    for (const TransactionRecord& transaction : history_) {
      if (transaction.outcome != Outcome::kCommitted) continue;
      std::map<int64_t, std::optional<WriteId>> read;
      for (const Operation& operation : transaction.operations) {
        std::optional<WriteId>& predecessor = read[operation.key];
        if (!operation.is_write && !predecessor.has_value()) predecessor = operation.version;
      }
      for (const auto& [key, predecessor] : read) {
        if (!predecessor.has_value() || !last_write_.contains({transaction.id, key})) continue;
        const auto [first, fresh] =
            successor_.try_emplace(KeyVersion{key, *predecessor}, transaction.id);
        if (!fresh) {
          Report(Anomaly::Kind::kLostUpdate, transaction, key,
                 "replaced " + Name(*predecessor) + ", as transaction " +
                     std::to_string(first->second) + " did");
        }
      }
    }
  }

  void CheckCycles() {
    DependencyGraph graph(2 * history_.size());  // behind the transactions: moments of time
    AddReads(&graph);
    AddRealTime(&graph);
    const std::vector<size_t> cycle = graph.FindForbiddenCycle();
    if (cycle.empty()) return;
    std::string text = "no snapshot fits: a cycle of the transactions";
    for (const size_t node : cycle) {
      if (node < history_.size()) text += " " + std::to_string(history_[node].id);
    }
    anomalies_.push_back({Anomaly::Kind::kReadSkew, text});
  }

  void AddReads(DependencyGraph* graph) const {
    for (size_t i = 0; i < history_.size(); ++i) {
      std::map<int64_t, bool> written;
      for (const Operation& operation : history_[i].operations) {
        if (operation.is_write) written[operation.key] = true;
        if (operation.is_write || written[operation.key]) continue;
        const WriteId version = operation.version;
        if (version.transaction != 0) graph->AddDependency(index_.at(version.transaction), i);
        const auto next = successor_.find({operation.key, version});
        if (next != successor_.end() && next->second != history_[i].id) {
          graph->AddAntiDependency(i, index_.at(next->second));
        }
      }
    }
  }

  // A chain of moments, one for each begin in their order: what had committed by then leads into
  // it, and it leads to the transaction that begins.
  void AddRealTime(DependencyGraph* graph) const {
    std::vector<std::pair<uint64_t, size_t>> begins;
    for (size_t i = 0; i < history_.size(); ++i) begins.push_back({history_[i].begin_called, i});
    std::sort(begins.begin(), begins.end());
    const size_t moments = history_.size();
    for (size_t moment = 0; moment < begins.size(); ++moment) {
      if (moment > 0) graph->AddDependency(moments + moment - 1, moments + moment);
      graph->AddDependency(moments + moment, begins[moment].second);
    }
    for (size_t i = 0; i < history_.size(); ++i) {
      if (history_[i].outcome != Outcome::kCommitted) continue;
      const auto later = std::upper_bound(begins.begin(), begins.end(),
                                          std::pair{history_[i].commit_returned, SIZE_MAX});
      if (later == begins.end()) continue;
      graph->AddDependency(i, moments + static_cast<size_t>(later - begins.begin()));
    }
  }

  const std::vector<TransactionRecord>& history_;
  std::unordered_map<uint64_t, size_t> index_;
  std::map<std::pair<uint64_t, int64_t>, WriteId> last_write_;  // of a transaction to a key
  std::map<KeyVersion, uint64_t> successor_;
  std::vector<Anomaly> anomalies_;
};

}  // namespace

std::string ToValue(WriteId write) {
  return std::to_string(write.transaction) + "/" + std::to_string(write.number);
}

WriteId FromValue(std::string_view value) {
  WriteId write;
  const char* const end = value.data() + value.size();
  const auto transaction = std::from_chars(value.data(), end, write.transaction);
  if (transaction.ptr < end) std::from_chars(transaction.ptr + 1, end, write.number);
  return write;
}

std::vector<Anomaly> FindAnomalies(const std::vector<TransactionRecord>& history) {
  return Checker(history).Run();
}

}  // namespace burin
