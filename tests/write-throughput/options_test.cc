#include "apps/write-throughput/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace throughput {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Expected<Options> Parse(std::vector<std::string> words) {
  words.insert(words.begin(), "write-throughput");
  return ParseOptions(words);
}

Options Parsed(const std::vector<std::string>& words) {
  auto options = Parse(words);
  EXPECT_TRUE(options) << (options ? "" : options.error().text);
  return options ? *options : Options();
}

std::string Refusal(const std::vector<std::string>& words) {
  const auto options = Parse(words);
  EXPECT_FALSE(options);
  const std::string text = options ? "" : options.error().text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 0) << text;
  return text;
}

TEST(OptionsTest, DefaultsAreThoseOfTheManual) {
  const Options options = Parsed({});
  EXPECT_EQ(options.action, Action::kRun);
  EXPECT_THAT(options.threads, ElementsAre(1));
  EXPECT_THAT(options.batch_sizes, ElementsAre(100));
  EXPECT_THAT(options.compute_us, ElementsAre(0));
  EXPECT_THAT(options.modes, ElementsAre(Mode::kLegacy));
  EXPECT_THAT(options.hashers, ElementsAre("fx"));
  ASSERT_EQ(options.engines.size(), 1u);
  EXPECT_EQ(options.engines[0]->name, "burin");
  EXPECT_EQ(options.iterations, 10);
  EXPECT_FALSE(options.duration);
  EXPECT_EQ(options.timeout, milliseconds(30000));
  EXPECT_EQ(options.in_flight, 64);
  EXPECT_EQ(options.database, "write_throughput_test.db");
  EXPECT_EQ(options.repeats, 1);
  EXPECT_FALSE(options.keep || options.verify || options.report.header || options.report.quiet);
  EXPECT_TRUE(options.report.big_numbers);
  EXPECT_FALSE(options.events.empty());
}

TEST(OptionsTest, ReadsListsShortAndLong) {
  const Options options = Parsed({"-t", "1,2,4", "--batch-size=1,100", "--compute", "0,50", "-m",
                                  "mvcc,concurrent", "--hasher", "sip13,fx"});
  EXPECT_THAT(options.threads, ElementsAre(1, 2, 4));
  EXPECT_THAT(options.batch_sizes, ElementsAre(1, 100));
  EXPECT_THAT(options.compute_us, ElementsAre(0, 50));
  EXPECT_THAT(options.modes, ElementsAre(Mode::kMvcc, Mode::kConcurrent));
  EXPECT_THAT(options.hashers, ElementsAre("sip13", "fx"));
}

TEST(OptionsTest, ReadsAValueThatIsGluedToItsLetter) {
  EXPECT_THAT(Parsed({"-t1,2"}).threads, ElementsAre(1, 2));
  EXPECT_EQ(Parsed({"-d1.5"}).duration, milliseconds(1500));
}

TEST(OptionsTest, OfAFlagGivenTwiceTheLastCounts) {
  EXPECT_EQ(Parsed({"--database", "a", "--database", "b"}).database, "b");
  EXPECT_THAT(Parsed({"-t", "1,2", "-t", "3"}).threads, ElementsAre(3));
}

TEST(OptionsTest, EngineOptionsAndEventsAddUp) {
  const Options options = Parsed({"--engine-option", "table-slots=2048", "--engine-option",
                                  "segment-bytes=1048576", "-e", "task-clock", "-e", "cpu-clock"});
  EXPECT_THAT(options.engine_settings, testing::SizeIs(2));
  EXPECT_EQ(options.engine_settings.at("table-slots"), "2048");
  EXPECT_THAT(options.events, testing::SizeIs(2));
}

TEST(OptionsTest, DurationTakesThePlaceOfIterations) {
  const Options options = Parsed({"-d", "1.5"});
  EXPECT_EQ(options.duration, nanoseconds(1'500'000'000));
  EXPECT_FALSE(options.iterations);
}

TEST(OptionsTest, ValuesMayHoldAnythingButStayOneLineInErrors) {
  EXPECT_EQ(Parsed({"--database", "q\"b\\s\tn\nl\xff.db"}).database, "q\"b\\s\tn\nl\xff.db");
  EXPECT_EQ(Parsed({"--database=new\nline"}).database, "new\nline");
  EXPECT_THAT(Refusal({"-m", "new\nline"}), HasSubstr("'new\\nline'"));
}

TEST(OptionsTest, ALongValueIsRead) {
  const std::string path(200'000, 'x');
  EXPECT_EQ(Parsed({"--database=" + path}).database, path);
}

struct BadInput {
  std::vector<std::string> words;
  std::vector<std::string> named;  // parts of the error
};

// What the list of tests shows of a case.
void PrintTo(const BadInput& input, std::ostream* to) {
  for (const std::string& word : input.words) *to << word << ' ';
}

class BadInputTest : public testing::TestWithParam<BadInput> {};

TEST_P(BadInputTest, IsRefusedInOneLineThatNamesIt) {
  const std::string text = Refusal(GetParam().words);
  for (const std::string& part : GetParam().named) EXPECT_THAT(text, HasSubstr(part));
}

INSTANTIATE_TEST_SUITE_P(
    Flags, BadInputTest,
    testing::Values(BadInput{{"--bogus=1"}, {"--bogus: there is no such flag"}},
                    BadInput{{"--t", "4"}, {"--t: there is no such flag"}},
                    BadInput{{"-qx"}, {"-x: there is no such flag"}},
                    BadInput{{"leftover"}, {"'leftover'"}}, BadInput{{"--", "-t"}, {"'-t'"}},
                    BadInput{{"-t"}, {"--threads: its value is missing; N[,N...] is allowed"}},
                    BadInput{{"-q", "--events"}, {"--events: its value is missing"}},
                    BadInput{{"--keep=7"}, {"--keep", "'7'"}},
                    BadInput{{"--database", "--threads", "4"}, {"--database", "'--threads'"}},
                    BadInput{{"--output", "--header"}, {"--output", "'--header'"}},
                    BadInput{{"--csv", "--threads", "4"}, {"csv"}},
                    BadInput{{"--list-events", "a", "b"}, {"'b' belongs to no flag"}}));

INSTANTIATE_TEST_SUITE_P(
    Numbers, BadInputTest,
    testing::Values(
        BadInput{{"-t", "0"}, {"--threads", "'0'", "1 to 1024"}},
        BadInput{{"-t", "1025"}, {"--threads", "'1025'", "1 to 1024"}},
        BadInput{{"-t", "1,,2"}, {"--threads", "'1,,2'"}},
        BadInput{{"-t", "1,2,"}, {"--threads", "'1,2,'"}},
        BadInput{{"-t", " 1"}, {"--threads", "' 1'"}}, BadInput{{"-t", "+1"}, {"'+1'"}},
        BadInput{{"-t", "0x4"}, {"'0x4'"}}, BadInput{{"--threads="}, {"--threads", "''"}},
        BadInput{{"-b", "-1"}, {"--batch-size", "'-1'", "1 to 1000000000"}},
        BadInput{{"-b", "10000000000"}, {"--batch-size", "'10000000000'"}},
        BadInput{{"-i", "10000000000000000000"}, {"--iterations", "'10000000000000000000'"}},
        BadInput{{"-i", "1e3"}, {"--iterations", "'1e3'"}},
        BadInput{{"--compute", "1.5x"}, {"--compute", "'1.5x'", "0 to 60000000"}},
        BadInput{{"--timeout", "0"}, {"--timeout", "'0'"}},
        BadInput{{"--in-flight", "0"}, {"--in-flight", "'0'", "1 to 4096"}},
        BadInput{{"--value-size", "0"}, {"--value-size", "'0'"}},
        BadInput{{"-r", "0"}, {"--repeat", "'0'"}},
        BadInput{{"--interval", "0"}, {"--interval", "'0'"}},
        BadInput{{"-d", "0"}, {"--duration", "'0'", "604800 seconds"}},
        BadInput{{"-d", "1,5"}, {"--duration", "'1,5'"}},
        BadInput{{"-d", "-1"}, {"--duration", "'-1'"}}, BadInput{{"-d", "nan"}, {"'nan'"}},
        BadInput{{"-d", "inf"}, {"'inf'"}}, BadInput{{"-d", "1e3"}, {"'1e3'"}},
        BadInput{{"--warmup", "x"}, {"--warmup", "'x'"}}));

INSTANTIATE_TEST_SUITE_P(
    Names, BadInputTest,
    testing::Values(BadInput{{"-m", "fast"}, {"--mode", "'fast'", "mvcc-passive"}},
                    BadInput{{"-m", "mvcc,"}, {"--mode", "'mvcc,'"}},
                    BadInput{{"--engine", "oracle"}, {"--engine", "'oracle'", "burin"}},
                    BadInput{{"--hasher", "md5"}, {"--hasher", "'md5'", "sip13"}},
                    BadInput{{"--format", "xml"}, {"--format", "'xml'", "csv-wide"}},
                    BadInput{{"--summary", "xml"}, {"--summary", "'xml'"}},
                    BadInput{{"--counters", "gprof"}, {"--counters", "'gprof'", "callgrind"}},
                    BadInput{{"--scope", "all"}, {"--scope", "'all'"}},
                    BadInput{{"--compute-clock", "sun"}, {"--compute-clock", "'sun'"}},
                    BadInput{{"-e", "no-such-event"}, {"--events", "no-such-event"}},
                    BadInput{{"-e", "", "-e", "cycles"}, {"--events ''", "empty"}},
                    BadInput{{"-e", "cycles", "-e", "foo"}, {"--events 'foo': unknown event"}},
                    BadInput{{"-e", "foo", "--doctor"}, {"--events 'foo'"}},
                    BadInput{{"-e", "foo", "--list-events"}, {"--events 'foo'"}},
                    BadInput{{"-e", "{"}, {"--events", "'{'"}},
                    BadInput{{"-e", "cycles,{}"}, {"--events", "empty group"}},
                    BadInput{{"-e", "cycles:z"}, {"--events", "'cycles'", "'z'"}},
                    BadInput{{"-e", "cycles,,instructions"}, {"--events", "an event is missing"}},
                    BadInput{{"--database", ""}, {"--database", "''"}},
                    BadInput{{"--engine-option", "x"}, {"--engine-option", "'x'", "KEY=VALUE"}},
                    BadInput{{"--engine-option", "x=1"}, {"'x=1'", "segment-bytes"}},
                    BadInput{{"--engine-option", "table-slots=5"}, {"power of two"}}));

INSTANTIATE_TEST_SUITE_P(
    Combinations, BadInputTest,
    testing::Values(
        BadInput{{"-i", "5", "-d", "5"}, {"--iterations", "'5'", "--duration"}},
        BadInput{{"--keep", "-t", "1,2"}, {"--database", "{cell}", "2 runs"}},
        BadInput{{"--keep", "-r", "2"}, {"--database", "{cell}"}},
        BadInput{{"-t", "1024", "-b", "1000000000", "-i", "1000000000000"},
                 {"--iterations", "'1000000000000'", "9007199 are allowed"}},
        BadInput{{"-e", "cycles", "--counters", "none"}, {"--events", "'cycles'", "none"}},
        BadInput{{"-e", "cycles", "--counters", "callgrind"},
                 {"--events", "'cycles'", "callgrind"}},
        BadInput{{"--scope", "process", "--counters", "callgrind"}, {"--scope", "'process'"}},
        BadInput{{"--per-thread", "--counters", "none"}, {"--counters", "'none'", "--per-thread"}},
        BadInput{{"--phases", "--counters", "none"}, {"--counters", "'none'", "--phases"}},
        BadInput{{"--phases", "--scope", "process"}, {"--scope", "'process'", "--phases"}},
        BadInput{{"--per-thread", "--scope", "process"}, {"--scope", "'process'", "--per-thread"}},
        BadInput{{"--interval", "100", "--scope", "process"}, {"'process'", "--interval"}},
        BadInput{{"--value-size", "5", "--data-file", "x"}, {"--value-size", "'5'"}},
        BadInput{{"--engine", "null", "--verify"}, {"--engine", "'null'", "--verify"}},
        BadInput{{"--engine", "null", "--engine-option", "a=b"}, {"null has no settings"}}));

TEST(OptionsTest, AsManyRowsAsThereAreIdsAreAllowed) {
  // 1024 * 10^9 * 9007199 is the largest product of this form below 2^63.
  EXPECT_TRUE(Parse({"-t", "1024", "-b", "1000000000", "-i", "9007199"}));
  EXPECT_FALSE(Parse({"-t", "1024", "-b", "1000000000", "-i", "9007200"}));
}

TEST(OptionsTest, ModesAreThoseGivenOrTheBestOfTheEngine) {
  TargetInfo engine;
  engine.modes = {Mode::kMvcc, Mode::kLogicalLog};
  engine.best_mode = Mode::kLogicalLog;
  EXPECT_THAT(ModesOf(Parsed({}), engine), ElementsAre(Mode::kLogicalLog)) << "it has no legacy";
  EXPECT_THAT(ModesOf(Parsed({"-m", "best"}), engine), ElementsAre(Mode::kLogicalLog));
  EXPECT_THAT(ModesOf(Parsed({"-m", "mvcc"}), engine), ElementsAre(Mode::kMvcc));
  EXPECT_THAT(ModesOf(Parsed({"-m", "legacy"}), engine), ElementsAre(Mode::kLegacy))
      << "what it has not is refused, not replaced";
  engine.modes.push_back(Mode::kLegacy);
  EXPECT_THAT(ModesOf(Parsed({}), engine), ElementsAre(Mode::kLegacy));
}

TEST(OptionsTest, EnginesAreNamesOrPathsOfLibraries) {
  const Options options = Parsed({"--engine", "null,./mine.so,other.so"});
  ASSERT_EQ(options.engines.size(), 3u);
  EXPECT_EQ(options.engines[0], FindTarget("null"));
  EXPECT_EQ(options.engines[1]->name, "./mine.so");
  EXPECT_EQ(options.engines[2]->name, "other.so");
  EXPECT_THAT(Refusal({"--engine", "mine"}), HasSubstr("or the path of a shared library"));
}

TEST(OptionsTest, TooManyRunsAreRefused) {
  std::string list = "1";
  for (int i = 0; i < 400; ++i) list += ",1";
  EXPECT_THAT(Refusal({"-t", list, "-b", list}), HasSubstr("at most 100000"));
}

TEST(OptionsTest, KeepWithThePlaceholderIsAllowedForSeveralRuns) {
  EXPECT_TRUE(Parse({"--keep", "-t", "1,2", "--database", "x{cell}.db"}));
  EXPECT_TRUE(Parse({"--keep"}));
}

TEST(OptionsTest, HelpIsToBeHadWithABadEventToo) {
  EXPECT_EQ(Parsed({"-e", "foo", "--help"}).action, Action::kHelp);
}

TEST(OptionsTest, ActionsNeedNoSensibleRest) {
  EXPECT_EQ(Parsed({"--help"}).action, Action::kHelp);
  EXPECT_EQ(Parsed({"--version"}).action, Action::kVersion);
  EXPECT_EQ(Parsed({"--list-engines"}).action, Action::kListEngines);
  EXPECT_EQ(Parsed({"--list-events"}).action, Action::kListEvents);
  EXPECT_EQ(Parsed({"--list-events", "cycles"}).event_word, "cycles");
  EXPECT_EQ(Parsed({"--list-events=cycles"}).event_word, "cycles");
}

TEST(HelpTest, NamesEveryFlagInItsGroupWithoutTrailingBlanks) {
  const std::string help = HelpText();
  for (const char* part :
       {"Load options:", "Engine options:", "Counter options:", "Output options:", "--threads",
        "(default: 1)", "--iterations", "{cell}", "--list-events", "Examples:", "130"}) {
    EXPECT_THAT(help, HasSubstr(part));
  }
  EXPECT_THAT(help, AllOf(Not(HasSubstr(" \n")), Not(HasSubstr("\n\n\n"))));
}

TEST(HelpTest, ListsEnginesWithModesAndSettings) {
  EXPECT_THAT(ListEnginesText({}), AllOf(HasSubstr("burin\n"), HasSubstr("mvcc-passive"),
                                         HasSubstr("segment-bytes"), HasSubstr("null\n")));
}

TEST(OptionsTest, ReadsARateAndAnOrder) {
  EXPECT_FALSE(Parsed({}).rate);
  EXPECT_FALSE(Parsed({}).order.random);
  EXPECT_EQ(Parsed({"--rate", "2500"}).rate, 2500);
  EXPECT_TRUE(Parsed({"--order", "random"}).order.random);
  EXPECT_FALSE(Parsed({"--order", "random"}).order.seed);
  EXPECT_EQ(Parsed({"--order", "random:0"}).order.seed, 0);
  EXPECT_FALSE(Parsed({"--order", "as-given"}).order.random);
  for (const char* bad : {"0", "-1", "1.5", "1000000001", "", "fast"}) {
    EXPECT_THAT(Refusal({"--rate", bad}), HasSubstr("--rate '" + std::string(bad) + "': whole"));
  }
  EXPECT_THAT(Refusal({"--order", "sorted"}),
              HasSubstr("--order 'sorted': as-given, random, random:SEED are allowed"));
  for (const char* bad : {"random:", "random:x", "random:-1", "random:1 "}) {
    EXPECT_THAT(Refusal({"--order", bad}), HasSubstr("--order '"));
  }
}

TEST(OptionsTest, ResumeNeedsAFileWhoseRowsSayWhichRunTheyAre) {
  EXPECT_TRUE(Parsed({"--resume", "-o", "f"}).resume);
  EXPECT_TRUE(Parsed({"--resume", "-o", "f", "--format", "json", "-m", "mvcc,legacy"}).resume);
  EXPECT_THAT(Refusal({"--resume"}), HasSubstr("--resume '': needs the file"));
  EXPECT_THAT(Refusal({"--resume", "-o", "f", "--format", "csv-wide"}),
              HasSubstr("--format 'csv-wide': with --resume json and csv are allowed"));
  EXPECT_THAT(Refusal({"--resume", "-o", "f", "-m", "mvcc,legacy"}), HasSubstr("json is allowed"));
  EXPECT_THAT(Refusal({"--resume", "-o", "f", "--hasher", "fx,sip13"}),
              HasSubstr("json is allowed"));
}

}  // namespace
}  // namespace throughput
