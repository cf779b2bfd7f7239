// Functions that do nothing but be called at the ends of the measured window, so that a tool from
// outside can tell it apart by their names: callgrind's --zero-before and --dump-before here, a
// debugger's or tracer's probe elsewhere. The names are exported by the program, for where it has
// been stripped.
// Thread rule: from any thread.
#pragma once

extern "C" {
void write_throughput_window_opened();
void write_throughput_window_closed();
}
