// Numbers and words behind flags.
#include "apps/results/flag_values.h"

#include <gtest/gtest.h>

namespace throughput {
namespace {

TEST(NumberOf, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(NumberOf<int>("12"), 12);
  EXPECT_EQ(NumberOf<double>("1.5"), 1.5);
  for (const char* text : {"", "1x", " 1", "1,5", "99999999999"}) EXPECT_FALSE(NumberOf<int>(text));
}

TEST(ReportFormatOf, NamesWhatIsAllowed) {
  EXPECT_EQ(ReportFormatOf("markdown"), ReportFormat::kMarkdown);
  const auto wrong = ReportFormatOf("pd\nf");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().exit_code, kExitRefused);
  EXPECT_EQ(wrong.error().message, "--format 'pd\\nf': text, markdown and json are allowed");
}

}  // namespace
}  // namespace throughput
