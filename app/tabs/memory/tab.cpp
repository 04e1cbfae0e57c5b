// Memory: the chosen step's requests to global memory, and how many sectors come for them.
#include "app/shell/playback.hpp"
#include "app/shell/requests.hpp"
#include "app/tabs/memory/picture.hpp"

namespace bscope {
namespace {

void show(View& v, Box area) {
  State& s = v.state;
  if (!s.memory.playing) area = show_playback(v, area);
  Partner& pattern = v.kept.global_pattern;
  const RequestScene scene = memory_scene(s, v.model, pattern, time_for_strides(), &beside_frames(v));
  const int strides = s.memory.playing ? 1 + pattern.sweep.done : 0;
  const auto touched = v.picture(
      "memory", area, [&](float w, float h) { return memory_view(scene, v.theme, v.metrics, w, h); },
      {.extra = fingerprint(s.memory) + uint64_t(strides) + (v.kept.beside.version() << 32),
       .framed = false});
  if (s.memory.playing) wake_if_unfinished(v, pattern);
  press(v, Tab::memory, touched);
}

const RegisterTab memory{{Tab::memory, later("Memory"), show}};

}  // namespace
}  // namespace bscope
