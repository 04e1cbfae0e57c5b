// The parts of the whole run's picture. Each draws one concern of a row, or of all rows in view.
#pragma once

namespace bscope {

class Pen;
struct DrawnMarks;
struct Theme;
struct WholeRunContent;
struct WholeRunGrid;
struct WholeRunRows;

// header.cpp: the title, or on a projector what the colours mean
/// Height that it takes: there the rows begin.
float whole_run_header_height(const Pen&, const Theme&, const WholeRunContent&, float width);
void draw_whole_run_header(Pen&, const Theme&, const WholeRunContent&, float width);

// bands.cpp: what stands at the left of rows, and the scroll bar at their right
/// The longest spelling of row_label() that all rows in view have room for.
int label_style(const Pen&, const Theme&, const WholeRunContent&, const WholeRunGrid&);
/// Behind the present step's rows.
void draw_present_rows(Pen&, const Theme&, const WholeRunContent&, const WholeRunGrid&);
/// A launch's heading, or a row's label; a press leads there.
void draw_band(Pen&, const Theme&, const WholeRunContent&, const WholeRunGrid&, int r, int label_style);
/// Which part of a long run is in view, at the right edge.
void draw_run_scroll_bar(Pen&, const Theme&, const WholeRunRows&, const WholeRunGrid&);

// links.cpp: lines between rows of cells
/// A cell's column carries its value down from the row that wrote it, within a launch.
void draw_columns_between(Pen&, const Theme&, const WholeRunContent&, const WholeRunGrid&);
/// From the cells that a step read to those that it wrote.
DrawnMarks draw_links(Pen&, const Theme&, const WholeRunContent&, const WholeRunGrid&, int r);

// cells.cpp: what a step wrote
/// A box for each cell that it wrote.
DrawnMarks draw_row_cells(Pen&, const Theme&, const WholeRunContent&, const WholeRunGrid&, int r);
/// Too many cells for boxes: a strip, changed cells in the present's colour, the future's structure grey.
DrawnMarks draw_row_strip(Pen&, const Theme&, const WholeRunContent&, const WholeRunGrid&, int r);
/// Whether a step writes cells, and none of them in its row's view.
bool writes_out_of_view(const WholeRunContent&, const WholeRunGrid&, int r);
/// A step that writes no cell in its row's view: what it writes elsewhere, or, where cells are boxes, what it
/// reads.
DrawnMarks draw_writes_elsewhere(Pen&, const Theme&, const WholeRunContent&, const WholeRunGrid&, int r,
                                 bool boxes);

// lanes.cpp
/// From lane to lane: who gave to whom, and what came of it.
DrawnMarks draw_row_of_lanes(Pen&, const Theme&, const WholeRunContent&, const WholeRunGrid&, int r);

}  // namespace bscope
