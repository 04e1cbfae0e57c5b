// Above the cells: what is shown and where in the run it stands, and who works.
#include <algorithm>

#include "app/draw/chart.hpp"
#include "app/tabs/watch/array_parts.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/why_idle.hpp"

namespace bscope {
namespace {

/// Words that answer to the mouse, one beside the other from `x` up to `right`.
struct Names {
  Scene& v;
  float x, right, y;
  /// In a printed figure only what is shown; the rest serves to be pressed.
  bool add(const std::string& words, bool current, Font font, Hit hit) {
    if (v.theme.printed && !current) return true;
    const float size = v.label_size(), w = v.pen.width(words, size, font);
    if (x + w > right) return false;
    const Box box = v.pen.text({x, y}, words, size, current ? v.theme.ink : v.theme.ink3, font);
    if (current && !v.theme.printed)
      v.pen.line({box.x, box.bottom() + v.px(1)}, {box.right(), box.bottom() + v.px(1)}, v.theme.ink2,
                 v.px(2));
    hit.box = {box.x - v.px(3), box.y - v.px(2), box.w + v.px(6), box.h + v.px(4)};
    press(v.pen, v.theme, std::move(hit));
    x += w + v.px(14);
    return true;
  }
};

/// A word in a box that answers to the mouse; `x` is its left or, if negative room, its right edge. Nothing
/// in a printed figure.
Box button(Scene& v, Point left_middle, const std::string& words, bool lit, const char* name, std::string tip,
           Does does) {
  if (v.theme.printed) return {left_middle.x, left_middle.y, 0, 0};
  const float size = v.label_size(), w = v.pen.width(words, size, Font::text_bold) + v.px(12),
              h = size + v.px(8);
  const Box box{left_middle.x, left_middle.y - h / 2, w, h};
  const Colour fill = lit ? v.theme.thread : v.theme.selected;
  v.pen.rect(box, fill, 0, 1, v.px(4));
  v.pen.text(box.centre(), words, size, lit ? v.theme.on(fill) : v.theme.ink, Font::text_bold, Align::centre);
  v.pen.hit({.what = Hit::button, .box = box, .tip = std::move(tip), .name = name, .press = std::move(does)});
  return box;
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
    v.pen.rect({box.x - out, box.y - out, box.w + 2 * out, box.h + 2 * out}, 0, v.theme.ink, v.px(2),
               radius + out);
  }
}

void thread_hit(Scene& v, const Box& box, int k, bool reasons) {
  std::string tip;
  if (v.works(k))
    tip = v.sub ? say("Thread {} takes part in this instruction.", k)
                : say("Thread {} reads or writes in this step.", k);
  else if (v.sub)
    tip = say("Thread {} takes no part in this instruction.", k);
  else if (const WhyIdle why = reasons ? why_idle(v.model.trace(), *v.step.interval, k) : WhyIdle{};
           why.ended)
    tip = say("Thread {} has returned already.", k);
  else if (why.line > 0)
    tip = say("Thread {} touches no cell in this step: its condition in line {} was false.", k, why.line);
  else
    tip = say("Thread {} touches no cell in this step.", k);
  tip += say(" Click to follow it.");
  v.pen.hit({Hit::thread, box, k, 0, tip, "thread:" + std::to_string(k)});
}

}  // namespace

void draw_where(Scene& v) {
  const auto& launches = v.model.trace().launches;
  const Launch& l = launches[size_t(v.block.launch)];
  // a figure's caption says where it is
  if ((launches.size() < 2 && l.grid < 2) || v.theme.projector() || v.theme.printed) return;
  const float y = v.y + v.px(9), size = v.label_size();
  float right = v.picture.width - margin(v.theme);
  if (l.grid > 1) {
    const bool all = v.shows_blocks();
    const std::string every(say("all blocks"));
    const float every_w = v.pen.width(every, size, Font::text_bold) + v.px(12);
    right -= every_w;
    button(v, {right, y}, every, all, "blocks:all", say("Show every block of this launch, small. Key B."),
           steps_to<all_blocks>);
    const float arrow_w = v.pen.width(">", size, Font::text_bold) + v.px(12);
    right -= arrow_w + v.px(6);
    button(v, {right, y}, ">", false, "block:next", say("Next block. Key Page Down."), other_block<1>);
    const std::string words = say("block {} of {}", v.home, l.grid);
    right = v.pen.text({right - v.px(6), y}, words, size, v.theme.ink, Font::text, Align::right).x;
    right -= arrow_w + v.px(6);
    button(v, {right, y}, "<", false, "block:previous", say("Block before. Key Page Up."), other_block<-1>);
    right -= v.px(14);
  }
  if (launches.size() > 1) {
    v.pen.text({margin(v.theme), y}, say("launch"), size, v.theme.ink2);
    Names names{v, v.columns.left, right, y};
    // those around the present one, as far as there is room
    int first = 0;
    if (launches.size() > 4) first = std::clamp(v.block.launch - 1, 0, int(launches.size()) - 4);
    for (size_t k = size_t(first); k < launches.size(); ++k) {
      const std::string& name = launches[k].name;
      const std::string words =
          std::to_string(launch_number(int(k))) + (name.empty() ? "" : " " + said(name));
      if (!names.add(words, int(k) == v.block.launch, Font::text,
                     {.what = Hit::button,
                      .box = {},
                      .a = int(k),
                      .tip = say("Launch {} of {}: {} blocks of {} threads.", launch_number(int(k)),
                                 launches.size(), launches[k].grid, launches[k].block),
                      .name = "launch:" + std::to_string(k),
                      .press = [k](State& s, float) { s = to_launch(std::move(s), int(k)); }}))
        break;
    }
  }
  v.y += v.px(22);
}

void draw_title(Scene& v) {
  if (v.theme.projector()) {
    v.y = v.px(8);
    return;
  }
  const float size = v.px(v.theme.size_title), y = v.px(18);
  // right: where we are
  float right = v.picture.width - margin(v.theme);
  if (v.step.stride()) {
    const std::string words = say("stride {}", v.step.stride());
    right =
        v.pen.text({right, y}, words, v.label_size(), v.theme.ink2, Font::mono, Align::right).x - v.px(12);
  }
  std::string phase = capital(phase_name(v.model, v.step));
  if (v.step.phase_count > 1) phase = say("{} {} of {}", phase, v.step.phase_number, v.step.phase_count);
  right = v.pen.text({right, y}, phase, size, v.theme.ink, Font::text_bold, Align::right).x - v.px(16);
  // left: what is shown, and what else could be
  const bool all = v.state.all_arrays && !v.shows_blocks() && !v.hides();
  const int warp = v.shows_blocks() || all ? -1 : shown_warp(v);
  float x = margin(v.theme);
  const std::string words(all                          ? say("Memory")
                          : warp >= 0                  ? say("Registers")
                          : v.to.array >= first_shared ? say("Shared memory")
                                                       : say("Global memory"));
  if (x + v.pen.width(words, size, Font::text_bold) <= right) {
    x = v.pen.text({x, y}, words, size, v.theme.ink, Font::text_bold).right() + v.px(12);
    Names names{v, x, right, y};
    if (has_lanes(v)) {
      const std::string lanes = warp >= 0 ? say("lanes of warp {}", warp) : say("lanes");
      names.add(lanes, warp >= 0, Font::text,
                {.what = Hit::button,
                 .box = {},
                 .a = -1,
                 .tip = say("A lane is a thread's place in its warp of 32: lanes hand each other values "
                            "from register to register."),
                 .name = "array:lanes",
                 .press = shows_array(-1)});
    }
    const bool several = v.block.parts.size() > 1;
    const std::string every(say("all arrays"));
    // its place is kept, however many names there are
    if (several) names.right -= v.pen.width(every, v.label_size()) + v.px(14);
    std::vector<int> arrays{v.to.array};
    for (const auto& [id, unused] : v.block.parts)
      if (id != v.to.array) arrays.push_back(id);
    if (all) arrays.clear();  // they are named below
    for (int id : arrays) {
      const bool current = warp < 0 && id == v.to.array && arrays.size() > 1;
      const std::string tip = id >= first_shared
                                  ? say("Show {}, shared by the threads of a block.", v.array_name(id))
                                  : say("Show {}, in global memory.", v.array_name(id));
      if (!names.add(v.part_name(v.part(id)), current || arrays.size() == 1, Font::mono,
                     {.what = Hit::button,
                      .box = {},
                      .a = id,
                      .tip = tip,
                      .name = "array:" + v.array_name(id),
                      .press = shows_array(id)}))
        break;
    }
    names.right = right;
    if (several)
      names.add(every, all, Font::text,
                {.what = Hit::button,
                 .box = {},
                 .tip = say("Show every array that the block touches, small. Keys Alt+G."),
                 .name = "arrays:all",
                 .press = steps_to<all_arrays>});
  }
  v.y = v.px(32);
  draw_where(v);
}

std::string substep_sentence(const Moments& model, const Instruction& i) {
  const int launch = i.step->interval->launch;
  const std::string place = say("{} of {}: line {}, warp {}, ", i.number + 1, i.of, i.what.line, i.what.warp);
  if (const WarpRequest* r = i.request) {
    const std::string array = model.array(launch, r->array).name;
    const std::string lanes = say_count(r->lanes.size(), "{} lane", "{} lanes");
    const std::string does = is_atomic(r->op) ? say("updates {}", array)
                             : writes(r->op)  ? say("stores to {}", array)
                                              : say("loads {}", array);
    const std::string cost = r->shared() ? say_count(r->wavefronts, "{} wavefront", "{} wavefronts")
                                         : say_count(r->sectors, "{} sector", "{} sectors");
    return say("Request {}{}, {}, {}", place, lanes, does, cost);
  }
  const Exchange& e = *i.exchange;
  const std::string lanes = say_count(e.lanes.size(), "{} lane", "{} lanes");
  const std::string does(e.op == Op::shuffle  ? say("shuffle")
                         : e.op == Op::reduce ? say("sum of lanes")
                         : e.op == Op::ballot ? say("ballot")
                                              : say("match"));
  return say("Request {}{}, {}, no memory", place, lanes, does);
}

void draw_substep(Scene& v) {
  if (!v.sub) return;
  const float size = v.label_size(), h = size + v.px(12);
  const Box strip{margin(v.theme), v.y, v.picture.width - 2 * margin(v.theme), h};
  v.pen.rect(strip, v.theme.selected, 0, 1, v.px(4));
  const float y = strip.centre().y;
  float x = strip.x + v.px(4);
  x = button(v, {x, y}, "<", false, "substep:previous", say("One warp instruction back. Key ,"),
             steps_to<previous_substep>)
          .right() +
      v.px(4);
  x = button(v, {x, y}, ">", false, "substep:next", say("One warp instruction on. Key ."),
             steps_to<next_substep>)
          .right() +
      v.px(10);
  const std::string whole(say("whole step"));
  const float w = v.pen.width(whole, size, Font::text_bold) + v.px(12);
  const float end = v.theme.printed ? strip.right() : strip.right() - w - v.px(4);
  v.pen.text({x, y}, v.pen.fitted(substep_sentence(v.model, *v.sub), end - x - v.px(8), size), size,
             v.theme.ink);
  button(v, {end, y}, whole, false, "substep:leave", say("Show the whole step again. Key Esc."),
         [](State& s, float) { s.cursor.substep = -1; });
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
  const float widest = std::max(v.pen.width(say("{} works", last), size, loud),
                                v.pen.width(say("{} idle", last), size, quiet));
  const float short_width = v.pen.width(last, size, loud);
  const float chip_gap = v.px(6);
  if (v.threads <= wrap_at && pitch - chip_gap > short_width + v.px(6)) {
    const bool words = pitch - chip_gap > widest + v.px(8);
    v.label_at(middle, say("threads"), Font::text, v.theme.ink2);
    const float chip = std::min(pitch, widest + v.px(60)) - chip_gap;
    for (int k = 0; k < v.threads; ++k) {
      const bool works = v.works(k);
      const Box box{left + (float(k) + 0.5f) * pitch - chip / 2, v.y, chip, height};
      thread_box(v, box, works, k == v.followed);
      const std::string name = "t" + std::to_string(k);
      const std::string label = !words ? name : works ? say("{} works", name) : say("{} idle", name);
      v.pen.text(box.centre(), label, size, works ? v.theme.on(v.theme.thread) : v.theme.ink2,
                 works ? loud : quiet, Align::centre);
      thread_hit(v, box, k, true);
    }
    v.y += height + v.px(v.theme.projector() ? 8 : 9);
    return;
  }
  const int working = v.sub ? int(v.sub->ranks.size()) : v.step.working;
  const float label_room = left - margin(v.theme) - v.px(6);
  std::string count = std::to_string(working);
  for (const std::string& words :
       {say("{}/{} threads", working, v.threads), say("{}/{} work", working, v.threads),
        std::to_string(working) + "/" + std::to_string(v.threads), say("{} work", working)})
    if (v.pen.width(words, size) <= label_room) {
      count = words;
      break;
    }
  v.pen.text({margin(v.theme), middle}, v.pen.fitted(count, label_room, size), size, v.theme.ink2);
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
        v.pen.rect({box.x - v.px(1), box.y - v.px(1), box.w + v.px(2), box.h + v.px(2)}, 0, v.theme.ink,
                   v.px(2));
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
