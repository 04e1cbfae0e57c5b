// The input's sliders, and both sides' queues in numbers.
#include <fmt/format.h>

#include <cmath>

#include "app/tabs/atomics/sheet.hpp"
#include "app/words/counting.hpp"

namespace bscope::atomics {
namespace {

Form facts(const Sheet& s, bool all) {
  const float size = s.t.label();
  const LineLook words{.size = size, .colour = s.t.ink2}, side{size, s.t.ink2, Font::text, Align::right},
      number{size, s.t.ink, Font::mono_bold, Align::right};
  Table facts{.gap = s.t.px(12), .heads = {Form{}.grows()}, .least_row = size * 1.5f};
  facts.rows.push_back(
      {line({s.address(), ""}, words), line({say("above")}, side), line({say("below")}, side)});
  const auto fact = [&](const std::string& what, const std::string& brief, auto of) {
    facts.rows.push_back({line({what, brief, ""}, words), line({grouped(of(s.m.sides[0]))}, number),
                          line({grouped(of(s.m.sides[1]))}, number)});
  };
  using Q = AddressQueues;
  fact(say("turns until all are served"), say("turns in all"), [](const Q& q) { return q.total; });
  fact(say("longest queue"), say("longest"),
       [](const Q& q) { return std::max(q.shared_longest, q.global_longest); });
  if (!all) return column(s.t.px(2), {rule(s.t.line), table(std::move(facts))});
  fact(say("atomics"), say("atomics"), [](const Q& q) { return q.served; });
  fact(say("turns waited in all"), say("waited"), [](const Q& q) { return q.waits; });
  return column(s.t.px(2), {rule(s.t.line), table(std::move(facts))});
}

}  // namespace

Form input(const Sheet& s) {
  const Theme& t = s.t;
  const AtomicsLook& look = s.look;
  const std::string keys = s.m.n == 1 ? say("1 key") : say("{} keys", grouped(s.m.n));
  const int percent = int(std::lround(100 * look.skew));
  const float log_items = std::round(std::log2(float(std::max(1, look.items))));
  return panel(column(
      t.px(2),
      {row(t.px(10), {line({say("Input")}, heading_look(t)), space(0).grows(),
                      line({look.input.empty() ? keys : look.input + ", " + keys, keys},
                           {t.label(), t.ink2, Font::text, Align::right})
                          .gives(1)}),
       slider({"skew", say("Skew: keys in one bin"), say("Skew"), fmt::format("{}%", percent),
               say("How many of the keys fall in one bin, beside its even share."), 0, 100, float(percent)})
           .gives(1),
       slider({"blocks", say("Blocks of keys"), say("Blocks"), grouped(look.blocks),
               say("Keys come in so many blocks, one key a thread."), 1, most_queue_blocks,
               float(look.blocks)})
           .gives(1),
       slider({"threads", say("Threads per block"), say("Threads"), grouped(look.threads),
               say("Threads of a block: whole warps of 32 lanes."), 32, most_queue_threads,
               float(look.threads)})
           .gives(1),
       slider({"items", say("Keys per thread, where coarsened"), say("Keys per thread"), grouped(look.items),
               say("A coarsened kernel lets each thread count several keys: fewer blocks."), 0,
               most_log_items, log_items})
           .gives(1),
       facts(s, true).gives(2).or_else(facts(s, false))}));
}

}  // namespace bscope::atomics
