#include "app/tabs/watch/array/lens.hpp"

#include <algorithm>
#include <set>

#include "app/session/prediction.hpp"
#include "app/tabs/watch/array/moves.hpp"
#include "app/tabs/watch/array/step.hpp"

namespace bscope {

std::vector<int> lens_cells(const StepView& v, const DrawnMoves& moves, int first) {
  constexpr int most = 10;
  std::set<int> cells;
  if (v.prediction && v.prediction->array == v.to.array) {
    for (const int cell : v.prediction->cells) cells.insert(cell - v.to.first);
    if (v.hides) return {cells.begin(), cells.end()};
  }
  const int size = std::max(v.to.size, v.from.size);
  const auto add = [&](int cell) {
    if (cell >= 0 && cell < size && int(cells.size()) < most) cells.insert(cell);
  };
  if (v.selected && v.selected->array == v.to.array) add(v.selected->index - v.to.first);
  for (const DrawnMove& d : moves.all) {
    if (!d.focus) continue;
    add(d.to);
    for (const CellRef p : d.move->arrow.from)
      if (p.array == v.from.array) add(p.index - v.from.first);
  }
  if (cells.empty()) add(first);
  const std::set<int> wanted = cells;
  for (int reach = 1; int(cells.size()) < std::min(most, size) && reach < size; ++reach)
    for (const int cell : wanted) {
      add(cell - reach);
      add(cell + reach);
    }
  return {cells.begin(), cells.end()};
}

}  // namespace bscope
