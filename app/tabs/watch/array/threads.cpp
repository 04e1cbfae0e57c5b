#include "app/tabs/watch/array/threads.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/draw/text.hpp"
#include "app/draw/theme.hpp"
#include "app/tabs/watch/array/columns.hpp"
#include "app/tabs/watch/array/grid.hpp"
#include "app/tabs/watch/array/labels.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/cell_values.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/instructions.hpp"
#include "engine/analysis/stuck_threads.hpp"
#include "engine/analysis/why_idle.hpp"

namespace bscope {
namespace {

/// Where threads stand, one beside the other.
struct ThreadRow {
  float left = 0, right = 0, pitch = 0;
  float apart = 0;  ///< between one warp and the next
  float y = 0, height = 0;
  Box box(int k, float gap) const {
    return {left + float(k) * pitch + float(k / warp_size) * apart + gap / 2, y, pitch - gap, height};
  }
};

/// How threads are named in boxes of their own.
struct ThreadNames {
  explicit ThreadNames(const Theme& t)
      // on a projector the letters are large: words take the narrower font
      : loud(t.projector() ? Font::text_bold : Font::mono_bold),
        quiet(t.projector() ? Font::text : Font::mono) {}
  Font loud, quiet;  ///< of those that work, and of others
  static std::string name(int k) { return "t" + std::to_string(k); }
  static std::string words(const StepView& v, int k) {
    return v.is_stuck(k) ? tr("{} stuck", name(k))
           : v.works(k)  ? tr("{} works", name(k))
                         : tr("{} idle", name(k));
  }
  /// Of the last thread, with words.
  float widest(const Pen& pen, const StepView& v, float size) const {
    const std::string last = name(v.threads - 1);
    float wide =
        std::max(pen.width(tr("{} works", last), size, loud), pen.width(tr("{} idle", last), size, quiet));
    if (!v.stuck.empty()) wide = std::max(wide, pen.width(tr("{} stuck", last), size, loud));
    return wide;
  }
};

/// A pitch that is not about that of one cell or several, so that no box looks like a cell's.
bool differs_from(float pitch, float cells) {
  const float share = pitch / cells;
  return std::fabs(share - std::max(1.0f, std::round(share))) > 0.2f;
}

/// Over the cells where there are as many, each over the cell of its number. Else in a row of their own,
/// close together: a thread over cells that it does not write would seem to own them.
ThreadRow thread_row(const Pen& pen, const Theme& t, const ArrayGrid& grid, const StepView& v,
                     const ArrayRange& shown, float y) {
  const int threads = v.threads;
  const Columns& c = grid.columns;
  // beside few cells as wide as its threads need, within the panel
  ThreadRow out{c.left, std::max(c.right(), std::min(c.left + t.px(32 * 12), grid.width - margin(t)))};
  out.pitch = (out.right - out.left) / float(threads);
  out.y = y;
  out.height = t.label() + t.px(13, 10);
  if (threads > wrap_at) {
    out.apart = t.px(8);
    out.pitch = (out.right - out.left - float((threads - 1) / warp_size) * out.apart) / float(threads);
    return out;
  }
  if (c.rows == 1 && c.visible == c.size && threads == shown.size) {
    out.pitch = c.pitch;
  } else {
    const ThreadNames names(t);
    const float name = pen.width(ThreadNames::name(threads - 1), t.label(), names.loud);
    for (const float wide : {names.widest(pen, v, t.label()) + t.px(24), name + t.px(28), name + t.px(16)})
      if (wide <= out.pitch && differs_from(wide, c.pitch)) {
        out.pitch = wide;
        break;
      }
  }
  return out;
}

void draw_thread_box(Pen& pen, const Theme& t, const StepView& v, const Box& box, int k) {
  const float radius = std::min(t.px(4), box.w / 4);
  if (v.works(k)) {
    const float lit = ease_out(progress(v.phase, 0, 80));
    pen.rect(box, mix(t.thread, t.cell, 0.35f + 0.65f * lit), 0, 1, radius);
  } else if (!v.is_stuck(k)) {
    pen.hatch(box, mix(t.idle, t.panel, t.dark() ? 0.28f : 0.3f), t.px(7), t.px(1));
    pen.rect(box, 0, mix(t.idle, t.panel, 0.6f), t.px(1), radius);
  }
  if (v.is_stuck(k)) draw_stuck_frame(pen, t, v.works(k) ? grown(box, t.px(2)) : box);
  if (k == v.followed) {
    const float out = t.px(v.is_stuck(k) ? 4 : 1);
    pen.rect(grown(box, out), 0, t.ink, t.px(2), radius + out);
  }
}

/// `reasons`: says why it does not work.
std::string thread_tip(const StepView& v, int k, bool reasons) {
  const std::string thread = v.thread_name(k);
  if (v.is_stuck(k))
    return v.stuck[size_t(k)] > 0
               ? tr("Thread {} waits in line {} for ever: nothing releases it.", thread, v.stuck[size_t(k)])
               : tr("Thread {} waits for ever: nothing releases it.", thread);
  if (v.works(k))
    return v.sub ? tr("Thread {} takes part in this instruction.", thread)
                 : tr("Thread {} reads or writes in this step.", thread);
  if (v.sub) return tr("Thread {} takes no part in this instruction.", thread);
  const WhyIdle why = reasons ? why_idle(v.model.trace(), *v.step.interval, k) : WhyIdle{};
  if (why.ended) return tr("Thread {} has returned already.", thread);
  if (why.line > 0)
    return tr("Thread {} touches no cell in this step: its condition in line {} was false.", thread,
              why.line);
  return tr("Thread {} touches no cell in this step.", thread);
}

void hit_thread(Pen& pen, const StepView& v, const Box& box, int k, bool reasons) {
  pen.hit({HitRegion::thread, box, k, 0, thread_tip(v, k, reasons) + tr(" Click to follow it."),
           "thread:" + std::to_string(k)});
}

/// A box for each, with its name.
void draw_named_threads(Pen& pen, const Theme& t, const StepView& v, const ThreadRow& row,
                        const ThreadNames& names, float gap) {
  const float size = t.label(), widest = names.widest(pen, v, size);
  const bool words = row.pitch - gap > widest + t.px(8);
  draw_label(pen, t, row.y + row.height / 2, tr("threads"), Font::text, t.ink2);
  const float width = std::min(row.pitch, widest + t.px(60)) - gap;
  for (int k = 0; k < v.threads; ++k) {
    const bool works = v.works(k), loud = works || v.is_stuck(k);
    const Box box{row.left + (float(k) + 0.5f) * row.pitch - width / 2, row.y, width, row.height};
    draw_thread_box(pen, t, v, box, k);
    pen.text(box.centre(), words ? ThreadNames::words(v, k) : ThreadNames::name(k), size,
             works  ? t.on(t.thread)
             : loud ? t.ink
                    : t.ink2,
             loud ? names.loud : names.quiet, Align::centre);
    hit_thread(pen, v, box, k, true);
  }
}

/// Too many for names: how many work, before them; where none does and some wait for ever, how many wait.
void draw_count(Pen& pen, const Theme& t, const StepView& v, const ThreadRow& row) {
  const int working = v.sub ? int(v.sub->ranks.size()) : v.step.working;
  const int stuck = count_stuck(v.stuck);
  const bool wait = working == 0 && stuck > 0;
  const int counted = wait ? stuck : working;
  const std::string number = std::to_string(counted);
  pen.text({margin(t), row.y + row.height / 2},
           spelled(pen,
                   {wait ? tr("{}/{} stuck", counted, v.threads) : tr("{}/{} work", counted, v.threads),
                    number + "/" + std::to_string(v.threads),
                    wait ? tr("{} stuck", counted) : tr("{} work", counted), number},
                   row.left - margin(t) - t.px(6), t.label(), Font::text, true),
           t.label(), t.ink2);
}

void draw_nameless_threads(Pen& pen, const Theme& t, const StepView& v, const ThreadRow& row) {
  const float gap = t.px(row.pitch >= t.px(10) ? 2 : 1);
  for (int k = 0; k < v.threads; ++k) {
    const Box box = row.box(k, gap);
    draw_thread_box(pen, t, v, box, k);
    hit_thread(pen, v, box, k, v.threads <= 64);
  }
}

/// A frame about the followed thread's warp, and where in it the thread is.
void draw_followed(Pen& pen, const Theme& t, const Box& warp, int lane, int lanes) {
  pen.rect(grown(warp, t.px(1)), 0, t.ink, t.px(2));
  const float x = warp.x + (float(lane) + 0.5f) / float(lanes) * warp.w, foot = warp.bottom();
  pen.polygon({{x, foot}, {x - t.px(5), foot + t.px(6)}, {x + t.px(5), foot + t.px(6)}}, t.ink);
}

/// A strip a warp, with a gap between warps where there is room for one.
void draw_warp_strips(Pen& pen, const Theme& t, const StepView& v, const ThreadRow& row) {
  const int warps = (v.threads + warp_size - 1) / warp_size;
  const float pitch = (row.right - row.left) / float(warps), gap = pitch >= t.px(12) ? t.px(3) : 0;
  for (int w = 0; w < warps; ++w) {
    const int first = w * warp_size, lanes = std::min(warp_size, v.threads - first);
    const Box box{row.left + float(w) * pitch, row.y, pitch - gap, row.height};
    std::vector<Colour> marks;
    for (int k = first; k < first + lanes; ++k)
      marks.push_back(v.is_stuck(k) ? t.barrier : v.works(k) ? t.thread : mix(t.idle, t.panel, 0.35f));
    pen.strip(box, std::move(marks));
    hit_thread(pen, v, box, first, false);
    if (v.followed >= 0 && v.followed / warp_size == w)
      draw_followed(pen, t, box, v.followed % warp_size, lanes);
  }
}

}  // namespace

float draw_threads(Pen& pen, const Theme& t, const ArrayGrid& grid, const StepView& v,
                   const ArrayRange& shown, float y) {
  const ThreadRow row = thread_row(pen, t, grid, v, shown, y);
  const ThreadNames names(t);
  const float gap = t.px(6), least = pen.width(ThreadNames::name(v.threads - 1), t.label(), names.loud);
  if (v.threads <= wrap_at && row.pitch - gap > least + t.px(6)) {
    draw_named_threads(pen, t, v, row, names, gap);
  } else {
    draw_count(pen, t, v, row);
    if (row.pitch >= t.px(5))
      draw_nameless_threads(pen, t, v, row);
    else
      draw_warp_strips(pen, t, v, row);
  }
  return y + (row.height + t.px(9, 8));
}

}  // namespace bscope
