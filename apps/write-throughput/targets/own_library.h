// A library with the C interface of write_throughput_target.h, loaded and found fit for use.
// Thread rule: constant once loaded.
#pragma once

#include <string>
#include <vector>

#include "apps/write-throughput/targets/shared_library.h"
#include "apps/write-throughput/targets/target.h"
#include "apps/write-throughput/write_throughput_target.h"

namespace throughput {

class OwnLibrary {
 public:
  // The error tells what is missing, or which versions do not fit.
  Expected<> Load(const std::string& path);

  const write_throughput_engine& functions() const { return *functions_; }
  LoadedEngine Describe() const;
  std::vector<Mode> Modes() const;
  std::vector<EngineSetting> Settings() const;

 private:
  Expected<> CheckFunctions() const;

  SharedLibrary library_;
  const write_throughput_engine* functions_ = nullptr;
};

// The options as the interface has them. Refers to `options` and to itself.
class OwnOptions {
 public:
  OwnOptions(const OwnLibrary& library, const TargetOptions& options);
  OwnOptions(const OwnOptions&) = delete;
  OwnOptions& operator=(const OwnOptions&) = delete;

  const write_throughput_options* get() const { return &options_; }

 private:
  std::vector<write_throughput_setting> settings_;
  write_throughput_options options_{};
};

// The text that a call left behind, in one line.
std::string TextOf(const write_throughput_error& error);

}  // namespace throughput
