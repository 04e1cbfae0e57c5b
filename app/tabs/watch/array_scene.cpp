#include <algorithm>

#include "app/tabs/watch/array_parts.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/words/words.hpp"

namespace bscope {

Scene::Scene(const RunQueries& m, const Cursor& c, const WatchState& w, const Prediction* asked,
             const Theme& t, const Metrics& metrics, float width, float height)
    : model(m),
      cursor(c),
      state(w),
      prediction(asked),
      theme(t),
      pen(picture, metrics),
      block(m.block(c)),
      step(*m.step(c)),
      sub(hides() ? nullptr : m.instruction(c)) {
  picture.width = width;
  picture.height = height;
  const ArrayRange shown = shown_part(model, c);
  const bool switched = c.array >= 0 && shown.array == c.array;
  home = block.block;
  threads = model.trace().launches[size_t(block.launch)].block;
  selection = model.selection(c);
  followed = selection.thread;
  selected = selection.cell;
  landed = c.phase >= landing && !hides();
  if (sub && sub->request) {
    // one request has one array; whole, if it was asked for
    to = from = switched && c.array == sub->request->array ? shown : part(sub->request->array);
    if (const auto turns = block.turns.find(to.array); turns != block.turns.end() && !sub->nodes.empty()) {
      const int row = turns->second.row;
      to = from = {to.array, model.flow().nodes[size_t(sub->nodes[0])].place.index / row * row, row};
    }
    before = was = model.before(*sub, to);
    after = model.after(*sub, to);
    if (!std::binary_search(sub->ranks.begin(), sub->ranks.end(), followed)) followed = -1;
  } else {
    to = switched ? shown : step.after(step.to());
    from = switched && shown.array < first_shared ? shown : step.before(switched ? shown.array : step.from());
    before = model.before(step, from);
    // the row after shows what was there until the writes land
    was = model.before(step, to);
    after = model.after(step, to);
  }
  columns = array_columns(model, c, t, width);
  if (w.words && !hides() && !(sub && sub->request)) {
    words_before = model.words_before(step, from);
    words_was = model.words_before(step, to);
    words_after = model.words_after(step, to);
  }
  // by default the whole run alone lights relatives: here they would lie over every step
  constexpr int most_lit = 1 << 14;
  if ((c.cell || w.relatives != Relatives::ancestors) && !hides() && !sub) {
    relatives = related(m, c, w.relatives);
    if (from.size <= most_lit) lit_before = holds_relative(m, step, from, false, relatives);
    if (to.size <= most_lit) lit_after = holds_relative(m, step, to, landed, relatives);
  }
  chosen = choose_moves(*this);
}

ArrayRange Scene::part(int array) const {
  const auto it = block.parts.find(array);
  return it == block.parts.end() ? ArrayRange{} : it->second;
}

std::string Scene::part_name(const ArrayRange& p) const {
  const ArrayInfo& info = model.array(block.launch, p.array);
  if (p.size == info.size) return info.name + "[" + std::to_string(info.size) + "]";
  if (p.size == 1) return name({p.array, p.first});
  return info.name + "[" + std::to_string(p.first) + ".." + std::to_string(p.first + p.size - 1) + "]";
}

bool Scene::in_part(CellRef p, const ArrayRange& part) const {
  return p.array == part.array &&
         (!block.turns.contains(p.array) || (p.index >= part.first && p.index < part.first + part.size));
}

bool Scene::one_row() const { return from.array == to.array && from.first == to.first; }

std::string Scene::row_name(const ArrayRange& p) const {
  if (!block.turns.contains(p.array)) return array_name(p.array);
  const auto begin = [&](const ArrayRange& row) {
    return array_name(p.array) + "[" + std::to_string(row.first) + "..]";
  };
  // all rows are named alike: in the way that has room for the last one's name
  const ArrayRange last{p.array, model.array(block.launch, p.array).size - p.size, p.size};
  const auto fits = [&](const std::string& words) {
    return pen.width(words, label_size(), Font::mono_bold) <= label_room();
  };
  return fits(part_name(last)) ? part_name(p)
         : fits(begin(last))   ? begin(p)
                               : tr("row {}", p.first / p.size + 1);
}

std::string Scene::value(uint64_t bits, uint8_t kind) const { return value_text(ElementType(kind), bits); }

std::span<const std::pair<uint64_t, Step::Written>> Scene::written_in(int array, int first, int count) const {
  return Step::in_cells(written(), array, first, count);
}

const Step::Written* Scene::writes_of(CellRef p) const {
  const auto found = written_in(p.array, p.index, 1);
  return found.empty() ? nullptr : &found.front().second;
}

bool Scene::works(int rank) const {
  return sub ? std::binary_search(sub->ranks.begin(), sub->ranks.end(), rank) : step.works[size_t(rank)];
}

bool Scene::raced(CellRef p) const {
  if (!writes_of(p)) return false;
  if (model.lost(step, p) > 0) return true;
  for (const Hazard& h : model.flow().hazards)
    if (h.place == p && h.launch == block.launch && (h.block == block.block || !p.shared())) return true;
  return false;
}

void Scene::label_at(float at, std::string_view words, Font font, Colour colour) {
  pen.text({margin(theme), at}, pen.fitted(std::string(words), label_room(), label_size(), font),
           label_size(), colour, font);
}

void Scene::cell_hit(const Box& box, CellRef p, const ArrayState& s, const char* row) {
  std::string tip = name(p);
  if (p.index < s.size())
    tip = s.is_known(p.index) ? tr("{} = {}.", name(p), value_text(s, p.index))
                              : tr("{}: never written yet.", name(p));
  if (raced(p)) tip += tr(" Threads race for it: nothing orders their accesses.");
  pen.hit({HitRegion::cell, box, p.array, p.index, tip, row + name(p)});
}

bool CellRow::has(int cell) const { return std::binary_search(cells.begin(), cells.end(), cell); }
size_t CellRow::column(int cell) const {
  return size_t(std::lower_bound(cells.begin(), cells.end(), cell) - cells.begin());
}

CellRow cell_row(const Scene& v, std::vector<int> cells, float left, float pitch, bool roomy) {
  CellRow row;
  row.cells = std::move(cells);
  row.left = left;
  row.pitch = pitch;
  row.roomy = roomy;
  int jumped = 0;
  for (size_t k = 0; k < row.cells.size(); ++k) {
    jumped += k > 0 && row.cells[k] != row.cells[k - 1] + 1;
    row.jumps.push_back(jumped);
  }
  if (jumped) {
    row.gap = v.px(v.theme.projector() ? 20 : 16);
    row.pitch = pitch - row.gap * float(jumped) / float(row.cells.size());
  }
  row.cell_w = row.pitch - v.px(row.roomy ? 6 : 2);
  row.room = row.cell_w - v.px(row.roomy ? 6 : 4);  // values of neighbours keep apart
  return row;
}

}  // namespace bscope
