#include "metrics/process_usage.h"

#include <gtest/gtest.h>

#include <thread>

namespace metrics {
namespace {

TEST(ProcessUsage, TakesItsFiguresFromGetrusage) {
  rusage usage{};
  usage.ru_utime = {2, 231'889};
  usage.ru_stime = {0, 508'785};
  usage.ru_minflt = 800;
  usage.ru_majflt = 18;
  usage.ru_nvcsw = 30'000;
  usage.ru_nivcsw = 629;
  const ProcessUsage figures = ProcessUsage::Of(usage);
  EXPECT_EQ(figures.cpu_ns, 2'740'674'000);
  EXPECT_EQ(figures.minor_faults, 800);
  EXPECT_EQ(figures.major_faults, 18);
  EXPECT_EQ(figures.context_switches, 30'629);
  const ProcessTimes times = ProcessTimes::Of(usage);
  EXPECT_DOUBLE_EQ(times.user_seconds, 2.231889);
  EXPECT_DOUBLE_EQ(times.system_seconds, 0.508785);
}

TEST(ProcessUsage, TimesOfAWindowAreADifference) {
  const ProcessTimes window = ProcessTimes{5, 3} - ProcessTimes{2, 1};
  EXPECT_DOUBLE_EQ(window.user_seconds, 3);
  EXPECT_DOUBLE_EQ(window.system_seconds, 2);
}

TEST(ProcessUsage, CountsThreadsThatHaveEnded) {
  const ProcessTimes before = ProcessTimes::Now();
  std::thread([&] {
    while ((ProcessTimes::Now() - before).user_seconds +
               (ProcessTimes::Now() - before).system_seconds <
           0.01) {
    }
  }).join();
  const ProcessTimes used = ProcessTimes::Now() - before;
  EXPECT_GE(used.user_seconds + used.system_seconds, 0.01);
}

TEST(ProcessUsage, FindsMigrationsInEitherSpelling) {
  EXPECT_EQ(ParseMigrations("cat (1, #threads: 1)\n-----\n"
                            "se.nr_migrations                   :                   12\n"
                            "nr_switches                        :                    3\n"),
            12);
  EXPECT_EQ(ParseMigrations("nr_migrations : 7\n"), 7);
  EXPECT_EQ(ParseMigrations("se.statistics.nr_migrations_cold : 4\n"
                            "numa.nr_migrations : 5\nse.nr_migrations:6"),
            6);
}

TEST(ProcessUsage, HasNoMigrationsWhereTheKernelDoesNotTell) {
  EXPECT_EQ(ParseMigrations(""), std::nullopt);
  EXPECT_EQ(ParseMigrations("nr_migrations_cold : 4\n"), std::nullopt);
  EXPECT_EQ(ParseMigrations("se.nr_migrations"), std::nullopt);
  EXPECT_EQ(ParseMigrations("se.nr_migrations :"), std::nullopt);
  EXPECT_EQ(ParseMigrations("se.nr_migrations : many"), std::nullopt);
}

TEST(ProcessUsage, MigrationsOfAWindowAreThoseOfTheThreadsAtItsEnd) {
  const Migrations earlier = {{1, 10}, {2, 20}, {3, 30}};
  const Migrations later = {{1, 15}, {3, 30}, {4, 2}};
  EXPECT_EQ(MigrationsBetween(earlier, later), 5 + 0 + 2);
  EXPECT_EQ(MigrationsBetween({{1, 10}}, {{1, 4}}), 4) << "a new thread with an old number";
}

}  // namespace
}  // namespace metrics
