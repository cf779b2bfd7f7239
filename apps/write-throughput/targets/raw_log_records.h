// The bytes of a transaction as raw-log writes them, in the size that Burin gives them: 64 bytes of
// header, then 8 of the id, 4 of the length and the value for each row, all in this machine's
// order. Format of the header: the magic number, the bytes behind it, the number of rows; then
// zeros. Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "apps/write-throughput/targets/raw_log_file.h"
#include "apps/write-throughput/targets/target.h"

namespace throughput {

class RawLogRecord {
 public:
  RawLogRecord() { Clear(); }

  void Clear();
  void Add(int64_t id, std::string_view value);
  iovec Finish();  // refers to this

 private:
  std::vector<char> bytes_;
  uint64_t rows_ = 0;
};

// Every row of the file in ascending order of the ids, until `row` returns false. Holds all rows in
// memory.
Expected<> ReadRawLog(const RawLogFile& file,
                      const std::function<bool(int64_t id, std::string_view value)>& row);

}  // namespace throughput
