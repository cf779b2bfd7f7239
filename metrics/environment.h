// Finds out what a result was measured on.
// Thread rule: functions that read files of /proc; nothing is kept.
#pragma once

#include <string>
#include <string_view>

#include "metrics/result_record.h"

namespace metrics {

// Fills cpu, cores, kernel, file_system (of `path`, which need not exist yet: of its nearest folder
// that does) and adds libpfm4 to libraries. What cannot be found out stays empty. Commit, build
// type, arguments and further libraries are the caller's to add.
Environment CollectEnvironment(const std::string& path);

// "AMD EPYC 7R13 Processor", from the text of /proc/cpuinfo. Where there is no name (most ARM
// kernels): "implementer 0x41 part 0xd0c".
std::string CpuModel(std::string_view cpuinfo);

// "ext4 on /dev/vda", from the text of /proc/self/mountinfo and a mount's number in it; empty when
// it is not there.
std::string FileSystemOfMount(std::string_view mountinfo, int mount_id);

}  // namespace metrics
