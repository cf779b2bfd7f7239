#include "apps/write-throughput/targets/shared_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>

#include <filesystem>

#include "apps/write-throughput/messages.h"

namespace throughput {
namespace {

// What dlopen would wait for (a pipe without a writer) or call by a misleading name.
Expected<> CheckFile(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) {
    return tl::unexpected(Failure{fmt::format("{}: {}", path, ErrnoText(errno))});
  }
  if (!S_ISREG(status.st_mode)) return tl::unexpected(Failure{path + " is no file"});
  return {};
}

std::string LastError(const std::string& name) {
  const char* text = dlerror();
  return text != nullptr ? text : name + " cannot be loaded";
}

}  // namespace

Expected<> SharedLibrary::Open(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    if (auto fine = CheckFile(name); !fine) return fine;
  }
  handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) return tl::unexpected(Failure{LastError(name)});
  const link_map* map = nullptr;
  path_ = name;
  if (dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0 && map->l_name[0] != '\0') path_ = map->l_name;
  std::error_code error;
  const auto absolute = std::filesystem::canonical(path_, error);
  if (!error) path_ = absolute.string();
  return {};
}

Expected<void*> SharedLibrary::FindSymbol(const char* name) const {
  void* symbol = dlsym(handle_, name);
  if (symbol == nullptr) {
    return tl::unexpected(Failure{fmt::format("{} has no symbol '{}'", path_, name)});
  }
  return symbol;
}

Failure NotInstalled(const TargetInfo& info, const Failure& why) {
  return {fmt::format("not installed: {} ({})", info.how_to_get, why.text)};
}

}  // namespace throughput
