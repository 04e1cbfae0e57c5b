// What an arrow carries is what the cell that it leaves shows, or it says that the value was made meanwhile.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "app/session.hpp"
#include "app/state/lesson_play.hpp"
#include "app/state/lesson_shelf.hpp"
#include "app/state/prediction.hpp"
#include "app/view/watch/array_view.hpp"
#include "app/view/watch/draw.hpp"
#include "tests/view/watch_support.hpp"

namespace bscope {
namespace {

std::string text_in(const Picture& p, const Box& box) {
  std::string out;
  for (const Shape& s : p.shapes)
    if (s.type == Shape::text && box.contains(s.box.centre())) out += s.words;
  return out;
}

/// Counts the arrows with values that leave cells.
int expect_true_arrows(const WatchModel& m, const Cursor& c, float width, float height) {
  if (!m.step(c) || m.block(c).main < 0) return 0;
  const Picture p = array_view(m, c, theme(ThemeName::dark, 900), fixed_metrics(), width, height);
  int leave = 0;
  for (const Hit& h : p.hits) {
    if (!h.name.starts_with("carries:")) continue;
    const std::string words = text_in(p, h.box);
    SCOPED_TRACE(m.trace().kernel + " interval " + std::to_string(c.interval) + " substep " +
                 std::to_string(c.substep) + " " + h.name + " carries " + words);
    if (h.b < 0) continue;
    ++leave;
    const Part cell{h.a, h.b, 1};
    const Instruction* sub = m.instruction(c);
    const StatePtr before = sub ? m.before(*sub, cell) : m.before(*m.step(c), cell);
    EXPECT_TRUE(before->is_known(h.b));
    EXPECT_EQ(words, value_text(*before, h.b));
  }
  // what comes from a cell of the row before, but is another value, names its writer
  for (const Hit& h : p.hits)
    if (h.name.starts_with("carries:") && h.b < 0 && h.a >= 0) {
      const std::string words = text_in(p, h.box),
                        cell = h.name.substr(h.name.find(':', h.name.find(':', 8) + 1) + 1);
      const bool in_row = std::any_of(p.hits.begin(), p.hits.end(),
                                      [&](const Hit& other) { return other.name == "before:" + cell; });
      if (in_row) {
        EXPECT_NE(words.find(": "), std::string::npos) << m.trace().kernel << " " << h.name << " " << words;
      }
    }
  return leave;
}

TEST(ArrowTruth, EveryArrowCarriesWhatItsCellShows) {
  int leave = 0;
  for (const Algorithm* a : catalog()) {
    if (a->family() == "patterns") continue;
    for (const auto& [n, block, schedule] : {std::tuple(8LL, 0LL, "auto"), std::tuple(24LL, 4LL, "shuffle:3"),
                                             std::tuple(70LL, 32LL, "lockstep")}) {
      Request r;
      r.kernel = a->name;
      r.n = n;
      if (block) r.block = block;
      std::shared_ptr<const bscope::Run> run;
      try {
        run = open_run(r, Device::cpu, parse_schedule(schedule));
      } catch (const std::exception&) {
        continue;  // a length or a block that the kernel does not take
      }
      const WatchModel m = make_watch_model(run);
      const int all = steps(*run), every = std::max(1, all / 8);
      for (int k = 0; k < all; k += every) {
        Cursor c = at_step(*run, {}, k);
        leave += expect_true_arrows(m, c, 956, 342);
        c.substep = k % 5;
        leave += expect_true_arrows(m, c, 956, 342);
        c.substep = -1;
        c.thread = k % m.trace().launches[size_t(c.launch)].block;
        leave += expect_true_arrows(m, c, 700, 420);
      }
    }
  }
  EXPECT_GT(leave, 500);
}

/// The followed thread's arrows that leave a cell of the row before, and carry no value.
std::vector<std::string> silent_arrows(const WatchModel& m, const Cursor& c, const Picture& p) {
  const Step& step = *m.step(c);
  const int threads = m.trace().launches[size_t(c.launch)].block;
  std::set<std::string> told, cells;
  std::set<Place> after;
  for (const Hit& h : p.hits) {
    if (h.name.starts_with("carries:"))
      told.insert(h.name.substr(h.name.find(':', h.name.find(':', 8) + 1) + 1));
    if (h.name.starts_with("before:")) cells.insert(h.name.substr(7));
    if (h.name.starts_with("after:")) after.insert({h.a, h.b});
  }
  std::vector<std::string> silent;
  for (const Move& move : step.moves()) {
    const std::string pill = "pill:" + std::to_string(move.arrow.thread % threads) + ":";
    if (move.held || !after.contains(move.arrow.to) || move.arrow.thread % threads != m.selection(c).thread ||
        std::none_of(p.hits.begin(), p.hits.end(), [&](const Hit& h) { return h.name.starts_with(pill); }))
      continue;
    for (size_t k = 0; k < move.arrow.from.size() && k < move.arrow.loads.size(); ++k) {
      const Node& load = m.flow().nodes[size_t(move.arrow.loads[k])];
      const std::string cell = m.name(c.launch, move.arrow.from[k]);
      if (load.launch != c.launch || load.interval != c.interval || !cells.contains(cell)) continue;
      // a second value's name has a number behind it
      if (std::none_of(told.begin(), told.end(), [&](const std::string& t) { return t.starts_with(cell); }))
        silent.push_back(cell);
    }
  }
  return silent;
}

// On every screen of every lesson the arrows of the thread that it follows say what they carry. (On the
// projector, below a lesson's strip, arrows are too short for words between them.)
TEST(ArrowTruth, ArrowsOfLessonsCarryTheirValues) {
  int screens = 0, whole = 0;
  LessonShelf shelf;
  shelf.refresh();
  for (const std::string& id : shelf.ids()) {
    const Lesson& lesson = *shelf.find(id, Language::en);
    for (int k = 0; k < int(lesson.steps.size()); ++k) {
      const State s = at_lesson_step({}, lesson, k);
      if (s.tab != Tab::watch || !s.run || !steps(*s.run)) continue;
      const WatchModel m = make_watch_model(s.run);
      if (!m.step(s.cursor) || prediction_on(s)) continue;
      ++screens;
      // the panel in windows of both usual sizes
      for (const auto& [w, h, height] : {std::tuple{870.0f, 408.0f, 900.0f}, {696.0f, 326.0f, 720.0f}}) {
        const Picture p =
            array_view(m, s.cursor, theme(ThemeName::dark, height), fixed_metrics(), w, h, nullptr, s.watch);
        // in a lens arrows are too short for words beside them; the cell is close above
        if (std::any_of(p.hits.begin(), p.hits.end(),
                        [](const Hit& h) { return h.name.starts_with("all:"); }))
          continue;
        ++whole;
        std::string all;
        for (const std::string& cell : silent_arrows(m, s.cursor, p)) all += " " + cell;
        EXPECT_EQ(all, "") << id << " " << k + 1 << ", " << height
                           << ": arrows from these cells carry nothing";
      }
    }
  }
  EXPECT_GT(screens, 50);
  EXPECT_GT(whole, 50);
}

// Between two rows of lanes only what was handed on: a lane shows what it gives above, and what came of it
// below.
TEST(ArrowTruth, LanesLeadFromWhatTheyGaveToWhatTheyMade) {
  int checked = 0;
  for (const char* kernel : {"reduce/warp-shuffle", "scan/look-back", "scan/look-ahead", "scan/warp-shuffle",
                             "reduce/grid-stride"}) {
    if (!algorithm_of(kernel)) continue;
    Request r;
    r.kernel = kernel;
    r.n = 96;
    const WatchModel m = make_watch_model(watch_run(r));
    for (int k = 0; k < steps(m.run()); ++k) {
      const Cursor c = at_step(m.run(), {}, k);
      const Picture p = array_view(m, c, theme(ThemeName::dark, 900), fixed_metrics(), 1900, 900);
      const auto shown = [&](const std::string& name) -> std::optional<std::string> {
        for (const Hit& h : p.hits)
          if (h.name == name) return text_in(p, h.box);
        return {};
      };
      int number = 0;
      for (const SubStep& s : m.substeps(*m.step(c))) {
        if (s.exchange < 0 || s.warp != 0) continue;
        const Exchange& e = m.exchanges(c.launch, c.block)[size_t(s.exchange)];
        if (!moves_something(e)) continue;
        for (const Exchange::Lane& l : e.lanes) {
          const std::string lane = ":" + std::to_string(l.lane);
          const auto brought = shown("brings:" + std::to_string(number) + lane);
          const auto above = brought ? brought : shown("lane:" + std::to_string(number) + lane);
          const auto below = shown("lane:" + std::to_string(number + 1) + lane);
          if (!above || !below) continue;
          const std::string given = value_text({e.kind, {l.given}, {1}}, 0);
          if (l.gave && !above->empty()) {
            EXPECT_EQ(*above, given) << kernel << " step " << k << " exchange " << number << lane;
            ++checked;
          }
          if (const int made = combined(m.flow(), l);
              e.op == Op::shuffle && l.gave && made >= 0 && !below->empty()) {
            const Node& n = m.flow().nodes[size_t(made)];
            EXPECT_EQ(*below, value_text({Kind(n.kind), {n.bits}, {1}}, 0))
                << kernel << " step " << k << lane;
          }
        }
        ++number;
      }
    }
  }
  EXPECT_GT(checked, 100);
}

TEST(ArrowTruth, ManyAtomicsOnOneCellAreSaidToBeMany) {
  Request r;
  r.kernel = "histogram/global-atomics";
  r.preset = "queue-7x20";
  const WatchModel m = make_watch_model(watch_run(r));
  const Picture p =
      array_view(m, at_step(m.run(), {}, 0), theme(ThemeName::dark, 900), fixed_metrics(), 956, 342);
  const auto all = texts(p);
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const std::string& s) {
    return s.find("20 atomics queue for bins[5], the last by t") != std::string::npos &&
           s.find("(19 + 1 = 20)") != std::string::npos;
  }));
  for (const Hit& h : p.hits)
    if (h.name.starts_with("carries:") && h.b == 5) { EXPECT_EQ(text_in(p, h.box), "0"); }
}

}  // namespace
}  // namespace bscope
