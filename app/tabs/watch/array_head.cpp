// Above the cells: what is shown and where in the run it stands, and which threads work.
#include <algorithm>

#include "app/draw/controls.hpp"
#include "app/draw/layout.hpp"
#include "app/run/titles.hpp"
#include "app/tabs/watch/array_parts.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/why_idle.hpp"

namespace bscope {
namespace {

/// Side by side from the left to the right margin, about this middle.
void draw_line(Scene& v, float middle, LayoutNode form) {
  const float left = margin(v.theme), h = v.label_size() + v.px(8);
  draw({v.pen, v.theme}, form, {left, middle - h / 2, v.picture.width - 2 * left, h});
}

/// A name that can be chosen, underlined where it is; left out where it has no room. In a printed figure only
/// what is shown; the rest serves to be pressed.
LayoutNode link(const Scene& v, const std::string& words, bool current, Font font, HitRegion hit) {
  const Theme& t = v.theme;
  if (t.printed && !current) return {};
  Words name{words, current ? t.ink : t.ink3, font};
  if (!t.printed) name.hit = std::move(hit);
  if (current && !t.printed) name.underline = t.ink2;
  LayoutNode form = text({std::move(name)}, {.size = t.label()});
  form.least = form.wanted;
  return form;
}

/// What a press does, as a pure step; by so much.
template <State (*Step)(State)>
void steps_to(State& s, float) {
  s = Step(std::move(s));
}
template <int By>
void other_block(State& s, float) {
  const int to = s.cursor.block + By;
  s = to_block(std::move(s), to);
}

void thread_box(Scene& v, const Box& box, bool works, bool followed) {
  const float radius = std::min(v.px(4), box.w / 4);
  if (works) {
    const float lit = ease_out(progress(v.cursor.phase, 0, 80));
    v.pen.rect(box, mix(v.theme.thread, v.theme.cell, 0.35f + 0.65f * lit), 0, 1, radius);
  } else {
    v.pen.hatch(box, mix(v.theme.idle, v.theme.panel, v.theme.dark() ? 0.28f : 0.3f), v.px(7), v.px(1));
    v.pen.rect(box, 0, mix(v.theme.idle, v.theme.panel, 0.6f), v.px(1), radius);
  }
  if (followed) {
    const float out = v.px(1);
    v.pen.rect(grown(box, out), 0, v.theme.ink, v.px(2), radius + out);
  }
}

void thread_hit(Scene& v, const Box& box, int k, bool reasons) {
  const std::string thread = named_thread(v, k);
  std::string tip;
  if (v.works(k))
    tip = v.sub ? tr("Thread {} takes part in this instruction.", thread)
                : tr("Thread {} reads or writes in this step.", thread);
  else if (v.sub)
    tip = tr("Thread {} takes no part in this instruction.", thread);
  else if (const WhyIdle why = reasons ? why_idle(v.model.trace(), *v.step.interval, k) : WhyIdle{};
           why.ended)
    tip = tr("Thread {} has returned already.", thread);
  else if (why.line > 0)
    tip = tr("Thread {} touches no cell in this step: its condition in line {} was false.", thread, why.line);
  else
    tip = tr("Thread {} touches no cell in this step.", thread);
  tip += tr(" Click to follow it.");
  v.pen.hit({HitRegion::thread, box, k, 0, tip, "thread:" + std::to_string(k)});
}

}  // namespace

void draw_where(Scene& v) {
  const auto& launches = v.model.trace().launches;
  const Theme& t = v.theme;
  const int blocks = launches[size_t(v.block.launch)].grid;
  // a figure's caption says where it is
  if ((launches.size() < 2 && blocks < 2) || t.projector() || t.printed) return;
  std::vector<LayoutNode> parts;
  if (launches.size() > 1) {
    const float names = v.columns.left - margin(t) - v.px(14);
    parts.push_back(drawing(names, t.line_height(), [&](const DrawContext& p, Box b) {
      p.pen.text({b.x, b.centre().y}, tr("launch"), t.label(), t.ink2);
    }));
    // those around the present one, as far as there is room
    const int all = int(launches.size());
    for (int k = all > 4 ? std::clamp(v.block.launch - 1, 0, all - 4) : 0; k < all; ++k) {
      const Launch& l = launches[size_t(k)];
      parts.push_back(
          link(v, numbered(l, std::to_string(launch_number(k)), " "), k == v.block.launch, Font::text,
               {.what = HitRegion::button,
                .box = {},
                .a = k,
                .tip = is_between_launches(l) ? tr("What changed memory between launches. Click to go to it.")
                                              : tr("Launch {} of {}: {} blocks of {} threads.",
                                                   launch_number(k), all, l.grid, l.block),
                .name = "launch:" + std::to_string(k),
                .press = [k](State& s, float) { s = to_launch(std::move(s), k); }})
              .gives(1));
    }
  }
  parts.push_back(space(0).grows());
  if (blocks > 1) {
    const bool all = v.shows_blocks();
    LayoutNode block =
        row(v.px(6),
            {button({"block:previous", "<", tr("Block before. Key Page Up."), false, 0, other_block<-1>}),
             line({tr("block {} of {}", v.home, blocks)}, {t.label(), t.ink}),
             button({"block:next", ">", tr("Next block. Key Page Down."), false, 0, other_block<1>}),
             button({"blocks:all", tr("all blocks"), tr("Show every block of this launch, small. Key B."),
                     all, 0, steps_to<all_blocks>})});
    block.least = block.wanted;
    parts.push_back(std::move(block));
  }
  draw_line(v, v.y + v.px(9), row(v.px(14), std::move(parts)));
  v.y += v.px(22);
}

void draw_title(Scene& v) {
  const Theme& t = v.theme;
  if (t.projector()) {
    v.y = v.px(8);
    return;
  }
  // left: what is shown, and what else could be
  const bool all = v.state.all_arrays && !v.shows_blocks() && !v.hides();
  const int warp = v.shows_blocks() || all ? -1 : shown_warp(v);
  const LineLook title{.size = t.title(), .colour = t.ink, .font = Font::text_bold};
  std::vector<LayoutNode> parts{line({all                          ? tr("Memory")
                                      : warp >= 0                  ? tr("Registers")
                                      : v.to.array >= first_shared ? tr("Shared memory")
                                                                   : tr("Global memory")},
                                     title)
                                    .gives(1)};
  const auto names = [&](const std::string& words, bool current, Font font, HitRegion hit, int gives) {
    if (LayoutNode form = link(v, words, current, font, std::move(hit)); !form.empty())
      parts.push_back(std::move(form).gives(gives));
  };
  if (has_lanes(v))
    names(warp >= 0 ? tr("lanes of warp {}", warp) : tr("lanes"), warp >= 0, Font::text,
          {.what = HitRegion::button,
           .box = {},
           .a = -1,
           .tip = tr("A lane is a thread's place in its warp of 32: lanes hand each other values from "
                     "register to register."),
           .name = "array:lanes",
           .press = shows_array(-1)},
          3);
  std::vector<int> arrays{v.to.array};
  for (const auto& [id, unused] : v.block.parts)
    if (id != v.to.array) arrays.push_back(id);
  const bool several = arrays.size() > 1;
  if (all) arrays.clear();  // they are named below
  for (const int id : arrays)
    names(v.part_name(v.part(id)), !several || (warp < 0 && id == v.to.array), Font::mono,
          array_hit(v, v.part(id)), 4);
  // its place is kept, however many names there are
  if (several)
    names(tr("all arrays"), all, Font::text,
          {.what = HitRegion::button,
           .box = {},
           .tip = tr("Show every array that the block touches, small. Keys Alt+G."),
           .name = "arrays:all",
           .press = steps_to<all_arrays>},
          2);
  // right: where we are
  std::string phase = capital(phase_name(v.model, v.step));
  if (v.step.phase_count > 1) phase = tr("{} {} of {}", phase, v.step.phase_number, v.step.phase_count);
  parts.push_back(space(0).grows());
  parts.push_back(line({phase}, title));
  if (v.step.stride())
    parts.push_back(line({tr("stride {}", v.step.stride())}, {t.label(), t.ink2, Font::mono}));
  draw_line(v, v.px(18), row(v.px(14), std::move(parts)));
  v.y = v.px(32);
  draw_where(v);
}

HitRegion array_hit(const Scene& v, const ArrayRange& p) {
  const ArrayInfo& info = v.model.array(v.block.launch, p.array);
  return {.what = HitRegion::button,
          .box = {},
          .a = p.array,
          .tip = p.array >= first_shared ? tr("Show {}, shared by the threads of a block.", info.name)
                                         : tr("Show {}, in global memory.", info.name),
          .name = "array:" + info.name,
          .press = shows_array(p.array)};
}

std::string substep_sentence(const RunQueries& model, const WarpInstruction& i) {
  const int launch = i.step->interval->launch;
  const std::string place = tr("{} of {}: line {}, warp {}, ", i.number + 1, i.of, i.what.line, i.what.warp);
  if (const WarpAccess* r = i.request) {
    const std::string array = model.array(launch, r->array).name;
    const std::string lanes = tr_count(r->lanes.size(), "{} lane", "{} lanes");
    const std::string does = is_atomic(r->op) ? tr("updates {}", array)
                             : writes(r->op)  ? tr("stores to {}", array)
                                              : tr("loads {}", array);
    const std::string cost = r->shared() ? tr_count(r->wavefronts, "{} wavefront", "{} wavefronts")
                                         : tr_count(r->sectors, "{} sector", "{} sectors");
    return tr("Request {}{}, {}, {}", place, lanes, does, cost);
  }
  const Exchange& e = *i.exchange;
  const std::string lanes = tr_count(e.lanes.size(), "{} lane", "{} lanes");
  const std::string does(e.op == Op::shuffle  ? tr("shuffle")
                         : e.op == Op::reduce ? tr("sum of lanes")
                         : e.op == Op::ballot ? tr("ballot")
                                              : tr("match"));
  return tr("Request {}{}, {}, no memory", place, lanes, does);
}

void draw_substep(Scene& v) {
  if (!v.sub) return;
  const Theme& t = v.theme;
  const LayoutNode bar = row(
      v.px(6),
      {button({"substep:previous", "<", tr("One warp instruction back. Key ,"), false, 0,
               steps_to<previous_substep>}),
       button({"substep:next", ">", tr("One warp instruction on. Key ."), false, 0, steps_to<next_substep>}),
       line({substep_sentence(v.model, *v.sub)}, {.size = t.label(), .colour = t.ink, .cut = true}).grows(),
       button({"substep:leave", tr("whole step"), tr("Show the whole step again. Key Esc."), false, 0,
               [](State& s, float) { s.cursor.substep = -1; }})});
  const float h = t.label() + v.px(12);
  draw({v.pen, t}, padded(bar, v.px(4), v.px(2), t.selected, t.round()),
       {margin(t), v.y, v.picture.width - 2 * margin(t), h});
  v.y += h + v.px(8);
}

void draw_threads(Scene& v) {
  // each over the cells of its share, where all of them are in view; else side by side
  const int share = std::max(1, shown_part(v.model, v.cursor).size / v.threads);
  const bool over_cells = v.threads <= wrap_at && v.columns.rows == 1 &&
                          v.columns.visible == v.columns.size && v.threads * share <= v.columns.size;
  const float left = v.columns.left, right = std::max(v.columns.right(), left + v.px(32 * 12));
  const float pitch = over_cells ? v.columns.pitch * float(share) : (right - left) / float(v.threads);
  const float height = v.label_size() + v.px(v.theme.projector() ? 10 : 13);
  const float size = v.label_size(), middle = v.y + height / 2;
  // On a projector the letters are large: words take the narrower font.
  const Font loud = v.theme.projector() ? Font::text_bold : Font::mono_bold;
  const Font quiet = v.theme.projector() ? Font::text : Font::mono;
  const std::string last = "t" + std::to_string(v.threads - 1);
  const float widest =
      std::max(v.pen.width(tr("{} works", last), size, loud), v.pen.width(tr("{} idle", last), size, quiet));
  const float short_width = v.pen.width(last, size, loud);
  const float chip_gap = v.px(6);
  if (v.threads <= wrap_at && pitch - chip_gap > short_width + v.px(6)) {
    const bool words = pitch - chip_gap > widest + v.px(8);
    v.label_at(middle, tr("threads"), Font::text, v.theme.ink2);
    const float chip = std::min(pitch, widest + v.px(60)) - chip_gap;
    for (int k = 0; k < v.threads; ++k) {
      const bool works = v.works(k);
      const Box box{left + (float(k) + 0.5f) * pitch - chip / 2, v.y, chip, height};
      thread_box(v, box, works, k == v.followed);
      const std::string name = "t" + std::to_string(k);
      const std::string label = !words ? name : works ? tr("{} works", name) : tr("{} idle", name);
      v.pen.text(box.centre(), label, size, works ? v.theme.on(v.theme.thread) : v.theme.ink2,
                 works ? loud : quiet, Align::centre);
      thread_hit(v, box, k, true);
    }
    v.y += height + v.px(v.theme.projector() ? 8 : 9);
    return;
  }
  const int working = v.sub ? int(v.sub->ranks.size()) : v.step.working;
  v.pen.text({margin(v.theme), middle},
             spelled(v.pen,
                     {tr("{}/{} threads", working, v.threads), tr("{}/{} work", working, v.threads),
                      std::to_string(working) + "/" + std::to_string(v.threads), tr("{} work", working),
                      std::to_string(working)},
                     left - margin(v.theme) - v.px(6), size, Font::text, true),
             size, v.theme.ink2);
  if (pitch >= v.px(5)) {
    const float gap = v.px(pitch >= v.px(10) ? 2 : 1);
    for (int k = 0; k < v.threads; ++k) {
      const Box box{left + float(k) * pitch + gap / 2, v.y, pitch - gap, height};
      thread_box(v, box, v.works(k), k == v.followed);
      thread_hit(v, box, k, v.threads <= 64);
    }
  } else {
    // a strip a warp, with a gap between warps where there is room for one
    const int warps = (v.threads + warp_size - 1) / warp_size;
    const float warp_pitch = (right - left) / float(warps), gap = warp_pitch >= v.px(12) ? v.px(3) : 0;
    for (int w = 0; w < warps; ++w) {
      const int lanes = std::min(warp_size, v.threads - w * warp_size);
      const Box box{left + float(w) * warp_pitch, v.y, warp_pitch - gap, height};
      std::vector<Colour> marks;
      for (int k = w * warp_size; k < w * warp_size + lanes; ++k)
        marks.push_back(v.works(k) ? v.theme.thread : mix(v.theme.idle, v.theme.panel, 0.35f));
      v.pen.strip(box, std::move(marks));
      thread_hit(v, box, w * warp_size, false);
      if (v.followed >= 0 && v.followed / warp_size == w) {
        v.pen.rect(grown(box, v.px(1)), 0, v.theme.ink, v.px(2));
        const float x = box.x + (float(v.followed % warp_size) + 0.5f) / float(lanes) * box.w;
        v.pen.polygon(
            {{x, v.y + height}, {x - v.px(5), v.y + height + v.px(6)}, {x + v.px(5), v.y + height + v.px(6)}},
            v.theme.ink);
      }
    }
  }
  v.y += height + v.px(v.theme.projector() ? 8 : 9);
}

}  // namespace bscope
