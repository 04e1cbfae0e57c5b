#include "app/tabs/watch/array/title.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/draw/controls.hpp"
#include "app/draw/layout.hpp"
#include "app/run/titles.hpp"
#include "app/run/values.hpp"
#include "app/tabs/watch/array/content.hpp"
#include "app/tabs/watch/array/grid.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/array/warp.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

/// Side by side from the left to the right margin, about this middle.
void draw_line(Pen& pen, const Theme& t, float width, float middle, const LayoutNode& form) {
  const float left = margin(t), h = t.label() + t.px(8);
  draw({pen, t}, form, {left, middle - h / 2, width - 2 * left, h});
}

/// A name that can be chosen, underlined where it is; left out where it has no room. In a printed figure only
/// what is shown; the rest serves to be pressed.
LayoutNode link(const Theme& t, const std::string& words, bool current, Font font, HitRegion hit) {
  if (t.printed && !current) return {};
  Words name{words, current ? t.ink : t.ink3, font};
  if (!t.printed) name.hit = std::move(hit);
  if (current && !t.printed) name.underline = t.ink2;
  LayoutNode form = text({std::move(name)}, {.size = t.label()});
  form.least = form.wanted;
  return form;
}

/// What a press does, as a pure step; by so much.
template <LoadedState (*Step)(LoadedState)>
void steps_to(LoadedState& s, float) {
  s = Step(std::move(s));
}
template <int By>
void other_block(LoadedState& s, float) {
  const int to = s.cursor.block + By;
  s = to_block(std::move(s), to);
}

/// `named`: with its name; a question may be open that it would answer.
LayoutNode launch_link(const Theme& t, const Trace& trace, int k, bool current, bool named) {
  const Launch& l = trace.launches[size_t(k)];
  const std::string number = std::to_string(launch_number(trace, k));
  return link(
      t, named ? numbered(trace, l, number, " ") : number, current, Font::text,
      {.what = HitRegion::button,
       .box = {},
       .a = k,
       .tip = is_between_launches(l) ? tr("What changed memory between launches. Click to go to it.")
                                     : tr("Launch {} of {}: {} blocks of {} threads.",
                                          launch_number(trace, k), launch_count(trace), l.grid, l.block),
       .name = "launch:" + std::to_string(k),
       .press = [k](LoadedState& s, float) { s = to_launch(std::move(s), k); }});
}

/// Those around the present one, as far as there is room. `names`: width of what stands before them. Without
/// `future` later ones are numbers.
void add_launches(std::vector<LayoutNode>& parts, const Theme& t, const Trace& trace, int present,
                  float names, bool future) {
  parts.push_back(drawing(names, t.line_height(), [](const DrawContext& p, Box b) {
    p.pen.text({b.x, b.centre().y}, tr("launch"), p.t.label(), p.t.ink2);
  }));
  constexpr int most = 12;
  const int all = int(trace.launches.size()),
            first = std::clamp(present - most / 2, 0, std::max(0, all - most));
  for (int k = first; k < std::min(all, first + most); ++k)
    parts.push_back(launch_link(t, trace, k, k == present, future || k <= present)
                        .gives(1 + std::abs(k - present)));  // those farthest away go first
}

LayoutNode block_buttons(const Theme& t, int home, int blocks, bool all_shown) {
  LayoutNode form = row(
      t.px(6), {button({"block:previous", "<", tr("Block before. Key Page Up."), false, 0, other_block<-1>}),
                line({tr("block {} of {}", home, blocks)}, {t.label(), t.ink}),
                button({"block:next", ">", tr("Next block. Key Page Down."), false, 0, other_block<1>}),
                button({"blocks:all", tr("all blocks"), tr("Show every block of this launch, small. Key B."),
                        all_shown, 0, steps_to<all_blocks>})});
  form.least = form.wanted;
  return form;
}

std::string title_of(const StepView& v, const ArrayContent& shown) {
  return std::string(shown.what == ArrayContent::arrays ? tr("Memory")
                     : shown.warp >= 0                  ? tr("Registers")
                     : v.to.array >= first_shared       ? tr("Shared memory")
                                                        : tr("Global memory"));
}

LayoutNode lanes_link(const Theme& t, int warp) {
  return link(t, warp >= 0 ? tr("lanes of warp {}", warp) : tr("lanes"), warp >= 0, Font::text,
              {.what = HitRegion::button,
               .box = {},
               .a = -1,
               .tip = tr("A lane is a thread's place in its warp of 32: lanes hand each other values from "
                         "register to register."),
               .name = "array:lanes",
               .press = shows_array(-1)});
}

LayoutNode all_arrays_link(const Theme& t, bool current) {
  return link(t, tr("all arrays"), current, Font::text,
              {.what = HitRegion::button,
               .box = {},
               .tip = tr("Show every array that the block touches, small. Keys Alt+G."),
               .name = "arrays:all",
               .press = steps_to<all_arrays>});
}

/// What else could be shown: lanes, the block's arrays, the present one first, all of them.
void add_choices(std::vector<LayoutNode>& parts, const Theme& t, const StepView& v,
                 const ArrayContent& shown) {
  const auto add = [&](LayoutNode form, int gives) {
    if (!form.empty()) parts.push_back(std::move(form).gives(gives));
  };
  if (has_lanes(v)) add(lanes_link(t, shown.warp), 3);
  std::vector<int> arrays{v.to.array};
  for (const auto& [id, unused] : v.block.parts)
    if (id != v.to.array) arrays.push_back(id);
  const bool all = shown.what == ArrayContent::arrays, several = arrays.size() > 1;
  if (all) arrays.clear();  // they are named below
  for (const int id : arrays)
    add(link(t, v.part_name(v.part(id)), !several || (shown.warp < 0 && id == v.to.array), Font::mono,
             array_hit(v.array(v.part(id).array), v.part(id).array)),
        4);
  // its place is kept, however many names there are
  if (several) add(all_arrays_link(t, all), 2);
}

}  // namespace

float draw_where(Pen& pen, const Theme& t, const ArrayGrid& grid, const StepView& v, int home,
                 bool all_blocks, bool future, float y) {
  const auto& launches = v.model.trace().launches;
  const int blocks = v.launch().grid;
  // a figure's caption says where it is
  if ((launches.size() < 2 && blocks < 2) || t.projector() || t.printed) return y;
  std::vector<LayoutNode> parts;
  if (launches.size() > 1)
    add_launches(parts, t, v.model.trace(), v.block.launch, grid.columns.left - margin(t) - t.px(14), future);
  parts.push_back(space(0).grows());
  if (blocks > 1) parts.push_back(block_buttons(t, home, blocks, all_blocks));
  draw_line(pen, t, grid.width, y + t.px(9), row(t.px(14), std::move(parts)));
  return y + t.px(22);
}

float draw_title(Pen& pen, const Theme& t, const ArrayGrid& grid, const StepView& v,
                 const ArrayContent& shown, bool future) {
  if (t.projector()) return t.px(8);
  const LineLook title{.size = t.title(), .colour = t.ink, .font = Font::text_bold};
  std::vector<LayoutNode> parts{line({title_of(v, shown)}, title).gives(1)};
  add_choices(parts, t, v, shown);
  // at the right: where in the run it is
  const std::string phase = step_of_phase(phase_title(v.model.trace(), *v.step.interval),
                                          v.step.phase_number - 1, v.step.phase_count, future);
  parts.push_back(space(0).grows());
  parts.push_back(line({phase}, title));
  if (v.step.stride())
    parts.push_back(line({tr("stride {}", v.step.stride())}, {t.label(), t.ink2, Font::mono}));
  draw_line(pen, t, grid.width, t.px(18), row(t.px(14), std::move(parts)));
  return draw_where(pen, t, grid, v, v.block.block, shown.what == ArrayContent::blocks, future, t.px(32));
}

HitRegion array_hit(const ArrayInfo& info, int array) {
  return {.what = HitRegion::button,
          .box = {},
          .a = array,
          .tip = array >= first_shared ? tr("Show {}, shared by the threads of a block.", info.name)
                                       : tr("Show {}, in global memory.", info.name),
          .name = "array:" + info.name,
          .press = shows_array(array)};
}

}  // namespace bscope
