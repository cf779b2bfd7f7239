// The operating system's files, written and synced through io_uring.
#pragma once

#include <memory>

#include "engine/io/file_system.h"

namespace burin {

// kUnsupported: the kernel, the container or this build has no io_uring; the text says which.
Result<std::unique_ptr<FileSystem>> MakeIoUringFileSystem();

}  // namespace burin
