// The source panel's machine code: folded it is as if there were none; unfolded it is the line's own.
#include <gmock/gmock.h>

#include <algorithm>
#include <future>

#include "app/measure/own_code_bench.hpp"
#include "app/run/machine_code.hpp"
#include "app/run/own_code.hpp"
#include "app/run/own_program.hpp"
#include "app/tabs/watch/source/machine_lines.hpp"
#include "app/tabs/watch/source/panel.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/words/words.hpp"
#include "engine/cuda/toolchain/own_program.hpp"
#include "tests/sanitized.hpp"
#include "tests/tabs/layout_support.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope {
namespace {

using testing::Contains;
using testing::HasSubstr;

Picture panel(const RunQueries& m, const Cursor& c, const WatchState& s, ThemeName name = ThemeName::dark,
              float k = 1) {
  const Theme t = theme(name, 900 * k);
  return source_panel(m, c, t, fixed_metrics(), (t.projector() ? 508 : 380) * k,
                      (t.projector() ? 340 : 516) * k, s);
}
int line_with(const RunQueries& m, const std::string& words) {
  const std::string& text = m.trace().sources[size_t(m.trace().launches[0].source)].text;
  return 1 + int(std::count(text.begin(), text.begin() + ptrdiff_t(text.find(words)), '\n'));
}

TEST(SourceMachine, IsFoldedAtFirst) {
  const RunQueries m(traced("scan/blelloch", "", 16, 8));
  const Cursor c = at_step(m.run(), {}, 3);
  const Picture p = panel(m, c, {});
  for (const HitRegion& h : p.hits) EXPECT_FALSE(h.name.starts_with("source:unfold")) << h.name;
  EXPECT_FALSE(hit_named(p, "source:occupancy"));
}

TEST(SourceMachine, AMarkUnfoldsTheLine) {
  const auto run = traced("scan/blelloch", "", 16, 8);
  const RunQueries m(run);
  const int add = line_with(m, "sum[right] = sum[right - stride]");
  LoadedState s;
  s.run = run;
  s.cursor = at_step(*run, {}, 3);
  s.of<WatchState>().machine_code = true;
  const Picture folded = panel(m, s.cursor, s.of<WatchState>());
  EXPECT_THAT(texts(folded), Contains("28 registers a thread, 64 B shared a block"));
  EXPECT_THAT(texts(folded), Contains("32 of 64 warps; limited by blocks"));
  EXPECT_THAT(texts(folded), testing::Not(Contains("STS")));
  const HitRegion* mark = hit_named(folded, "source:unfold:" + std::to_string(add));
  ASSERT_TRUE(mark);
  mark->press(s, 0);
  EXPECT_EQ(s.of<WatchState>().code_line, add);
  EXPECT_EQ(s.cursor.line, add);
  const Picture open = panel(m, s.cursor, s.of<WatchState>());
  EXPECT_THAT(texts(open), Contains("lanes: 30 read, 15 wrote, 15 computed"));
  // what stands there is what the file holds of this line, from its beginning
  const auto& all = machine_lines(m, 0).by_line.at(add);
  const std::string first =
      all[0]->text.substr(0, all[0]->text.find(' ', all[0]->text.starts_with('@') ? 5 : 0));
  EXPECT_THAT(texts(open), Contains(first));
  ASSERT_TRUE(hit_named(open, "source:code:" + std::to_string(all[0]->address)));
  hit_named(open, "source:unfold:" + std::to_string(add))->press(s, 0);
  EXPECT_EQ(s.of<WatchState>().code_line, 0);
}

TEST(SourceMachine, ManyInstructionsAreShownPieceByPiece) {
  const auto run = traced("scan/blelloch", "", 16, 8);
  const RunQueries m(run);
  LoadedState s;
  s.run = run;
  s.cursor = at_step(*run, {}, 0);
  s = unfold_code(std::move(s), line_with(m, "x = data[base + k]"));
  const auto& all = machine_lines(m, 0).by_line.at(s.cursor.line);
  std::vector<int> seen;
  do {
    const Picture p = panel(m, s.cursor, s.of<WatchState>());
    for (const HitRegion& h : p.hits)
      if (h.name.starts_with("source:code:") && h.name != "source:code:more")
        seen.push_back(std::stoi(h.name.substr(12)));
    const HitRegion* more = hit_named(p, "source:code:more");
    ASSERT_TRUE(more);
    more->press(s, 0);
    ASSERT_LE(seen.size(), all.size());
  } while (s.of<WatchState>().code_from > 0);
  std::vector<int> expected;
  for (const MachineInstruction* i : all) expected.push_back(i->address);
  EXPECT_EQ(seen, expected) << "each once, in order";
}

// In the last row of a lecture hall: 1280x720.
TEST(SourceMachine, SeveralAreInViewOnAProjectorAndNoneIsCut) {
  int lines = 0, few = 0;
  for (const Algorithm* a : catalog()) {
    const RunQueries m(traced(a->name, "", 0, 0));
    Cursor c = at_step(m.run(), {}, steps(m.run()) / 2);
    for (const auto& [line, all] : machine_lines(m, c.launch).by_line) {
      if (!line) continue;
      c.line = line;
      WatchState s;
      s.machine_code = true;
      s.code_line = line;
      const Picture p = source_panel(m, c, theme(ThemeName::projector, 720), fixed_metrics(), 406, 278, s);
      size_t shown = 0;
      for (const HitRegion& h : p.hits)
        shown += h.name.starts_with("source:code:") && h.name != "source:code:more";
      const std::string place = a->name + " line " + std::to_string(line);
      EXPECT_GE(shown, std::min<size_t>(4, all.size())) << place;
      few += shown < std::min<size_t>(6, all.size());
      for (const std::string& words : texts(p))
        if (words.ends_with("...")) ADD_FAILURE() << place << ": " << words;
      ++lines;
    }
  }
  EXPECT_GT(lines, 300);
  EXPECT_LT(few * 20, lines) << "but for a few lines of code that take four rows themselves, six";
}

TEST(SourceMachine, SaysWhyThereIsNone) {
  auto run = traced("scan/blelloch", "", 16, 8);
  Trace t = run->trace;
  t.kernel = "scan/nobody";
  const RunQueries m(analysed(std::move(t)));
  WatchState s;
  s.machine_code = true;
  std::string all;
  for (const std::string& words : texts(panel(m, at_step(m.run(), {}, 0), s))) all += words + " ";
  EXPECT_THAT(all, HasSubstr("This program has no kernel of this name"));
}

/// A user's program whose only kernel does the run's work.
std::shared_ptr<OwnCode> own_code_of(const RunQueries& m, int line) {
  auto own = std::make_shared<OwnCode>();
  MachineCode k{.architecture = "sm_86",
                .nvcc = "12.4.99",
                .kernel = "k",
                .source = "own.cu",
                .registers = 40,
                .shared = 16,
                .instructions = {{0, 0, "LDC R1,c[0x0][0x28]"}, {16, line, "LDG.E R2,[R4.64]"}}};
  own->kernels.kernels.emplace("k", std::move(k));
  own->launches.resize(m.trace().launches.size(), {"k", 48});
  return own;
}

TEST(SourceMachine, OfAnOwnProgramIsWhatIsMadeOfIt) {
  const RunQueries m(traced("scan/blelloch", "", 16, 8));
  const Cursor c = at_step(m.run(), {}, 0);
  const int line = line_with(m, "x = data[base + k]");
  const Theme t = theme(ThemeName::dark, 900);
  WatchState s;
  s.machine_code = true;
  s.code_line = line;
  Cursor at = c;
  at.line = line;
  const auto panel_of = [&](const std::shared_ptr<const OwnCode>& own) {
    return source_panel(m, at, t, fixed_metrics(), 380, 516, s, nullptr, own);
  };
  auto own = own_code_of(m, line);
  const Picture p = panel_of(own);
  EXPECT_THAT(texts(p), Contains("40 registers a thread, 64 B shared a block"));
  EXPECT_THAT(texts(p), Contains("16 of 48 warps; limited by blocks"));
  EXPECT_THAT(texts(p), Contains("LDG.E"));
  ASSERT_TRUE(hit_named(p, "source:occupancy"));
  EXPECT_THAT(hit_named(p, "source:occupancy")->tip, HasSubstr("12.4.99"));
  auto none = std::make_shared<OwnCode>();
  none->why_none = "There is no nvcc.";
  EXPECT_THAT(texts(panel_of(none)), Contains("There is no nvcc."));
  EXPECT_FALSE(hit_named(panel_of(none), "source:occupancy"));
  EXPECT_THAT(texts(panel_of(own)), Contains("LDG.E")) << "made again";
  EXPECT_THAT(texts(panel_of(nullptr)), Contains("28 registers a thread, 64 B shared a block"))
      << "the catalog's";
}

TEST(OwnCodeBench, IsAskedOncePerRunAndSaysWhatIsMissing) {
  OwnCodeBench bench;
  int asked = 0;
  bench.tools = [&] {
    ++asked;
    return cuda::Disassembler{};
  };
  const auto program = std::make_shared<const cuda::ProgramRun>();
  Target t;
  t.file = "/nowhere/own.cu";
  const OpenedRun one{traced("scan/blelloch", "", 16, 8), program},
      other{traced("scan/blelloch", "", 8, 4), program};
  const uint64_t before = bench.version();
  const auto first = bench.of(one, t, {});
  EXPECT_THAT(first->why_none, testing::StartsWith("There is no nvcc"));
  EXPECT_THAT(first->why_none, testing::EndsWith("."));
  EXPECT_NE(bench.version(), before);
  const uint64_t now = bench.version();
  EXPECT_EQ(bench.of(one, t, {}), first);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(bench.version(), now);
  bench.of(other, t, {});
  EXPECT_EQ(asked, 2);
}

TEST(OwnCodeBench, WorksBesideTheFrames) {
  OwnCodeBench bench;
  std::promise<void> go_on, woken;
  bench.tools = [&] {
    go_on.get_future().wait();
    return cuda::Disassembler{};
  };
  const OpenedRun run{traced("scan/blelloch", "", 16, 8), std::make_shared<const cuda::ProgramRun>()};
  Target t;
  t.file = "/nowhere/own.cu";
  const auto wake = [&] { woken.set_value(); };
  EXPECT_EQ(bench.of(run, t, wake)->why_none, "nvcc is compiling this program.");
  const uint64_t before = bench.version();
  go_on.set_value();
  woken.get_future().wait();
  EXPECT_NE(bench.version(), before);
  EXPECT_THAT(bench.of(run, t, wake)->why_none, HasSubstr("no nvcc"));
}

TEST(SourceMachine, IsCleanOnEveryKernel) {
  for (const Algorithm* a : catalog()) {
    const RunQueries m(traced(a->name, "", 0, 0));
    const Cursor c = at_step(m.run(), {}, steps(m.run()) / 2);
    const MachineLines& code = machine_lines(m, c.launch);
    ASSERT_TRUE(code.found.code) << a->name;
    int longest = 0;
    for (const auto& [line, all] : code.by_line)
      if (line && (!longest || all.size() > code.by_line.at(longest).size())) longest = line;
    for (const Language language : {Language::en, Language::zh}) {
      speak(language);
      for (const ThemeName name : {ThemeName::dark, ThemeName::light, ThemeName::projector})
        for (const float k : {0.8f, 1.0f, 2.4f})
          for (const int from : {0, 3}) {
            if (test::sanitized && k != 1.0f) continue;
            Cursor at = c;
            at.line = longest;
            WatchState s;
            s.machine_code = true;
            s.code_line = longest;
            s.code_from = from;
            const Picture p = panel(m, at, s, name, k);
            const std::string place = a->name + " line " + std::to_string(longest);
            EXPECT_EQ(misplaced_text(p), "") << place << " " << name_of(name) << " " << k;
            expect_clean(p, theme(name, 900 * k), place);
          }
    }
    speak(Language::en);
  }
}

}  // namespace
}  // namespace bscope
