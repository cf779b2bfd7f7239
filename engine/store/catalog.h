// The names of tables and their ids; what the log's catalog records add up to.
//
// Thread rule: any thread.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/engine.h"
#include "engine/hash.h"

namespace burin {

class Catalog {
 public:
  explicit Catalog(Hasher hasher) : ids_(16, NameHash{hasher}, std::equal_to<>()) {}

  // kNotFound: no such table.
  Result<TableId> Find(std::string_view name) const;

  bool Has(TableId id) const { return id < NextId(); }
  TableId NextId() const { return count_.load(std::memory_order_acquire); }

  // Ids ascend by one from 0; a table that is known already changes nothing.
  void Add(std::string_view name, TableId id);

  std::vector<std::string> Names() const;  // by id

 private:
  struct NameHash {
    using is_transparent = void;
    Hasher hasher;
    size_t operator()(std::string_view name) const {
      return hasher == Hasher::kFx ? FxHashBytes(name) : SipHash13Bytes(name);
    }
  };

  std::atomic<TableId> count_{0};
  mutable std::mutex mutex_;
  std::unordered_map<std::string, TableId, NameHash, std::equal_to<>> ids_;
};

}  // namespace burin
