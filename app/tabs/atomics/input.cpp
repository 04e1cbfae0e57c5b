// The input's sliders, and both sides' queues in numbers.
#include <fmt/format.h>

#include <cmath>

#include "app/tabs/atomics/sheet.hpp"
#include "app/words/counting.hpp"

namespace bscope::atomics {

void input(Sheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const AtomicsModel& m = s.m;
  const AtomicsLook& look = s.look;
  const Box in = panel(pen, t, outer);
  const float label = s.label();
  float y = in.y;
  const Box heading =
      pen.text({in.x, y + s.title() * 0.65f}, say("Input"), s.title(), t.ink, Font::text_bold);
  const std::string keys = m.n == 1 ? say("1 key") : say("{} keys", grouped(m.n));
  pen.text({in.right(), heading.centre().y},
           first_fit(pen, {look.input.empty() ? keys : look.input + ", " + keys, keys},
                     in.right() - heading.right() - t.px(10), label),
           label, t.ink2, Font::text, Align::right);
  y += s.title() * 1.3f + t.px(6);
  const int percent = int(std::lround(100 * look.skew));
  const auto value = [](int v) { return grouped(v); };
  const int log_items = int(std::lround(std::log2(std::max(1, look.items))));
  const Slider sliders[] = {
      {"skew", say("Skew: keys in one bin"), say("Skew"), fmt::format("{}%", percent),
       say("How many of the keys fall in one bin, beside its even share."), 0, 100, float(percent)},
      {"blocks", say("Blocks of keys"), say("Blocks"), value(look.blocks),
       say("Keys come in so many blocks, one key a thread."), 1, most_queue_blocks, float(look.blocks)},
      {"threads", say("Threads per block"), say("Threads"), value(look.threads),
       say("Threads of a block: whole warps of 32 lanes."), 32, most_queue_threads, float(look.threads)},
      {"items", say("Keys per thread, where coarsened"), say("Keys per thread"), value(look.items),
       say("A coarsened kernel lets each thread count several keys: fewer blocks."), 0, most_log_items,
       float(log_items)},
  };
  const float row = label * 1.5f;
  const float facts_height = 5 * row + t.px(8);
  const float one = slider_height(t);
  const bool tight = in.bottom() - y - 4 * one < facts_height;
  const float slider_gap = std::clamp((in.bottom() - y - facts_height) / 4 - one, 0.0f, t.px(14));
  for (const Slider& which : sliders) {
    if (y + one > in.bottom()) return;
    slider(pen, t, {in.x, y, in.w, one}, which);
    y += one + slider_gap;
  }
  if (tight && in.bottom() - y < 3 * row) return;
  pen.line({in.x, y}, {in.right(), y}, t.line, s.thin());
  y += t.px(6);

  // numbers of both, the first side's left of the second's
  const auto numbers = [&](const auto& f) {
    return std::array{grouped(f(m.sides[0])), grouped(f(m.sides[1]))};
  };
  struct Fact {
    std::string what, brief;
    std::array<std::string, 2> two;
  };
  const Fact facts[] = {
      {say("turns until all are served"), say("turns in all"),
       numbers([](const auto& q) { return q.total; })},
      {say("longest queue"), say("longest"),
       numbers([](const auto& q) { return std::max(q.shared_longest, q.global_longest); })},
      {say("atomics"), say("atomics"), numbers([](const auto& q) { return q.served; })},
      {say("turns waited in all"), say("waited"), numbers([](const auto& q) { return q.waits; })},
  };
  const std::array<std::string, 2> above_below{say("above"), say("below")};
  float columns[2] = {pen.width(above_below[0], label) + t.px(12),
                      pen.width(above_below[1], label) + t.px(12)};
  for (const auto& fact : facts)
    for (size_t k = 0; k < 2; ++k)
      columns[k] = std::max(columns[k], pen.width(fact.two[k], label, Font::mono_bold) + t.px(12));
  const float words = in.w - columns[0] - columns[1];
  const auto line = [&](const std::string& what, const std::string& brief,
                        const std::array<std::string, 2>& two, Colour c, Font f) {
    if (y + row > in.bottom() + t.px(4)) return false;
    const float middle = y + row / 2;
    pen.text({in.x, middle}, first_fit(pen, {what, brief}, words - t.px(6), label), label, t.ink2);
    pen.text({in.right() - columns[1], middle}, two[0], label, c, f, Align::right);
    pen.text({in.right(), middle}, two[1], label, c, f, Align::right);
    y += row;
    return true;
  };
  if (!line(s.address(), {}, above_below, t.ink2, Font::text)) return;
  for (const Fact& f : facts)
    if (!line(f.what, f.brief, f.two, t.ink, Font::mono_bold)) return;
}

}  // namespace bscope::atomics
