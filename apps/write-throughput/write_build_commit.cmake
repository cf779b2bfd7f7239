# Writes the header that names the commit, at every build, and touches it only when that changed.
#   cmake -DSOURCE=... -DHEADER=... -P write_build_commit.cmake
execute_process(
  COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "")
endif()
file(CONFIGURE OUTPUT ${HEADER} @ONLY CONTENT [[
// Written by the build.
#pragma once

#define WRITE_THROUGHPUT_COMMIT "@commit@"
]])
