// write-throughput: loads a storage engine durably and reports what it cost. All is in program.h.
#include "apps/write-throughput/program.h"
#include "apps/write-throughput/secrets.h"

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  throughput::HideArguments(argc, argv);
  return throughput::Main(words);
}
