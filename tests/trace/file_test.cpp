// The .bscope file: what is saved is loaded; anything else is refused in one sentence; saving is all or
// nothing.
#include "engine/trace/file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <random>
#include <system_error>

#include "engine/trace/bscope_generated.h"
#include "tests/trace/hand_made.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;
using test::hand_made;
using ::testing::HasSubstr;

/// A folder of its own, removed at the end.
class Folder : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "bscope-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path in(const std::string& name) const { return folder_ / name; }
  size_t files() const { return size_t(std::distance(fs::directory_iterator(folder_), {})); }
  void write(const fs::path& p, const std::string& text) const { std::ofstream(p, std::ios::binary) << text; }
  std::string why_not(const fs::path& p) const {
    try {
      load(p);
    } catch (const BadFile& e) { return e.what(); }
    return "it was loaded";
  }

 private:
  fs::path folder_;
};
using TraceFile = Folder;

TEST_F(TraceFile, HoldsTheWholeTrace) {
  const Trace t = hand_made();
  save(t, in("a.bscope"));
  const Trace back = load(in("a.bscope"));
  EXPECT_EQ(back, t);
  EXPECT_EQ(digest(back), digest(t));
  EXPECT_EQ(files(), 1u) << "a temporary was left behind";
  save(back, in("b.bscope"));
  EXPECT_EQ(fs::file_size(in("a.bscope")), fs::file_size(in("b.bscope")));
}

TEST_F(TraceFile, KeepsRowsWhichNoDigestDependsOn) {
  Trace t = hand_made();
  ArrayInfo& a = t.launches[0].shared[0];
  ASSERT_EQ(a.size % 2, 0);
  a.rows = 2;
  EXPECT_EQ(read_trace(write_trace(t)), t);
  EXPECT_EQ(digest(t), digest(hand_made()));
}

TEST_F(TraceFile, ReplacesAFileAndKeepsItsRightsAndLinks) {
  write(in("real"), "old");
  ASSERT_EQ(chmod(in("real").c_str(), 0640), 0);
  fs::create_symlink("real", in("link"));
  save(hand_made(), in("link"));
  EXPECT_TRUE(fs::is_symlink(in("link")));
  EXPECT_EQ(load(in("real")), hand_made());
  EXPECT_EQ(int(fs::status(in("real")).permissions()), 0640);
}

TEST_F(TraceFile, ReadsFromUnalignedMemory) {
  const auto bytes = write_trace(hand_made());
  std::vector<std::byte> shifted(bytes.size() + 1);
  std::copy(bytes.begin(), bytes.end(), shifted.begin() + 1);
  EXPECT_EQ(read_trace(std::span(shifted).subspan(1)), hand_made());
}

TEST_F(TraceFile, SaysWhatIsWrongWithAFile) {
  EXPECT_THAT(why_not(in("none.bscope")), HasSubstr("there is no file"));
  write(in("empty"), "");
  EXPECT_THAT(why_not(in("empty")), HasSubstr("it is empty"));
  write(in("text"), "3, 1, 7, 0 and a little more text than sixteen bytes\n");
  EXPECT_THAT(why_not(in("text")), HasSubstr("it is no .bscope file"));
  fs::create_directory(in("folder"));
  EXPECT_THAT(why_not(in("folder")), HasSubstr("is a folder"));
  EXPECT_THAT(why_not("/dev/zero"), HasSubstr("is a pipe or a device"));
  write(in("huge"), "");
  ASSERT_EQ(truncate(in("huge").c_str(), off_t(3) << 30), 0);
  EXPECT_THAT(why_not(in("huge")), HasSubstr("more than a trace can be"));
}

TEST_F(TraceFile, CarriesASession) {
  const std::string said = "{\"tab\": \"banks\"}\n";
  save(hand_made(), in("a.bscope"), said);
  std::string back = "old";
  EXPECT_EQ(load(in("a.bscope"), &back), hand_made());
  EXPECT_EQ(back, said);
  EXPECT_EQ(load(in("a.bscope")), hand_made());  // without a place for the session
  EXPECT_EQ(read_trace(write_trace(hand_made()), &back), hand_made());
  EXPECT_EQ(back, "");
  // without one, the file is the same as it was before there were sessions
  EXPECT_LT(write_trace(hand_made()).size(), write_trace(hand_made(), said).size());
  for (const char* bad : {"\x1b[31m", "\xff", "\xed\xa0\x80"}) {
    EXPECT_FALSE(is_session(bad));
    EXPECT_THROW(read_trace(write_trace(hand_made(), bad)), BadFile);
  }
}

/// What users' own CUDA adds: extents, fences, a compare-and-swap of either outcome, volatile accesses.
Trace plain_cuda() {
  Trace t = hand_made();
  t.dialect = Dialect::cuda;
  t.arrays[0].rows = 2;
  t.launches[0].grid_extent = Extent{1, 2, 1};
  t.launches[0].block_extent = Extent{2, 1, 1};
  BlockRun& b = t.launches[1].blocks[0];
  const std::vector<Event> more = {{5, Op::load_volatile, 0, 1, 1, 0},
                                   {5, Op::expect, uint8_t(ElementType::i32), 1, 9, 0},
                                   {5, Op::atomic_cas, 0, 1, 1, 9},
                                   {5, Op::fence, 0, 0, uint32_t(Scope::system), 0},
                                   {5, Op::expect, uint8_t(ElementType::i32), 7, 0, 0},
                                   {5, Op::atomic_cas_failed, 0, 1, 1, 0},
                                   {6, Op::store_volatile, 0, 1, 1, 14},
                                   {6, Op::atomic_min, 0, 1, 1, 1},
                                   {6, Op::sync_grid, 0, 0, 0, 0}};
  b.events.insert(b.events.end(), more.begin(), more.end());
  b.first.back() += uint32_t(more.size());
  b.rounds = LoopRounds{.rounds = {{0, 0, 2, 0}, {0, 1, 2, 0}, {2, 0, 2, 1}},
                        .marks = {{1, 1}, {2, 3}, {0, 2}},
                        .first = {0, 2, 3}};
  t.launches[0].blocks[0].rounds =
      LoopRounds();  // known, and nothing to say; of the other one it is not known
  return t;
}

TEST_F(TraceFile, KeepsWhatPlainCudaAdds) {
  const Trace t = plain_cuda();
  EXPECT_EQ(read_trace(write_trace(t)), t);
  EXPECT_NE(digest(t), digest(hand_made()));
  Trace cut = t;  // a thread may stop before the event that it announced
  cut.launches[1].blocks[0].events.resize(10 + 9);
  cut.launches[1].blocks[0].first.back() = 10 + 9;
  EXPECT_EQ(cut.launches[1].blocks[0].events.back().op, Op::expect);
  EXPECT_NO_THROW(read_trace(write_trace(cut)));
}

TEST(Extents, SayWhereAMemberStands) {
  const Extent e{4, 3, 2};
  EXPECT_EQ(e.count(), 24u);
  EXPECT_EQ(e.place(0), (Extent{0, 0, 0}));
  EXPECT_EQ(e.place(23), (Extent{3, 2, 1}));
  EXPECT_EQ(e.place(6), (Extent{2, 1, 0}));
  Launch l;
  l.grid = 6, l.block = 256;
  EXPECT_EQ(place_in_block(l, 37), "");
  l.block_extent = Extent{256, 1, 1};
  EXPECT_EQ(place_in_block(l, 37), "");
  l.block_extent = Extent{16, 16, 1};
  l.grid_extent = Extent{1, 3, 2};
  EXPECT_EQ(place_in_block(l, 37), " (x 5, y 2)");
  EXPECT_EQ(place_in_grid(l, 5), " (x 0, y 2, z 1)");
}

TEST_F(TraceFile, NamesItsVersion) {
  auto bytes = write_trace(hand_made());
  auto* root = flatbuffers::GetMutableRoot<flatbuffers::Table>(bytes.data() + sizeof(flatbuffers::uoffset_t));
  ASSERT_TRUE(root->SetField<uint32_t>(file::Trace::VT_VERSION, 7, 0));
  try {
    read_trace(bytes);
    FAIL();
  } catch (const BadFile& e) { EXPECT_THAT(e.what(), HasSubstr("version 7")); }
}

TEST_F(TraceFile, RefusesEveryTruncation) {
  const auto bytes = write_trace(hand_made());
  for (size_t n = 0; n < bytes.size(); ++n) EXPECT_THROW(read_trace(std::span(bytes).first(n)), BadFile) << n;
}

// Any change gives a trace or a BadFile; a trace it gives can be saved and is then the same again.
TEST_F(TraceFile, SurvivesEveryChangedByte) {
  const auto good = write_trace(hand_made(), "a session");
  size_t accepted = 0;
  for (size_t at = 0; at < good.size(); ++at)
    for (const int change : {0x01, 0x80, 0xff}) {
      auto bytes = good;
      bytes[at] ^= std::byte(change);
      try {
        const Trace t = read_trace(bytes);
        EXPECT_NO_THROW(validate(t));
        const Trace again = read_trace(write_trace(t));
        EXPECT_EQ(digest(again), digest(t));
        ++accepted;
      } catch (const BadFile&) {}
    }
  EXPECT_GT(accepted, 0u);
}

TEST_F(TraceFile, SurvivesNoise) {
  std::mt19937 random(7);
  const auto good = write_trace(hand_made());
  for (int k = 0; k < 20000; ++k) {
    auto bytes = good;
    for (int n = 1 + int(random() % 8); n; --n) {
      const size_t at = random() % (bytes.size() / 4) * 4;
      const uint32_t v = random() % 4 ? uint32_t(random() % 64) : uint32_t(random());
      std::memcpy(bytes.data() + at, &v, 4);
    }
    try {
      read_trace(bytes);
    } catch (const BadFile&) {}
  }
}

/// A change to a good trace, and a word of the sentence that must refuse it.
struct Forgery {
  const char* name;
  std::function<void(Trace&)> change;
  const char* sentence;
};
Event& event(Trace& t, int launch, int block, int thread, int k) {
  auto& b = t.launches[size_t(launch)].blocks[size_t(block)];
  return b.events[b.first[size_t(thread)] + size_t(k)];
}

TEST_F(TraceFile, RefusesWhatMeansNothing) {
  const Forgery forgeries[] = {
      {"array id", [](Trace& t) { event(t, 0, 0, 0, 0).array = 2; }, "array that does not exist"},
      {"shared array id", [](Trace& t) { event(t, 0, 0, 0, 1).array = 129; }, "array that does not exist"},
      {"index", [](Trace& t) { event(t, 0, 0, 0, 0).a = 4; }, "outside its array"},
      {"negative index", [](Trace& t) { event(t, 0, 0, 0, 1).a = ~0u; }, "outside its array"},
      {"source ahead", [](Trace& t) { event(t, 0, 0, 0, 6).b = 7; }, "no earlier value"},
      {"source is a barrier", [](Trace& t) { event(t, 0, 0, 0, 6).b = 3; }, "no earlier value"},
      {"operation", [](Trace& t) { event(t, 0, 0, 0, 2).op = Op(op_count); }, "unknown sort"},
      {"type of a result", [](Trace& t) { event(t, 0, 0, 0, 6).array = kind_count; }, "unknown type"},
      {"line", [](Trace& t) { event(t, 0, 0, 0, 2).line = 8; }, "line that the source does not have"},
      {"lane", [](Trace& t) { event(t, 1, 0, 0, 2).a = 2; }, "lane that does not exist"},
      {"lane far away", [](Trace& t) { event(t, 1, 0, 0, 2).a = 1u << 31; }, "lane that does not exist"},
      {"source in a lane", [](Trace& t) { event(t, 1, 0, 0, 2).b = 9; }, "the other lane does not have"},
      {"no upper half", [](Trace& t) { event(t, 1, 0, 0, 4).op = Op::sync; }, "lacks its upper half"},
      {"upper half of nothing", [](Trace& t) { event(t, 0, 0, 0, 3).op = Op::high; },
       "upper half of nothing"},
      {"upper half of an int", [](Trace& t) { event(t, 0, 0, 0, 1).op = Op::high; },
       "followed by an upper half"},
      {"together", [](Trace& t) { event(t, 1, 0, 1, 3).a = 1000; }, "impossible number of cells"},
      {"part of several", [](Trace& t) { event(t, 1, 0, 1, 3).bits = 1; }, "bytes that no cell has"},
      {"first", [](Trace& t) { t.launches[0].blocks[0].first[1] = 99; }, "do not fit its threads"},
      {"first not from 0", [](Trace& t) { t.launches[0].blocks[0].first[0] = 1; }, "do not fit its threads"},
      {"grid", [](Trace& t) { t.launches[0].grid = 3; }, "impossible grid"},
      {"negative grid", [](Trace& t) { t.launches[0].grid = -1; }, "impossible grid"},
      {"block", [](Trace& t) { t.launches[0].block = 1025; }, "impossible grid or block"},
      {"no threads", [](Trace& t) { t.launches[1].block = 0; }, "impossible grid or block"},
      {"source file", [](Trace& t) { t.launches[0].source = 1; }, "has no source"},
      {"snapshots", [](Trace& t) { t.launches[0].blocks[0].snapshots.resize(9); }, "snapshots"},
      {"round within itself",
       [](Trace& t) {
         t.launches[0].blocks[0].rounds =
             LoopRounds{.rounds = {{1, 0, 1, 0}}, .marks = {}, .first = {0, 0, 0}};
       },
       "rounds of loops"},
      {"marks of no thread",
       [](Trace& t) {
         t.launches[0].blocks[0].rounds = LoopRounds{.rounds = {}, .marks = {{0, 0}}, .first = {0, 1}};
       },
       "rounds of loops"},
      {"marks that go back",
       [](Trace& t) {
         t.launches[0].blocks[0].rounds =
             LoopRounds{.rounds = {{0, 0, 1, 0}}, .marks = {{1, 1}, {1, 0}}, .first = {0, 2, 2}};
       },
       "rounds of loops"},
      {"mark behind its log",
       [](Trace& t) {
         t.launches[0].blocks[0].rounds =
             LoopRounds{.rounds = {{0, 0, 1, 0}}, .marks = {{4, 1}}, .first = {0, 0, 1}};
       },
       "rounds of loops"},
      {"mark of no round",
       [](Trace& t) {
         t.launches[0].blocks[0].rounds =
             LoopRounds{.rounds = {{0, 0, 1, 0}}, .marks = {{0, 2}}, .first = {0, 1, 1}};
       },
       "rounds of loops"},
      {"shared size", [](Trace& t) { t.launches[0].shared[0].size = 3; }, "does not lie in its block"},
      {"rows", [](Trace& t) { t.launches[0].shared[0].rows = 0; }, "impossible type or size"},
      {"uneven rows", [](Trace& t) { t.launches[0].shared[0].rows = 3; }, "impossible type or size"},
      {"rows of a global array", [](Trace& t) { t.arrays[0].rows = 3; }, "impossible type or size"},
      {"extent of the grid",
       [](Trace& t) {
         t.launches[0].grid_extent = {3, 1, 1};
       },
       "extent"},
      {"extent of nothing",
       [](Trace& t) {
         t.launches[0].block_extent = {2, 0, 1};
       },
       "extent"},
      {"extent that wraps",
       [](Trace& t) {
         t.launches[0].block_extent = {1u << 31, 1u << 31, 8};
       },
       "extent"},
      {"scope", [](Trace& t) { event(t, 0, 0, 0, 2) = {3, Op::fence, 0, 0, 3, 0}; }, "unknown scope"},
      {"part", [](Trace& t) { event(t, 0, 0, 0, 2) = {3, Op::fence, 0, 0, 1, 3}; }, "unknown part"},
      {"expects of a sum", [](Trace& t) { event(t, 0, 0, 0, 5) = {4, Op::expect, 0, 1, 0, 0}; },
       "compares nothing"},
      {"dialect", [](Trace& t) { t.dialect = Dialect(9); }, "unknown dialect"},
      {"shared size wraps", [](Trace& t) { t.launches[0].shared[0].size = 1 << 30; },
       "does not lie in its block"},
      {"shared offset", [](Trace& t) { t.launches[0].shared[0].offset = 4; }, "does not lie in its block"},
      {"shared too large", [](Trace& t) { t.launches[0].shared_bytes = 1 << 30; }, "more shared memory"},
      {"array size", [](Trace& t) { t.arrays[0].size = 1 << 30; }, "as many cells"},
      {"negative size", [](Trace& t) { t.arrays[0].size = -4; }, "impossible type or size"},
      {"array kind", [](Trace& t) { t.arrays[0].kind = ElementType(99); }, "impossible type or size"},
      {"no bytes a cell",
       [](Trace& t) {
         t.arrays.push_back({"x", ElementType::other, 1 << 30, 0, {}});
       },
       "as many cells"},
      {"after", [](Trace& t) { t.launches[0].after[0].pop_back(); }, "changes its size"},
      {"after too many", [](Trace& t) { t.launches[0].after.resize(3); }, "arrays that do not exist"},
      {"input", [](Trace& t) { t.input = 2; }, "is no array"},
      {"output", [](Trace& t) { t.output = -1; }, "is no array"},
      {"expected", [](Trace& t) { t.expected.resize(5); }, "does not fit its output"},
      {"promise", [](Trace& t) { t.property = Property(9); }, "unknown"},
      {"turn's thread", [](Trace& t) { t.launches[0].turns[0].thread = 4; }, "does not exist"},
      {"turn's end", [](Trace& t) { t.launches[0].turns[2].end = 10; }, "turns"},
      {"turn goes back", [](Trace& t) { t.launches[0].turns[2].end = 2; }, "turns"},
      {"finding", [](Trace& t) { t.findings[0].block = 1; }, "finding"},
      {"finding's launch", [](Trace& t) { t.findings[0].launch = 2; }, "finding"},
      {"finding's kind", [](Trace& t) { t.findings[0].kind = FindingKind(99); }, "unknown kind"},
      {"finding's array",
       [](Trace& t) {
         t.findings[0].cells = {{7, 0}};
       },
       "names no array"},
      {"formula", [](Trace& t) { t.formulas[0].value = std::numeric_limits<double>::quiet_NaN(); }, "finite"},
      {"name with an escape", [](Trace& t) { t.arrays[0].name = "\x1b[2J"; }, "not printable"},
      {"name with a control of eight bits", [](Trace& t) { t.arrays[0].name = "\xc2\x9b"; }, "not printable"},
      {"name that turns around what follows", [](Trace& t) { t.arrays[0].name = "a\u202eb"; },
       "not printable"},
      {"launch that turns around what follows", [](Trace& t) { t.launches[0].name = "a\u2066b"; },
       "not printable"},
      {"name that is no UTF-8", [](Trace& t) { t.kernel = "\xc0\xaf"; }, "not printable"},
      {"long name", [](Trace& t) { t.launches[0].name.assign(201, 'x'); }, "too long"},
      {"binary source", [](Trace& t) { t.sources[0].text.push_back('\0'); }, "not text"},
      {"memory from nothing",
       [](Trace& t) {
         auto& l = t.launches[0];
         l.shared_bytes = 1 << 20;
         l.turns.clear();
         for (auto& b : l.blocks) {
           b.snapshots.clear();
           b.events.assign(100, {1, Op::sync, 0, 0, 0, 0});
           b.first = {0, 100, 100};
         }
       },
       "far more memory"},
  };
  for (const auto& f : forgeries) {
    Trace t = hand_made();
    f.change(t);
    try {
      read_trace(write_trace(t));
      ADD_FAILURE() << f.name << " was accepted";
    } catch (const BadFile& e) { EXPECT_THAT(e.what(), HasSubstr(f.sentence)) << f.name; }
  }
}

// A few thousand offsets to one large table would unpack to terabytes.
TEST_F(TraceFile, RefusesOffsetsThatShareTheirTarget) {
  flatbuffers::FlatBufferBuilder b;
  const std::vector<uint8_t> large(1 << 20);
  const auto bytes = file::CreateBytes(b, b.CreateVector(large));
  const auto none = [&]<class T>(T*) { return b.CreateVector(std::vector<flatbuffers::Offset<T>>{}); };
  const auto shared = none((file::Array*)nullptr);
  const auto phases = none((file::Phase*)nullptr);
  const auto blocks = none((file::Block*)nullptr);
  const auto after = b.CreateVector(std::vector(20000, bytes));
  const auto turns = b.CreateVectorOfStructs(std::vector<file::Turn>{});
  const auto name = b.CreateString("x");
  const auto launch = file::CreateLaunch(b, name, 0, 1, 1, 0, shared, phases, blocks, after, turns);
  const auto launches = b.CreateVector(std::vector(20000, launch));
  const auto empty = b.CreateVector(std::vector<uint8_t>{});
  file::FinishSizePrefixedTraceBuffer(
      b, file::CreateTrace(b, 1, name, none((file::Parameter*)nullptr), none((file::Source*)nullptr), name,
                           name, 0, 0, 0, empty, none((file::Formula*)nullptr), shared, launches,
                           none((file::Finding*)nullptr)));
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THROW(read_trace(std::as_bytes(std::span(b.GetBufferPointer(), b.GetSize()))), BadFile);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

TEST_F(TraceFile, AFullDiskLeavesTheOldFileAndNothingElse) {
  save(hand_made(), in("a.bscope"));
  Trace large = hand_made();
  large.arrays[0].initial.resize(4 << 20);
  // A limit on the size of files stands for a full disk: write() fails half-way.
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1 << 20, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  int code = 0;
  std::string what;
  try {
    save(large, in("a.bscope"));
  } catch (const SystemError& e) {
    code = e.code().value();
    what = e.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(code, EFBIG);
  EXPECT_THAT(what, HasSubstr("a.bscope"));
  EXPECT_EQ(load(in("a.bscope")), hand_made());
  EXPECT_EQ(files(), 1u) << "a temporary was left behind";
}

TEST_F(TraceFile, WritesToADeviceWithoutReplacingIt) {
  try {
    save(hand_made(), "/dev/full");
    FAIL();
  } catch (const SystemError& e) { EXPECT_EQ(e.code().value(), ENOSPC); }
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  EXPECT_NO_THROW(save(hand_made(), "/dev/null"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(TraceFile, SaysWhereItCannotWrite) {
  EXPECT_THROW(save(hand_made(), in("missing/a.bscope")), SystemError);
  EXPECT_THROW(save(hand_made(), in("")), SystemError);
  EXPECT_EQ(files(), 0u);
}

}  // namespace
}  // namespace bscope
