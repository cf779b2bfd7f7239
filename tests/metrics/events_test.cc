#include "metrics/events.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/metrics/fake_perf_system.h"

namespace metrics {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<EventGroup> Parse(const std::vector<std::string>& lists) {
  const auto groups = ParseEvents(lists);
  EXPECT_TRUE(groups) << groups.error();
  return groups.value_or(std::vector<EventGroup>{});
}

Event ParseOne(const std::string& text) {
  const auto groups = Parse({text});
  EXPECT_EQ(groups.size(), 1);
  EXPECT_EQ(groups.at(0).events.size(), 1);
  return groups.at(0).events.at(0);
}

std::string ErrorOf(const std::string& list) {
  const auto groups = ParseEvents(std::vector<std::string>{list});
  EXPECT_FALSE(groups) << list;
  if (groups) return {};
  EXPECT_THAT(groups.error(), Not(HasSubstr("\n")));
  return groups.error();
}

std::vector<std::vector<std::string>> Names(const std::vector<EventGroup>& groups) {
  std::vector<std::vector<std::string>> names;
  for (const EventGroup& group : groups) {
    names.emplace_back();
    for (const Event& event : group.events) {
      names.back().push_back(event.name + (event.modifiers.empty() ? "" : ":") + event.modifiers);
    }
  }
  return names;
}

using Group = std::vector<std::string>;

TEST(ParseEvents, TakesListsGroupsAndRepeatedOptionsInOrder) {
  EXPECT_THAT(Names(Parse({"cycles,{instructions,branches}:u,cs", "task-clock"})),
              ElementsAre(Group{"cycles"}, Group{"instructions:u", "branches:u"}, Group{"cs"},
                          Group{"task-clock"}));
}

TEST(ParseEvents, MarksEventsAsAskedForByName) {
  EXPECT_TRUE(ParseOne("cycles").asked_by_name);
  EXPECT_FALSE(DefaultEvents().at(0).events.at(0).asked_by_name);
}

TEST(ParseEvents, SetsPrivilegeLevelsByModifiers) {
  const auto levels = [](const std::string& text) {
    const perf_event_attr encoding = ParseOne(text).encodings.at(0);
    return std::vector<uint64_t>{encoding.exclude_user, encoding.exclude_kernel,
                                 encoding.exclude_hv};
  };
  EXPECT_THAT(levels("instructions"), ElementsAre(0, 0, 0));
  EXPECT_THAT(levels("instructions:u"), ElementsAre(0, 1, 1));
  EXPECT_THAT(levels("instructions:k"), ElementsAre(1, 0, 1));
  EXPECT_THAT(levels("instructions:ku"), ElementsAre(0, 0, 1));
  EXPECT_THAT(levels("instructions:h"), ElementsAre(1, 1, 0));
}

TEST(ParseEvents, GivesModifiersInOneOrder) {
  EXPECT_EQ(ParseOne("instructions:ku").modifiers, "uk");
  EXPECT_EQ(ParseOne("instructions:Hhku").modifiers, "ukhH");
  EXPECT_EQ(ParseOne("{instructions:k}:u").modifiers, "uk") << "a group's are added";
}

TEST(ParseEvents, TakesTheLevelsOfLibpfmAttributesAsModifiers) {
  const Event event = ParseOne("perf::INSTRUCTIONS:u=1");
  EXPECT_EQ(event.modifiers, "u");
  EXPECT_EQ(event.encodings.at(0).exclude_kernel, 1);
}

TEST(ParseEvents, SetsGuestAndHost) {
  EXPECT_EQ(ParseOne("cycles:G").encodings.at(0).exclude_host, 1);
  EXPECT_EQ(ParseOne("cycles:H").encodings.at(0).exclude_guest, 1);
  const perf_event_attr both = ParseOne("cycles:GH").encodings.at(0);
  EXPECT_EQ(both.exclude_host + both.exclude_guest, 0);
}

TEST(ParseEvents, SetsWhatHoldsForAGroupAtWhicheverEventItStands) {
  const auto groups = Parse({"{cycles,instructions:D},cycles:e,{cycles,branches}:W,cycles"});
  EXPECT_TRUE(groups.at(0).pinned);
  EXPECT_TRUE(groups.at(1).exclusive);
  EXPECT_TRUE(groups.at(2).weak);
  EXPECT_FALSE(groups.at(3).pinned || groups.at(3).exclusive || groups.at(3).weak);
  EXPECT_EQ(groups.at(2).events.at(0).modifiers, "") << "they change nothing of what is counted";
}

// Every name that perf list prints as a generic event, with the kernel's numbers for it.
TEST(ParseEvents, KnowsPerfsSpellings) {
  const std::vector<std::tuple<std::string, uint32_t, uint64_t>> expected = {
      {"branch-instructions", PERF_TYPE_HARDWARE, 4},
      {"branches", PERF_TYPE_HARDWARE, 4},
      {"branch-misses", PERF_TYPE_HARDWARE, 5},
      {"bus-cycles", PERF_TYPE_HARDWARE, 6},
      {"cache-misses", PERF_TYPE_HARDWARE, 3},
      {"cache-references", PERF_TYPE_HARDWARE, 2},
      {"cpu-cycles", PERF_TYPE_HARDWARE, 0},
      {"cycles", PERF_TYPE_HARDWARE, 0},
      {"instructions", PERF_TYPE_HARDWARE, 1},
      {"ref-cycles", PERF_TYPE_HARDWARE, 9},
      {"stalled-cycles-frontend", PERF_TYPE_HARDWARE, 7},
      {"idle-cycles-frontend", PERF_TYPE_HARDWARE, 7},
      {"stalled-cycles-backend", PERF_TYPE_HARDWARE, 8},
      {"idle-cycles-backend", PERF_TYPE_HARDWARE, 8},
      {"alignment-faults", PERF_TYPE_SOFTWARE, 7},
      {"bpf-output", PERF_TYPE_SOFTWARE, 10},
      {"cgroup-switches", PERF_TYPE_SOFTWARE, 11},
      {"context-switches", PERF_TYPE_SOFTWARE, 3},
      {"cs", PERF_TYPE_SOFTWARE, 3},
      {"cpu-clock", PERF_TYPE_SOFTWARE, 0},
      {"cpu-migrations", PERF_TYPE_SOFTWARE, 4},
      {"migrations", PERF_TYPE_SOFTWARE, 4},
      {"dummy", PERF_TYPE_SOFTWARE, 9},
      {"emulation-faults", PERF_TYPE_SOFTWARE, 8},
      {"major-faults", PERF_TYPE_SOFTWARE, 6},
      {"minor-faults", PERF_TYPE_SOFTWARE, 5},
      {"page-faults", PERF_TYPE_SOFTWARE, 2},
      {"faults", PERF_TYPE_SOFTWARE, 2},
      {"task-clock", PERF_TYPE_SOFTWARE, 1},
      {"L1-dcache-loads", PERF_TYPE_HW_CACHE, 0x00000},
      {"L1-dcache-load-misses", PERF_TYPE_HW_CACHE, 0x10000},
      {"L1-dcache-stores", PERF_TYPE_HW_CACHE, 0x00100},
      {"L1-dcache-store-misses", PERF_TYPE_HW_CACHE, 0x10100},
      {"L1-dcache-prefetches", PERF_TYPE_HW_CACHE, 0x00200},
      {"L1-dcache-prefetch-misses", PERF_TYPE_HW_CACHE, 0x10200},
      {"L1-icache-loads", PERF_TYPE_HW_CACHE, 0x00001},
      {"L1-icache-load-misses", PERF_TYPE_HW_CACHE, 0x10001},
      {"L1-icache-prefetches", PERF_TYPE_HW_CACHE, 0x00201},
      {"LLC-loads", PERF_TYPE_HW_CACHE, 0x00002},
      {"LLC-load-misses", PERF_TYPE_HW_CACHE, 0x10002},
      {"LLC-stores", PERF_TYPE_HW_CACHE, 0x00102},
      {"LLC-store-misses", PERF_TYPE_HW_CACHE, 0x10102},
      {"dTLB-loads", PERF_TYPE_HW_CACHE, 0x00003},
      {"dTLB-load-misses", PERF_TYPE_HW_CACHE, 0x10003},
      {"dTLB-stores", PERF_TYPE_HW_CACHE, 0x00103},
      {"iTLB-loads", PERF_TYPE_HW_CACHE, 0x00004},
      {"iTLB-load-misses", PERF_TYPE_HW_CACHE, 0x10004},
      {"branch-loads", PERF_TYPE_HW_CACHE, 0x00005},
      {"branch-load-misses", PERF_TYPE_HW_CACHE, 0x10005},
      {"node-loads", PERF_TYPE_HW_CACHE, 0x00006},
      {"node-prefetch-misses", PERF_TYPE_HW_CACHE, 0x10206},
  };
  for (const auto& [name, type, config] : expected) {
    SCOPED_TRACE(name);
    const Event event = ParseOne(name);
    EXPECT_EQ(event.name, name);
    ASSERT_EQ(event.encodings.size(), 1);
    EXPECT_EQ(event.encodings[0].type, type);
    EXPECT_EQ(event.encodings[0].config, config);
    EXPECT_EQ(event.hardware, type != PERF_TYPE_SOFTWARE);
  }
}

TEST(ParseEvents, NamesTheGenericEventBehindAnySpelling) {
  EXPECT_EQ(ParseOne("cpu-cycles").generic, "cycles");
  EXPECT_EQ(ParseOne("perf::CYCLES").generic, "cycles");
  EXPECT_EQ(ParseOne("perf::PERF_COUNT_HW_CPU_CYCLES").generic, "cycles");
  EXPECT_EQ(ParseOne("branch-instructions").generic, "branches");
  EXPECT_EQ(ParseOne("cs").generic, "context-switches");
  EXPECT_EQ(ParseOne("faults").generic, "page-faults");
  EXPECT_EQ(ParseOne("DTLB-LOAD-MISSES").generic, "dTLB-load-misses");
  EXPECT_EQ(ParseOne("dummy").generic, "dummy");
}

TEST(ParseEvents, TakesRawCodes) {
  const Event event = ParseOne("r1a8:u");
  EXPECT_EQ(event.name, "r1a8");
  EXPECT_EQ(event.generic, "r1a8");
  EXPECT_EQ(event.modifiers, "u");
  EXPECT_TRUE(event.hardware);
  EXPECT_EQ(event.encodings.at(0).type, PERF_TYPE_RAW);
  EXPECT_EQ(event.encodings.at(0).config, 0x1a8);
}

TEST(ParseEvents, AnswersAnUnknownNameWithTheNearest) {
  EXPECT_THAT(ErrorOf("instrutions"),
              AllOf(HasSubstr("unknown event 'instrutions'"), HasSubstr("nearest: instructions")));
  EXPECT_THAT(ErrorOf("cycles,L1-dcache-load-mises"), HasSubstr("nearest: L1-dcache-load-misses"));
  EXPECT_THAT(ErrorOf("emulation-fault"), HasSubstr("nearest: emulation-faults"));
  EXPECT_THAT(ErrorOf("qqqqqqqqqqqqqqqqqqqqqqqq"), Not(HasSubstr("nearest")));
  EXPECT_THAT(ErrorOf("foo"), "unknown event 'foo'");
}

TEST(ParseEvents, SuggestsNothingOfWhichEveryLetterWouldChange) {
  EXPECT_THAT(ErrorOf("z"), "unknown event 'z'");
  EXPECT_THAT(ErrorOf("r"), "'r' is no event: a raw code is r and hexadecimal digits behind it");
  EXPECT_THAT(ErrorOf("cz"), HasSubstr("nearest: cs"));
}

TEST(ParseEvents, PassesOverBlanksAsPerfDoes) {
  EXPECT_THAT(Names(Parse({" cycles, { instructions , branches } : u ,\tcs : k "})),
              ElementsAre(Group{"cycles"}, Group{"instructions:u", "branches:u"}, Group{"cs:k"}));
  EXPECT_THAT(ErrorOf("cycles instructions"), HasSubstr("unknown event 'cycles instructions'"));
  EXPECT_THAT(ErrorOf(" "), HasSubstr("empty"));
  EXPECT_THAT(ErrorOf("cycles, "), HasSubstr("an event is missing"));
}

TEST(ParseEvents, RefusesWhatPerfRefusesOfModifiers) {
  EXPECT_EQ(ErrorOf("task-clock:uu"), "'task-clock': the modifier 'u' twice in ':uu'");
  EXPECT_EQ(ErrorOf("{cycles,cs}:kuk"), "'cycles': the modifier 'k' twice in ':kuk'");
  EXPECT_EQ(ErrorOf("task-clock:u:k"), "'task-clock:u:k': modifiers stand behind one colon, ':uk'");
  EXPECT_THAT(Names(Parse({"{cycles:u,cs}:u"})), ElementsAre(Group{"cycles:u", "cs:u"}))
      << "an event may repeat its group's";
}

TEST(ParseEvents, RefusesAttributesThatAreNotForCounting) {
  for (const std::string attribute : {"period=1000", "freq=1000", "precise=1", "hw_smpl"}) {
    const std::string name = attribute.substr(0, attribute.find('='));
    EXPECT_EQ(ErrorOf("cycles:" + attribute + ":u"),
              "'cycles:" + attribute + "': the attribute '" + name +
                  "' is for sampling, and here events are counted");
  }
  EXPECT_THAT(ErrorOf("perf::CYCLES:k=1:cpu=0"), HasSubstr("the attribute 'cpu' counts a CPU"));
  EXPECT_THAT(ErrorOf("cycles:pinned"), HasSubstr("the attribute 'pinned' is the modifier D here"));
  EXPECT_THAT(ErrorOf("cycles:mh=1"), HasSubstr("the attribute 'mh' is the modifier H here"));
}

TEST(ParseEvents, RefusesBadSyntaxNamingTheTrouble) {
  EXPECT_THAT(ErrorOf(""), HasSubstr("empty"));
  EXPECT_THAT(ErrorOf(","), HasSubstr("an event is missing in ','"));
  EXPECT_THAT(ErrorOf("cycles,"), HasSubstr("an event is missing"));
  EXPECT_THAT(ErrorOf("cycles,,cs"), HasSubstr("an event is missing"));
  EXPECT_THAT(ErrorOf("{}"), HasSubstr("empty group"));
  EXPECT_THAT(ErrorOf("{cycles,}"), HasSubstr("an event is missing"));
  EXPECT_THAT(ErrorOf("{cycles"), HasSubstr("'{' without '}'"));
  EXPECT_THAT(ErrorOf("{cycles,cs"), HasSubstr("'{' without '}'"));
  EXPECT_THAT(ErrorOf("cycles}"), HasSubstr("'}' without '{'"));
  EXPECT_THAT(ErrorOf("{cycles,{cs}}"), HasSubstr("group inside a group"));
  EXPECT_THAT(ErrorOf("cycles{cs}"), HasSubstr("',' expected before '{cs}'"));
  EXPECT_THAT(ErrorOf("{cycles}cs"), HasSubstr("',' expected before 'cs'"));
  EXPECT_THAT(ErrorOf("{cycles}:"), HasSubstr("no modifier"));
  EXPECT_THAT(ErrorOf("cycles:"), HasSubstr("no modifier behind ':'"));
  EXPECT_THAT(ErrorOf("cpu/event=0x3c/"), HasSubstr("pmu/.../"));
  EXPECT_EQ(ErrorOf(":u"), "an event is missing before ':u' in ':u'");
  EXPECT_EQ(ErrorOf("{"), "'{' without '}' in '{'");
}

TEST(ParseEvents, RefusesModifiersThatDoNotExist) {
  EXPECT_THAT(ErrorOf("cycles:z"),
              AllOf(HasSubstr("'cycles'"), HasSubstr("'z'"), HasSubstr("u k h G H D e W")));
  EXPECT_THAT(ErrorOf("cycles:uz"), HasSubstr("'uz'"));
  EXPECT_THAT(ErrorOf("{cycles,cs}:z"), AllOf(HasSubstr("'cycles'"), HasSubstr("'z'")));
  EXPECT_THAT(ErrorOf("cycles:p"), HasSubstr("sampling only: 'p'"));
  EXPECT_THAT(ErrorOf("cycles:upp"), HasSubstr("sampling only: 'p'"));
}

TEST(ParseEvents, RefusesNoListsAtAll) {
  const auto groups = ParseEvents({});
  ASSERT_FALSE(groups);
  EXPECT_THAT(groups.error(), HasSubstr("empty"));
}

TEST(DefaultEvents, AreThoseOfPerfStatInOrder) {
  EXPECT_THAT(Names(DefaultEvents()),
              ElementsAre(Group{"task-clock"}, Group{"context-switches"}, Group{"cpu-migrations"},
                          Group{"page-faults"}, Group{"instructions", "cycles"},
                          Group{"stalled-cycles-frontend"}, Group{"stalled-cycles-backend"},
                          Group{"branches", "branch-misses"}));
  for (const EventGroup& group : DefaultEvents()) {
    EXPECT_TRUE(group.weak);
    for (const Event& event : group.events) {
      EXPECT_EQ(event.encodings.size(), 1) << event.name << ": " << event.cause;
      EXPECT_EQ(event.generic, event.name);
    }
  }
}

}  // namespace
}  // namespace metrics
