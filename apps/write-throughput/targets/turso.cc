#include "apps/write-throughput/targets/turso.h"

#include <filesystem>

#include "apps/write-throughput/targets/own.h"
#include "apps/write-throughput/targets/shared_library.h"

namespace throughput {
namespace {

namespace fs = std::filesystem;

// In the build folder, two above the program's.
std::string LibraryPath() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return (program.parent_path() / "../../turso/libturso_target.so").lexically_normal().string();
}

}  // namespace

TargetInfo TursoTarget() {
  const std::string path = LibraryPath();
  TargetInfo info = OwnTarget(path);
  info.name = "turso";
  info.system = "Turso";
  info.how_to_get = "make turso";
  info.probe = [path, load = info.probe](const Settings& settings,
                                         TargetInfo& probed) -> Expected<> {
    std::error_code error;
    if (!fs::exists(path, error)) return tl::unexpected(NotInstalled(probed, {"no " + path}));
    return load(settings, probed);
  };
  return info;
}

}  // namespace throughput
