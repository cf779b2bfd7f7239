// What --list-events shows.
#include <gmock/gmock.h>

#include <cerrno>
#include <set>
#include <string>
#include <vector>

#include "metrics/events.h"
#include "tests/metrics/fake_perf_system.h"

namespace metrics {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ListEvents, ListsOnlyWhatOpens) {
  FakePerfSystem system;
  system.refuse = [](const perf_event_attr& attributes, int) {
    return attributes.type == PERF_TYPE_SOFTWARE ? 0 : ENOENT;
  };
  std::set<std::string> names;
  for (const ListedEvent& event : ListEvents("", system)) {
    EXPECT_EQ(event.pmu, "perf");
    EXPECT_THAT(event.description, Not(HasSubstr("\n")));
    EXPECT_TRUE(names.insert(event.name).second) << event.name << " twice";
  }
  EXPECT_TRUE(names.contains("task-clock"));
  EXPECT_TRUE(names.contains("emulation-faults"));
  EXPECT_FALSE(names.contains("cycles"));
  EXPECT_EQ(system.OpenDescriptors(), 0);
}

TEST(ListEvents, ListsNamesThatParse) {
  FakePerfSystem system;
  const auto events = ListEvents("", system);
  EXPECT_GT(events.size(), 50);
  for (const ListedEvent& event : events) {
    EXPECT_TRUE(ParseEvents(std::vector<std::string>{event.name})) << event.name;
  }
}

TEST(ListEvents, FindsAWordInWhateverCase) {
  FakePerfSystem system;
  const auto events = ListEvents("l1-DCACHE", system);
  EXPECT_GE(events.size(), 6);
  for (const ListedEvent& event : events) EXPECT_THAT(event.name, HasSubstr("L1-dcache"));
  EXPECT_TRUE(ListEvents("no such event", system).empty());
}

TEST(ListEvents, TakesAnEventThatOpensForTheUserOnly) {
  FakePerfSystem system;
  system.refuse = [](const perf_event_attr& attributes, int) {
    return attributes.exclude_kernel ? 0 : EACCES;
  };
  EXPECT_FALSE(ListEvents("instructions", system).empty());
}

}  // namespace
}  // namespace metrics
