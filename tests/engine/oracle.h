// Knows what a database may hold after a crash, and says what is wrong with it.
//
// Writers tell the oracle what they submit and what was acknowledged. A stream is a sequence of
// batches in log order: those of one thread. Streams write different keys, so each can be judged by
// itself: a reopened database holds the state after n of its batches, where n is at least what was
// acknowledged and at most what was submitted. That is: acknowledged batches with exact bytes,
// those in doubt whole or absent and only as a prefix, and no row nobody wrote.
// Thread rule: any thread at once; a stream belongs to one thread.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace burin {

class Oracle {
 public:
  struct Change {
    std::string table;
    int64_t key = 0;
    std::optional<std::string> value;  // none: erased
  };
  using Changes = std::vector<Change>;

  // How far each stream was at one moment, in batches.
  struct Horizon {
    std::vector<size_t> acknowledged;
    std::vector<size_t> submitted;
  };

  explicit Oracle(size_t streams = 1) : streams_(streams) {}

  size_t Submit(size_t stream, Changes changes);  // before the commit; the batch's number
  void Acknowledge(size_t stream, size_t batch);  // after the commit said Ok
  void Withdraw(size_t stream, size_t batch);     // the commit failed and left nothing

  Horizon Now() const;

  // For a disk copied between the two: acknowledged as before the copy, submitted as after it.
  static Horizon Around(const Horizon& before, const Horizon& after);

  // Reads all tables that were ever written; empty when they hold what they may, else the reason.
  std::string Check(Engine& engine, const Horizon& horizon) const;
  std::string Check(Engine& engine) const { return Check(engine, Now()); }

 private:
  using Key = std::pair<std::string, int64_t>;
  using State = std::map<Key, std::string>;

  struct Batch {
    Changes changes;
    bool withdrawn = false;
  };
  struct Stream {
    std::vector<Batch> batches;
    std::set<Key> keys;
    size_t acknowledged = 0;  // a prefix of the batches, withdrawn ones counted in
    std::string out_of_order;
  };

  static void Apply(const Batch& batch, State* state);
  static std::string CheckStream(const Stream& stream, size_t number, const State& content,
                                 size_t least, size_t most);
  std::string ReadTables(Engine& engine, State* content) const;

  mutable std::mutex mutex_;
  std::vector<Stream> streams_;
};

}  // namespace burin
