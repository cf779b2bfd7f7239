// Output under a locale with decimal commas and dots between thousands is that of the C locale.
#include <gtest/gtest.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <locale>
#include <string>

#include "apps/write-throughput/report/details.h"
#include "apps/write-throughput/report/interval_lines.h"
#include "apps/write-throughput/report/machine_forms.h"
#include "apps/write-throughput/report/perf_block.h"
#include "apps/write-throughput/report/rows.h"
#include "tests/write-throughput/report/records.h"

namespace throughput {
namespace {

// What std::locale streams use; needs no installed locale.
class GermanNumbers : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

std::string Everything() {
  metrics::ResultRecord first = ExampleRecord();
  first.intervals = {{1.5, 5000, ExampleCounters()}};
  metrics::ResultRecord second = WithCounter(first, "instructions", 20887102451.5);
  second.seconds = 9.5;
  const std::vector runs = {first, second};
  std::string text = IntervalLines(runs, true) + PerfBlock(runs, ExampleArguments(), true) +
                     Details(runs, 2, true) + PerfCsv(runs, {}) + PerfJson(runs, {});
  for (const RowFormat format : {RowFormat::kCsv, RowFormat::kCsvWide, RowFormat::kJson}) {
    text += Rows(format, true).Text(first);
  }
  return text;
}

class Locale : public testing::Test {
 protected:
  void SetUp() override { expected_ = Everything(); }
  void TearDown() override {
    std::locale::global(std::locale::classic());
    std::setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }
  std::string expected_;
  std::filesystem::path folder_;
};

TEST_F(Locale, OfStreamsDoesNotMatter) {
  std::locale::global(std::locale(std::locale::classic(), new GermanNumbers));
  EXPECT_EQ(Everything(), expected_);
}

TEST_F(Locale, OfTheCLibraryDoesNotMatter) {
  std::string folder = testing::TempDir() + "locale-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  folder_ = folder;
  const std::string make = "localedef -i de_DE -f UTF-8 " + folder + "/de_DE.UTF-8 2>/dev/null";
  if (std::system(make.c_str()) != 0) GTEST_SKIP() << "localedef cannot make de_DE here";
  setenv("LOCPATH", folder.c_str(), 1);
  ASSERT_NE(std::setlocale(LC_ALL, "de_DE.UTF-8"), nullptr);
  char comma[16];
  std::snprintf(comma, sizeof comma, "%.1f", 1.5);
  ASSERT_STREQ(comma, "1,5");
  EXPECT_EQ(Everything(), expected_);
}

}  // namespace
}  // namespace throughput
