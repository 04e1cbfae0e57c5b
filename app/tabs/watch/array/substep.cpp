#include "app/tabs/watch/array/substep.hpp"

#include <utility>

#include "app/draw/controls.hpp"
#include "app/draw/layout.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/exchanges.hpp"
#include "engine/analysis/instructions.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

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

float draw_substep(Pen& pen, const Theme& t, float width, const RunQueries& model, const WarpInstruction& sub,
                   float y) {
  const LayoutNode bar =
      row(t.px(6),
          {button({"substep:previous", "<", tr("One warp instruction back. Key ,"), false, 0,
                   [](LoadedState& s, float) { s = previous_substep(std::move(s)); }}),
           button({"substep:next", ">", tr("One warp instruction on. Key ."), false, 0,
                   [](LoadedState& s, float) { s = next_substep(std::move(s)); }}),
           line({substep_sentence(model, sub)}, {.size = t.label(), .colour = t.ink, .cut = true}).grows(),
           button({"substep:leave", tr("whole step"), tr("Show the whole step again. Key Esc."), false, 0,
                   [](LoadedState& s, float) { s.cursor.substep = -1; }})});
  const float h = t.label() + t.px(12);
  draw({pen, t}, padded(bar, t.px(4), t.px(2), t.selected, t.round()),
       {margin(t), y, width - 2 * margin(t), h});
  return y + (h + t.px(8));
}

}  // namespace bscope
