// Whether a connection string can be given to libpq without the danger that one of its errors shows
// a part of the password: libpq quotes what it does not understand, and takes for a host, a port or
// a name what follows an unescaped @ or / in a password.
// Thread rule: a function of its arguments.
#pragma once

#include <string>

#include "apps/write-throughput/targets/libpq_library.h"

namespace throughput {

// The failure says what is wrong in words that hold nothing of `dsn`.
Expected<> CheckDsn(const LibpqLibrary& library, const std::string& dsn);

}  // namespace throughput
