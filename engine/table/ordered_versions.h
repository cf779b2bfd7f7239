// The committed versions of a frozen generation in the order of a run: table, key, newest first.
//
// Writers mostly insert ascending keys, so the rows lie in long ascending stretches. Stretches that
// overlap no other are passed on as they are; only those that do are sorted row by row.
// Thread rule: one thread; the generation is frozen and settled.
#pragma once

#include <functional>
#include <string_view>

#include "engine/table/generation.h"

namespace burin {

struct OrderedVersion {
  TableId table;
  int64_t key;
  Lsn lsn;
  bool erased;
  std::string_view value;  // in the generation's memory
};

// Until `each` fails. Of one key twice in a record only the last is passed on.
Status ForEachVersionInOrder(const Generation& generation,
                             const std::function<Status(const OrderedVersion&)>& each);

}  // namespace burin
