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

// The failure of an engine whose library is not where the system looks: what would put it there.
Failure NotInstalled(const TargetInfo& info, const Failure& why);

}  // namespace throughput
