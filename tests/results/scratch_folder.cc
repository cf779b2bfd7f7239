// Owns folders under the system's folder for temporary files.
#include "tests/results/scratch_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace throughput {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
  std::string pattern = (fs::temp_directory_path() / "throughput-test-XXXXXX").string();
  EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string ScratchFolder::Write(const std::string& name, std::string_view contents) const {
  std::ofstream file(Path(name), std::ios::binary);
  file << contents;
  EXPECT_TRUE(file.flush().good());
  return Path(name);
}

std::string ScratchFolder::Read(const std::string& name) const {
  std::ostringstream contents;
  contents << std::ifstream(Path(name), std::ios::binary).rdbuf();
  return contents.str();
}

std::vector<std::string> ScratchFolder::Names() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path_)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace throughput
