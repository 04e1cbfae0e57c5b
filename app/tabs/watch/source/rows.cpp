#include <algorithm>
#include <string>
#include <utility>

#include "app/draw/chart.hpp"
#include "app/draw/layout.hpp"
#include "app/draw/tree.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/source/content.hpp"
#include "app/tabs/watch/source/grid.hpp"
#include "app/tabs/watch/source/parts.hpp"
#include "app/tabs/watch/source/text.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

/// In the gutter: the mark that unfolds the line's instructions.
void draw_unfolding(const DrawContext& p, const SourceContent& source, const SourceGrid& at,
                    const SourceRow& one) {
  const float left = at.code_left;
  if (p.t.printed && !source.unfolded(one.number)) return;
  fold_mark(p, {left - at.number_gap / 2, one.box.y + at.row / 2}, p.t.px(3.5f, 5),
            source.unfolded(one.number), p.t.ink2);
  press(p.pen, p.t,
        {.what = HitRegion::button,
         .box = {left - at.number_gap, one.box.y, at.number_gap, std::min(at.row, one.box.h)},
         .tip = source.unfolded(one.number)
                    ? tr("Click to fold the line's instructions.")
                    : tr("What nvcc makes of this line. Click to see its instructions."),
         .name = "source:unfold:" + std::to_string(one.number),
         .press = [line = one.number](LoadedState& s, float) { s = unfold_code(std::move(s), line); }});
}

/// In the gutter: a bar where threads meet, a hollow one where they do not any more. Pressed, it changes.
void draw_barrier(const DrawContext& p, const SourceContent& source, const SourceGrid& at,
                  const SourceRow& one) {
  const bool away = source.barriers.left_out.contains(one.number);
  if (!away && !source.barriers.met.contains(one.number)) return;
  if (source.is_coming(one.number)) return;
  const float y = one.box.y + at.row / 2, x = p.t.px(7, 6), w = margin(p.t) - x - p.t.px(2, 1);
  const float h = p.t.px(4, 14);
  p.pen.rect({x, y - h / 2, w, h}, away ? 0 : p.t.barrier, p.t.barrier, p.t.px(1.2f), std::min(w, h) / 2);
  if (away) {  // struck out, but for a comment
    const std::string& code = source.text(one.number);
    const float from = float(std::min(code.find_first_not_of(' '), code.size())),
                to = float(std::min(code.find(';'), code.size() - 1) + 1), left = at.code_left;
    p.pen.line({left + from * at.letter, y}, {left + std::min(to * at.letter, at.room()), y}, p.t.race,
               p.t.px(1.5f, 2.5f));
  }
  if (p.t.printed) return;
  press(p.pen, p.t,
        {.what = HitRegion::button,
         .box = {0, one.box.y, at.code_left - at.number_gap / 2, at.row},
         .tip = away ? tr("The run is without this barrier. Click to put it back.")
                     : tr("A barrier. Click to run without it, and see what happens."),
         .name = "source:barrier:" + std::to_string(one.number),
         .press = [line = one.number](LoadedState& s, float) { s = turn_barrier(std::move(s), line); }});
}

}  // namespace

void draw_source_line(const DrawContext& p, const SourceContent& source, const SourceGrid& at,
                      const SourceRow& one, const LayoutNode& form) {
  const int number = one.number;
  const LineRole* role = source.role_of(number);
  const bool now = source.is_now(number), lit = source.is_lit(number),
             selected = number == source.cursor.line;
  const float left = at.code_left, y = one.box.y + at.row / 2;
  if (source.sub ? now : lit && !(source.folded && source.folds(number))) p.pen.rect(one.box, p.t.selected);
  if (role)
    p.pen.rect({0, one.box.y, p.t.px(5), one.box.h},
               now ? colour_of(p.t, role->what) : mix(colour_of(p.t, role->what), p.t.panel, 0.35f));
  const bool wrong = source.wrong.contains(number);
  if (wrong) {
    const float edge = p.t.px(5);
    p.pen.rect({edge, one.box.y, left - at.number_gap / 2 - edge, at.row}, mix(p.t.race, p.t.panel, 0.25f),
               p.t.race, p.t.px(1), p.t.px(3));
  }
  p.pen.text({left - at.number_gap, y}, std::to_string(number), at.size,
             selected || wrong ? p.t.ink
             : lit             ? p.t.ink2
                               : p.t.ink3,
             selected || wrong ? Font::mono_bold : Font::mono, Align::right);
  if (source.sub && now)  // the line of the one instruction that is shown
    p.pen.polygon({{p.t.px(8), y - p.t.px(4)}, {p.t.px(8), y + p.t.px(4)}, {p.t.px(13), y}}, p.t.ink);
  if (source.folds(number) && !p.t.printed)
    fold_mark(p, {left - at.number_gap / 2, y}, p.t.px(3.5f, 5), !source.folded, p.t.ink2);
  draw(p, form, {left, one.box.y, at.room(), one.box.h});
  if (const auto it = source.profile.find(number); it != source.profile.end() && !source.is_coming(number))
    draw(p, profile_of_line(at, p.t, it->second),
         {at.code_right + p.t.px(6), one.box.y, at.width - at.right - at.code_right - p.t.px(6), at.row});
  Box box = one.box;
  box.w -= p.t.px(10);
  p.pen.hit({HitRegion::line, box, number, 0, source.tip_of(number), "line:" + std::to_string(number)});
  draw_barrier(p, source, at, one);
  if (source.machine && source.machine->has(number) && !source.folds(number) && !source.is_coming(number))
    draw_unfolding(p, source, at, one);
  if (!source.folds(number)) return;
  press(p.pen, p.t,
        {.what = HitRegion::button,
         .box = {0, box.y, source.folded ? box.w : left, at.row},
         .tip = source.folded ? tr("How the kernel is entered into the list of algorithms: its name, its "
                                   "parameters, what it promises. Click to open.")
                              : tr("Click to fold how the kernel is entered into the list."),
         .name = "source:registration",
         .press = [](LoadedState& s, float) { s = fold_registration(std::move(s)); }});
}

void draw_left_out_lines(const DrawContext& p, const SourceGrid& at, const SourceRow& one) {
  const float d = p.t.px(2.5f, 4), y = one.box.centre().y;
  for (int k = -1; k <= 1; ++k)
    p.pen.disc({at.code_left - p.t.px(18, 14) + 2 * d * float(k), y}, d / 2, p.t.ink2);
  draw(p,
       line({one.left_out == one.number ? tr("line {} is left out", one.number)
                                        : tr("lines {} to {} are left out", one.number, one.left_out)},
            {.size = at.size, .colour = p.t.ink3}),
       {at.code_left, one.box.y, at.room(), one.box.h});
  Box box = one.box;
  box.w -= p.t.px(10);
  p.pen.hit({HitRegion::other, box, one.number, one.left_out,
             tr("Lines {} to {} are left out: turn the wheel to see them.", one.number, one.left_out),
             "source:gap"});
}

void draw_source_scroll_bar(const DrawContext& p, const SourceGrid& at, int lines, Box page,
                            LineRange in_view, int home, int last_top) {
  const float w = p.t.px(3), all = float(lines);
  const Box bar{at.width - p.t.px(5), page.y, w, page.h};
  const float y = bar.h * float(in_view.first - 1) / all,
              part = bar.h * float(std::max(1, in_view.last - in_view.first + 1)) / all;
  p.pen.rect(bar, mix(p.t.line, p.t.panel, 0.6f), 0, 1, w / 2);
  p.pen.rect({bar.x, bar.y + y, w, clamp_or_least(part, p.t.px(10), bar.h - y)}, p.t.ink3, 0, 1, w / 2);
  p.pen.hit({HitRegion::other,
             {bar.x - p.t.px(5), bar.y, p.t.px(9), bar.h},
             std::min(0, 1 - home),
             std::max(0, last_top - home),
             tr("Lines {} to {} of {}: turn the wheel to see the others; with Shift it goes sideways.",
                in_view.first, in_view.last, lines),
             "source:scroll"});
}

}  // namespace bscope
