// What the tests of the opener share.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "metrics/counter_opener.h"
#include "tests/metrics/fake_perf_system.h"

namespace metrics {

inline EventGroup Group(const std::string& list) {
  auto groups = ParseEvents(std::vector<std::string>{list});
  EXPECT_TRUE(groups) << groups.error();
  EXPECT_EQ(groups->size(), 1);
  return groups->at(0);
}

inline bool IsHardware(const perf_event_attr& attributes) {
  return attributes.type != PERF_TYPE_SOFTWARE;
}

class CounterOpenerTest : public testing::Test {
 protected:
  std::vector<OpenCounter> Open(const std::string& list, const CounterOptions& options = {}) {
    return CounterOpener(options, system_).Open(Group(list));
  }
  FakePerfSystem system_;
};

}  // namespace metrics
