// The verb `timeline` on files that a GPU's runs left, and without a GPU.
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "engine/simt/device.hpp"
#include "engine/timing/timeline.hpp"
#include "tests/cli/run_support.hpp"
#include "tests/places.hpp"

namespace bscope {
namespace {

using test::barrierscope;
using testing::HasSubstr;
using TimelineCommand = test::Folder;

const std::string recorded = std::string(BARRIERSCOPE_ROOT) + "/tests/recorded/timelines/";

TEST_F(TimelineCommand, TellsWhatAFileHolds) {
  const auto r = barrierscope({"timeline", recorded + "scan-look-back.json"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("scan/look-back on NVIDIA H200, driver 580.159.04, 2026-11-23"));
  EXPECT_THAT(r.out, HasSubstr("launch \"scan\": 400 blocks of 256 threads"));
  EXPECT_THAT(r.out, HasSubstr("8 blocks on each of 132 multiprocessors (8 without stamps)"));
  for (const char* phase : {"draw a tile", "scan the tile", "look back", "store"})
    EXPECT_THAT(r.out, HasSubstr(phase));
  EXPECT_THAT(r.out, testing::Not(HasSubstr("cannot be")));
}

TEST_F(TimelineCommand, AsJsonGivesTheFileBack) {
  const std::string file = recorded + "reduce-bulk-copy.json";
  const auto r = barrierscope({"timeline", file, "--json", "-o", in("again.json")});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.out, to_json(load_timeline(file)));
  EXPECT_EQ(to_json(load_timeline(in("again.json"))), r.out);
}

TEST_F(TimelineCommand, ClocksThatContradictEachOtherAreAFailedCheck) {
  Timeline t = load_timeline(recorded + "reduce-bulk-copy.json");
  t.launches[0].resident = 0;
  std::ofstream(in("odd.json")) << to_json(t);
  const auto r = barrierscope({"timeline", in("odd.json")});
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(
      r.out, HasSubstr("cannot be: multiprocessor 0 had 1 blocks of launch \"reduce\" at a time, and 0 fit"));
}

TEST_F(TimelineCommand, KeepsSomeMultiprocessorsAndTheMeasuresOfAll) {
  const std::string file = recorded + "scan-look-back.json";
  const auto all = barrierscope({"timeline", file});
  const auto r = barrierscope({"timeline", file, "--keep", "3", "--counts", "-o", in("few.json")});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("launch \"scan\": 400 blocks of 256 threads"));
  EXPECT_THAT(r.out, HasSubstr("blocks; what is counted is of all"));
  const auto after = [](const std::string& text, const std::string& line) {
    const size_t at = text.find(line);
    return at == std::string::npos ? line + " is missing" : text.substr(at, text.find('\n', at) - at);
  };
  for (const char* line : {"took  ", "tail  ", "warps  ", "look back  "})
    EXPECT_EQ(after(r.out, line), after(all.out, line));
  const Timeline few = load_timeline(in("few.json"));
  EXPECT_LT(few.launches[0].blocks.size(), 20u);
  ASSERT_EQ(few.counted_n, 32768);
  long sectors = 0, atomics = 0;
  for (const TimelineCount& c : few.launches[0].counted) sectors += c.sectors, atomics += c.atomics;
  EXPECT_GE(sectors, 2 * 32768 / 8) << "each element is read and written";
  EXPECT_EQ(atomics, 32768 / 1024) << "a ticket for each tile";
}

TEST_F(TimelineCommand, RefusesWhatItCannotDo) {
  const auto refused = [](std::vector<std::string> args, int code, const std::string& part) {
    const auto r = barrierscope(args);
    EXPECT_EQ(r.code, code) << part;
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(r.err, HasSubstr(part));
  };
  refused({"timeline"}, 2, "needs the name of a kernel");
  refused({"timeline", "scan/bleloch"}, 2, "scan/blelloch");
  refused({"timeline", in("none.json")}, 2, "none.json");
  refused({"timeline", recorded + "reduce-bulk-copy.json", "--n", "5"}, 2,
          "--n is for kernels of the catalog");
  refused({"timeline", "scan/blelloch", "--device", "cpu"}, 2, "only a GPU can tell");
  refused({"timeline", recorded + "reduce-bulk-copy.json", "--resident", "2"}, 2, "--resident is for a run");
  refused({"timeline", "scan/blelloch", "--resident", "0"}, 2, "from 1 to 32");
  refused({"timeline", recorded + "reduce-bulk-copy.json", "--keep", "few"}, 2,
          "a number of multiprocessors");
  refused({"timeline", "patterns/global-stride"}, 2, "for looking at, not for timing");
  std::ofstream(in("broken.json")) << "{\"format\":";
  refused({"timeline", in("broken.json")}, 2, "is no timeline of a GPU");
  if (!gpu()) refused({"timeline", "scan/blelloch"}, 1, "");
}

}  // namespace
}  // namespace bscope
