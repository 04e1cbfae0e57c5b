// What the array view shows of a step, without a picture: its ranges, its moves, the cells of a lens.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/draw/theme.hpp"
#include "app/run/run.hpp"
#include "app/session/prediction.hpp"
#include "app/tabs/watch/array/columns.hpp"
#include "app/tabs/watch/array/grid.hpp"
#include "app/tabs/watch/array/lanes_layout.hpp"
#include "app/tabs/watch/array/lens.hpp"
#include "app/tabs/watch/array/moves.hpp"
#include "app/tabs/watch/array/states.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/array/warp.hpp"
#include "engine/analysis/instructions.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/substeps.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope {
namespace {

/// The first steps of every kernel.
template <class Check>
void for_each_step_view(const Check& check) {
  for (const Algorithm* a : catalog()) {
    const RunQueries m = model_of(a->name);
    for (int k = 0; k < std::min(steps(m.run()), 24); ++k) {
      const Cursor c = at_step(m.run(), {}, k);
      if (!m.step(c) || m.block(c).main < 0) continue;
      SCOPED_TRACE(a->name + " step " + std::to_string(k));
      check(StepView(m, c, nullptr), c);
    }
  }
}

TEST(ArrayStep, ShowsTheStepsOwnArraysAndNoSubStep) {
  for_each_step_view([](const StepView& v, const Cursor&) {
    EXPECT_EQ(v.sub, nullptr);
    EXPECT_TRUE(v.landed);
    const ArrayRange from = v.step.before(v.step.from()), to = v.step.after(v.step.to());
    EXPECT_EQ(v.from.array, from.array);
    EXPECT_EQ(v.from.first, from.first);
    EXPECT_EQ(v.to.array, to.array);
    EXPECT_EQ(v.to.first, to.first);
    EXPECT_EQ(&v.written(), &v.step.written());
  });
}

TEST(ArrayStep, OfARequestBothRowsShowItsArrayAndItsThreadsAloneWork) {
  const RunQueries m = model_of("scan/blelloch", 16);
  Cursor c = at_step(m.run(), {}, 2);
  c.substep = 0;
  const StepView v(m, c, nullptr);
  ASSERT_NE(v.sub, nullptr);
  ASSERT_NE(v.sub->request, nullptr);
  EXPECT_TRUE(v.one_row());
  EXPECT_EQ(v.to.array, v.sub->request->array);
  EXPECT_EQ(&v.written(), &v.sub->written);
  for (int rank = 0; rank < v.threads; ++rank)
    EXPECT_EQ(v.works(rank), std::ranges::count(v.sub->ranks, rank) == 1) << rank;
}

TEST(ArrayStep, WhileAPredictionHidesAnswersNothingHasLanded) {
  const RunQueries m = model_of("scan/blelloch", 16);
  Cursor c = at_step(m.run(), {}, 2);
  c.substep = 0;
  Prediction asked;
  asked.on = true;
  const StepView v(m, c, &asked);
  EXPECT_TRUE(v.hides);
  EXPECT_FALSE(v.landed);
  EXPECT_EQ(v.sub, nullptr);
  EXPECT_FALSE(lit_cells(v, c, Relatives::both).any());
  EXPECT_EQ(StepStates(v, true).words_after, nullptr);
}

TEST(ArrayStep, PartsAreNamedByTheirCells) {
  const RunQueries m = model_of("scan/blelloch", 16);
  const StepView v(m, at_step(m.run(), {}, 2), nullptr);
  const ArrayInfo& info = v.array(v.to.array);
  EXPECT_EQ(v.part_name({v.to.array, 0, info.size}), info.name + "[" + std::to_string(info.size) + "]");
  EXPECT_EQ(v.part_name({v.to.array, 2, 1}), info.name + "[2]");
  EXPECT_EQ(v.part_name({v.to.array, 2, 3}), info.name + "[2..4]");
}

// Several moves may be drawn as one; none is lost.
TEST(ArrayMoves, EveryWriteIsDrawnOrCountedElsewhere) {
  for_each_step_view([](const StepView& v, const Cursor&) {
    const StepStates states(v, false);
    const auto moves = drawn_moves(v, states);
    long drawn = 0;
    for (const DrawnMove& d : moves->all) {
      EXPECT_GE(d.to, 0);
      EXPECT_LT(d.to, v.to.size);
      drawn += d.move->held ? 0 : d.times;
    }
    for (const auto& [first, count] : moves->elsewhere) {
      EXPECT_FALSE(v.in_part(first->arrow.to, v.to));
      drawn += count;
    }
    EXPECT_EQ(drawn, std::ranges::count(v.step.moves(), false, &Move::held));
    EXPECT_EQ(drawn_moves(v, states), moves) << "kept for the next frame";
  });
}

TEST(ArrayLens, MagnifiesAtMostTenCellsAndTheSelectedOne) {
  for_each_step_view([](const StepView& v, const Cursor&) {
    const std::vector<int> cells = lens_cells(v, *drawn_moves(v, StepStates(v, false)), 0);
    ASSERT_FALSE(cells.empty());
    EXPECT_LE(cells.size(), 10u);
    EXPECT_TRUE(std::ranges::is_sorted(cells));
    EXPECT_EQ(std::ranges::adjacent_find(cells), cells.end());
    const int size = std::max(v.to.size, v.from.size);
    EXPECT_GE(int(cells.size()), std::min(10, size));
    if (v.selected && v.selected->array == v.to.array && v.in_part(*v.selected, v.to))
      EXPECT_TRUE(std::ranges::binary_search(cells, v.selected->index - v.to.first));
  });
}

TEST(ArrayLanes, RowsInViewEndWithTheExchangeInFocus) {
  const Theme t = theme(ThemeName::dark, 900);
  for (const Algorithm* a : catalog()) {
    const RunQueries m = model_of(a->name);
    for (int k = 0; k < std::min(steps(m.run()), 8); ++k) {
      Cursor c = at_step(m.run(), {}, k);
      if (!m.step(c)) continue;
      for (c.substep = 0; c.substep < int(m.substeps(*m.step(c)).size()); ++c.substep) {
        const StepView v(m, c, nullptr);
        if (!v.sub || !v.sub->exchange) continue;
        const WarpLanes w(v, shown_warp(v));
        ASSERT_GE(w.focus, 0);
        EXPECT_EQ(w.happened, w.focus + 1);
        const LanesLayout at = lanes_layout(t, {956, 200, array_columns(m, c, t, 956)}, w, 60);
        ASSERT_GE(at.rows(), 2u);
        EXPECT_TRUE(std::ranges::is_sorted(at.row_y));
        const auto made_it = [&](size_t row) { return w.held.rows[at.first + row].made_by == w.focus; };
        bool in_view = false;
        for (size_t row = 0; row < at.rows(); ++row) in_view = in_view || made_it(row);
        EXPECT_TRUE(in_view) << a->name << " " << c.substep;
      }
    }
  }
}

}  // namespace
}  // namespace bscope
