// A folder of a test's own, gone with the test.
// Thread rule: one owner.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace throughput {

class ScratchFolder {
 public:
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  std::string Path(const std::string& name) const { return path_ + "/" + name; }
  std::string Write(const std::string& name, std::string_view contents) const;  // its path
  std::string Read(const std::string& name) const;
  std::vector<std::string> Names() const;  // sorted

 private:
  std::string path_;
};

}  // namespace throughput
