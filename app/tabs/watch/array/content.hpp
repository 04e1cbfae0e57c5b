// What fills the array view below its title.
#pragma once

#include <cstdint>

namespace bscope {

struct StepView;
struct Theme;
struct WatchState;

struct ArrayContent {
  enum ContentType : uint8_t {
    cells,   ///< of one array, before the step and after it
    lanes,   ///< of a warp: what they hand each other
    arrays,  ///< every one that the block touches, small
    blocks,  ///< every one of the launch, small
  } what = cells;
  int warp = -1;  ///< whose lanes
};
/// As the user has chosen, where that hides no answers and there is a choice.
ArrayContent array_content(const StepView&, const WatchState&, const Theme&);
/// Whether every block of the launch is shown. Of one block there is nothing to choose from.
bool shows_blocks(const StepView&, const WatchState&, const Theme&);

}  // namespace bscope
