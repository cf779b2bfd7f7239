#include "apps/write-throughput/option_engines.h"

#include "apps/write-throughput/messages.h"
#include "apps/write-throughput/targets/own.h"

namespace throughput {
namespace {

// Null: there is none of that name.
const TargetInfo* EngineNamed(const std::string& name, Options& options) {
  if (const TargetInfo* known = FindTarget(name)) return known;
  if (!IsOwnTarget(name)) return nullptr;
  options.own_engines.push_back(std::make_shared<const TargetInfo>(OwnTarget(name)));
  return options.own_engines.back().get();
}

std::string EnginesAllowed() {
  std::string text;
  for (const TargetInfo& target : Targets()) text += target.name + ", ";
  return text + "or the path of a shared library are allowed, separated by commas";
}

}  // namespace

Expected<> ReadEngines(const std::string& text, Options& options) {
  options.engines.clear();
  for (const std::string& name : SplitList(text)) {
    const TargetInfo* engine = EngineNamed(name, options);
    if (engine == nullptr) {
      return tl::unexpected(Failure{FlagError("engine", text, EnginesAllowed())});
    }
    options.engines.push_back(engine);
  }
  return {};
}

}  // namespace throughput
