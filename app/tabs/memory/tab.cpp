// Memory: the chosen step's requests to global memory, and how many sectors come for them.
#include "app/parts/pattern_controls.hpp"
#include "app/parts/request_tab.hpp"
#include "app/tabs/memory/memory_state.hpp"
#include "app/tabs/memory/picture.hpp"
#include "app/tabs/memory/scene.hpp"

namespace bscope {
namespace {

RequestScene scene_of(const TabScene& scene, MemoryTabData& data) {
  return memory_scene(scene.state, scene.model, scene.services.of<RunStore>(), data.sweeps, scene.patience);
}

using Memory = RequestTab<MemoryState, MemoryTabData, MemorySpace::global, scene_of, memory_view>;
const RegisterTab memory{Memory::with({.name = "memory",
                                       .title = tr_noop("Memory"),
                                       .key = '3',
                                       .looks = tr_noop("Look at global memory's sectors")})};

}  // namespace
}  // namespace bscope
