// Owns writing to a descriptor until all is written, and the first error. See output_stream.h.
#include "apps/write-throughput/report/output_stream.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "apps/write-throughput/report/text.h"

namespace throughput {
namespace {

// In English whatever the locale.
std::string Reason(int error_number) {
  const char* text = ::strerrordesc_np(error_number);
  return text != nullptr ? text : "error " + std::to_string(error_number);
}

}  // namespace

OutputStream::OutputStream(int descriptor, std::string name)
    : descriptor_(descriptor), name_(std::move(name)) {}

OutputStream::~OutputStream() {
  if (owned_) ::close(descriptor_);
}

Written OutputStream::OpenFile(const std::string& path) {
  constexpr mode_t kMode = 0666;  // less what umask takes
  constexpr int kFlags = O_WRONLY | O_CREAT | O_CLOEXEC;
  int descriptor = ::open(path.c_str(), kFlags | O_EXCL, kMode);
  created_ = descriptor >= 0;
  if (!created_) descriptor = ::open(path.c_str(), kFlags, kMode);
  if (descriptor < 0) return tl::make_unexpected(Reason(errno));
  descriptor_ = descriptor;
  owned_ = true;
  path_ = path;
  name_ = PrintableLine(path);
  return {};
}

Written OutputStream::Empty() {
  struct stat status {};
  const bool file = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
  if (file && ::ftruncate(descriptor_, 0) != 0) return Fail(errno);
  return {};
}

Written OutputStream::GoToEnd() {
  if (::lseek(descriptor_, 0, SEEK_END) < 0) return Fail(errno);
  return {};
}

void OutputStream::Abandon() {
  if (!owned_) return;
  ::close(std::exchange(descriptor_, -1));
  owned_ = false;
  if (created_) ::unlink(path_.c_str());
}

bool OutputStream::SameFileAs(const OutputStream& other) const {
  struct stat mine {};
  struct stat theirs {};
  return ::fstat(descriptor_, &mine) == 0 && ::fstat(other.descriptor_, &theirs) == 0 &&
         S_ISREG(mine.st_mode) && mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino;
}

Written OutputStream::Write(std::string_view text) {
  if (!error_.empty()) return Error();
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (errno == EAGAIN) {  // a pipe that somebody has made non-blocking
      pollfd ready{descriptor_, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return Fail(errno);
    }
  }
  return {};
}

Written OutputStream::Close() {
  if (owned_) {
    owned_ = false;
    if (::close(std::exchange(descriptor_, -1)) != 0 && error_.empty()) return Fail(errno);
  }
  return Error();
}

Written OutputStream::Error() const {
  if (error_.empty()) return {};
  return tl::make_unexpected(error_);
}

Written OutputStream::Fail(int error_number) {
  error_ = name_ + ": " + Reason(error_number);
  return Error();
}

}  // namespace throughput
