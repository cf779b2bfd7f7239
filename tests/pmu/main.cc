// Runs the checks. Fails where there are none: a filter that matches nothing is no success.
#include <gmock/gmock.h>

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  const int failed = RUN_ALL_TESTS();
  return failed != 0 || testing::UnitTest::GetInstance()->test_to_run_count() == 0 ? 1 : 0;
}
