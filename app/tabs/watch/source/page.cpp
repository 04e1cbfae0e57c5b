#include "app/tabs/watch/source/page.hpp"

#include <algorithm>

namespace bscope {
namespace {

int rows_of(const LineRows& rows, LineRange all) {
  int sum = 0;
  for (int k = all.first; k <= all.last; ++k) sum += rows(k);
  return sum;
}

}  // namespace

LineRange grown_lines(LineRange core, int fit, LineRange within, const LineRows& rows) {
  LineRange out{core.first, core.first - 1};
  int used = 0;
  const auto take = [&](int number) {
    const int more = rows(number);
    if (used + more > fit && out.last >= out.first) return false;
    used += std::min(more, fit);
    return true;
  };
  while (out.last < core.last && take(out.last + 1)) ++out.last;
  // what the inner lines leave is filled from above alone, if they did not all fit
  bool up = true, down = out.last >= core.last;
  while (up || down) {
    if (up) up = out.first > within.first && take(out.first - 1);
    if (up) --out.first;
    if (down) down = out.last < within.last && take(out.last + 1);
    if (down) ++out.last;
  }
  return out;
}

std::vector<LineRange> lines_in_view(const WantedLines& wanted, int fit, const LineRows& rows) {
  const int all = wanted.all;
  LineRange core = wanted.running;
  if (const int beside = wanted.beside; beside >= 1 && beside <= all) {
    const LineRange with{std::min({core.first, beside, wanted.selected}),
                         std::max({core.last, beside, wanted.selected})};
    core = rows_of(rows, with) <= fit ? with : LineRange{beside, beside};
  }
  if (rows_of(rows, core) > fit) core.first = core.last = std::clamp(wanted.telling, 1, all);
  const int chosen = wanted.selected >= 1 && wanted.selected <= all ? wanted.selected : core.first;
  const LineRange both{std::min(chosen, core.first), std::max(chosen, core.last)}, whole{1, all};
  if (rows_of(rows, both) <= fit) return {grown_lines(both, fit, whole, rows)};
  const LineRange line{chosen, chosen};
  // the selected line's has a third, or less, so that all of the others have room
  const int own = std::min(fit, rows_of(rows, line)), left = fit - rows_of(rows, core) - 1;
  const int small = std::clamp(std::min(fit / 3, std::max(own, left)), own, fit);
  // the selected line, with the instructions beneath it, is not cut for lines that run elsewhere
  if (fit - small - 1 < rows(core.first)) return {grown_lines(line, fit, whole, rows)};
  const bool above = chosen < core.first;
  const LineRange one =
      grown_lines(line, small, above ? LineRange{1, core.first - 1} : LineRange{core.last + 1, all}, rows);
  const LineRange side = above ? LineRange{one.last + 1, all} : LineRange{1, one.first - 1};
  // lines that run come before their neighbours
  const LineRange running{std::max(side.first, std::min(wanted.running.first, core.first)),
                          std::min(side.last, std::max(wanted.running.last, core.last))};
  const int room = fit - std::min(small, rows_of(rows, one)) - 1;
  const LineRange other = grown_lines(grown_lines(core, room, running, rows), room, side, rows);
  return above ? std::vector{one, other} : std::vector{other, one};
}

int last_page(int all, int fit, const LineRows& rows) {
  int top = all, used = 0;
  while (top >= 1 && (used += rows(top)) <= fit) --top;
  return std::min(top + 1, all);
}

}  // namespace bscope
