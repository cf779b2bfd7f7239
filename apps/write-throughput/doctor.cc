#include "apps/write-throughput/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/write-throughput/report/text.h"
#include "metrics/environment.h"

namespace throughput {
namespace {

const char* Word(metrics::Verdict verdict) {
  switch (verdict) {
    case metrics::Verdict::kOk:
      return "ok";
    case metrics::Verdict::kWarn:
      return "warn";
    case metrics::Verdict::kFix:
      return "fix";
  }
  return "";
}

}  // namespace

Diagnosis Diagnose(const Options& options) {
  std::vector<metrics::Finding> findings = metrics::ExamineMachine();
  const std::filesystem::path database = options.database;
  const std::string folder = database.has_parent_path() ? database.parent_path().string() : ".";
  const std::string file_system = metrics::CollectEnvironment(folder).file_system;
  for (auto& finding : metrics::ExaminePlace(file_system, metrics::TrySyncs(folder))) {
    findings.push_back(std::move(finding));
  }
  return DiagnosisOf(findings);
}

Diagnosis DiagnosisOf(std::span<const metrics::Finding> findings) {
  Diagnosis diagnosis;
  for (const metrics::Finding& finding : findings) {
    diagnosis.text += fmt::format("{:<5} {:<24} {}\n", Word(finding.verdict), finding.subject,
                                  PrintableLine(finding.found));
    if (!finding.fix.empty()) {
      diagnosis.text += fmt::format("{:>30} {}\n", "fix:", PrintableLine(finding.fix));
    }
    if (finding.verdict == metrics::Verdict::kFix) diagnosis.can_measure = false;
  }
  return diagnosis;
}

}  // namespace throughput
