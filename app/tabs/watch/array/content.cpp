#include "app/tabs/watch/array/content.hpp"

#include "app/draw/theme.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/array/warp.hpp"
#include "app/tabs/watch/watch_state.hpp"

namespace bscope {

ArrayContent array_content(const StepView& v, const WatchState& state, const Theme& t) {
  if (shows_blocks(v, state, t)) return {ArrayContent::blocks};
  if (state.all_arrays && !v.hides) return {ArrayContent::arrays};
  const int warp = shown_warp(v);
  return {warp < 0 ? ArrayContent::cells : ArrayContent::lanes, warp};
}

bool shows_blocks(const StepView& v, const WatchState& state, const Theme& t) {
  return state.all_blocks && v.launch().grid > 1 && !t.projector() && !v.hides;
}

}  // namespace bscope
