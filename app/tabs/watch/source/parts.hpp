// The parts of the source panel.
#pragma once

#include "app/draw/picture.hpp"
#include "engine/analysis/block_steps.hpp"

namespace bscope {

struct ActiveLanes;
struct DrawContext;
struct LayoutNode;
struct LineRange;
struct SourceContent;
struct SourceGrid;
struct Theme;

/// A line of the source, or what stands for lines that are left out.
struct SourceRow {
  int number = 0, left_out = 0;  ///< up to this one; 0: it is a line
  Box box = {};
};

// profile.cpp: how many lanes take part, beside the lines
LayoutNode profile_head(const SourceGrid&, const Theme&);
LayoutNode profile_of_line(const SourceGrid&, const Theme&, const ActiveLanes&);

// code.cpp
Colour colour_of(const Theme&, LineRole::Activity);
/// A line's code, and what stands beside it and beneath it. `fit`: rows that a page has.
LayoutNode source_line(const SourceContent&, const SourceGrid&, const Theme&, int number, int fit);

// rows.cpp: a line with its number, marks and places for the mouse
/// `form`: its code, source_line().
void draw_source_line(const DrawContext&, const SourceContent&, const SourceGrid&, const SourceRow&,
                      const LayoutNode& form);
/// Three points and the lines that they stand for.
void draw_left_out_lines(const DrawContext&, const SourceGrid&, const SourceRow&);
/// Where the lines in view are; its hit says how far from `home` the first of them can be.
void draw_source_scroll_bar(const DrawContext&, const SourceGrid&, int lines, Box page, LineRange in_view,
                            int home, int last_top);

}  // namespace bscope
