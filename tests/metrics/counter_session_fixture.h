// What the tests of a session share: its events by name, on a kernel of theirs.
#pragma once

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

#include "metrics/counter_session.h"
#include "tests/metrics/fake_perf_system.h"

namespace metrics {

class CounterSessionTest : public testing::Test {
 protected:
  std::unique_ptr<CounterSession> Open(const std::vector<std::string>& lists) {
    const auto groups = ParseEvents(lists);
    EXPECT_TRUE(groups) << groups.error();
    auto session = CounterSession::Open(*groups, system_);
    system_.calls.clear();
    return session;
  }
  CounterReading Measure(const std::string& list, uint64_t ns = 1000) {
    const auto session = Open({list});
    session->Start();
    system_.Run(ns);
    session->Stop();
    return session->Readings().at(0);
  }
  FakePerfSystem system_;
};

}  // namespace metrics
