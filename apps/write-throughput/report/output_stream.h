// A file descriptor that text is written to in whole pieces, without a buffer, every write checked.
// Owns its descriptor when it opened a file; a standard stream is borrowed.
// Thread rule: one thread at a time.
// Invariant: after the first error nothing more is written, and the error stays.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace throughput {

// Nothing, or one line that names the stream and the reason: "stdout: No space left on device".
using Written = tl::expected<void, std::string>;

class OutputStream {
 public:
  // A standard stream, written at once: descriptor 1 as "stdout", 2 as "stderr".
  OutputStream(int descriptor, std::string name);
  ~OutputStream();
  OutputStream(const OutputStream&) = delete;
  OutputStream& operator=(const OutputStream&) = delete;

  // Turns to the file at `path`, which is created when absent and not emptied yet; the path is the
  // stream's name from now on. The error names no flag: "No such file or directory".
  Written OpenFile(const std::string& path);
  Written Empty();    // an ordinary file loses its old content; anything else is left alone
  Written GoToEnd();  // to write behind what an ordinary file holds
  void Abandon();     // undoes OpenFile: closes, and removes the file when OpenFile created it

  // Whether both write to the same ordinary file.
  bool SameFileAs(const OutputStream& other) const;

  Written Write(std::string_view text);  // all of it, or an error
  Written Close();                       // an owned descriptor; the system may report late errors
  Written Error() const;                 // the first one so far

 private:
  Written Fail(int error_number);

  int descriptor_;
  bool owned_ = false;
  bool created_ = false;
  std::string path_;  // of the opened file
  std::string name_;  // for messages
  std::string error_;
};

}  // namespace throughput
