// The blocks of a load in the order of their ids: what a walk over the rows has to meet.
// Thread rule: one thread.
#pragma once

#include <optional>
#include <vector>

#include "apps/write-throughput/load_plan.h"
#include "apps/write-throughput/workload.h"

namespace throughput {

struct WrittenBlock {
  int64_t first_id = 0;  // the least
  int64_t last_id = 0;
  bool in_doubt = false;
};

class WrittenBlocks {
 public:
  // `logs`: one for each thread.
  WrittenBlocks(const IdLayout& layout, Phase phase, const std::vector<PhaseLog>& logs);

  std::optional<WrittenBlock> Next();  // in ascending order of ids; absent: no more

 private:
  struct Lists {
    int64_t begun;
    std::vector<int64_t> in_doubt;  // sorted
    std::vector<int64_t> refused;   // sorted
  };

  bool Step();
  bool StepByThread();
  bool StepByIteration();

  const IdLayout layout_;
  const Phase phase_;
  const bool by_thread_;  // a thread's blocks are neighbours; else an iteration's are
  std::vector<Lists> threads_;
  int64_t most_begun_ = 0;
  bool started_ = false;
  int thread_ = 0;
  int64_t iteration_ = 0;
};

}  // namespace throughput
