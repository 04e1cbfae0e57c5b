#include <gtest/gtest.h>

#include <fstream>
#include <numeric>
#include <set>

#include "app/draw/chart.hpp"
#include "app/run/titles.hpp"
#include "app/session/choices.hpp"
#include "app/session/state.hpp"
#include "app/session/tab.hpp"
#include "app/tabs/atomics/atomics_state.hpp"
#include "app/tabs/atomics/picture.hpp"
#include "app/tabs/atomics/runs.hpp"
#include "app/tabs/atomics/steps.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run.hpp"
#include "engine/simt/algorithm.hpp"
#include "tests/at_once.hpp"
#include "tests/places.hpp"
#include "tests/tabs/layout_support.hpp"

namespace bscope {
namespace {

constexpr const char *global = "histogram/global-atomics", *shared = "histogram/shared-atomics",
                     *racy = "histogram/racy";

AtomicsModel model(const std::string& left, const std::string& right, const std::string& preset,
                   long long n = 0, long long block = 0, int bin = -1) {
  const auto run = [&](const std::string& kernel) { return traced(kernel, preset, n, block); };
  const auto without = left.starts_with("histogram/") ? run(racy) : nullptr;
  return atomics_model(*run(left), *run(right), without.get(), bin);
}
const AtomicsModel& preset() {
  static const AtomicsModel m = model(global, shared, "queue-7x20");
  return m;
}
AtomicsLook looked_at(int t, int lost = 0) {
  AtomicsLook look;
  look.t = t;
  look.lost = lost;
  return look;
}
Picture draw_atomics(const AtomicsModel& m, const AtomicsLook& look = {}) {
  const Theme t = theme(ThemeName::dark, 900);
  return atomics_view(m, look, t, fixed_metrics(), 1600, 700);
}
LoadedState atomics_on(const std::string& kernel, RunSpec r = {}) {
  Target target;
  target.request = std::move(r);
  target.request.kernel = kernel;
  LoadedState s = opened(LoadedState{}, target, Where::parameters);
  EXPECT_EQ(s.error.english(), "");
  s.tab = "atomics";
  return with_queues(std::move(s));
}

// An order that was asked for is kept: what is lost is what the open run loses.
TEST(AtomicsTab, KeepsTheOrderThatWasAskedFor) {
  Target target;
  target.request.kernel = racy;
  target.request.n = 500;
  target.request.block = 48;
  target.request.pattern = "zipf";
  target.request.seed = 3;
  target.request.set = {{"bins", "20"}};
  for (const auto kind : {Schedule::lockstep, Schedule::to_barrier, Schedule::shuffled}) {
    target.schedule.kind = kind;
    LoadedState s = opened(LoadedState{}, target, Where::parameters);
    ASSERT_EQ(s.error.english(), "");
    s.tab = "atomics";
    EXPECT_FALSE(is_shuffled(s));
    s = with_queues(std::move(s));
    ASSERT_TRUE(s.results.of<AtomicsQueues>().runs);
    EXPECT_EQ(s.results.of<AtomicsQueues>().runs->model.racy->lost, s.run->report.lost().lost) << int(kind);
  }
}

TEST(AtomicsTab, SaysKeysPerThreadOfTheOpenRun) {
  RunSpec r;
  r.set = {{"items", "4"}};
  const LoadedState s = atomics_on("histogram/coarsened", r);
  EXPECT_EQ(look_of(s).items, 4);
}

// However many warps there are, their reads and writes are drawn.
TEST(AtomicsView, DrawsTheWarpsOfLongRuns) {
  const Theme t = theme(ThemeName::dark, 900);
  for (const long long n : {128, 500, 2000}) {
    int written = 0, reads = 0;
    for (const Shape& shape : draw_atomics(model(global, shared, "", n, 32)).shapes) {
      written += shape.type == Shape::text && shape.fill == t.write && shape.font == Font::mono;
      reads += shape.type == Shape::disc && shape.fill == t.read;
    }
    EXPECT_GE(written, 3) << n;  // two of them explain a lost key
    EXPECT_GE(reads, 3) << n;
  }
}

// A user's own program has nothing of the catalog beside it.
TEST(AtomicsTab, ShowsARunOfAnotherProgramAlone) {
  const auto as_own = [](const char* kernel) {
    RunSpec r;
    r.kernel = kernel;
    const auto made = open_run(r);
    const auto run = std::make_shared<bscope::Run>();
    run->trace = made->trace;
    run->trace.kernel = "yours/homework";
    run->report = analyse(run->trace);
    LoadedState s;
    s.run = run;
    s.target.file = "homework.bscope";
    s.tab = "atomics";
    return with_queues(std::move(s));
  };
  for (const char* kernel : {global, shared}) {
    const LoadedState s = as_own(kernel);
    const auto& queues = s.results.of<AtomicsQueues>().runs;
    ASSERT_TRUE(queues) << kernel;
    EXPECT_TRUE(queues->left == s.run && queues->right == s.run);
    EXPECT_TRUE(queues->model.alone);
    EXPECT_FALSE(queues->model.racy);
    EXPECT_TRUE(tab_named("atomics")->choices(s).empty());
    EXPECT_EQ(queues->model.sides[0].title, title_of("yours/homework"));
    std::set<std::string> words;
    for (const Shape& shape : draw_atomics(queues->model, look_of(s)).shapes) words.insert(shape.words);
    EXPECT_FALSE(words.contains("below"));
    EXPECT_FALSE(words.contains("No atomics"));
  }
  const LoadedState lost = as_own(racy), none = as_own("scan/blelloch");
  ASSERT_TRUE(lost.results.of<AtomicsQueues>().runs);
  EXPECT_EQ(lost.results.of<AtomicsQueues>().runs->model.racy->lost, lost.run->report.lost().lost);
  EXPECT_FALSE(none.results.of<AtomicsQueues>().runs);
  EXPECT_EQ(none.error.english(), "This run has no atomic operations: there are no queues to show.");
}

TEST(AtomicsModel, EveryKernelWithAtomicsHasItsQueues) {
  for (const Algorithm* a : kernels_with_queues()) {
    const auto run = traced(a->name);
    const AtomicsModel m = atomics_model(*run, *run, nullptr);
    long atomics = 0, served = 0;
    for (const Node& n : run->report.flow.nodes) atomics += is_atomic(n.op);
    for (const auto& address : m.sides[0].addresses) served += long(address.counted.size());
    if (a->family() == "histogram") {
      EXPECT_EQ(served, atomics ? long(run->report.input.size()) : 0) << a->name << ": each key once";
    } else {
      EXPECT_EQ(served, atomics) << a->name;
    }
    EXPECT_EQ(m.sides[0].total > 0, atomics > 0) << a->name;
    EXPECT_EQ(m.end, std::max(1, m.sides[0].total));
  }
}

TEST(AtomicsView, SaysTheNumbers) {
  const Picture p = draw_atomics(preset());
  for (const char* words :
       {"Who waits for bin 5?", "140", "20 + 7", "113 turns saved: 5.2 times shorter", "t = 27",
        "Bins at t = 27", "27 of 140", "12 of 13 are finished", "9,730", "Lost key 1 of"})
    EXPECT_TRUE(says(p, words)) << words;
  const Theme t = theme(ThemeName::dark, 900);
  int slots = 0, dimmed = 0, merges = 0;
  for (const Shape& s : p.shapes) {
    if (s.type != Shape::rect || s.box.y > 330 || s.box.y < 60) continue;
    slots += s.fill == t.atomic;
    dimmed += s.fill == mix(t.atomic, t.panel, 0.55f);
    merges += s.fill == t.write;
  }
  EXPECT_EQ(slots, 27 + 140) << "27 of the global queue and all of the shared ones are past";
  EXPECT_EQ(dimmed, 113);
  EXPECT_EQ(merges, 7);
}

TEST(AtomicsView, TheCursorMovesTime) {
  EXPECT_TRUE(says(draw_atomics(preset(), looked_at(0)), "t = 0"));
  EXPECT_TRUE(says(draw_atomics(preset(), looked_at(100000)), "t = 140")) << "clamped to the longest queue";
  EXPECT_TRUE(says(draw_atomics(model(global, shared, "queue-7x20", 0, 0, 6)), "Who waits for bin 6?"));
  const Picture second = draw_atomics(preset(), looked_at(-1, 1));
  EXPECT_TRUE(says(second, "Lost key 2 of"));
}

TEST(AtomicsView, ControlsAreNamed) {
  const Picture p = draw_atomics(preset());
  for (const char* name : {"time", "skew", "blocks", "threads", "items", "bin 0", "bin 15", "lost next"})
    EXPECT_TRUE(hit_named(p, name)) << name;
  const HitRegion& blocks = *hit_named(p, "blocks");
  EXPECT_EQ(slider_value(blocks, blocks.box.x), 1);
  EXPECT_EQ(slider_value(blocks, blocks.box.right() + 50), most_queue_blocks);
  const HitRegion& threads = *hit_named(p, "threads");
  EXPECT_EQ(slider_value(threads, 0), 32);
  EXPECT_EQ(slider_value(threads, 1600), most_queue_threads);
  const HitRegion& time = *hit_named(p, "time");
  EXPECT_EQ(slider_value(time, time.box.centre().x), 70);
}

// A part that has no room goes; never a panel.
TEST(AtomicsView, EveryPanelIsThereOnEveryScreen) {
  for (const ThemeName name : {ThemeName::dark, ThemeName::light, ThemeName::projector})
    for (const auto& [w, h] :
         {std::pair(1280.0f, 540.0f), std::pair(1600.0f, 740.0f), std::pair(3840.0f, 1900.0f)}) {
      const Theme t = theme(name, h * 1.2f);
      const Picture p = atomics_view(preset(), {}, t, fixed_metrics(), w, h);
      for (const char* hit : {"time", "skew", "bin 0"}) EXPECT_TRUE(hit_named(p, hit)) << hit << " " << w;
      for (const char* words : {"Who waits for", "Input", "No atomics"})
        EXPECT_TRUE(says(p, words)) << words << " " << w;
    }
}

TEST(AtomicsState, ShowsTheOpenHistogramsKeysOrThePresets) {
  LoadedState s = atomics_on("scan/blelloch");
  EXPECT_EQ(s.results.of<AtomicsQueues>().runs->model.sides[0].total, 140);
  s = atomics_on("histogram/coarsened", {.n = 96, .block = 32, .set = {{"bins", "4"}}});
  EXPECT_EQ(s.results.of<AtomicsQueues>().runs->right->trace.kernel, "histogram/coarsened");
  EXPECT_EQ(s.results.of<AtomicsQueues>().runs->model.n, 96);
  EXPECT_EQ(s.results.of<AtomicsQueues>().runs->left->report.input, s.run->report.input);
  EXPECT_EQ(s.results.of<AtomicsQueues>().runs->racy->report.input, s.run->report.input);
  s = atomics_on("reduce/one-atomic", {.n = 256, .block = 32});
  EXPECT_EQ(s.results.of<AtomicsQueues>().runs->left->trace.kernel, "reduce/one-atomic");
  EXPECT_FALSE(s.results.of<AtomicsQueues>().runs->model.sides[0].histogram);
  EXPECT_FALSE(s.results.of<AtomicsQueues>().runs->model.racy);
}

TEST(AtomicsState, SlidersMakeOtherRunsAndNothingElseDoes) {
  LoadedState s = atomics_on("histogram/shared-atomics");
  const auto before = s.results.of<AtomicsQueues>().runs;
  EXPECT_EQ(with_queues(s).results.of<AtomicsQueues>().runs, before);
  s.of<AtomicsState>().t = 3;
  s.of<AtomicsState>().lost = 1;
  EXPECT_EQ(with_queues(s).results.of<AtomicsQueues>().runs, before) << "looking elsewhere traces nothing";
  s.of<AtomicsState>().bin = 2;
  s = with_queues(std::move(s));
  EXPECT_EQ(s.results.of<AtomicsQueues>().runs->left, before->left);
  EXPECT_EQ(s.results.of<AtomicsQueues>().runs->model.bin, 2);
  s.of<AtomicsState>().own_input = true;
  s.of<AtomicsState>().blocks = 3;
  s.of<AtomicsState>().skew = 1;
  s.of<AtomicsState>().bin = -1;
  s = with_queues(std::move(s));
  EXPECT_EQ(s.results.of<AtomicsQueues>().runs->model.n, 96);
  EXPECT_EQ(s.results.of<AtomicsQueues>().runs->model.sides[0].total, 96) << "all keys in one bin";
  EXPECT_EQ(s.results.of<AtomicsQueues>().runs->model.sides[1].total, 32 + 3);
  s.of<AtomicsState>().right = {.kernel = "histogram/coarsened"};
  s.of<AtomicsState>().items = 2;
  s = with_queues(std::move(s));
  EXPECT_EQ(s.results.of<AtomicsQueues>().runs->model.sides[1].total, 64 + 2)
      << "two keys a thread: fewer blocks, longer queues";
  s.of<AtomicsState>().right = {.kernel = "histogram/nonsense"};
  s = with_queues(std::move(s));
  EXPECT_EQ(s.error_at, Where::queues);
  EXPECT_FALSE(s.results.of<AtomicsQueues>().runs);
}

TEST(AtomicsState, TheTransportMovesItsTime) {
  LoadedState s = atomics_on("histogram/shared-atomics", {.preset = "queue-7x20"});
  ASSERT_TRUE(own_time(s));
  EXPECT_EQ(own_time(s)->length, 141);
  s = first(std::move(s));
  EXPECT_EQ(s.of<AtomicsState>().t, 0);
  s = forward(std::move(s));
  EXPECT_EQ(s.of<AtomicsState>().t, 1);
  s = next_phase(std::move(s));
  EXPECT_EQ(s.of<AtomicsState>().t, 20) << "where the shared queues are drained";
  s = last(std::move(s));
  EXPECT_EQ(s.of<AtomicsState>().t, 140);
  const Cursor cursor = s.cursor;
  s = play_or_pause(std::move(s));
  EXPECT_EQ(s.of<AtomicsState>().t, 0) << "from the end it plays again";
  for (int k = 0; k < 10000 && s.playing; ++k) s = advanced(std::move(s), 16);
  EXPECT_FALSE(s.playing);
  EXPECT_EQ(s.of<AtomicsState>().t, 140);
  EXPECT_EQ(s.cursor, cursor) << "the run's cursor stays where it was";
}

TEST(AtomicsState, AnImageStandsBesideItsBins) {
  const std::string file = BARRIERSCOPE_ROOT "/assets/inputs/night.png";
  const LoadedState s = atomics_on(shared, {.n = 1000, .input_file = file, .set = {{"bins", "16"}}});
  const AtomicsModel& m = s.results.of<AtomicsQueues>().runs->model;
  ASSERT_TRUE(m.image);
  EXPECT_LE(m.image->levels.size(), 1000u);
  EXPECT_EQ(int(m.image->levels.size()), m.n);
  const Theme t = theme(ThemeName::dark, 900);
  const Picture p = atomics_view(m, look_of(s), t, fixed_metrics(), 1600, 700);
  long marked = 0;
  for (const Shape& shape : p.shapes)
    if (shape.type == Shape::strip && shape.rows == m.image->height)
      marked = std::count(shape.colours.begin(), shape.colours.end(), t.atomic);
  EXPECT_EQ(marked, m.sides[0].counted(m.bin, m.end)) << "as many pixels as the bin counts";
  EXPECT_TRUE(says(p, "grey levels"));
}

TEST(AtomicsView, IsCleanEverywhere) {
  const auto check = [](const std::string& name, const AtomicsModel& m, AtomicsLook look) {
    for (Language language : {Language::en, Language::zh}) {
      speak(language);
      expect_clean_everywhere(
          name + " " + name_of(language), [&](const Theme& t, const Metrics& metrics, float w, float h) {
            // below the row of choices, above the transport
            return atomics_view(m, look, t, metrics, w, h - t.px(t.projector() ? 154 : 168));
          });
    }
    speak(Language::en);
  };
  check("preset", preset(), {});
  for (int t : {0, 3, 12, 26, 60, 130, 140}) check("preset in time", preset(), looked_at(t, t));
  for (int bin : {0, 3, 15}) check("another bin", model(global, shared, "queue-7x20", 0, 0, bin), {});
  check("uniform", model(global, shared, "", 224), {});
  check("one block", model(global, shared, "", 20, 32), {});
  check("many", model(global, "histogram/privatised", "", 2000, 64), looked_at(2));
  check("last bin", model(global, shared, "", 2000, 64, 255), {});
  check("other addresses", model("reduce/one-atomic", "scan/look-back", "", 300, 32), {});
  check("the other way round", model("histogram/per-lane", global, "queue-7x20"), looked_at(5));
  check("large", model(global, "histogram/coarsened", "", 20000, 256), {});
  const LoadedState image =
      atomics_on(shared, {.n = 2000, .input_file = BARRIERSCOPE_ROOT "/assets/inputs/dunes.png"});
  check("image", image.results.of<AtomicsQueues>().runs->model, look_of(image));
}

}  // namespace
}  // namespace bscope
