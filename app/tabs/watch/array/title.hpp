// Above the cells: what is shown, and where in the run it stands.
#pragma once

namespace bscope {

struct ArrayContent;
struct ArrayGrid;
struct ArrayInfo;
struct HitRegion;
class Pen;
struct StepView;
struct Theme;

/// The title with the arrays to choose from. Returns the y below it; on a projector there is none. `future`:
/// how many steps the phase has may be shown, and the names of later launches.
float draw_title(Pen&, const Theme&, const ArrayGrid&, const StepView&, const ArrayContent&, bool future);
/// The launches of the run and the blocks of this one, from `y` down. `home`: the block that the cursor
/// stands on. Returns the y below them.
float draw_where(Pen&, const Theme&, const ArrayGrid&, const StepView&, int home, bool all_blocks,
                 bool future, float y);
/// Of an array's name: shows it alone.
HitRegion array_hit(const ArrayInfo&, int array);

}  // namespace bscope
