// Words before the cells' first column.
#pragma once

#include <string>
#include <string_view>

#include "app/draw/picture.hpp"

namespace bscope {

struct ArrayRange;
struct StepView;
struct Theme;

/// Their width at most.
float label_room(const Theme&);
/// About that y, cut where they have no room.
void draw_label(Pen&, const Theme&, float y, std::string_view words, Font, Colour);
/// What stands before a row that shows an array: "data"; or a row of one whose rows take turns: "sum[8..15]",
/// where that has no room "sum[8..]" or "row 2".
std::string row_name(const Pen&, const Theme&, const StepView&, const ArrayRange&);

}  // namespace bscope
