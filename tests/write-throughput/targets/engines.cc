#include "tests/write-throughput/targets/engines.h"

#include "apps/write-throughput/engine_probe.h"
#include "nlohmann/json.hpp"

namespace throughput {

std::string Missing(const std::string& engine) {
  const TargetInfo& info = *FindTarget(engine);
  if (info.probe == nullptr) return "";
  const auto probed = ProbeEngine(info, {});
  return probed ? "" : engine + ": " + probed.error().text;
}

std::map<std::string, std::string> EngineTest::Columns(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--format", "json", "-q"});
  const Finished finished = Run(arguments);
  EXPECT_EQ(finished.status, 0) << finished.err;
  std::map<std::string, std::string> columns;
  const auto json =
      nlohmann::json::parse(finished.out.substr(0, finished.out.find('\n')), nullptr, false);
  if (!json.is_object()) return columns;
  for (const auto& [name, value] : json.items()) {
    columns[name] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  return columns;
}

std::string EngineTest::Line(int status, const std::vector<std::string>& arguments) {
  std::vector<std::string> quiet = arguments;
  quiet.emplace_back("-q");
  const Finished finished = Run(quiet);
  EXPECT_EQ(finished.status, status) << finished.err;
  EXPECT_EQ(Lines(finished.err).size(), 1u) << finished.err;
  return finished.err;
}

}  // namespace throughput
