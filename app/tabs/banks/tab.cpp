// Banks: the chosen step's requests to shared memory, and how the banks serve them.
#include "app/shell/playback.hpp"
#include "app/shell/requests.hpp"
#include "app/tabs/banks/picture.hpp"

namespace bscope {
namespace {

void show(View& v, Box area) {
  State& s = v.state;
  // the pattern has no steps to play
  if (!s.banks.playing) area = show_playback(v, area);
  Partner& pattern = v.kept.shared_pattern;
  const RequestScene scene =
      banks_scene(s, v.model, v.kept.twins, pattern, time_for_strides(), &beside_frames(v));
  const int strides = s.banks.playing ? 1 + pattern.sweep.done + 100 * pattern.other_sweep.done : 0;
  const auto touched = v.picture(
      "banks", area, [&](float w, float h) { return banks_view(scene, v.theme, v.metrics, w, h); },
      {.extra = fingerprint(s.banks) + uint64_t(strides) + (v.kept.beside.version() << 32), .framed = false});
  if (s.banks.playing) wake_if_unfinished(v, pattern);
  if (touched.clicked && touched.clicked->name == "beside") s.banks.beside = !s.banks.beside;
  press(v, Tab::banks, touched);
}

void beside(State& s, Kept&) { s.banks.beside = !s.banks.beside; }
const RegisterCommand padded{{.id = "banks.beside",
                              .group = later("Banks"),
                              .title = later("Show the padded twin, or hide it"),
                              .keys = {ImGuiKey_B},
                              .run = beside,
                              .tab = Tab::banks}};

const RegisterTab banks{{Tab::banks, later("Banks"), show}};

}  // namespace
}  // namespace bscope
