// The input's sliders, and both sides' queues in numbers.
#include "app/tabs/atomics/controls.hpp"
#include "app/tabs/atomics/sheet.hpp"
#include "app/words/counting.hpp"

namespace bscope::atomics {
namespace {

LayoutNode facts(const AtomicsSheet& s, bool all) {
  const float size = s.t.label();
  const LineLook words{.size = size, .colour = s.t.ink2}, side{size, s.t.ink2, Font::text, Align::right},
      number{size, s.t.ink, Font::mono_bold, Align::right};
  Table facts{.gap = s.t.px(12), .heads = {LayoutNode{}.grows()}, .least_row = size * 1.5f};
  if (s.m.alone)
    facts.rows.push_back({line({s.address(), ""}, words), LayoutNode{}});
  else
    facts.rows.push_back(
        {line({s.address(), ""}, words), line({tr("above")}, side), line({tr("below")}, side)});
  const auto fact = [&](const std::string& what, const std::string& brief, auto of) {
    facts.rows.push_back({line({what, brief, ""}, words), line({grouped(of(s.m.sides[0]))}, number)});
    if (!s.m.alone) facts.rows.back().push_back(line({grouped(of(s.m.sides[1]))}, number));
  };
  using Q = AddressQueues;
  fact(tr("turns until all are served"), tr("turns in all"), [](const Q& q) { return q.total; });
  fact(tr("longest queue"), tr("longest"),
       [](const Q& q) { return std::max(q.shared_longest, q.global_longest); });
  if (!all) return column(s.t.px(2), {rule(s.t.line), table(std::move(facts))});
  fact(tr("atomics"), tr("atomics"), [](const Q& q) { return q.served; });
  fact(tr("turns waited in all"), tr("waited"), [](const Q& q) { return q.waits; });
  return column(s.t.px(2), {rule(s.t.line), table(std::move(facts))});
}

}  // namespace

LayoutNode input(const AtomicsSheet& s) {
  const Theme& t = s.t;
  const AtomicsLook& look = s.look;
  const std::string keys = s.m.alone && !s.bins() ? ""
                           : s.m.n == 1           ? tr("1 key")
                                                  : tr("{} keys", grouped(s.m.n));
  std::vector<LayoutNode> parts{
      row(t.px(10), {line({tr("Input")}, heading_look(t)), space(0).grows(),
                     line({look.input.empty() ? keys : tr("{}, {}", look.input, keys), keys},
                          {t.label(), t.ink2, Font::text, Align::right})
                         .gives(1)})};
  const auto now = stand_at(look);
  for (size_t k = 0; k < now.size() && !s.m.alone; ++k)
    parts.push_back(slider(slider_at(atomics_controls()[k], now[k])).gives(1));
  parts.push_back(facts(s, true).gives(2).or_else(facts(s, false)));
  return panel(column(t.px(2), std::move(parts)));
}

}  // namespace bscope::atomics
