// How the programs that read results report an error: one line for the user, and the exit code.
// Thread rule: values.
#pragma once

#include <string>
#include <tl/expected.hpp>

namespace throughput {

inline constexpr int kExitFailed = 1;   // something went wrong while writing; nothing was lost
inline constexpr int kExitRefused = 2;  // bad input; nothing was written
inline constexpr int kExitWorse =
    3;  // the user asked to fail on a change for the worse, and there is one

struct Failure {
  int exit_code = kExitFailed;
  std::string message;  // without the program's name, without a newline
};

template <typename T>
using Result = tl::expected<T, Failure>;

inline tl::unexpected<Failure> Refused(std::string message) {
  return tl::unexpected<Failure>({kExitRefused, std::move(message)});
}

inline tl::unexpected<Failure> Failed(std::string message) {
  return tl::unexpected<Failure>({kExitFailed, std::move(message)});
}

}  // namespace throughput
