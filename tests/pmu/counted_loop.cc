// The loop in assembler, so that the compiler cannot change how many instructions it has.
#include "tests/pmu/counted_loop.h"

#include <gtest/gtest.h>

#include "metrics/counter_session.h"

namespace pmu {

void RunLoop(uint64_t turns) {
  asm volatile(
      "1: subs %0, %0, #1\n"
      "   b.ne 1b"
      : "+r"(turns)
      :
      : "cc");
}

std::vector<metrics::EventGroup> Events(const std::string& list) {
  auto events = metrics::ParseEvents(std::vector<std::string>{list});
  EXPECT_TRUE(events) << events.error();
  return events.value_or(std::vector<metrics::EventGroup>());
}

std::string Repeated(const std::string& event, int times) {
  std::string list = event;
  for (int i = 1; i < times; ++i) list += "," + event;
  return list;
}

std::vector<metrics::CounterReading> CountLoop(const std::vector<metrics::EventGroup>& events,
                                               uint64_t turns) {
  const auto session = metrics::CounterSession::Open(events);
  session->Start();
  RunLoop(turns);
  session->Stop();
  return session->Readings();
}

std::map<std::string, metrics::CounterReading> ByName(
    const std::vector<metrics::CounterReading>& readings) {
  std::map<std::string, metrics::CounterReading> by_name;
  for (const metrics::CounterReading& reading : readings) by_name[reading.event] = reading;
  return by_name;
}

}  // namespace pmu
