// What is read from afar: nothing cut, nothing run together, no cell blank, the code in view and whole. That
// each kind of fault is found is shown on pictures that have it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "app/draw/fitting.hpp"
#include "app/draw/text.hpp"
#include "app/tabs/watch/array/view.hpp"
#include "app/tabs/watch/source/panel.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/block_steps.hpp"
#include "tests/tabs/layout_support.hpp"
#include "tests/tabs/reading_support.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> faults(const std::function<void(Pen&)>& draw, Texts texts = Texts::labels) {
  Picture p{400, 200, {}, {}};
  const Metrics m = fixed_metrics();
  Pen pen(p, m);
  draw(pen);
  return hard_to_read(p, dark_theme(), texts);
}

TEST(Reading, FindsEachKindOfFault) {
  const Colour ink = dark_theme().ink;
  EXPECT_THAT(faults([&](Pen& pen) {
                pen.text({10, 20}, "boxed values were...", 13, ink);
              }).at(0),
              HasSubstr("is cut"));
  EXPECT_THAT(faults([&](Pen& pen) { pen.text({10, 20}, "...", 13, ink); }), IsEmpty());

  const auto pair = [&](float gap, bool boxes) {
    return faults([&](Pen& pen) {
      float x = 10;
      for (const char* words : {"22", "24"}) {
        const float w = pen.width(words, 10, Font::mono);
        if (boxes) pen.rect({x - gap / 2 + 0.5f, 10, w + gap - 1, 20}, dark_theme().cell, dark_theme().line);
        x = pen.text({x, 20}, words, 10, ink, Font::mono).right() + gap;
      }
    });
  };
  EXPECT_THAT(pair(2, false).at(0), HasSubstr("runs into"));
  EXPECT_THAT(pair(2, true).at(0), HasSubstr("runs into"));
  EXPECT_THAT(pair(4, false).at(0), HasSubstr("runs into"));
  EXPECT_THAT(pair(4, true), IsEmpty()) << "an edge parts them";
  EXPECT_THAT(pair(6, false), IsEmpty());
  EXPECT_THAT(faults(
                  [&](Pen& pen) {
                    const Box at = pen.text({10, 20}, "sum[3]", 10, ink, Font::mono);
                    pen.text({at.right(), 20}, ".", 10, ink);
                  },
                  Texts::sentences),
              IsEmpty());

  const auto cell = [&](const char* tip, bool told) {
    return faults([&](Pen& pen) {
      HitRegion h;
      h.what = HitRegion::cell;
      h.box = {10, 10, 30, 24};
      h.tip = tip;
      h.name = "before:s[0]";
      pen.hit(h);
      if (told) pen.text(h.box.centre(), "17", 12, ink, Font::mono, Align::centre);
    });
  };
  EXPECT_THAT(cell("s[0] = 17.", false).at(0), HasSubstr("shows nothing"));
  EXPECT_THAT(cell("s[0] = 17.", true), IsEmpty());
  EXPECT_THAT(cell("s[0]: never written yet.", false), IsEmpty());
  EXPECT_THAT(cell("s[0] = 1234567.", false), IsEmpty()) << "no room for it";

  EXPECT_THAT(faults([&](Pen& pen) {
                pen.curve({10, 10}, {10, 50}, {40, 50}, {90, 50}, ink);
                pen.curve({30, 10}, {30, 50}, {60, 50}, {120, 50}, ink);
                pen.text({80, 50}, "7", 12, ink, Font::mono, Align::centre);
              }).at(0),
              HasSubstr("several arrows"));
}

/// As on screen: sizes are whole pixels, and so are letters.
Metrics whole_pixels() {
  return {[](Font f, float size, const std::string& s) {
    const float em = std::max(1.0f, std::round(size));
    return float(s.size()) * std::ceil(em * (f == Font::mono || f == Font::mono_bold ? 0.6f : 0.55f));
  }};
}

TEST(Reading, FindsCommasThatTheLanguageWritesOtherwise) {
  EXPECT_TRUE(has_narrow_comma("线程块 0, 8 个线程"));
  EXPECT_TRUE(has_narrow_comma("n = 24, 个"));
  EXPECT_FALSE(has_narrow_comma("线程块 0，8 个线程"));
  EXPECT_FALSE(has_narrow_comma("用 , 和 . 键"));
  EXPECT_FALSE(has_narrow_comma("sum[1], sum[3]"));
  EXPECT_TRUE(has_ungrouped_count("14 registers a thread, 1024 bytes a block"));
  EXPECT_TRUE(has_ungrouped_count("n = 1024"));
  EXPECT_FALSE(has_ungrouped_count("32 of 1,024 bank slots used"));
  EXPECT_FALSE(has_ungrouped_count("lines 1024 to 1100 are left out"));
  EXPECT_FALSE(has_ungrouped_count("2069"));
}

TEST(Reading, SizesAreMeasuredWhereTheyAreDrawn) {
  Picture p;
  const Metrics m = whole_pixels();
  const Pen pen(p, m);
  for (float room = 12; room < 60; room += 0.7f)
    for (const char* words : {"7", "13", "132", "1024"}) {
      const float size = fitting_size(pen, {words}, room, 17, 9, Font::mono_bold);
      EXPECT_TRUE(size == 9 || pen.width(words, size, Font::mono_bold) <= room) << words << " " << room;
      if (size < 17) { EXPECT_GT(pen.width(words, size + 1, Font::mono_bold), room) << words << " " << room; }
    }
}

TEST(Reading, LinesAndNamesAreWhole) {
  Picture p{400, 200, {}, {}};
  const Metrics m = fixed_metrics();
  Pen pen(p, m);
  const std::string words = "boxed values were read before the barrier and kept in registers";
  std::string again;
  for (const std::string& line : in_lines(pen, words, 150, 10)) {
    EXPECT_LE(pen.width(line, 10), 150);
    again += (again.empty() ? "" : " ") + line;
  }
  EXPECT_EQ(again, words);
  std::string chinese;
  for (const std::string& line : in_lines(pen, "方框中的值在屏障之前读出，保存在寄存器中", 85, 10)) {
    EXPECT_LE(pen.width(line, 10), 85);
    chinese += line;
  }
  EXPECT_EQ(chinese, "方框中的值在屏障之前读出，保存在寄存器中");
  name_in(pen, {0, 0, 90, 30}, "Interleaved global unroll 4", 13, 9, dark_theme().ink);
  std::string name;
  for (const Shape& s : p.shapes) name += (name.empty() ? "" : " ") + s.words;
  EXPECT_EQ(name, "Interleaved global unroll 4");
}

TEST(Reading, CellsOfEveryKernelTellTheirValues) {
  for (const Algorithm* a : catalog()) {
    const RunQueries m = model_of(a->name);
    for (const Metrics& metrics : {fixed_metrics(), whole_pixels()})
      for (const int step : {0, steps(m.run()) / 2, steps(m.run()) - 1})
        for (const float w : {760.0f, 1110.0f}) {
          const Cursor c = at_step(m.run(), {}, std::max(0, step));
          if (!m.step(c)) continue;
          const Picture p = array_view(m, c, dark_theme(), metrics, w, 400);
          for (const std::string& fault : hard_to_read(p, dark_theme(), Texts::sentences))
            ADD_FAILURE() << a->name << ", step " << step << ", " << w << ": " << fault;
        }
  }
}

TEST(Reading, ALensMarksWhereItJumps) {
  const RunQueries m = model_of("reduce/shared", 64, 64);
  const Cursor c = at_step(m.run(), {}, 1);
  const Picture p = array_view(m, c, dark_theme(), fixed_metrics(), 870, 400);
  std::vector<int> shown;
  for (const HitRegion& h : p.hits)
    if (h.name.starts_with("before:")) shown.push_back(h.b);
  int jumps = 0;
  for (size_t k = 1; k < shown.size(); ++k) {
    if (shown[k] == shown[k - 1] + 1) continue;
    ++jumps;
    const HitRegion* mark = hit_named(p, "gap:" + std::to_string(shown[k - 1] + 1));
    ASSERT_TRUE(mark) << shown[k - 1] << " to " << shown[k];
    EXPECT_THAT(mark->tip, HasSubstr(std::to_string(shown[k] - 1)));
  }
  EXPECT_GT(jumps, 0);
}

// --- the source ---------------------------------------------------------------------------------------

std::string letters_of(const std::string& s) {
  std::string out;
  for (const char c : s)
    if (c != ' ' && c != '\t' && c != '/') out += c;  // a comment's lines are marked each
  return out;
}

std::vector<std::string> source_of(const RunQueries& m, const Cursor& c) {
  const auto& source = m.trace().sources[size_t(m.trace().launches[size_t(c.launch)].source)];
  std::vector<std::string> lines(1);
  for (const char letter : source.text) {
    if (letter == '\n')
      lines.emplace_back();
    else
      lines.back() += letter;
  }
  return lines;
}

/// The code that the panel shows of a line, blanks left out.
std::string shown_of(const Picture& p, int line) {
  const HitRegion* h = hit_named(p, "line:" + std::to_string(line));
  if (!h) return {};
  std::string out;
  for (const Shape& s : p.shapes)
    if (s.type == Shape::text && h->box.contains(s.box.centre()) && s.words.find(" = ") == std::string::npos)
      out += s.words;
  return letters_of(out);
}

TEST(Source, SelectedAndRunningLinesAreInViewAndWhole) {
  for (const Algorithm* a : catalog()) {
    const RunQueries m = model_of(a->name);
    for (const int step : {0, steps(m.run()) / 2, steps(m.run()) - 1}) {
      Cursor c = at_step(m.run(), {}, std::max(0, step));
      if (!m.step(c) || m.trace().launches[size_t(c.launch)].source < 0) continue;
      const auto lines = source_of(m, c);
      for (const int chosen : {0, 1, int(lines.size()) / 3, int(lines.size()) * 2 / 3}) {
        c.line = chosen;
        const Picture p = source_panel(m, c, dark_theme(), fixed_metrics(), 380, 516);
        EXPECT_THAT(hard_to_read(p, dark_theme(), Texts::sentences, false,
                                 m.trace().sources[size_t(m.trace().launches[size_t(c.launch)].source)].text),
                    IsEmpty())
            << a->name << " " << step;
        if (chosen > 0 && lines[size_t(chosen) - 1].find(" = ") == std::string::npos &&
            !lines[size_t(chosen) - 1].starts_with("static const")) {
          EXPECT_THAT(shown_of(p, chosen), HasSubstr(letters_of(lines[size_t(chosen) - 1])))
              << a->name << " " << step << " line " << chosen;
        }
        const auto& running = m.step(c)->lines();
        if (running.empty()) continue;
        EXPECT_TRUE(std::any_of(
            running.begin(), running.end(),
            [&](const auto& l) { return hit_named(p, "line:" + std::to_string(l.first)) != nullptr; }))
            << a->name << " " << step << ": a running line is in view";
      }
    }
  }
}

TEST(Source, HidesTheRegistrationUntilItIsAskedFor) {
  for (const Algorithm* a : catalog()) {
    const RunQueries m = model_of(a->name);
    const Cursor c = at_step(m.run(), {}, 0);
    if (!m.step(c) || m.trace().launches[size_t(c.launch)].source < 0) continue;
    const auto lines = source_of(m, c);
    const auto at = std::find_if(lines.begin(), lines.end(),
                                 [](const std::string& l) { return l.starts_with("static const Register"); });
    if (at == lines.end()) continue;  // in a header that several kernels share
    const int first = int(at - lines.begin()) + 1;
    WatchState s;
    s.source_scroll_at = m.step(c)->flow_index;
    s.source_scroll = int(lines.size());
    const Picture folded = source_panel(m, c, dark_theme(), fixed_metrics(), 380, 516, s);
    EXPECT_TRUE(hit_named(folded, "source:registration")) << a->name;
    EXPECT_FALSE(hit_named(folded, "line:" + std::to_string(first + 1))) << a->name;
    s.registration = true;
    const Picture open = source_panel(m, c, dark_theme(), fixed_metrics(), 380, 2400, s);
    EXPECT_TRUE(hit_named(open, "line:" + std::to_string(first + 1))) << a->name;
  }
}

TEST(Source, ScrollsFromTheFirstLineToTheLast) {
  const RunQueries m = model_of("scan/look-back");
  const Cursor c = at_step(m.run(), {}, 1);
  const int lines = int(source_of(m, c).size()) - 1;
  WatchState s;
  s.registration = true;
  s.source_scroll_at = m.step(c)->flow_index;
  for (const auto& [by, line] : {std::pair{-lines, 1}, {lines, lines}}) {
    s.source_scroll = by;
    const Picture p = source_panel(m, c, dark_theme(), fixed_metrics(), 380, 516, s);
    EXPECT_TRUE(hit_named(p, "line:" + std::to_string(line))) << by;
    EXPECT_EQ(misplaced_text(p), "");
  }
  s.source_scroll_at += 1;  // another step: back to what runs
  const Picture p = source_panel(m, c, dark_theme(), fixed_metrics(), 380, 516, s);
  EXPECT_FALSE(hit_named(p, "line:" + std::to_string(lines)));
}

}  // namespace
}  // namespace bscope
