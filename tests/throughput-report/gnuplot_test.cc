// Drawing, and what hostile names can do to it.
#include "apps/throughput-report/gnuplot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/results/files.h"
#include "apps/throughput-report/gnuplot_script.h"
#include "apps/throughput-report/load_pictures.h"
#include "tests/results/scratch_folder.h"
#include "tests/throughput-report/runs.h"

namespace throughput {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

Picture PictureNamed(const std::string& system) {
  metrics::ResultRecord one = RunAt(1, 0, 10);
  metrics::ResultRecord two = RunAt(2, 0, 20);
  one.system = two.system = system;
  return ThreadScaling(Studied({one, two})).front();
}

TEST(Gnuplot, DrawsEveryFormat) {
  const Picture picture = PictureNamed("Burin");
  for (const auto& [format, opening] : {std::pair{PictureFormat::kInline, "<?xml"},
                                        {PictureFormat::kSvg, "<?xml"},
                                        {PictureFormat::kPng, "\x89PNG"},
                                        {PictureFormat::kPdf, "%PDF"}}) {
    const auto drawn = RunGnuplot(GnuplotScript(picture, format));
    ASSERT_TRUE(drawn) << drawn.error().message;
    EXPECT_THAT(*drawn, StartsWith(opening));
  }
}

TEST(Gnuplot, NamesThePackageWhereItIsMissing) {
  const auto drawn = RunGnuplot("", "no-such-gnuplot");
  ASSERT_FALSE(drawn);
  EXPECT_EQ(drawn.error().exit_code, kExitRefused);
  EXPECT_EQ(drawn.error().message,
            "no-such-gnuplot is missing, and pictures need it: apt-get install gnuplot-nox");
}

TEST(Gnuplot, ItsComplaintIsAnErrorAndSoIsAnEmptyPicture) {
  const auto complaint = RunGnuplot("plot nonsense(\n");
  ASSERT_FALSE(complaint);
  EXPECT_EQ(complaint.error().exit_code, kExitFailed);
  EXPECT_THAT(complaint.error().message, StartsWith("gnuplot: "));
  const auto nothing = RunGnuplot("set encoding utf8\n");
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().message, "gnuplot: drew nothing");
}

TEST(Gnuplot, NamesFromRecordsAreNeverCommands) {
  const ScratchFolder folder;
  const std::string mark = folder.Path("mark");
  for (const std::string& name :
       {"it's '; system('touch " + mark + "'); '", "`touch " + mark + "`", "'`touch " + mark + "`'",
        "a\nsystem('touch " + mark + "')\n", "$(touch " + mark + ")",
        std::string("@macro \"quoted\" \\ %s {/Bold x} <b>&amp;</b>\nEND\n")}) {
    const auto drawn = RunGnuplot(GnuplotScript(PictureNamed(name), PictureFormat::kSvg));
    EXPECT_TRUE(drawn) << drawn.error().message;
    EXPECT_FALSE(Exists(mark)) << name;
  }
}

TEST(GnuplotString, StaysWithinItsQuotes) {
  EXPECT_EQ(GnuplotString("it's `so`"), "'it’s ‘so‘'");
  EXPECT_EQ(GnuplotString("two\nlines"), "'two\\nlines'");
}

TEST(GnuplotScript, LeavesOutErrorBarsOfSingleRuns) {
  const std::string single = GnuplotScript(PictureNamed("Burin"), PictureFormat::kSvg);
  EXPECT_THAT(single, Not(HasSubstr("vectors")));
  const Picture repeated =
      ThreadScaling(Studied({RunAt(1, 0, 10), RunAt(1, 0, 12), RunAt(2, 0, 20)})).front();
  EXPECT_THAT(GnuplotScript(repeated, PictureFormat::kSvg),
              AllOf(HasSubstr("1 11 10 12"), HasSubstr("vectors")));
}

}  // namespace
}  // namespace throughput
