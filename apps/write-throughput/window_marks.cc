#include "apps/write-throughput/window_marks.h"

// The statements differ, as the compiler may make one function of two equal ones.
extern "C" {
[[gnu::noinline]] void write_throughput_window_opened() { asm volatile("" ::: "memory"); }
[[gnu::noinline]] void write_throughput_window_closed() { asm volatile("nop" ::: "memory"); }
}
