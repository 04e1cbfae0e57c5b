// What an arrow carries is what the cell that it leaves shows, or it says that the value was made meanwhile.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "app/lessons/play.hpp"
#include "app/lessons/shelf.hpp"
#include "app/run/run.hpp"
#include "app/run/values.hpp"
#include "app/session/prediction.hpp"
#include "app/tabs/watch/array/view.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/timeline/timeline.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/words/counting.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/exchanges.hpp"
#include "engine/analysis/instructions.hpp"
#include "engine/analysis/selection.hpp"
#include "engine/analysis/substeps.hpp"
#include "tests/at_once.hpp"
#include "tests/sanitized.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope {
namespace {

std::string text_in(const Picture& p, const Box& box) {
  std::string out;
  for (const Shape& s : p.shapes)
    if (s.type == Shape::text && box.contains(s.box.centre())) out += s.words;
  return out;
}

Point point_at(const Shape& s, float t) {
  const auto mixed = [&](float a, float b, float c, float d) {
    const float u = 1 - t;
    return u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
  };
  const auto& p = s.points;
  if (s.type == Shape::line) return {p[0].x + (p[1].x - p[0].x) * t, p[0].y + (p[1].y - p[0].y) * t};
  return {mixed(p[0].x, p[1].x, p[2].x, p[3].x), mixed(p[0].y, p[1].y, p[2].y, p[3].y)};
}

/// Arrows of pills (those of dots are thinner).
std::vector<const Shape*> arrows(const Picture& p, float scale) {
  std::vector<const Shape*> out;
  for (const Shape& s : p.shapes)
    if ((s.type == Shape::curve || (s.type == Shape::line && s.dash == 0)) && s.thickness > 1.9f * scale)
      out.push_back(&s);
  return out;
}

/// No arrow runs behind a pill: it would read as if that thread passed the value on.
int expect_no_chains(const Picture& p, float scale) {
  int pills = 0;
  for (const HitRegion& h : p.hits) {
    if (!h.name.starts_with("pill:")) continue;
    ++pills;
    const Box inside{h.box.x + 2, h.box.y + 2, h.box.w - 4, h.box.h - 4};
    for (const Shape* s : arrows(p, scale))
      for (int k = 0; k <= 40; ++k)
        if (inside.contains(point_at(*s, float(k) / 40))) {
          ADD_FAILURE() << "an arrow runs behind " << h.name;
          break;
        }
  }
  return pills;
}

/// What leaves a cell of the row before is what the cell shows.
int expect_sources(const RunQueries& m, const Cursor& c, const Picture& p, float scale) {
  int leave = 0;
  const Step& step = *m.step(c);
  const WarpInstruction* sub = m.instruction(c);
  for (const HitRegion& h : p.hits) {
    if (!h.name.starts_with("before:")) continue;
    const auto lines = arrows(p, scale);
    const bool left = std::any_of(lines.begin(), lines.end(), [&](const Shape* s) {
      return std::abs(s->points[0].y - h.box.bottom()) < 2 && std::abs(s->points[0].x - h.box.centre().x) < 2;
    });
    if (!left) continue;
    ++leave;
    const CellRef cell{h.a, h.b};
    const ArrayRange part{h.a, h.b, 1};
    const StatePtr before = sub ? m.before(*sub, part) : m.before(step, part);
    const auto* writes = step.writes_of(cell);
    bool found = writes && writes->times > 1;  // many share a pill: the first of them found what is shown
    for (const Move& move : sub ? sub->moves : step.moves())
      for (size_t k = 0; k < move.arrow.from.size() && k < move.arrow.loads.size(); ++k)
        found = found || (move.arrow.from[k] == cell && before->is_known(h.b) &&
                          m.found(sub, move.arrow.loads[k]) == before->bits_of(h.b));
    EXPECT_TRUE(found) << "an arrow leaves " << h.name << ", which nobody reads as it is shown";
  }
  return leave;
}

/// Captions explain marks that are drawn, and count the cells that they name.
void expect_true_captions(const RunQueries& m, const Cursor& c, const Picture& p, const Theme& t) {
  std::string said;
  std::set<std::string> all;
  for (const std::string& s : texts(p)) {
    said += s + " ";
    all.insert(s);
  }
  const auto any = [&](auto&& is) { return std::any_of(p.shapes.begin(), p.shapes.end(), is); };
  if (said.find("boxed values") != std::string::npos) {
    const bool drawn = any([&](const Shape& s) {
      return s.type == Shape::rect && s.stroke && s.fill == t.panel && s.thickness == t.px(1.5f);
    });
    EXPECT_TRUE(drawn) << said;
  }
  const auto disc = [&](bool rim) {
    return any([&](const Shape& s) { return s.type == Shape::disc && (s.stroke != 0) == rim; });
  };
  if (said.find("ring: ") != std::string::npos) { EXPECT_TRUE(disc(true)) << said; }
  if (said.find("arrow from below") != std::string::npos) { EXPECT_TRUE(disc(false)) << said; }
  size_t meanwhile = said.find(": read after");
  if (said.substr(0, meanwhile).ends_with("arrow from below"))
    meanwhile = said.find(": read after", meanwhile + 1);
  if (const size_t end = meanwhile; end != std::string::npos) {
    const std::string value = said.substr(0, end),
                      words = value.substr(value.rfind(' ', value.rfind(' ') - 1) + 1);
    EXPECT_TRUE(all.contains(words)) << words << " in " << said;
  }
  if (const size_t end = said.find(" written, outside the lens"); end != std::string::npos) {
    std::set<CellRef> shown;
    for (const HitRegion& h : p.hits)
      if (h.name.starts_with("after:")) shown.insert({h.a, h.b});
    int outside = 0;
    const WarpInstruction* sub = m.instruction(c);
    for (const auto& [key, w] : sub ? sub->written : m.step(c)->written())
      outside +=
          int(key >> 32) == shown.begin()->array && !shown.contains({int(key >> 32), int(uint32_t(key))});
    const size_t begin = said.rfind(" more cell", end);
    EXPECT_EQ(said.substr(said.rfind(' ', begin - 1) + 1, begin - said.rfind(' ', begin - 1) - 1),
              grouped(outside))
        << said;
  }
}

/// Counts the arrows with values that leave cells.
int expect_true_arrows(const RunQueries& m, const Cursor& c, float width, float height) {
  if (!m.step(c) || m.block(c).main < 0) return 0;
  const Theme t = theme(ThemeName::dark, 900);
  const Picture p = array_view(m, c, t, fixed_metrics(), width, height);
  expect_no_chains(p, t.scale);
  expect_sources(m, c, p, t.scale);
  expect_true_captions(m, c, p, t);
  int leave = 0;
  for (const HitRegion& h : p.hits) {
    if (!h.name.starts_with("carries:")) continue;
    const std::string words = text_in(p, h.box);
    SCOPED_TRACE(m.trace().kernel + " interval " + std::to_string(c.interval) + " substep " +
                 std::to_string(c.substep) + " " + h.name + " carries " + words);
    if (h.b < 0) continue;
    ++leave;
    const ArrayRange cell{h.a, h.b, 1};
    const WarpInstruction* sub = m.instruction(c);
    const StatePtr before = sub ? m.before(*sub, cell) : m.before(*m.step(c), cell);
    EXPECT_TRUE(before->is_known(h.b));
    EXPECT_EQ(words, value_text(*before, h.b));
  }
  // what comes from a cell of the row before, but is another value, names its writer or comes from its pill
  for (const HitRegion& h : p.hits)
    if (h.name.starts_with("carries:") && h.b < 0 && h.a >= 0) {
      const std::string words = text_in(p, h.box),
                        cell = h.name.substr(h.name.find(':', h.name.find(':', 8) + 1) + 1);
      const bool in_row = std::any_of(p.hits.begin(), p.hits.end(),
                                      [&](const HitRegion& other) { return other.name == "before:" + cell; });
      const bool from_below = std::any_of(p.hits.begin(), p.hits.end(), [&](const HitRegion& other) {
        return other.name.starts_with("pill:") && h.box.y >= other.box.bottom();
      });
      if (in_row && !from_below) {
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
      RunSpec r;
      r.kernel = a->name;
      r.n = n;
      if (block) r.block = block;
      std::shared_ptr<const bscope::Run> run;
      try {
        run = open_run(r, Device::cpu, parse_schedule(schedule));
      } catch (const std::exception&) {
        continue;  // a length or a block that the kernel does not take
      }
      const RunQueries m(run);
      const int all = steps(*run), every = std::max(1, all / test::all_or_part(8, 3));
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

/// What one cell of another array than the input's holds is said at that cell.
void expect_brackets(const RunQueries& m, const Picture& p) {
  for (const HitRegion& h : p.hits) {
    if (!h.name.starts_with("after:") || h.a >= first_shared || h.a == m.trace().input) continue;
    for (const Shape& s : p.shapes)
      if (s.type == Shape::text && s.words.starts_with(h.name.substr(6) + " now holds")) {
        EXPECT_TRUE(s.box.x < h.box.right() && h.box.x < s.box.right()) << s.words;
      }
  }
}

/// Every phase has its name, and the frame of the step crosses none.
int expect_phases(const Picture& p, const Theme& t) {
  const Shape& frame = p.shapes.back();
  int phases = 0;
  for (const Shape& s : p.shapes) {
    if (s.type != Shape::text) continue;
    const bool beside = s.box.y > frame.box.bottom() || s.box.bottom() < frame.box.y;
    for (const float x : {frame.box.x, frame.box.right()})
      EXPECT_TRUE(beside || x < s.box.x + 1 || x > s.box.right() - 1)
          << s.words << " is crossed by the frame";
  }
  std::set<Colour> fills;
  for (const char* phase : {"load", "doubling", "up-sweep", "down-sweep", "store", "clear", "tree", "scan"})
    fills.insert(t.phase(phase));
  for (const Shape& s : p.shapes) {
    if (s.type != Shape::rect || !fills.contains(s.fill) || s.box.w < t.px(60)) continue;
    ++phases;
    EXPECT_FALSE(text_in(p, s.box).empty()) << "a phase at " << s.box.x << " has no name";
  }
  return phases;
}

/// Of more arrows into one pill only those say what they carry that have room for it.
constexpr size_t most_named = 8;

/// The followed thread's arrows that leave a cell of the row before, and carry no value.
std::vector<std::string> silent_arrows(const RunQueries& m, const Cursor& c, const Picture& p) {
  const Step& step = *m.step(c);
  const int threads = m.trace().launches[size_t(c.launch)].block;
  std::set<std::string> told, cells;
  std::set<CellRef> after;
  for (const HitRegion& h : p.hits) {
    if (h.name.starts_with("carries:"))
      told.insert(h.name.substr(h.name.find(':', h.name.find(':', 8) + 1) + 1));
    if (h.name.starts_with("before:")) cells.insert(h.name.substr(7));
    if (h.name.starts_with("after:")) after.insert({h.a, h.b});
  }
  std::vector<std::string> silent;
  for (const Move& move : step.moves()) {
    const std::string pill = "pill:" + std::to_string(move.arrow.thread % threads) + ":";
    if (move.held || !after.contains(move.arrow.to) || move.arrow.thread % threads != m.selection(c).thread ||
        std::none_of(p.hits.begin(), p.hits.end(),
                     [&](const HitRegion& h) { return h.name.starts_with(pill); }))
      continue;
    if (move.arrow.from.size() > most_named) continue;
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
TEST(EveryLessonsArrows, CarryTheirValues) {
  int screens = 0, whole = 0, pills = 0, sources = 0, phases = 0;
  LessonShelf shelf;
  shelf.refresh();
  for (const std::string& id : shelf.ids()) {
    const Lesson& lesson = *shelf.find(id, Language::en);
    for (int k = 0; k < int(lesson.steps.size()); ++k) {
      const LoadedState s = at_lesson_step({}, lesson, k);
      if (s.tab != "watch" || !s.run || !steps(*s.run)) continue;
      const RunQueries m(s.run);
      if (!m.step(s.cursor) || prediction_on(s)) continue;
      ++screens;
      // the panel in windows of both usual sizes
      for (const auto& [w, h, height] : {std::tuple{870.0f, 408.0f, 900.0f}, {696.0f, 326.0f, 720.0f}}) {
        const Picture p = array_view(m, s.cursor, theme(ThemeName::dark, height), fixed_metrics(), w, h,
                                     nullptr, s.of<WatchState>());
        SCOPED_TRACE(id + " " + std::to_string(k + 1) + ", " + std::to_string(int(height)));
        const Theme t = theme(ThemeName::dark, height);
        pills += expect_no_chains(p, t.scale);
        sources += expect_sources(m, s.cursor, p, t.scale);
        expect_true_captions(m, s.cursor, p, t);
        expect_brackets(m, p);
        if (height == 900) phases += expect_phases(timeline(m, s.cursor, t, fixed_metrics(), 1020, 112), t);
        // in a lens arrows are too short for words beside them; the cell is close above
        if (std::any_of(p.hits.begin(), p.hits.end(),
                        [](const HitRegion& h) { return h.name.starts_with("all:"); }))
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
  EXPECT_GT(pills, 300);
  EXPECT_GT(sources, 300);
  EXPECT_GT(phases, 100);
}

// Between two rows of lanes only what was handed on: a lane shows what it gives above, and what came of it
// below.
TEST(ArrowTruth, LanesLeadFromWhatTheyGaveToWhatTheyMade) {
  int checked = 0;
  for (const char* kernel : {"reduce/warp-shuffle", "scan/look-back", "scan/look-ahead", "scan/warp-shuffle",
                             "reduce/grid-stride"}) {
    if (!algorithm_of(kernel)) continue;
    RunSpec r;
    r.kernel = kernel;
    r.n = 96;
    const RunQueries m(traced_run(r));
    for (int k = 0; k < steps(m.run()); ++k) {
      const Cursor c = at_step(m.run(), {}, k);
      const Picture p = array_view(m, c, theme(ThemeName::dark, 900), fixed_metrics(), 1900, 900);
      const auto shown = [&](const std::string& name) -> std::optional<std::string> {
        for (const HitRegion& h : p.hits)
          if (h.name == name) return text_in(p, h.box);
        return {};
      };
      int number = 0;
      for (const SubStep& s : m.substeps(*m.step(c))) {
        if (s.exchange < 0 || s.warp != 0) continue;
        const Exchange& e = m.exchanges(c.launch, c.block)[size_t(s.exchange)];
        if (!moves_something(e)) continue;
        for (const Exchange::ExchangeLane& l : e.lanes) {
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
            EXPECT_EQ(*below, value_text({ElementType(n.kind), {n.bits}, {1}}, 0))
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
  RunSpec r;
  r.kernel = "histogram/global-atomics";
  r.preset = "queue-7x20";
  const RunQueries m(traced_run(r));
  const Picture p =
      array_view(m, at_step(m.run(), {}, 0), theme(ThemeName::dark, 900), fixed_metrics(), 956, 342);
  const auto all = texts(p);
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const std::string& s) {
    return s.find("20 atomics queue for bins[5], the last by t") != std::string::npos &&
           s.find("(19 + 1 = 20)") != std::string::npos;
  }));
  for (const HitRegion& h : p.hits)
    if (h.name.starts_with("carries:") && h.b == 5) { EXPECT_EQ(text_in(p, h.box), "0"); }
}

}  // namespace
}  // namespace bscope
