#include "apps/write-throughput/cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace throughput {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

Options Parsed(std::vector<std::string> words) {
  words.insert(words.begin(), "prog");
  auto options = ParseOptions(words);
  EXPECT_TRUE(options) << (options ? "" : options.error().text);
  return options ? *options : Options();
}

TEST(CellsTest, EveryCombinationIsACellAndComputeVariesFastest) {
  const auto cells = MakeCells(Parsed({"-t", "1,2", "-b", "1,100", "--compute", "0,50"}));
  ASSERT_THAT(cells, SizeIs(8));
  std::vector<std::vector<int64_t>> seen;
  for (const Cell& cell : cells) {
    seen.push_back({cell.number, cell.threads, cell.batch_size, cell.compute_us});
  }
  EXPECT_THAT(seen, ElementsAre(ElementsAre(1, 1, 1, 0), ElementsAre(2, 1, 1, 50),
                                ElementsAre(3, 1, 100, 0), ElementsAre(4, 1, 100, 50),
                                ElementsAre(5, 2, 1, 0), ElementsAre(6, 2, 1, 50),
                                ElementsAre(7, 2, 100, 0), ElementsAre(8, 2, 100, 50)));
}

TEST(CellsTest, TheSameValueTwiceIsTwoCells) {
  EXPECT_THAT(MakeCells(Parsed({"-t", "4,4,4"})), SizeIs(3));
}

TEST(CellsTest, AnEngineWithoutHasherHasOneCellForAllOfThem) {
  const auto cells = MakeCells(Parsed({"--engine", "burin,null", "--hasher", "fx,sip13"}));
  ASSERT_THAT(cells, SizeIs(3));
  EXPECT_EQ(cells[0].hasher, "fx");
  EXPECT_EQ(cells[1].hasher, "sip13");
  EXPECT_EQ(cells[2].engine->name, "null");
  EXPECT_EQ(cells[2].hasher, "");
}

TEST(CellsTest, ThePlaceholderBecomesCellAndRun) {
  Options options = Parsed({"--database", "a{cell}/b{cell}.db", "-t", "1,2"});
  const auto cells = MakeCells(options);
  EXPECT_EQ(DatabasePath(options, cells[1], 1), "a2/b2.db");
  options.repeats = 3;
  EXPECT_EQ(DatabasePath(options, cells[1], 2), "a2-2/b2-2.db");
  options.database = "plain.db";
  EXPECT_EQ(DatabasePath(options, cells[1], 2), "plain.db");
}

TEST(CellsTest, ArgumentsOfACellHaveItsValuesInPlaceOfLists) {
  const Options options = Parsed({"-t1,2", "--batch-size=1,100", "--compute", "5", "-m",
                                  "mvcc,legacy", "--hasher", "fx,sip13", "--engine=burin,null"});
  const auto cells = MakeCells(options);
  EXPECT_THAT(CellArguments(options, cells.front()),
              ElementsAre("prog", "-t", "1", "--batch-size=1", "--compute", "5", "-m", "mvcc",
                          "--hasher", "fx", "--engine=burin"));
  EXPECT_THAT(CellArguments(options, cells.back()),
              ElementsAre("prog", "-t", "2", "--batch-size=100", "--compute", "5", "-m", "legacy",
                          "--hasher", "fx,sip13", "--engine=null"));
}

}  // namespace
}  // namespace throughput
