// Atomics: one histogram's input run three ways: global atomics, shared atomics, and none.
#include "app/view/atomics.hpp"

#include <algorithm>

#include "app/panels/panel.hpp"
#include "app/view/chart.hpp"

namespace bscope {
namespace {

void show(View& v, Box area) {
  State& s = v.state;
  if (!s.queues.global && s.error_at != Where::queues) {
    const Request request = s.queues.request;  // a copy: the state it lies in is moved from
    s = with_queues(std::move(s), request);
  }
  if (!s.queues.global) {
    v.frame(area);
    v.text(Point{area.x + v.theme.px(16), area.y + v.theme.px(28)}, s.error, v.theme.px(v.theme.size_label),
           v.theme.ink);
    return;
  }
  const Queues& q = s.queues;
  const uint64_t extra = q.version * 0x9e3779b97f4a7c15u ^ uint64_t(uint32_t(q.bin)) << 32 ^ uint32_t(q.t);
  const auto touched =
      v.picture("atomics", area,
                [&](float w, float h) {
                  return atomics_view(*q.global, *q.shared, *q.racy, {q.bin, q.t}, v.theme, v.metrics, w, h);
                },
                {.extra = extra, .framed = false});
  if (touched.clicked && touched.clicked->what == Hit::bin) {
    s.queues.bin = touched.clicked->a;
    s.queues.t = -1;
  }
  if (!touched.dragged || touched.dragged->what != Hit::other) return;
  const int value = slider_value(*touched.dragged, touched.at.x);
  const std::string& name = touched.dragged->name;
  if (name == "time") {
    s.queues.t = value;
    return;
  }
  const AtomicsModel now = atomics_model(*q.global, *q.shared, *q.racy);
  int blocks = now.blocks, threads = now.threads;
  double skew = q.request.skew.value_or(0);
  if (name == "skew")
    skew = value / 100.0;
  else if (name == "blocks")
    blocks = value;
  else if (name == "threads")
    threads = std::max(32, (value + 16) / 32 * 32);  // whole warps
  else
    return;
  Request r = q.request;
  r.preset.clear();
  r.values.reset();
  r.input_file.clear();
  r.pattern = "skewed";
  r.skew = skew;
  r.block = threads;
  r.n = static_cast<long long>(blocks) * threads;
  r.set = {{"bins", std::to_string(now.bins)}};
  // A slider that rests on its value makes no new runs.
  if (r.skew != q.request.skew || r.block != q.request.block || r.n != q.request.n ||
      !q.request.preset.empty())
    s = with_queues(std::move(s), r);
}

const RegisterTab atomics{{Tab::atomics, later("Atomics"), show}};

}  // namespace
}  // namespace bscope
