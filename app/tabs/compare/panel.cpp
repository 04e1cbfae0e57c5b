// Compare: the open run beside any other, by default the next of its family.
#include <algorithm>

#include "app/draw/chart.hpp"
#include "app/measure/recorded.hpp"
#include "app/session/choices.hpp"
#include "app/session/fields.hpp"
#include "app/session/input.hpp"
#include "app/session/run_choice.hpp"
#include "app/session/tab.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/playback.hpp"
#include "app/shell/run_choice.hpp"
#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/compare/picture.hpp"
#include "app/tabs/compare/steps.hpp"

namespace bscope {
namespace {

/// The open run's target as a choice, and back.
RunChoice left_of(const State& s) {
  RunChoice c;
  c.file = s.target.file;
  const Request& r = s.target.request;
  c.kernel = s.target.is_file() ? std::string() : r.kernel;
  c.block = int(r.block.value_or(0));
  for (const auto& [name, value] : r.set) c.set += (c.set.empty() ? "" : " ") + name + "=" + value;
  return c;
}

State with_left(State s, const RunChoice& c) {
  Target target;
  if (c.file.empty() && c.kernel.empty()) return s;
  if (c.file.empty()) {
    target = target_of(c, s);
    if (!c.block) target.request.block.reset();
  } else {
    target.file = c.file;
  }
  return opened(std::move(s), target, Where::compare);
}

/// The second side's kernel, chosen or by default.
std::string right_kernel(const State& s) {
  if (!s.of<CompareState>().right.kernel.empty()) return s.of<CompareState>().right.kernel;
  return s.of<CompareState>().other ? s.of<CompareState>().other->trace.kernel
                                    : next_rung(s.run->trace.kernel);
}

void choosers(View& v, Box row) {
  State& s = v.state;
  const float half = (row.w - v.theme.px(24)) / 2;
  ChooseRun left{.id = "left",
                 .title = {},
                 .kernels = catalog(),
                 .shown = s.run,
                 .kernel = s.run->trace.kernel,
                 .files = true};
  RunChoice l = left_of(s);
  // what was asked for last stands in the fields while its run is being made
  if (const Target* waits = v.kept.openings.waits_for(); waits && !waits->is_file())
    l.n = waits->request.n.value_or(0);
  if (choose_run(v, {row.x, row.y, half, row.h}, left, l)) {
    v.kept.openings.give_up();
    v.kept.openings.take(s, [l](State& now) { now = with_left(std::move(now), l); });
  }
  ChooseRun right{.id = "right",
                  .title = {},
                  .kernels = catalog(),
                  .shown = s.of<CompareState>().other,
                  .kernel = right_kernel(s),
                  .files = true};
  RunChoice r = s.of<CompareState>().right;
  if (r.file.empty() && r.kernel.empty()) r.kernel = right.kernel;
  if (choose_run(v, {row.right() - half, row.y, half, row.h}, right, r)) s.of<CompareState>().right = r;
}

/// Is the second run still to be made, and would that hold up a frame?
bool is_slow(const State& s) {
  const RunChoice right = right_of(s);
  if (s.of<CompareState>().compared_to == right) return false;
  return is_large(*s.run) || run_takes_long([&] { return target_of(right, s); });
}
constexpr SlowStep::How how_compared{
    is_slow, [](State s) { return compared(std::move(s)); },
    [](const State& asked, const State& now) {
      return asked.run == now.run && asked.of<CompareState>().right == now.of<CompareState>().right;
    },
    [](State& now, State&& made) {
      now.of<CompareState>().other = std::move(made.of<CompareState>().other);
      now.of<CompareState>().comparison = std::move(made.of<CompareState>().comparison);
      now.of<CompareState>().compared_to = std::move(made.of<CompareState>().compared_to);
      take_error(now, made, Where::compare);
    }};

}  // namespace

void give_up_comparing(State& s, Kept& kept) {
  kept.comparing.give_up();
  if (s.of<CompareState>().comparison && s.of<CompareState>().compared_to) {
    s.of<CompareState>().right = *s.of<CompareState>().compared_to;
  } else {
    s.of<CompareState>().compared_to = right_of(s);
    s.error = say("The comparison was given up: choose what to compare with.");
    s.error_at = Where::compare;
  }
}

namespace {

uint64_t look_key(const State& s) {
  uint64_t key = fingerprint(s.of<CompareState>());
  key ^= uint64_t(reinterpret_cast<uintptr_t>(s.of<CompareState>().comparison.get())) * 0x9e3779b97f4a7c15u;
  return key;
}

CompareLook look(const State& s) {
  return {s.of<CompareState>().sync, s.of<CompareState>().scale, s.of<CompareState>().position};
}

/// Transport at the left, both sides' phases over the positions at the right. Returns what is left above.
Box show_both_transport(View& v, Box area) {
  const State& s = v.state;
  const Box bar = show_buttons(v, area);
  v.picture("positions", {bar.x, bar.y + 1, bar.w - 1, bar.h - 2},
            [&](float w, float h) {
              return compare_transport(*s.of<CompareState>().comparison, look(s), v.theme, v.metrics, w, h);
            },
            {.extra = look_key(s), .framed = false});
  return area;
}

/// Where both count the same, there is little to compare: whoever comes to this tab on a kernel's own input
/// finds a length at which they differ; another input is left alone, and a button offers that length.
/// Returns what is left below.
Box tell_apart(View& v, Box area) {
  State& s = v.state;
  if (!s.of<CompareState>().comparison) return area;
  auto& telling = v.kept.telling;
  if (telling.of != s.of<CompareState>().comparison) {
    telling.of = s.of<CompareState>().comparison;
    telling.length.reset();
    if (!is_large(*s.run) && counts_alike(*s.of<CompareState>().comparison))
      telling.length = telling_length(s);
  }
  if (!telling.length) return area;
  const std::string n = parameter_of(s.run->trace, "n");
  const std::string alike = say("At n = {} both count the same; at n = {} they do not.", n, *telling.length);
  const bool comes = !v.kept.tab.empty() && v.kept.tab != "compare";
  if (comes && is_own_input(s.target.request) && s.of<CompareState>().right == RunChoice{} &&
      !s.lesson.open) {
    v.kept.openings.take(s, [n = *telling.length](State& now) {
      now = compared(with_open_length(std::move(now), n, Where::compare));
    });
    notify(v.kept, alike + " " + say("Undo goes back."));
    return area;
  }
  const Theme& t = v.theme;
  const float size = t.px(t.projector() ? 22 : t.size_label), height = ImGui::GetFrameHeight() + t.px(10);
  v.frame({area.x, area.y, area.w, height});
  v.text({area.x + t.px(14), area.y + height / 2}, alike, size, t.ink);
  ImGui::SetCursorScreenPos({area.x + t.px(28) + v.width(alike, size), area.y + t.px(5)});
  if (ImGui::Button((say("Take n = {}", *telling.length) + "###telling").c_str()))
    v.kept.openings.take(s, [n = *telling.length](State& now) {
      now = compared(with_open_length(std::move(now), n, Where::compare));
    });
  const float gap = t.px(8);
  return {area.x, area.y + height + gap, area.w, area.h - height - gap};
}

void show(View& v, Box area) {
  const Theme& t = v.theme;
  State& s = v.state;
  const float row = t.px(t.projector() ? 44 : 32), gap = t.px(8);
  choosers(v, {area.x + t.px(8), area.y, area.w - t.px(16), row});
  area = {area.x, area.y + row + gap, area.w, area.h - row - gap};
  const bool there = v.kept.comparing(s, how_compared, v.kept.wake);
  if (s.error_at == Where::compare) {  // above what is shown still, if anything is
    const float size = t.px(t.size_label), height = size * 2;
    Picture unused;
    const std::string words = Pen(unused, v.metrics).fitted(said(s.error), area.w - t.px(30), size);
    v.frame({area.x, area.y, area.w, height});
    v.text({area.x + t.px(14), area.y + height / 2}, words, size, t.ink);
    area = {area.x, area.y + height + gap, area.w, area.h - height - gap};
  }
  area = tell_apart(v, area);
  if (!s.of<CompareState>().comparison) {
    v.frame(area);
    v.text(
        {area.centre().x, area.centre().y},
        std::string(there ? say("Choose what to compare with, above.") : say("The kernels are being run.")),
        t.px(t.size_title), t.ink2, Font::text, Align::centre);
    return;
  }
  area = show_both_transport(v, area);
  Kept& kept = v.kept;
  if (!kept.recorded) kept.recorded = recorded_curves();
  const uint64_t times = (kept.measurer->version() << 20) + uint64_t(kept.recordings_opened);
  v.picture("compare", area,
            [&](float w, float h) {
              std::vector<Recording> live = kept.measurer->progress().live;
              if (!live.empty()) live.insert(live.begin(), kept.recorded->begin(), kept.recorded->end());
              return compare_view(*s.of<CompareState>().comparison, look(s),
                                  live.empty() ? *kept.recorded : live, t, v.metrics, w, h);
            },
            {.extra = look_key(s) ^ (times << 20), .framed = false});
}

template <int By>
void other_kernel(State& s, Kept&) {
  s.of<CompareState>().right = {.kernel = neighbour(catalog(), right_kernel(s), By),
                                .n = s.of<CompareState>().right.n};
}
template <int By>
void first_kernel(State& s, Kept&) {
  const std::string kernel = neighbour(catalog(), s.run->trace.kernel, By);
  s = with_left(std::move(s), {.kernel = kernel});
}
void next_sync(State& s, Kept&) {
  s.of<CompareState>().sync = SyncBy((int(s.of<CompareState>().sync) + 1) % sync_modes);
}
void next_scale(State& s, Kept&) {
  s.of<CompareState>().scale = CompareBy((int(s.of<CompareState>().scale) + 1) % compare_scales);
}
/// What is left stands right, and the other way round.
void swap(State& s, Kept&) {
  s = compared(std::move(s));
  if (!s.of<CompareState>().other) return;
  RunChoice right = left_of(s);
  const Target left =
      target_of(s.of<CompareState>().right.kernel.empty() && s.of<CompareState>().right.file.empty()
                    ? RunChoice{.kernel = s.of<CompareState>().other->trace.kernel}
                    : s.of<CompareState>().right,
                s);
  s = opened(std::move(s), left, Where::compare);
  s.of<CompareState>().right = right;
}

constexpr OnTab on_tab{"compare", later("Compare")};
using C = RegisterCommand;
const C commands_of_compare[]{
    C{on_tab("compare.sync", later("Keep step by interval, phase or work done"), {ImGuiKey_M}, next_sync)},
    C{on_tab("compare.scale", later("Count work, wavefronts, sectors or threads"), {ImGuiKey_W}, next_scale)},
    C{on_tab("compare.right.next", later("Show the next kernel at the right"), {ImGuiKey_V},
             other_kernel<1>)},
    C{on_tab("compare.right.previous", later("Show the kernel before at the right"),
             {ImGuiMod_Shift | ImGuiKey_V}, other_kernel<-1>)},
    C{on_tab("compare.left.next", later("Show the next kernel at the left"), {ImGuiKey_C}, first_kernel<1>)},
    C{on_tab("compare.left.previous", later("Show the kernel before at the left"),
             {ImGuiMod_Shift | ImGuiKey_C}, first_kernel<-1>)},
    C{on_tab("compare.swap", later("Swap the two sides"), {ImGuiKey_X}, swap)},
};

const RegisterPanel compare{{"compare", show}};

}  // namespace
}  // namespace bscope
