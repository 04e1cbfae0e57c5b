// Atomics: one input's keys counted by two kernels, and by one without atomics.
#include <algorithm>
#include <cmath>

#include "app/draw/chart.hpp"
#include "app/session/fields.hpp"
#include "app/session/run_choice.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/playback.hpp"
#include "app/shell/run_choice.hpp"
#include "app/tabs/atomics/atomics_state.hpp"
#include "app/tabs/atomics/runs.hpp"
#include "app/tabs/atomics/steps.hpp"

namespace bscope {
namespace {

/// The sliders' own input begins where the shown one stands.
void own_input(State& s) {
  if (s.of<AtomicsState>().own_input || !s.of<AtomicsState>().queues) return;
  const AtomicsLook look = look_of(s);
  AtomicsState& a = s.of<AtomicsState>();
  a.own_input = true;
  a.skew = look.skew;
  a.blocks = look.blocks;
  a.threads = look.threads;
  a.items = look.items;
  a.bins = look.bins;
  a.fit(*s.run);
}

/// A slider at this value; nothing happens where it rests already.
void slide(State& s, const std::string& name, int value) {
  const AtomicsLook look = look_of(s);
  const auto change = [&](auto member, auto now, auto to) {
    if (now == to) return;
    own_input(s);
    s.of<AtomicsState>().*member = to;
    s.of<AtomicsState>().fit(*s.run);
    s.of<AtomicsState>().t = -1;
  };
  if (name == "skew") {
    if (std::lround(look.skew * 100) != value) change(&AtomicsState::skew, look.skew, value / 100.0);
  } else if (name == "blocks") {
    change(&AtomicsState::blocks, look.blocks, value);
  } else if (name == "threads") {
    change(&AtomicsState::threads, look.threads, std::max(32, (value + 16) / 32 * 32));  // whole warps
  } else if (name == "items") {
    change(&AtomicsState::items, look.items, 1 << value);
  }
}

/// Are runs still to be made, and would that hold up a frame?
bool is_slow(const State& s) {
  if (!queues_are_due(s)) return false;
  if (is_large(*s.run) || (s.of<AtomicsState>().queues && is_large(*s.of<AtomicsState>().queues->left)))
    return true;
  return run_takes_long([&] { return queue_target(s, 0); }) ||
         run_takes_long([&] { return queue_target(s, 1); });
}
constexpr SlowStep::How how_queued{
    is_slow, [](State s) { return with_queues(std::move(s)); },
    [](const State& asked, const State& now) {
      AtomicsState then = asked.of<AtomicsState>();
      then.t = now.of<AtomicsState>().t;  // only looked at
      then.lost = now.of<AtomicsState>().lost;
      return asked.run == now.run && asked.target == now.target &&
             fingerprint(then) == fingerprint(now.of<AtomicsState>());
    },
    [](State& now, State&& made) {
      now.of<AtomicsState>().queues = std::move(made.of<AtomicsState>().queues);
      now.of<AtomicsState>().queues_of = std::move(made.of<AtomicsState>().queues_of);
      now.of<AtomicsState>().lost = 0;
      take_error(now, made, Where::queues);
    }};

}  // namespace

void give_up_queueing(State& s, Kept& kept) {
  kept.queueing.give_up();
  if (s.of<AtomicsState>().queues) {
    const AtomicsState looked = std::exchange(s.of<AtomicsState>(), kept.queued);
    s.of<AtomicsState>().t = looked.t;
    s.of<AtomicsState>().lost = looked.lost;
  }
  // nothing that could be gone back to: they are another input's
  if (!s.of<AtomicsState>().queues || queues_are_due(s))
    s = without_queues(std::move(s), say("These runs were given up: choose others."));
}

namespace {

std::string kernel_of(const State& s, size_t side) {
  const RunChoice& c = side ? s.of<AtomicsState>().right : s.of<AtomicsState>().left;
  return c.kernel.empty() ? queue_kernels(s)[side] : c.kernel;
}

void choosers(View& v, Box row) {
  const Theme& t = v.theme;
  State& s = v.state;
  const std::string order(s.of<AtomicsState>().shuffled ? say("order: shuffled") : say("order: as traced"));
  const float button = v.width(order, t.px(t.size_label)) + t.px(24);
  const float half = (row.w - button - t.px(32)) / 2;
  const std::shared_ptr<const Run> shown[] = {
      s.of<AtomicsState>().queues ? s.of<AtomicsState>().queues->left : nullptr,
      s.of<AtomicsState>().queues ? s.of<AtomicsState>().queues->right : nullptr};
  for (size_t side = 0; side < 2; ++side) {
    RunChoice choice = side ? s.of<AtomicsState>().right : s.of<AtomicsState>().left;
    choice.kernel = kernel_of(s, side);
    const ChooseRun c{.id = side ? "right" : "left",
                      .title = std::string(side ? say("below") : say("above")),
                      .kernels = kernels_with_queues(),
                      .shown = shown[side],
                      .kernel = choice.kernel,
                      .sizes = false,
                      .hidden = {"bins", "items"}};
    if (choose_run(v, {row.x + float(side) * (half + t.px(16)), row.y, half, row.h}, c, choice))
      (side ? s.of<AtomicsState>().right : s.of<AtomicsState>().left) = choice;
  }
  ImGui::SetCursorScreenPos({row.right() - button, row.centre().y - ImGui::GetFrameHeight() / 2});
  if (ImGui::Button((order + "###order").c_str(), {button, 0}))
    s.of<AtomicsState>().shuffled = !s.of<AtomicsState>().shuffled;
  ImGui::SetItemTooltip(
      "%s", say("In which order the executor serves: its own, or warps picked at random.").c_str());
}

/// Transport at the left, what it moves at the right. Returns what is left above.
Box show_time(View& v, Box area) {
  const Theme& t = v.theme;
  State& s = v.state;
  const Box bar = show_buttons(v, area);
  const AtomicsModel& m = s.of<AtomicsState>().queues->model;
  const int now = m.time(s.of<AtomicsState>().t);
  const auto touched = v.picture(
      "queue time", {bar.x, bar.y + 1, bar.w - 1, bar.h - 2},
      [&](float w, float h) {
        Picture p{w, h, {}, {}};
        Pen pen(p, v.metrics);
        pen.rect({0, 0, w, h}, t.panel);
        const float label = t.px(t.size_label), y = h / 2, left = t.px(16), right = w - t.px(20);
        const auto x = [&](int at) { return left + (right - left) * float(at) / float(m.end); };
        pen.text({left, y - label * 1.6f},
                 first_fit(pen,
                           {say("t = {} of {} turns: {} of {} served above, {} of {} below", now, m.end,
                                std::min(now, m.sides[0].total), m.sides[0].total,
                                std::min(now, m.sides[1].total), m.sides[1].total),
                            say("t = {} of {} turns", now, m.end)},
                           right - left, label, Font::text_bold),
                 label, t.ink, Font::text_bold);
        const float tall = t.px(9);
        for (int k = 0; k < 2; ++k) {
          const auto& side = m.sides[size_t(k)];
          const float top = y + float(k) * (tall + t.px(4)) - t.px(4);
          pen.rect({left, top, right - left, tall}, t.cell, 0, 1, t.px(3));
          const int shared = side.shared_longest ? side.merge_starts : side.total;
          pen.rect({left, top, x(shared) - left, tall}, mix(t.atomic, t.panel, 0.5f), 0, 1, t.px(3));
          pen.rect({left, top, x(std::min(now, shared)) - left, tall}, t.atomic, 0, 1, t.px(3));
          if (side.total > shared) {
            pen.rect({x(shared), top, x(side.total) - x(shared), tall}, mix(t.write, t.panel, 0.5f));
            if (now > shared)
              pen.rect({x(shared), top, x(std::min(now, side.total)) - x(shared), tall}, t.write);
          }
        }
        pen.rect({x(now) - t.px(2), y - t.px(10), t.px(4), 2 * tall + t.px(16)}, t.dark() ? t.changed : t.ink,
                 0, 1, t.px(2));
        pen.hit({.what = Hit::other,
                 .box = {left, y - t.px(12), right - left, 2 * tall + t.px(20)},
                 .a = 0,
                 .b = m.end,
                 .tip = say("Drag: how far each queue has come."),
                 .name = "turn"});
        return p;
      },
      {.extra = uint64_t(now) * 0x9e3779b97f4a7c15u ^
                uint64_t(reinterpret_cast<uintptr_t>(s.of<AtomicsState>().queues.get())),
       .framed = false});
  if (touched.dragged && touched.dragged->name == "turn") {
    s.playing = false;
    s.of<AtomicsState>().t = slider_value(*touched.dragged, touched.at.x);
  }
  return area;
}

void next_lost(State& s, int by) {
  if (!s.of<AtomicsState>().queues || !s.of<AtomicsState>().queues->model.racy ||
      s.of<AtomicsState>().queues->model.racy->keys.empty())
    return;
  const int n = int(s.of<AtomicsState>().queues->model.racy->keys.size());
  s.of<AtomicsState>().lost = (std::clamp(s.of<AtomicsState>().lost, 0, n - 1) + by + n) % n;
}

void next_address(State& s, int by) {
  if (!s.of<AtomicsState>().queues) return;
  const AtomicsModel& m = s.of<AtomicsState>().queues->model;
  const auto& side = m.sides[0].histogram || !m.sides[1].histogram ? m.sides[0] : m.sides[1];
  const int n = int(side.addresses.size());
  if (!n) return;
  // empty bins are passed over, where any is filled
  int at = side.chosen;
  for (int k = 0; k < n; ++k) {
    at = (at + by + n) % n;
    if (!side.addresses[size_t(at)].counted.empty()) break;
  }
  s.of<AtomicsState>().bin = at;
  s.of<AtomicsState>().t = -1;
}

void show(View& v, Box area) {
  const Theme& t = v.theme;
  State& s = v.state;
  const float row = t.px(t.projector() ? 44 : 32), gap = t.px(8);
  choosers(v, {area.x + t.px(8), area.y, area.w - t.px(16), row});
  area = {area.x, area.y + row + gap, area.w, area.h - row - gap};
  const bool there = v.kept.queueing(s, how_queued, v.kept.wake);
  if (there && s.of<AtomicsState>().queues) v.kept.queued = s.of<AtomicsState>();
  if (!s.of<AtomicsState>().queues) {
    v.frame(area);
    Picture picture{area.w, area.h, {}, {}};
    Pen pen(picture, v.metrics);
    const std::string words = !there                        ? say("The kernels are being run.")
                              : s.error_at == Where::queues ? said(s.error)
                                                            : say("These runs failed.");
    paragraph(pen, {{words, t.ink}}, {t.px(16), t.px(16), area.w - t.px(32), area.h - t.px(32)},
              t.px(t.size_label));
    v.painter.draw(picture, {area.x, area.y}, ImGui::GetWindowDrawList());
    return;
  }
  area = show_time(v, area);
  const uint64_t extra =
      fingerprint(s.of<AtomicsState>()) ^
      uint64_t(reinterpret_cast<uintptr_t>(s.of<AtomicsState>().queues.get())) * 0x9e3779b97f4a7c15u;
  const auto touched =
      v.picture("atomics", area,
                [&](float w, float h) {
                  return atomics_view(s.of<AtomicsState>().queues->model, look_of(s), t, v.metrics, w, h);
                },
                {.extra = extra, .framed = false});
  if (touched.clicked && touched.clicked->what == Hit::bin) {
    s.of<AtomicsState>().bin = touched.clicked->a;
    s.of<AtomicsState>().t = -1;
  }
  if (touched.clicked && touched.clicked->name.starts_with("lost "))
    next_lost(s, touched.clicked->name == "lost next" ? 1 : -1);
  if (!touched.dragged || touched.dragged->what != Hit::other) return;
  const int value = slider_value(*touched.dragged, touched.at.x);
  const std::string name = touched.dragged->name;
  if (name == "time") {
    s.playing = false;
    s.of<AtomicsState>().t = value;
  } else {
    slide(s, name, value);
  }
}

template <int By>
void address(State& s, Kept&) {
  next_address(s, By);
}
template <int By>
void lost(State& s, Kept&) {
  next_lost(s, By);
}
template <size_t Side, int By>
void kernel(State& s, Kept&) {
  (Side ? s.of<AtomicsState>().right : s.of<AtomicsState>().left) =
      RunChoice{.kernel = neighbour(kernels_with_queues(), kernel_of(s, Side), By)};
}
template <int By>
void skew(State& s, Kept&) {
  if (s.of<AtomicsState>().queues)
    slide(s, "skew", std::clamp(int(std::lround(look_of(s).skew * 100)) + By, 0, 100));
}
template <int By>
void blocks(State& s, Kept&) {
  if (s.of<AtomicsState>().queues)
    slide(s, "blocks", std::clamp(look_of(s).blocks + By, 1, most_queue_blocks));
}
template <int By>
void threads(State& s, Kept&) {
  if (s.of<AtomicsState>().queues)
    slide(s, "threads", std::clamp(look_of(s).threads + By, 32, most_queue_threads));
}
template <int By>
void items(State& s, Kept&) {
  if (s.of<AtomicsState>().queues)
    slide(s, "items", std::clamp(int(std::lround(std::log2(look_of(s).items))) + By, 0, most_log_items));
}
void shuffle(State& s, Kept&) { s.of<AtomicsState>().shuffled = !s.of<AtomicsState>().shuffled; }

constexpr auto shift = ImGuiMod_Shift;
constexpr OnTab on_tab{"atomics", later("Atomics")};
using C = RegisterCommand;
const C commands_of_atomics[]{
    C{on_tab("atomics.address.next", later("Look at the next bin"), {shift | ImGuiKey_DownArrow}, address<1>,
             true)},
    C{on_tab("atomics.address.previous", later("Look at the bin before"), {shift | ImGuiKey_UpArrow},
             address<-1>, true)},
    C{on_tab("atomics.lost.next", later("Explain the next lost key"), {ImGuiKey_Apostrophe}, lost<1>, true)},
    C{on_tab("atomics.lost.previous", later("Explain the lost key before"), {ImGuiKey_Semicolon}, lost<-1>,
             true)},
    C{on_tab("atomics.above.next", later("Show the next kernel above"), {ImGuiKey_C}, kernel<0, 1>)},
    C{on_tab("atomics.above.previous", later("Show the kernel before above"), {shift | ImGuiKey_C},
             kernel<0, -1>)},
    C{on_tab("atomics.below.next", later("Show the next kernel below"), {ImGuiKey_V}, kernel<1, 1>)},
    C{on_tab("atomics.below.previous", later("Show the kernel before below"), {shift | ImGuiKey_V},
             kernel<1, -1>)},
    C{on_tab("atomics.skew.more", later("More keys in one bin"), {ImGuiKey_S}, skew<5>, true)},
    C{on_tab("atomics.skew.less", later("Fewer keys in one bin"), {shift | ImGuiKey_S}, skew<-5>, true)},
    C{on_tab("atomics.blocks.more", later("One block of keys more"), {ImGuiKey_B}, blocks<1>, true)},
    C{on_tab("atomics.blocks.less", later("One block of keys less"), {shift | ImGuiKey_B}, blocks<-1>, true)},
    C{on_tab("atomics.threads.more", later("One warp more in a block"), {ImGuiKey_D}, threads<32>, true)},
    C{on_tab("atomics.threads.less", later("One warp less in a block"), {shift | ImGuiKey_D}, threads<-32>,
             true)},
    C{on_tab("atomics.items.more", later("Twice as many keys a thread"), {ImGuiKey_I}, items<1>, true)},
    C{on_tab("atomics.items.less", later("Half as many keys a thread"), {shift | ImGuiKey_I}, items<-1>,
             true)},
    C{on_tab("atomics.order", later("Serve in the executor's order, or shuffled"), {ImGuiKey_R}, shuffle)},
};

const RegisterPanel atomics{{"atomics", show}};

}  // namespace
}  // namespace bscope
