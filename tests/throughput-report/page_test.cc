// The page as text: nothing of a record gets into it unescaped, and it needs nothing from outside.
#include "apps/throughput-report/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/throughput-report/html.h"
#include "apps/throughput-report/inline_svg.h"
#include "tests/throughput-report/runs.h"

namespace throughput {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(HtmlText, EscapesWhatHtmlReads) {
  EXPECT_EQ(HtmlText("<a href=\"x\" b='y'>&amp;\n"),
            "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;\\n");
}

TEST(FigureText, GroupsLargeWholeNumbers) {
  EXPECT_EQ(FigureText(9999), "9999");
  EXPECT_EQ(FigureText(10'000), "10,000");
  EXPECT_EQ(FigureText(1'234'567), "1,234,567");
  EXPECT_EQ(FigureText(123.45), "123.5");
}

constexpr const char* kPlot =
    "<?xml version=\"1.0\"?>\n<svg \n width=\"9\" height=\"5\"\n viewBox=\"0 0 9 5\"\n>\n"
    "<title>Gnuplot</title>\n<desc>Produced</desc>\n<g id=\"gnuplot_canvas\">"
    "<circle id='gpDot'/><use xlink:href='#gpDot' color='rgb( 31,  95, 191)'/>"
    "<g color=\"black\" fill=\"rgb(1,2,3)\"/></g></svg>\n";

TEST(InlineSvg, TakesTheColoursOfThePage) {
  EXPECT_THAT(InlineSvg(kPlot, "p-1", "A plot"),
              AllOf(HasSubstr("color='var(--series-1)'"), HasSubstr("color=\"var(--muted)\""),
                    HasSubstr("fill=\"#010203\"")));
}

TEST(InlineSvg, HasANameForScreenReadersAndIdsOfItsOwn) {
  EXPECT_THAT(
      InlineSvg(kPlot, "p-1", "A \"plot\""),
      AllOf(StartsWith("<svg role=\"img\" aria-label=\"A &quot;plot&quot;\" viewBox=\"0 0 9 5\""),
            HasSubstr("id='p-1-gpDot'"), HasSubstr("href='#p-1-gpDot'"),
            HasSubstr("id=\"p-1-gnuplot_canvas\""), Not(HasSubstr("<title>"))));
}

std::string PageOf(const std::vector<metrics::ResultRecord>& records) {
  const Study study = Studied(records);
  return Page(study, SectionsOf(study, true), {});
}

TEST(Page, EscapesEveryStringOfARecord) {
  const std::string evil = "<script>alert('1')</script>\"&";
  metrics::ResultRecord run = RunAt(1, 0, 10);
  run.system = run.engine_version = run.mode = run.hasher = run.counters_note = evil;
  run.counters[0].status = metrics::CounterStatus::kNotSupported;
  run.counters[0].event = evil;
  metrics::Environment& environment = run.environment;
  environment.cpu = environment.kernel = environment.file_system = environment.commit =
      environment.build_type = evil;
  environment.arguments = {evil, "--engine-option", evil};
  environment.libraries = {{evil, evil}};
  metrics::ResultRecord second = run;
  second.threads = 2;
  second.hasher += "2";
  const std::string page = PageOf({run, second});
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(&#39;1&#39;)"));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
}

TEST(Page, LoadsNothing) {
  const std::string page = PageOf({RunAt(1, 0, 10)});
  EXPECT_THAT(page, HasSubstr("content=\"default-src 'none'; style-src 'unsafe-inline'\""));
  for (const char* loading : {"src=", "url(", "@import", "<link", "<iframe", "http:", "https:"}) {
    EXPECT_THAT(page, Not(HasSubstr(loading)));
  }
}

TEST(Page, HasBothSchemesAndPaper) {
  EXPECT_THAT(StyleSheet(), AllOf(HasSubstr("prefers-color-scheme: dark"),
                                  HasSubstr("@media print"), HasSubstr("--series-8:")));
}

TEST(Page, SaysWhatIsMissingAndHowToGetIt) {
  metrics::ResultRecord run = RunAt(1, 0, 10);
  run.counters[0].status = metrics::CounterStatus::kNotSupported;
  run.counters_note = "no PMU";
  EXPECT_THAT(PageOf({run}), AllOf(HasSubstr("two thread counts or more"),
                                   HasSubstr("two computes or more"), HasSubstr("--interval 100"),
                                   HasSubstr("(no PMU)"), HasSubstr("Every cell was run once")));
}

}  // namespace
}  // namespace throughput
