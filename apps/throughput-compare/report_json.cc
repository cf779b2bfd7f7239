// Owns the JSON form. FORMATS.md describes it.
#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/throughput-compare/report.h"
#include "apps/write-throughput/secrets.h"

namespace throughput {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinity: no bound is null.
Json OrNull(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json();
}

Json JudgedToJson(const Judged& judged) {
  const Sample& sample = judged.sample;
  const Estimate& estimate = judged.estimate;
  Json json;
  json["test_before"] = sample.test_before;
  json["test_after"] = sample.test_after;
  json["metric"] = sample.metric;
  json["unit"] = sample.unit;
  json["better"] = NameOf(sample.better);
  json["verdict"] = VerdictName(judged.verdict);
  json["before"] = estimate.before;
  json["after"] = estimate.after;
  json["change_percent"] = OrNull(estimate.change_percent);
  json["low_percent"] = OrNull(estimate.low_percent);
  json["high_percent"] = OrNull(estimate.high_percent);
  json["smallest_percent"] = OrNull(estimate.smallest_percent);
  json["pvalue"] = estimate.pvalue;
  json["values_before"] = sample.before;
  json["values_after"] = sample.after;
  return json;
}

Json FindingToJson(const Finding& finding) {
  Json json;
  json["ended"] = EndName(finding.end);
  json["metrics"] = Json::array();
  for (const Judged& judged : finding.judged) json["metrics"].push_back(JudgedToJson(judged));
  json["notes"] = finding.notes;
  return json;
}

}  // namespace

std::string_view EndName(End end) {
  switch (end) {
    case End::kPrecise:
      return "precision";
    case End::kBudget:
      return "budget";
    case End::kRuns:
      return "runs";
    case End::kInterrupted:
      return "interrupted";
    case End::kRecorded:
      break;
  }
  return "recorded";
}

std::string JsonReport(const Comparison& comparison, const CompareOptions& options) {
  Json json;
  json["schema_version"] = kReportVersion;
  json["before"] = Shown(options.before);
  json["after"] = Shown(options.after);
  json["family_level"] = kFamilyLevel;
  json["comparison"] = FindingToJson(comparison.finding);
  json["noise"] = comparison.noise ? FindingToJson(*comparison.noise) : Json();
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace throughput
