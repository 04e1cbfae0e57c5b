// Launches that are not shown, interpreted and native: the results must not differ.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>

#include "engine/trace/progress.hpp"
#include "engine/trace/scoped_assign.hpp"
#include "tests/cuda/machine_support.hpp"

namespace bscope::cuda {
namespace {

using testing::HasSubstr;

/// A machine that shows nothing, and what a launch left on it.
struct Quiet {
  enum Execution : uint8_t { walking, natively };
  explicit Quiet(Execution how, Schedule s = {}, uint64_t loop_turns = 30'000'000)
      : device({.launch_events = 1, .loop_turns = loop_turns, .native_after = 0}, s, "device/native.cu") {
    if (how == natively) device.machine.compile_with(compiler_here(asked));
  }
  template <class T>
  uint64_t array(const std::vector<T>& content) {
    const uint64_t address = device.array(content);
    arrays.push_back({address, content.size() * sizeof(T)});
    return address;
  }
  void variable(const std::string& name) {
    const MemoryFacts facts = facts_of(*device.machine.variable(0, name));
    arrays.push_back({facts.address, facts.bytes});
  }
  /// All bytes that its kernels could write.
  std::vector<std::vector<std::byte>> memory() {
    std::vector<std::vector<std::byte>> all;
    for (const auto& [address, bytes] : arrays) {
      const auto now = device.machine.look(*device.machine.at(address).memory, 0, bytes);
      all.emplace_back(now.begin(), now.end());
    }
    return all;
  }

  int asked = 0;
  Device device;
  std::vector<std::pair<uint64_t, uint64_t>> arrays;
};

std::vector<float> some_floats(int n) {
  std::vector<float> all;
  for (int k = 0; k < n; ++k) all.push_back(float(k * 37 % 101) * (k % 3 ? 0.37f : -1.9f));
  return all;
}

struct Point {
  double x;
  float y;
  int tag[3];
};
struct Given {
  int n;
  float factor;
  Point origin;
};

LaunchOutcome computes(Quiet& q) {
  constexpr size_t threads = 3 * 2 * 64;
  q.device.dynamic_shared = 64 * sizeof(int);
  const uint64_t in = q.array(some_floats(50)), out = q.array(std::vector<int>(threads)),
                 floats = q.array(std::vector<float>(threads)),
                 doubles = q.array(std::vector<double>(threads));
  return q.device.launch("computes", {3, 1, 2}, {16, 4, 1}, in, out, floats, doubles,
                         Given{50, 0.7f, {1.5, -0.25f, {3, -4, 5}}});
}

LaunchOutcome meets(Quiet& q) {
  const uint64_t out = q.array(std::vector<int>(5 * 64)), cells = q.array(std::vector<int>(8, 3)),
                 floats = q.array(std::vector<float>(1)), wrapping = q.array(std::vector<unsigned>(1)),
                 small = q.array(std::vector<unsigned short>{7, 8});
  q.variable("wide");
  return q.device.launch("meets", {5}, {64}, out, cells, floats, wrapping, small);
}

LaunchOutcome rounds(Quiet& q, int stay) {
  std::vector<int> in(3 * 64);
  std::iota(in.begin(), in.end(), 5);
  return q.device.launch("rounds", {3}, {64}, q.array(in), q.array(std::vector<int>(in.size())),
                         Given{50, 0.7f, {1.5, -0.25f, {3, -4, 5}}}, stay);
}
LaunchOutcome rounds_of_all(Quiet& q) { return rounds(q, 64); }
/// Some threads have ended when the others meet.
LaunchOutcome rounds_of_some(Quiet& q) { return rounds(q, 40); }

LaunchOutcome waits_in(const char* kernel, Quiet& q) {
  const uint64_t flags = q.array(std::vector<int>(20)), lock = q.array(std::vector<int>(1)),
                 sum = q.array(std::vector<int>(1));
  return q.device.launch(kernel, {20}, {64}, flags, lock, sum);
}
LaunchOutcome waits(Quiet& q) { return waits_in("waits", q); }
LaunchOutcome waits_in_calls(Quiet& q) { return waits_in("waits_in_calls", q); }

LaunchOutcome straight(Quiet& q) {
  std::vector<int> in(6 * 64);
  std::iota(in.begin(), in.end(), -50);
  const uint64_t out = q.array(std::vector<int>(in.size())), other = q.array(std::vector<int>(in.size()));
  return q.device.launch("straight", {6}, {64}, q.array(in), out, other, 6 * 64 - 9);
}
LaunchOutcome intervals(Quiet& q) {
  std::vector<int> in(6 * 64);
  std::iota(in.begin(), in.end(), -50);
  return q.device.launch("intervals", {6}, {64}, q.array(in), q.array(std::vector<int>(in.size())));
}

LaunchOutcome ways(Quiet& q) {
  std::vector<int> in(6 * 64);
  std::iota(in.begin(), in.end(), -50);
  return q.device.launch("ways", {6}, {64}, q.array(in), q.array(std::vector<int>(in.size())), 333ll, 3u);
}
LaunchOutcome shifts(Quiet& q) {
  std::vector<int> in(6 * 64);
  std::iota(in.begin(), in.end(), -50);
  return q.device.launch("shifts", {6}, {64}, q.array(in), q.array(std::vector<int>(in.size())));
}
LaunchOutcome wide_indices(Quiet& q) {
  std::vector<int> in(6 * 64);
  std::iota(in.begin(), in.end(), -50);
  std::vector<Point> points(64);
  for (int k = 0; k < 64; ++k) points[size_t(k)].tag[1] = k * k;
  return q.device.launch("wide_indices", {6}, {64}, q.array(in), q.array(points),
                         q.array(std::vector<int>(in.size())));
}
LaunchOutcome wraps(Quiet& q) { return q.device.launch("wraps", {3}, {64}, q.array(std::vector<int>(64))); }

LaunchOutcome calls_many(Quiet& q) {
  return q.device.launch("calls_many", {1}, {32}, q.array(std::vector<int>(32)));
}

LaunchOutcome goes_wrong(Quiet& q, int how) {
  return q.device.launch("goes_wrong", {3}, {32}, how, q.array(std::vector<int>(96)), 96);
}

void expect_the_same(Quiet& walked, Quiet& native) {
  EXPECT_TRUE(native.device.machine.launches().back().natively);
  EXPECT_FALSE(walked.device.machine.launches().back().natively);
  EXPECT_EQ(walked.memory(), native.memory());
  EXPECT_EQ(walked.device.printed, native.device.printed);
  EXPECT_EQ(walked.device.machine.notes(), native.device.machine.notes());
}

TEST(Native, LeavesTheSameMemory) {
  for (const auto launch : {computes, meets, rounds_of_all, rounds_of_some, straight, intervals, ways, shifts,
                            wide_indices, wraps, waits, calls_many})
    for (const auto kind : {Schedule::to_barrier, Schedule::lockstep}) {
      if (launch == waits && kind == Schedule::lockstep) continue;  // the lock is never let go
      Quiet walked(Quiet::walking, {.kind = kind}), native(Quiet::natively, {.kind = kind});
      EXPECT_EQ(launch(walked).message.english(), "");
      EXPECT_EQ(launch(native).message.english(), "");
      expect_the_same(walked, native);
    }
}

/// Keeps what it is asked to compile, and cannot.
class KeepsText : public NativeCompiler {
 public:
  explicit KeepsText(std::string& text) : text_(text) {}
  void ask(int, const std::string& text) override { text_ = text; }
  std::optional<std::filesystem::path> answer(int) override { return std::filesystem::path(); }

 private:
  std::string& text_;
};

/// The C of what a launch runs.
std::string text_of(LaunchOutcome (*launch)(Quiet&)) {
  Quiet q(Quiet::walking);
  std::string text;
  q.device.machine.compile_with(std::make_unique<KeepsText>(text));
  EXPECT_EQ(launch(q).message.english(), "");
  return text;
}

/// Whether the threads of a row can run in segments from a barrier on, or from the beginning (0).
bool has_segments(const std::string& text, int from) {
  return text.find("find_segment_" + std::to_string(from) + "(") != std::string::npos;
}

TEST(Native, RunsRowsInSegmentsWhereTheirIndicesAreEven) {
  EXPECT_TRUE(has_segments(text_of(straight), 0));
  EXPECT_TRUE(has_segments(text_of(ways), 0));
  EXPECT_TRUE(has_segments(text_of(wide_indices), 0));
  const std::string shifting = text_of(shifts);
  for (int from = 0; from <= 3; ++from) EXPECT_TRUE(has_segments(shifting, from)) << from;
  EXPECT_FALSE(has_segments(text_of(intervals), 0));  // some of its threads return, by t % 32
  EXPECT_FALSE(has_segments(text_of(wraps), 0));
  EXPECT_FALSE(has_segments(text_of(calls_many), 0));
}

TEST(Native, NamesWhatGoesWrongAtItsLine) {
  constexpr const char* lines[] = {"outside", "outside_shared", "outside_local", "misaligned", "stops",
                                   "asserts", "null",           "unknown",       "constant",   "by_hand"};
  for (int how = 1; how <= int(std::size(lines)); ++how) {
    Quiet walked(Quiet::walking), native(Quiet::natively);
    const LaunchOutcome expected = goes_wrong(walked, how), got = goes_wrong(native, how);
    EXPECT_THAT(got.message.english(),
                HasSubstr("line " + std::to_string(line_named(lines[how - 1], "device/native.cu"))));
    // native code knows no local array by its name
    if (lines[how - 1] != std::string_view("outside_local"))
      EXPECT_EQ(got.message.english(), expected.message.english());
    EXPECT_EQ(got.fault_kind, expected.fault_kind);
    EXPECT_EQ(got.code, expected.code);
    if (expected.code == LaunchOutcome::unsupported) continue;  // such a launch is not noted
    expect_the_same(walked, native);
  }
}

/// Cells of an array of 20 by a pointer to its cell `origin` and `bytes` more, all of them and then `more`.
LaunchOutcome elements(Quiet& q, int origin, int bytes, const std::vector<long long>& more) {
  std::vector<int> cells(20);
  std::iota(cells.begin(), cells.end(), 7);
  std::vector<long long> at;
  for (int k = 0; k < 20; ++k) at.push_back(k * 7 % 20 - origin);
  at.insert(at.end(), more.begin(), more.end());
  const uint64_t from = q.array(cells) + uint64_t(int64_t{4} * origin + bytes), given = q.array(at);
  return q.device.launch("elements", {2}, {4}, from, given, int(at.size()), q.array(std::vector<int>(4)));
}

/// Wherever the pointer of an access points to: at the array's beginning, into it, behind it, before it, and
/// to no cell.
TEST(Native, FindsElementsOnBothSidesOfTheirPointer) {
  for (const int origin : {0, 5, 20, -4}) {
    Quiet walked(Quiet::walking), native(Quiet::natively);
    EXPECT_EQ(elements(walked, origin, 0, {}).message.english(), "");
    EXPECT_EQ(elements(native, origin, 0, {}).message.english(), "");
    expect_the_same(walked, native);
  }
}

TEST(Native, NamesElementsOutsideAtTheirLine) {
  const std::string line = "line " + std::to_string(line_named("element_read", "device/native.cu"));
  constexpr long long quarter = 1ll << 62;  // elements, whose bytes go round the numbers of 64 bits
  struct Case {
    int origin, bytes;
    long long index;
    bool is_fault = true;
  };
  for (const Case& c : {Case{5, 0, 20}, Case{5, 0, -1}, Case{20, 0, 20}, Case{-4, 0, 1ll << 32},
                        Case{5, 0, quarter + 20}, Case{5, 0, quarter + 3, false}, Case{0, 2, 0}}) {
    Quiet walked(Quiet::walking), native(Quiet::natively);
    const LaunchOutcome expected = elements(walked, c.origin, c.bytes, {c.index - c.origin}),
                        got = elements(native, c.origin, c.bytes, {c.index - c.origin});
    EXPECT_EQ(got.message.english().find(line) != std::string::npos, c.is_fault) << c.index;
    EXPECT_EQ(got.message.english(), expected.message.english()) << c.index;
    EXPECT_EQ(got.fault_kind, expected.fault_kind);
    expect_the_same(walked, native);
  }
}

/// The text says so: no other test would notice if none were found any more.
TEST(Native, CountsElementsFromKernelArguments) {
  const std::string text = text_of([](Quiet& q) { return elements(q, 0, 0, {}); });
  for (const char* access : {"LOAD_ELEMENT(r", "STORE_ELEMENT(", "KNOW_ELEMENTS(0, "})
    EXPECT_THAT(text.substr(text.find("function_0(")), HasSubstr(access));
}

TEST(Native, GivesOthersTheirTurnWhereALoopMayWait) {
  for (const auto launch : {waits, waits_in_calls}) {
    // a thread may go round less often than until a loop that does not wait looks up
    Quiet walked(Quiet::walking), native(Quiet::natively, {}, 2'000);
    EXPECT_EQ(launch(walked).message.english(), "");
    EXPECT_EQ(launch(native).message.english(), "");
    expect_the_same(walked, native);
  }
}

TEST(Native, EndsWhatNeverEnds) {
  Quiet native(Quiet::natively, {}, 100'000);
  EXPECT_THAT(goes_wrong(native, 11).message.english(), HasSubstr("No end in sight: Thread 5 of block 1"));
}

// Where there are no threads that could end it: its blocks have no loops that would ask.
TEST(Native, AsksBetweenItsBlocksWhetherItIsWanted) {
  Quiet native(Quiet::natively);
  Progress progress;
  progress.tell = [](const Progress& p) { const_cast<Progress&>(p).stop = true; };
  const ScopedAssign watched(current_progress, &progress);
  EXPECT_THROW(straight(native), Cancelled);
}

TEST(Native, EndsABlockThatMeetsForever) {
  Quiet native(Quiet::natively, {}, 10'000);
  EXPECT_THAT(native.device.launch("meets_forever", {2}, {64}).message.english(),
              HasSubstr("No end in sight"));
}

TEST(Native, WalksThroughWhatItCannotDo) {
  Quiet native(Quiet::natively);
  const uint64_t out = native.array(std::vector<int>(8));
  EXPECT_EQ(native.device.launch("recurs", {1}, {8}, out).message.english(), "");
  EXPECT_EQ(native.device.content<int>(out, 8), (std::vector<int>{0, 1, 1, 2, 3, 5, 8, 13}));
  EXPECT_EQ(native.asked, 0);
}

TEST(Native, IsNotAskedForWhereWalkingIsQuick) {
  int asked = 0;
  Device d({.shown_launches = 0}, {}, "device/native.cu");
  d.machine.compile_with(compiler_here(asked));
  const uint64_t data = d.array(std::vector<int>(96));
  for (int k = 0; k < 3; ++k) EXPECT_EQ(d.launch("goes_wrong", {3}, {32}, 0, data, 96).message.english(), "");
  EXPECT_EQ(d.content<int>(data, 96)[37], 3);
  EXPECT_EQ(asked, 0);
}

}  // namespace
}  // namespace bscope::cuda
