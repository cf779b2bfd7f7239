// A library under test, loaded for the cell that measures it: dlopen with RTLD_NOW | RTLD_LOCAL, so
// that its symbols meet no other library's, while its system calls still pass by those that this
// program counts.
// Thread rule: one thread loads; the functions found are the library's own to share.
// Invariant: never unloaded, as an engine's threads and exit handlers may outlive their user; the
// process ends soon enough.
#pragma once

#include <string>

#include "apps/write-throughput/targets/target.h"

namespace throughput {

class SharedLibrary {
 public:
  // `name`: a path where it has a slash, else looked for as the system does. The error names it.
  Expected<> Open(const std::string& name);

  bool opened() const { return handle_ != nullptr; }
  const std::string& path() const { return path_; }  // of the file that was loaded

  // Finds the function `name`; the error names the library and the symbol.
  template <typename Function>
  Expected<> Find(const char* name, Function*& function) const {
    const auto symbol = FindSymbol(name);
    if (!symbol) return tl::unexpected(symbol.error());
    function = reinterpret_cast<Function*>(*symbol);
    return {};
  }

  bool Has(const char* name) const { return FindSymbol(name).has_value(); }

 private:
  Expected<void*> FindSymbol(const char* name) const;

  void* handle_ = nullptr;
  std::string path_;
};

// Finds one function after another. Once one is missing, its error stays and nothing else is found.
class FunctionFinder {
 public:
  explicit FunctionFinder(const SharedLibrary& library) : library_(library) {}

  template <typename Function>
  void operator()(const char* name, Function*& function) {
    if (found_) found_ = library_.Find(name, function);
  }

  const Expected<>& found() const { return found_; }

 private:
  const SharedLibrary& library_;
  Expected<> found_;
};

// The failure of an engine whose library is not where the system looks: what would put it there.
Failure NotInstalled(const TargetInfo& info, const Failure& why);

// The library that the setting `key` names, else the system's `otherwise`; not a second time.
template <typename Library>
Expected<> LoadOnce(const Settings& settings, const char* key, const char* otherwise,
                    Library& library) {
  if (library.library.opened()) return {};
  return library.Load(SettingOr(settings, key, otherwise));
}

// For a probe: loads the library that the setting `key` names, else the system's `otherwise`.
template <typename Library>
Expected<> LoadChosen(const Settings& settings, const char* key, const char* otherwise,
                      const TargetInfo& info, Library& library) {
  const auto loaded = library.Load(SettingOr(settings, key, otherwise));
  if (loaded || settings.contains(key)) return loaded;
  return tl::unexpected(NotInstalled(info, loaded.error()));
}

}  // namespace throughput
