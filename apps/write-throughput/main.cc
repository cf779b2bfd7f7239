// write-throughput: loads a storage engine durably and reports what it cost. All is in program.h.
#include "apps/write-throughput/program.h"

int main(int argc, char** argv) { return throughput::Main({argv, argv + argc}); }
