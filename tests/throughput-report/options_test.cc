// The command line of throughput-report.
#include "apps/throughput-report/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace throughput {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string Wrong(const std::vector<std::string>& arguments) {
  const auto command = ParseCommandLine(arguments);
  if (command) return "";
  EXPECT_EQ(command.error().exit_code, kExitRefused);
  return command.error().message;
}

TEST(ReportOptions, TakesFilesAndFlagsInAnyOrder) {
  const auto command = ParseCommandLine(
      {"a.json", "--scaling", "-o", "p.html", "b.json", "--plots=d", "--plot-format", "pdf"});
  ASSERT_TRUE(command) << command.error().message;
  const auto& options = std::get<ReportOptions>(*command);
  EXPECT_THAT(options.results, ElementsAre("a.json", "b.json"));
  EXPECT_EQ(options.page, "p.html");
  EXPECT_EQ(options.plots, "d");
  EXPECT_EQ(options.plot_format, PictureFormat::kPdf);
  EXPECT_EQ(options.plot_ending, "pdf");
  EXPECT_TRUE(options.scaling);
}

TEST(ReportOptions, RefusesInOneLineThatSaysWhatIsAllowed) {
  EXPECT_EQ(Wrong({}), "no RESULT is given: --help explains");
  EXPECT_EQ(Wrong({"a"}), "--output FILE is missing (or --plots FOLDER, or --scaling)");
  EXPECT_EQ(Wrong({"a", "-o", "p", "--plots", "d", "--plot-format", "gif"}),
            "--plot-format 'gif': svg, png and pdf are allowed");
  EXPECT_EQ(Wrong({"a", "-o", "p", "--plot-format", "svg"}),
            "--plot-format is for --plots FOLDER, which is missing");
  EXPECT_EQ(Wrong({"a", "-o", "p", "-o", "q"}), "--output is given twice");
  EXPECT_EQ(Wrong({"a", "-o", ""}), "--output '': a value is missing");
  EXPECT_EQ(Wrong({"a", "-o", "--scaling"}), "--output '--scaling': a value is missing before it");
  EXPECT_EQ(Wrong({"a", "--nonsense\n"}), "'--nonsense\\n' is no flag: --help lists them");
  EXPECT_EQ(Wrong({"a", "--plots"}), "'--plots': a value is missing after it");
}

TEST(ReportOptions, HelpNamesEveryFlag) {
  const auto command = ParseCommandLine({"--help"});
  const std::string& help = std::get<Outcome>(*command).output;
  for (const char* flag : {"--output", "--plots", "--plot-format", "--scaling", "--version"}) {
    EXPECT_THAT(help, HasSubstr(flag));
  }
}

}  // namespace
}  // namespace throughput
