// Cells of an array as boxes: their colours, their values, and what touching them does.
#pragma once

#include <cstddef>
#include <vector>

#include "app/draw/picture.hpp"
#include "engine/trace/cell_ref.hpp"

namespace bscope {

struct ArrayRange;
struct ArrayState;
struct CellRow;
struct CellStyle;
struct CellTexts;
struct StepStates;
struct StepView;
struct Theme;

/// Of cells of a part, all in one style. `most`: the largest letters.
CellStyle fit(const Pen&, const Theme&, const CellTexts&, const ArrayRange&, const std::vector<int>& cells,
              float room, float most);
/// Nothing where the value is not known. `at`: index in the array.
void draw_value(Pen&, const CellTexts&, int at, const CellStyle&, Point middle, Colour ink, bool bold);
/// A cell's fill: the wider the run of inputs it holds, the bluer; plain where values are shown. `inputs`:
/// how many the run has.
Colour cell_fill(const Theme&, const CellTexts&, int at, size_t inputs);
/// The hover text of a cell; a press selects it. `row`: what its name begins with.
void cell_hit(Pen&, const StepView&, const ArrayState&, const Box&, CellRef, const char* row);

/// Cells of StepView::from before the step; those in `lit` are read.
void draw_before(Pen&, const Theme&, const StepView&, const CellTexts&, const CellRow&,
                 const std::vector<bool>& relatives, const std::vector<int>& lit, float y, float h);
/// Cells of StepView::to after it, or what a prediction shows in their place.
void draw_after(Pen&, const Theme&, const StepView&, const StepStates&, const CellRow&,
                const std::vector<bool>& relatives, float y, float h);
/// Whether another block has written the cell meanwhile: not our change, but not the old value either.
bool is_foreign(const StepView&, const StepStates&, CellRef);
/// Whether a value of these rows is too long for its cell: a dot stands for it.
bool has_dots(const Pen&, const Theme&, const StepView&, const StepStates&, const CellRow&);
/// Below them.
void draw_indices(Pen&, const Theme&, const StepView&, const CellRow&, float y);

}  // namespace bscope
