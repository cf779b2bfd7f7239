// What the tests of the file layer share: each way to write, on real files of a folder of their
// own.
//
// Thread rule: as a test fixture's.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "engine/engine.h"
#include "engine/io/file_system.h"
#include "engine/io/io_uring_file_system.h"
#include "tests/engine/temporary_folder.h"

namespace burin {

using OpenMode = FileSystem::OpenMode;

inline std::string Text(const Status& status) { return std::string(status.message()); }

// The same is asked of every way to write. Where the kernel does not have one, its tests are
// skipped.
class FileSystemFixture : public testing::Test {
 protected:
  explicit FileSystemFixture(Io io) {
    if (io == Io::kPwrite) return;
    auto made = MakeIoUringFileSystem();
    refusal_ = Text(made.status());
    if (made.ok()) own_files_ = std::move(*made);
  }

  void SetUp() override {
    if (refusal_ != "ok") GTEST_SKIP() << refusal_;
  }

  std::unique_ptr<File> Create(const std::string& name) {
    auto file = files().Open(folder_ / name, OpenMode::kCreate);
    EXPECT_TRUE(file.ok()) << Text(file.status());
    return std::move(*file);
  }

  std::string Content(const std::string& name) {
    std::ifstream stream(folder_ / name, std::ios::binary);
    std::ostringstream content;
    content << stream.rdbuf();
    return content.str();
  }

  static Status Put(File* file, std::string bytes, uint64_t offset) {
    iovec buffer{bytes.data(), bytes.size()};
    return file->Write({&buffer, 1}, offset);
  }

  static Status PutSynced(File* file, std::string bytes, uint64_t offset) {
    iovec buffer{bytes.data(), bytes.size()};
    return file->WriteAndSync({&buffer, 1}, offset);
  }

  TemporaryFolder folder_;
  FileSystem& files() { return own_files_ != nullptr ? *own_files_ : PosixFileSystem(); }

 private:
  std::string refusal_ = "ok";
  std::unique_ptr<FileSystem> own_files_;
};

inline constexpr auto kEveryIo = {Io::kPwrite, Io::kIoUring};

inline std::string IoName(const testing::TestParamInfo<Io>& io) {
  return io.param == Io::kPwrite ? "Pwrite" : "IoUring";
}

}  // namespace burin
