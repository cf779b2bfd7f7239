#include "apps/write-throughput/data_file.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/write-throughput/messages.h"

namespace throughput {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

tl::unexpected<Failure> Fail(std::string text) { return tl::unexpected(Failure{std::move(text)}); }

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

// Reads to the end, which need not be where the size said: the file may be growing.
Expected<std::string> ReadAll(int fd) {
  constexpr size_t kPiece = size_t{1} << 20;
  std::string text;
  for (;;) {
    const size_t old_size = text.size();
    if (old_size > DataFile::kLargest) return Fail("larger than 1 GiB");
    text.resize(old_size + kPiece);
    const ssize_t got = read(fd, text.data() + old_size, kPiece);
    if (got < 0 && errno != EINTR) return Fail(ErrnoText(errno));
    text.resize(old_size + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) return text;
  }
}

}  // namespace

Expected<DataFile> DataFile::Read(const std::string& path) {
  // Opening a FIFO without O_NONBLOCK would wait for somebody who writes to it.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.get() < 0) return Fail(ErrnoText(errno));
  struct stat status;
  if (fstat(file.get(), &status) != 0) return Fail(ErrnoText(errno));
  if (!S_ISREG(status.st_mode)) return Fail("not an ordinary file");
  auto text = ReadAll(file.get());
  if (!text) return tl::unexpected(text.error());
  DataFile data;
  data.text_ = std::move(*text);
  data.SplitLines();
  if (data.lines_.empty()) return Fail("it has no line");
  return data;
}

void DataFile::SplitLines() {
  const std::string_view text = text_;
  size_t start = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  while (start < text.size()) {
    const size_t newline = std::min(text.find('\n', start), text.size());
    const bool carriage_return = newline > start && text[newline - 1] == '\r';
    const size_t size = newline - start - (carriage_return ? 1 : 0);
    lines_.push_back({static_cast<uint32_t>(start), static_cast<uint32_t>(size)});
    start = newline + 1;
  }
}

}  // namespace throughput
