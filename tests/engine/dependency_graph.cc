#include "tests/engine/dependency_graph.h"

#include <algorithm>

namespace burin {

void DependencyGraph::AddDependency(size_t from, size_t to) {
  edges_[ByAnti(from)].push_back(ByDependency(to));
  edges_[ByDependency(from)].push_back(ByDependency(to));
}

void DependencyGraph::AddAntiDependency(size_t from, size_t to) {
  edges_[ByDependency(from)].push_back(ByAnti(to));
}

// A depth-first search with its own stack: histories are longer than the call stack is deep.
std::vector<size_t> DependencyGraph::FindForbiddenCycle() const {
  enum class Mark : char { kNew, kOnPath, kDone };
  struct Step {
    size_t node;
    size_t next_edge;
  };
  std::vector<Mark> marks(edges_.size(), Mark::kNew);
  std::vector<Step> path;
  for (size_t root = 0; root < edges_.size(); ++root) {
    if (marks[root] != Mark::kNew) continue;
    marks[root] = Mark::kOnPath;
    path.push_back({root, 0});
    while (!path.empty()) {
      Step& step = path.back();
      if (step.next_edge == edges_[step.node].size()) {
        marks[step.node] = Mark::kDone;
        path.pop_back();
        continue;
      }
      const size_t next = edges_[step.node][step.next_edge++];
      if (marks[next] == Mark::kOnPath) {
        const auto start = std::find_if(path.begin(), path.end(),
                                        [next](const Step& s) { return s.node == next; });
        std::vector<size_t> cycle;
        for (auto at = start; at != path.end(); ++at) cycle.push_back(at->node / 2);
        return cycle;
      }
      if (marks[next] == Mark::kNew) {
        marks[next] = Mark::kOnPath;
        path.push_back({next, 0});
      }
    }
  }
  return {};
}

}  // namespace burin
