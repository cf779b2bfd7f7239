// The dependencies between transactions, and the cycles that snapshot isolation forbids.
//
// Thread rule: one thread at a time. Invariant: each node is there twice, as arrived at by an
// anti-dependency (from which no second one may leave) and by a dependency; so a cycle of the
// doubled graph is a closed walk without two adjacent anti-dependencies.
#pragma once

#include <cstddef>
#include <vector>

namespace burin {

class DependencyGraph {
 public:
  explicit DependencyGraph(size_t nodes) : edges_(2 * nodes) {}

  void AddDependency(size_t from, size_t to);      // `to` comes behind `from`
  void AddAntiDependency(size_t from, size_t to);  // `from` did not see what `to` wrote

  // The nodes of a forbidden cycle in order; empty when there is none.
  std::vector<size_t> FindForbiddenCycle() const;

 private:
  static size_t ByAnti(size_t node) { return 2 * node; }
  static size_t ByDependency(size_t node) { return 2 * node + 1; }

  std::vector<std::vector<size_t>> edges_;
};

}  // namespace burin
