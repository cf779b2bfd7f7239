// Runs the tests with the signals of an interrupt blocked from the start, as a cell's process has
// them: oneTBB keeps its workers from one test to the next, and one that was started without the
// block would be struck by the signal that a later test sends.
#include <gmock/gmock.h>

#include "apps/write-throughput/interrupt.h"

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  const throughput::Interrupt interrupt(throughput::Interrupt::Of::kCell);
  return RUN_ALL_TESTS();
}
