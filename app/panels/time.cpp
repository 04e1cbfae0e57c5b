// Time: what full-size runs cost, measured here and recorded elsewhere.
#include "app/view/time.hpp"

#include <imgui.h>

#include <algorithm>

#include "app/cli/time.hpp"
#include "app/panels/panel.hpp"
#include "app/view/chart.hpp"

namespace bscope {
namespace {

void show(View& v, Box area) {
  State& s = v.state;
  Kept& kept = v.kept;
  if (!kept.recorded) {
    kept.recorded = recorded_curves();
    const auto found = gpu(&kept.no_gpu);
    if (found) kept.gpu = found->name;
  }
  const Algorithm* algorithm = nullptr;
  for (const Algorithm* a : catalog())
    if (a->name == s.run->trace.kernel) algorithm = a;

  const uint64_t extra =
      kept.measurer->version() << 16 ^ uint64_t(s.time.log_n) << 11 ^ uint64_t(s.time.block);
  const auto touched = v.picture("time", area,
                                 [&](float w, float h) {
                                   const Measurer::Progress p = kept.measurer->progress();
                                   TimeInput in;
                                   in.kernel = s.run->trace.kernel;
                                   in.live = p.live;
                                   in.recorded = *kept.recorded;
                                   in.log_n = s.time.log_n;
                                   in.block = s.time.block;
                                   in.measuring = p.measuring;
                                   in.done = p.done;
                                   in.all = p.all;
                                   in.doing = p.doing;
                                   in.gpu = kept.gpu;
                                   in.no_gpu = kept.no_gpu;
                                   in.error = p.error;
                                   return time_view(in, v.theme, v.metrics, w, h);
                                 },
                                 {.extra = extra, .framed = false});
  if (touched.dragged && touched.dragged->what == Hit::other) {
    const int value = slider_value(*touched.dragged, touched.at.x);
    if (touched.dragged->name == "n") s.time.log_n = value;
    if (touched.dragged->name == "block") s.time.block = 1 << value;
  }
  const ImGuiIO& io = ImGui::GetIO();
  const bool keyed = io.KeyCtrl && ImGui::IsKeyPressed(ImGuiKey_Enter, false);
  const bool pressed = touched.clicked && touched.clicked->what == Hit::button;
  if (pressed && touched.clicked->name == "stop")
    kept.measurer->stop();
  else if (algorithm && (keyed || (pressed && touched.clicked->name == "measure")))
    kept.measurer->start(*algorithm, s.time.block, kept.wake);
}

const RegisterTab time_tab{{Tab::time, later("Time"), show}};

}  // namespace
}  // namespace bscope
