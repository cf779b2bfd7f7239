// The simulated disk is what the engine's promises are judged by, so it is tested itself.
#include "tests/engine/simulated_file_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/engine/power_cut.h"

namespace burin {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

using OpenMode = FileSystem::OpenMode;
using Tearing = SimulatedDisk::Tearing;

constexpr size_t kSector = SimulatedDisk::kSectorBytes;
constexpr char kFolder[] = "/";
constexpr char kFile[] = "/file";

void Put(File* file, std::string bytes, uint64_t offset) {
  iovec buffer{bytes.data(), bytes.size()};
  const Status status = file->Write({&buffer, 1}, offset);
  ASSERT_TRUE(status.ok()) << status.message();
}

std::unique_ptr<File> Create(FileSystem* file_system, const std::string& path) {
  auto file = file_system->Open(path, OpenMode::kCreate);
  EXPECT_TRUE(file.ok()) << file.status().message();
  return std::move(*file);
}

std::string Sector(char fill) { return std::string(kSector, fill); }

class SimulatedFileSystemTest : public testing::Test {
 protected:
  // A file with a name and `sectors` sectors of 'a', all of it durable.
  std::unique_ptr<File> DurableFile(size_t sectors) {
    auto file = Create(&file_system_, kFile);
    Put(file.get(), std::string(sectors * kSector, 'a'), 0);
    EXPECT_TRUE(file->Sync().ok());
    EXPECT_TRUE(file_system_.SyncFolder(kFolder).ok());
    return file;
  }

  // The contents of kFile after each possible power cut; "(absent)" where it has no name.
  std::multiset<std::string> AfterEveryCut(Tearing tearing = Tearing::kNo) {
    std::multiset<std::string> contents;
    const SimulatedDisk disk = file_system_.Disk();
    PowerCut cut(disk, tearing, PowerCut::kExhaustiveLimit, 1);
    EXPECT_TRUE(cut.exhaustive());
    while (const auto after = cut.Next()) {
      contents.insert(after->FindFile(kFile) ? after->Content(kFile) : "(absent)");
    }
    return contents;
  }

  SimulatedFileSystem file_system_;
};

TEST_F(SimulatedFileSystemTest, ReadsBackWhatWasWrittenAcrossSectors) {
  auto file = Create(&file_system_, kFile);
  std::string first = "hello ", second(2 * kSector, 'x');
  iovec buffers[] = {{first.data(), first.size()}, {second.data(), second.size()}};
  ASSERT_TRUE(file->Write(buffers, 500).ok());
  std::string bytes(4 * kSector, '?');
  const auto got = file->Read(bytes.data(), bytes.size(), 498);
  ASSERT_TRUE(got.ok());
  bytes.resize(*got);
  EXPECT_EQ(bytes, std::string(2, '\0') + first + second);
  EXPECT_EQ(*file->Size(), 500 + first.size() + second.size());
}

TEST_F(SimulatedFileSystemTest, SyncedContentSurvivesEveryPowerCut) {
  DurableFile(3);
  EXPECT_THAT(AfterEveryCut(), ElementsAre(std::string(3 * kSector, 'a')));
}

TEST_F(SimulatedFileSystemTest, AnUnsyncedSectorIsKeptOrDroppedByItself) {
  auto file = DurableFile(2);
  Put(file.get(), Sector('b') + Sector('c'), 0);
  EXPECT_THAT(AfterEveryCut(),
              UnorderedElementsAre(Sector('a') + Sector('a'), Sector('b') + Sector('a'),
                                   Sector('a') + Sector('c'), Sector('b') + Sector('c')));
}

TEST_F(SimulatedFileSystemTest, AnUnsyncedSectorMayBeTornBothWays) {
  auto file = DurableFile(1);
  Put(file.get(), Sector('b'), 0);
  const std::string a(kSector / 2, 'a');
  const std::string b(kSector / 2, 'b');
  EXPECT_THAT(AfterEveryCut(Tearing::kYes), UnorderedElementsAre(a + a, b + b, b + a, a + b));
}

TEST_F(SimulatedFileSystemTest, AnySinceTheLastSyncWrittenVersionMayBeOnDisk) {
  auto file = DurableFile(1);
  Put(file.get(), Sector('b'), 0);
  Put(file.get(), Sector('c'), 0);
  EXPECT_THAT(AfterEveryCut(), UnorderedElementsAre(Sector('a'), Sector('b'), Sector('c')));
}

TEST_F(SimulatedFileSystemTest, AFileThatGrewMayHaveItsOldSizeOrZerosInIt) {
  auto file = DurableFile(1);
  Put(file.get(), Sector('b'), kSector);
  const std::string zeros(kSector, '\0');
  EXPECT_THAT(AfterEveryCut(), UnorderedElementsAre(Sector('a'), Sector('a'), Sector('a') + zeros,
                                                    Sector('a') + Sector('b')));
}

TEST_F(SimulatedFileSystemTest, WritingTheSameBytesLeavesNothingInDoubt) {
  auto file = DurableFile(1);
  Put(file.get(), Sector('a'), 0);
  EXPECT_THAT(file_system_.Disk().Doubts(Tearing::kYes), IsEmpty());
}

TEST_F(SimulatedFileSystemTest, ZeroFillingAFreshFileLeavesOnlyItsSizeInDoubt) {
  auto file = Create(&file_system_, kFile);
  ASSERT_TRUE(file_system_.SyncFolder(kFolder).ok());
  ASSERT_TRUE(file->FillWithZeros(1 << 20).ok());
  EXPECT_THAT(file_system_.Disk().Doubts(Tearing::kYes), SizeIs(1));
  EXPECT_EQ(file_system_.Disk().Content(kFile), std::string(1 << 20, '\0'));
}

TEST_F(SimulatedFileSystemTest, AnUnsyncedNameMayBeAbsentThoughItsContentWasSynced) {
  auto file = Create(&file_system_, kFile);
  Put(file.get(), "x", 0);
  ASSERT_TRUE(file->Sync().ok());
  EXPECT_THAT(AfterEveryCut(), UnorderedElementsAre("(absent)", "x"));
}

TEST_F(SimulatedFileSystemTest, AnUnsyncedRenameLeavesOneFileOrTheOther) {
  auto old_file = DurableFile(1);
  auto new_file = Create(&file_system_, "/new");
  Put(new_file.get(), "n", 0);
  ASSERT_TRUE(new_file->Sync().ok());
  ASSERT_TRUE(file_system_.SyncFolder(kFolder).ok());
  ASSERT_TRUE(file_system_.Rename("/new", kFile).ok());
  EXPECT_THAT(AfterEveryCut(), UnorderedElementsAre(Sector('a'), "n"));
  ASSERT_TRUE(file_system_.SyncFolder(kFolder).ok());
  EXPECT_THAT(AfterEveryCut(), ElementsAre("n"));
}

TEST_F(SimulatedFileSystemTest, NameChangesAreReordered) {
  Create(&file_system_, "/first");
  Create(&file_system_, "/second");
  std::set<std::vector<std::string>> listings;
  const SimulatedDisk disk = file_system_.Disk();
  PowerCut cut(disk, Tearing::kNo, 100, 1);
  while (const auto after = cut.Next()) listings.insert(after->List("/"));
  EXPECT_TRUE(listings.contains({"second"}));
  EXPECT_TRUE(listings.contains({"first"}));
  EXPECT_THAT(listings, SizeIs(4));
}

TEST_F(SimulatedFileSystemTest, AnUnsyncedRemovalMayComeBack) {
  DurableFile(1);
  ASSERT_TRUE(file_system_.Remove(kFile).ok());
  EXPECT_FALSE(*file_system_.Exists(kFile));
  EXPECT_THAT(AfterEveryCut(), UnorderedElementsAre("(absent)", Sector('a')));
}

TEST_F(SimulatedFileSystemTest, AFileIsLostWithItsUnsyncedFolder) {
  ASSERT_TRUE(file_system_.CreateFolder("/folder").ok());
  Create(&file_system_, "/folder/x");
  ASSERT_TRUE(file_system_.SyncFolder("/folder").ok());
  const SimulatedDisk disk = file_system_.Disk();
  PowerCut cut(disk, Tearing::kNo, 100, 1);
  const auto without = cut.Next();
  EXPECT_FALSE(without->IsFolder("/folder"));
  EXPECT_FALSE(without->FindFile("/folder/x").has_value());
  const auto with = cut.Next();
  EXPECT_TRUE(with->FindFile("/folder/x").has_value());
  EXPECT_FALSE(cut.Next().has_value());
}

TEST_F(SimulatedFileSystemTest, AKilledProgramLosesNothingItWrote) {
  auto file = DurableFile(1);
  Put(file.get(), Sector('b'), 0);
  const SimulatedDisk disk = file_system_.Disk().AfterKill();
  EXPECT_EQ(disk.Content(kFile), Sector('b'));
  EXPECT_THAT(disk.Doubts(Tearing::kYes), IsEmpty());
}

TEST_F(SimulatedFileSystemTest, AFailedSyncKeepsTheCachedContentAndForgetsTheDoubt) {
  auto file = DurableFile(1);
  Put(file.get(), Sector('b'), 0);
  file_system_.SetHook([](const FileCall& call) {
    return call.kind == FileCall::Kind::kSync ? Fault::kLostPages : Fault::kNone;
  });
  EXPECT_EQ(file->Sync().code(), StatusCode::kIoError);
  file_system_.SetHook(nullptr);
  EXPECT_TRUE(file->Sync().ok());  // proves nothing
  EXPECT_EQ(file_system_.Disk().Content(kFile), Sector('b'));
  EXPECT_THAT(AfterEveryCut(), UnorderedElementsAre(Sector('a'), Sector('b')));
  Put(file.get(), Sector('c'), 0);
  EXPECT_TRUE(file->Sync().ok());
  EXPECT_THAT(AfterEveryCut(), ElementsAre(Sector('c')));
}

TEST_F(SimulatedFileSystemTest, TheSameBytesWrittenAnewAfterAFailedSyncAreSyncedAfterAll) {
  auto file = DurableFile(1);
  Put(file.get(), Sector('b'), 0);
  file_system_.SetHook([](const FileCall& call) {
    return call.kind == FileCall::Kind::kSync ? Fault::kLostPages : Fault::kNone;
  });
  EXPECT_EQ(file->Sync().code(), StatusCode::kIoError);
  file_system_.SetHook(nullptr);
  Put(file.get(), Sector('b'), 0);
  EXPECT_TRUE(file->Sync().ok());
  EXPECT_THAT(AfterEveryCut(), ElementsAre(Sector('b')));
}

TEST_F(SimulatedFileSystemTest, AFullDiskTakesWhatFitsAndLetsWhatIsThereBeWrittenAnew) {
  auto file = DurableFile(2);
  file_system_.SetCapacity(3 * kSector);
  Put(file.get(), std::string(2 * kSector, 'b'), 0);
  std::string bytes(2 * kSector, 'c');
  iovec buffer{bytes.data(), bytes.size()};
  EXPECT_EQ(file->Write({&buffer, 1}, 2 * kSector).code(), StatusCode::kNoSpace);
  EXPECT_EQ(file_system_.Disk().Content(kFile), std::string(2 * kSector, 'b') + Sector('c'));
  EXPECT_EQ(file->FillWithZeros(4 * kSector).code(), StatusCode::kNoSpace);
  EXPECT_EQ(file_system_.Disk().UsedBytes(), 3 * kSector);
  file_system_.SetCapacity(4 * kSector);
  EXPECT_TRUE(file->FillWithZeros(4 * kSector).ok());
}

TEST_F(SimulatedFileSystemTest, DisksThatReadTheSameHaveOneFingerprint) {
  auto file = DurableFile(2);
  const uint64_t before = file_system_.Disk().Fingerprint();
  Put(file.get(), Sector('b'), kSector);
  const uint64_t after = file_system_.Disk().Fingerprint();
  EXPECT_NE(after, before);
  EXPECT_EQ(file_system_.Disk().AfterKill().Fingerprint(), after);
  Put(file.get(), Sector('a'), kSector);
  EXPECT_EQ(file_system_.Disk().Fingerprint(), before);
  ASSERT_TRUE(file_system_.Rename(kFile, std::string(kFile) + "2").ok());
  EXPECT_NE(file_system_.Disk().Fingerprint(), before);
}

TEST_F(SimulatedFileSystemTest, AFaultStrikesTheCallWithItsNumberAlone) {
  auto file = DurableFile(1);
  const uint64_t next = file_system_.calls();
  file_system_.SetHook([next](const FileCall& call) {
    return call.index == next + 1 ? Fault::kNoSpace : Fault::kNone;
  });
  Put(file.get(), Sector('b'), 0);
  std::string bytes = Sector('c');
  iovec buffer{bytes.data(), bytes.size()};
  const Status status = file->Write({&buffer, 1}, 0);
  EXPECT_EQ(status.code(), StatusCode::kNoSpace);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr(kFile), HasSubstr("write"), HasSubstr("No space left on device")));
  EXPECT_EQ(file_system_.Disk().Content(kFile), Sector('b'));
  Put(file.get(), Sector('d'), 0);
  EXPECT_EQ(file_system_.Disk().Content(kFile), Sector('d'));
}

TEST_F(SimulatedFileSystemTest, AShortWriteLeavesItsFirstHalf) {
  auto file = DurableFile(2);
  file_system_.SetHook([](const FileCall&) { return Fault::kPartialError; });
  std::string bytes(2 * kSector, 'b');
  iovec buffer{bytes.data(), bytes.size()};
  EXPECT_EQ(file->Write({&buffer, 1}, 0).code(), StatusCode::kIoError);
  EXPECT_EQ(file_system_.Disk().Content(kFile), Sector('b') + Sector('a'));
}

TEST_F(SimulatedFileSystemTest, ManyDoubtsAreSampledReproduciblyAndWithBothExtremes) {
  auto file = DurableFile(100);
  Put(file.get(), std::string(100 * kSector, 'b'), 0);
  const SimulatedDisk disk = file_system_.Disk();
  const auto states = [&disk](uint64_t seed) {
    std::vector<std::string> contents;
    PowerCut cut(disk, Tearing::kYes, 50, seed);
    EXPECT_FALSE(cut.exhaustive());
    while (const auto after = cut.Next()) contents.push_back(after->Content(kFile));
    return contents;
  };
  const std::vector<std::string> first = states(7);
  EXPECT_THAT(first, SizeIs(50));
  EXPECT_EQ(first[0], std::string(100 * kSector, 'a'));
  EXPECT_EQ(first[1], std::string(100 * kSector, 'b'));
  EXPECT_EQ(std::set(first.begin(), first.end()).size(), 50u);
  EXPECT_EQ(first, states(7));
  EXPECT_NE(first, states(8));
}

TEST_F(SimulatedFileSystemTest, TwelveUnsyncedSectorsAreEnumerated) {
  auto file = DurableFile(12);
  Put(file.get(), std::string(12 * kSector, 'b'), 0);
  const auto contents = AfterEveryCut();
  EXPECT_THAT(contents, SizeIs(4096));
  EXPECT_EQ(std::set(contents.begin(), contents.end()).size(), 4096u);
}

TEST_F(SimulatedFileSystemTest, ALockIsHeldOnceAndEndsWithItsObject) {
  auto lock = file_system_.Lock("/LOCK", true);
  ASSERT_TRUE(lock.ok());
  EXPECT_EQ(file_system_.Lock("/LOCK", true).status().code(), StatusCode::kInUse);
  EXPECT_EQ(file_system_.Lock("/LOCK", false).status().code(), StatusCode::kInUse);
  lock->reset();
  EXPECT_TRUE(file_system_.Lock("/LOCK", false).ok());
  EXPECT_TRUE(file_system_.Lock("/LOCK", true).ok());
}

TEST_F(SimulatedFileSystemTest, MissingNamesAreErrorsThatNameThem) {
  const std::vector<Status> statuses = {
      file_system_.Open("/absent", OpenMode::kReadWrite).TakeStatus(),
      file_system_.Open("/absent/x", OpenMode::kCreate).TakeStatus(),
      file_system_.List("/absent").TakeStatus(),
      file_system_.Rename("/absent", "/x"),
      file_system_.Remove("/absent"),
      file_system_.RemoveFolder("/absent"),
      file_system_.SyncFolder("/absent"),
      file_system_.CreateFolder("/absent/x"),
      file_system_.Lock("/absent", false).TakeStatus(),
  };
  for (const Status& status : statuses) {
    EXPECT_EQ(status.code(), StatusCode::kIoError);
    EXPECT_THAT(std::string(status.message()), HasSubstr("/absent"));
  }
}

TEST_F(SimulatedFileSystemTest, AFileWithoutNameLivesOnInItsHandle) {
  auto file = DurableFile(1);
  ASSERT_TRUE(file_system_.Remove(kFile).ok());
  Put(file.get(), Sector('b'), 0);
  std::string bytes(kSector, '?');
  EXPECT_EQ(*file->Read(bytes.data(), bytes.size(), 0), kSector);
  EXPECT_EQ(bytes, Sector('b'));
}

}  // namespace
}  // namespace burin
