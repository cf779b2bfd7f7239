#include "apps/write-throughput/option_events.h"

#include <fmt/format.h>

#include "apps/write-throughput/messages.h"
#include "apps/write-throughput/report/text.h"

namespace throughput {
namespace {

tl::unexpected<Failure> Refused(const std::string& list, const std::string& why) {
  return tl::unexpected(Failure{FlagError("events", list, why)});
}

}  // namespace

Expected<> ReadEvents(const std::vector<std::string>& lists, Options& options) {
  const bool callgrind = options.counters == metrics::CounterMode::kCallgrind;
  const bool none = options.counters == metrics::CounterMode::kNone;
  if (!lists.empty() && (callgrind || none)) {
    return Refused(lists.back(), fmt::format("not together with --counters {}",
                                             callgrind ? "callgrind" : "none"));
  }
  if (lists.empty() && !none) {
    options.events = metrics::DefaultEvents();
    const auto hardware = [](const auto& group) { return group.events.front().hardware; };
    if (callgrind) std::erase_if(options.events, hardware);
  }
  for (const std::string& list : lists) {
    auto groups = metrics::ParseEvents(std::span(&list, 1));
    if (!groups) return Refused(list, PrintableLine(groups.error()));
    for (metrics::EventGroup& group : *groups) options.events.push_back(std::move(group));
  }
  return {};
}

}  // namespace throughput
