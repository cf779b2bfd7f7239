// Stands in for io_uring_file_system.cc where there was no liburing to build that with.
#include "engine/io/io_uring_file_system.h"

namespace burin {

Result<std::unique_ptr<FileSystem>> MakeIoUringFileSystem() {
  return Status(StatusCode::kUnsupported, "io_uring: this program was built without liburing");
}

}  // namespace burin
