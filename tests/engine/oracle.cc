#include "tests/engine/oracle.h"

namespace burin {
namespace {

std::string Shown(const std::map<std::pair<std::string, int64_t>, std::string>& state,
                  const std::pair<std::string, int64_t>& key) {
  const auto found = state.find(key);
  if (found == state.end()) return "nothing";
  const std::string& value = found->second;
  return std::to_string(value.size()) + " bytes \"" + value.substr(0, 40) + "\"";
}

}  // namespace

size_t Oracle::Submit(size_t stream, Changes changes) {
  const std::lock_guard guard(mutex_);
  Stream& target = streams_.at(stream);
  for (const Change& change : changes) target.keys.insert({change.table, change.key});
  target.batches.push_back({std::move(changes)});
  return target.batches.size() - 1;
}

void Oracle::Acknowledge(size_t stream, size_t batch) {
  const std::lock_guard guard(mutex_);
  Stream& target = streams_.at(stream);
  for (size_t before = target.acknowledged; before < batch; ++before) {
    if (target.batches.at(before).withdrawn || !target.out_of_order.empty()) continue;
    target.out_of_order = "batch " + std::to_string(batch) + " of stream " +
                          std::to_string(stream) + " was acknowledged before batch " +
                          std::to_string(before);
  }
  target.acknowledged = std::max(target.acknowledged, batch + 1);
}

void Oracle::Withdraw(size_t stream, size_t batch) {
  const std::lock_guard guard(mutex_);
  streams_.at(stream).batches.at(batch).withdrawn = true;
}

Oracle::Horizon Oracle::Now() const {
  const std::lock_guard guard(mutex_);
  Horizon horizon;
  for (const Stream& stream : streams_) {
    horizon.acknowledged.push_back(stream.acknowledged);
    horizon.submitted.push_back(stream.batches.size());
  }
  return horizon;
}

Oracle::Horizon Oracle::Around(const Horizon& before, const Horizon& after) {
  return {before.acknowledged, after.submitted};
}

void Oracle::Apply(const Batch& batch, State* state) {
  if (batch.withdrawn) return;
  for (const Change& change : batch.changes) {
    if (change.value.has_value()) {
      (*state)[{change.table, change.key}] = *change.value;
    } else {
      state->erase({change.table, change.key});
    }
  }
}

std::string Oracle::ReadTables(Engine& engine, State* content) const {
  std::set<std::string> tables;
  for (const Stream& stream : streams_) {
    for (const Key& key : stream.keys) tables.insert(key.first);
  }
  const auto session = engine.Connect();
  auto transaction = session->Begin(TransactionKind::kConcurrent);
  if (!transaction.ok()) return std::string(transaction.status().message());
  for (const std::string& name : tables) {
    const auto table = engine.FindTable(name);
    if (table.status().code() == StatusCode::kNotFound) continue;  // then it is empty
    if (!table.ok()) return std::string(table.status().message());
    const Status status =
        transaction->Scan(*table, INT64_MIN, INT64_MAX, [&](int64_t key, std::string_view value) {
          (*content)[{name, key}] = value;
          return true;
        });
    if (!status.ok()) return std::string(status.message());
  }
  return {};
}

std::string Oracle::CheckStream(const Stream& stream, size_t number, const State& content,
                                size_t least, size_t most) {
  if (!stream.out_of_order.empty()) return stream.out_of_order;
  State own;
  for (const auto& [key, value] : content) {
    if (stream.keys.contains(key)) own[key] = value;
  }
  State state;
  for (size_t i = 0; i < least; ++i) Apply(stream.batches[i], &state);
  const State acknowledged = state;
  for (size_t i = least;; ++i) {
    if (state == own) return {};
    if (i >= most) break;
    Apply(stream.batches[i], &state);
  }
  std::string reason = "stream " + std::to_string(number) + ": not the state after any of " +
                       std::to_string(least) + " to " + std::to_string(most) + " batches";
  for (const Key& key : stream.keys) {
    const std::string expected = Shown(acknowledged, key);
    const std::string found = Shown(own, key);
    if (expected != found) {
      return reason + "; after " + std::to_string(least) + " the first difference is key " +
             std::to_string(key.second) + " of " + key.first + ": " + found + " instead of " +
             expected;
    }
  }
  return reason;
}

std::string Oracle::Check(Engine& engine, const Horizon& horizon) const {
  const std::lock_guard guard(mutex_);
  State content;
  if (std::string failure = ReadTables(engine, &content); !failure.empty()) return failure;
  for (const auto& [key, value] : content) {
    bool known = false;
    for (const Stream& stream : streams_) known = known || stream.keys.contains(key);
    if (!known) {
      return "key " + std::to_string(key.second) + " of " + key.first + " was never written";
    }
  }
  for (size_t i = 0; i < streams_.size(); ++i) {
    std::string reason =
        CheckStream(streams_[i], i, content, horizon.acknowledged.at(i), horizon.submitted.at(i));
    if (!reason.empty()) return reason;
  }
  return {};
}

}  // namespace burin
