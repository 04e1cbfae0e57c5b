#include "app/draw/code.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/draw/layout.hpp"
#include "app/draw/letters.hpp"
#include "app/draw/theme.hpp"
#include "app/session/tab.hpp"
#include "app/tabs/watch/source/content.hpp"
#include "app/tabs/watch/source/grid.hpp"
#include "app/tabs/watch/source/lines.hpp"
#include "app/tabs/watch/source/parts.hpp"
#include "app/tabs/watch/source/text.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/make_problem.hpp"

namespace bscope {
namespace {

/// "a, b, c"; "a, b and 1 more"; "a and 2 more".
std::vector<std::string> spellings(const std::vector<std::string>& all) {
  std::vector<std::string> out;
  std::string words;
  for (size_t k = 0; k < all.size() && words.size() < 160; ++k) {
    words += (k ? ", " : "") + all[k];
    const size_t more = all.size() - k - 1;
    out.insert(out.begin(), more ? tr("{} and {} more", words, more) : words);
  }
  return out;
}

/// The lanes that take part, filled. Those that left at one `if` stay away for the lines below: their mask
/// is shown once.
LayoutNode mask(const SourceContent& source, const SourceGrid& at, const Theme& t, int number,
                const LineRole& role) {
  if (role.lanes.empty() || source.profiled()) return {};
  const auto here = source.roles.lower_bound(number);
  const LineRole* above = here == source.roles.begin() ? nullptr : &std::prev(here)->second;
  const bool as_above = above && above->lanes == role.lanes && above->warp == role.warp;
  if (source.sub ? !source.is_now(number) : as_above) return {};
  const float w = std::min(t.px(10, 15) * float(role.lanes.size()), at.room() * 0.6f);
  return drawing(w, at.row, [lanes = role.lanes, high = at.size * 0.75f](const DrawContext& p, Box b) {
    const float each = b.w / float(lanes.size()), gap = std::min(p.t.px(2), each * 0.25f);
    for (size_t k = 0; k < lanes.size(); ++k) {
      const Box lane{b.x + float(k) * each + gap / 2, b.centre().y - high / 2, each - gap, high};
      p.pen.rect(lane, lanes[k] ? p.t.thread : 0, lanes[k] ? 0 : p.t.ink3, p.t.px(1));
    }
  });
}

/// While instructions are stepped through values keep their room, so that lines stay where they are.
LayoutNode value(const SourceContent& source, const SourceGrid& at, const Theme& t, int number) {
  const auto of = [number](const std::map<int, ValueOfLine>& all) {
    const auto it = all.find(number);
    return it == all.end() ? nullptr : &it->second;
  };
  const ValueOfLine* all = of(source.values);
  if (!all) return {};
  const ValueOfLine* shown = !source.sub ? all : source.is_now(number) ? of(source.sub_values) : nullptr;
  const Colour c = !shown ? t.ink : shown->what == LineRole::write ? t.present() : colour_of(t, shown->what);
  const LineLook look{.size = at.size,
                      .colour = contrast(c, t.selected) >= 4.5f ? c : t.ink,
                      .font = Font::mono_bold,
                      .align = Align::right,
                      .cut = true};
  LayoutNode form = line(shown ? spellings(shown->all) : std::vector<std::string>{}, look);
  if (source.sub) form.wanted = line({all->longest, spellings(all->all)[0]}, look).wanted;
  form.height = [high = at.row](const DrawContext&, float) { return high; };
  return form;
}

/// The code; at the right of its last row the lanes and the value, or on rows of their own.
LayoutNode beside(const SourceGrid& at, std::vector<LayoutNode> rows, const LayoutNode& lanes,
                  const LayoutNode& value) {
  if (lanes.empty() && value.empty()) return column(0, std::move(rows));
  const LayoutNode last = std::move(rows.back());
  rows.pop_back();
  const auto right = [&](const LayoutNode& left, const LayoutNode& one, const LayoutNode& other = {}) {
    const bool both = !one.empty() && !other.empty();
    return row(0, {left, space(left.empty() ? 0 : 2 * at.letter).grows(), one,
                   both ? space(at.letter) : LayoutNode{}, other});
  };
  std::vector<std::vector<LayoutNode>> endings{{right(last, lanes, value)},
                                               {last, right({}, lanes, value)},
                                               {right(last, lanes), right({}, value)},
                                               {right(last, value), right({}, lanes)},
                                               {last, right({}, lanes), right({}, value)}};
  if (!at.value_rows) endings = {endings.front(), {right(last, value)}, {last}};
  std::vector<LayoutNode> ways;
  for (const std::vector<LayoutNode>& below : endings) {
    std::vector<LayoutNode> all = rows;
    all.insert(all.end(), below.begin(), below.end());
    ways.push_back(column(0, std::move(all)));
  }
  return widest_that_fits(std::move(ways));
}

/// Characters that a row of code has room for.
size_t letters_in_row(const SourceGrid& at) { return size_t(std::max(8.0f, at.room() / at.letter)); }

/// Whether the registration is folded to this line: its name stands for all of it.
bool is_folded_head(const SourceContent& source, int number) { return source.folded && source.folds(number); }

/// The text of a line, broken into rows.
std::vector<std::string> rows_of_code(const SourceContent& source, const SourceGrid& at, const Theme& t,
                                      int number) {
  const std::string& whole = source.text(number);
  const bool short_rows = t.projector() && source.unfolded(number);
  const size_t most = letters_in_row(at), shift = size_t(std::max(0, source.look.source_shift));
  if (is_folded_head(source, number)) return code_rows(whole.substr(0, whole.find('{')), most);
  if (shift == 0)
    return short_rows ? without_comment(code_rows(less_indented(whole), most)) : code_rows(whole, most);
  // scrolled to the right: as in the file
  const std::string text = whole.size() > shift ? whole.substr(cut_before(whole, shift)) : "";
  return {text.substr(0, cut_before(text, std::min(most, text.size())))};
}

/// Behind a barrier's code.
LayoutNode barrier_dashes(const SourceGrid& at) {
  LayoutNode dashes;
  dashes.fills = true;
  dashes.drawn = [least = at.letter * 3](const DrawContext& p, Box b) {
    const float y = b.centre().y;
    if (b.w > least) p.pen.line({b.x, y}, {b.right(), y}, p.t.barrier, p.t.px(1.5f), p.t.px(5));
  };
  return dashes;
}

/// The rows of code, with what belongs to them alone: how many lines are folded, a barrier's dashes.
std::vector<LayoutNode> code_forms(const SourceContent& source, const SourceGrid& at, const Theme& t,
                                   int number) {
  const LineRole* role = source.role_of(number);
  const bool acts = role && source.is_now(number), named = is_folded_head(source, number);
  std::vector<LayoutNode> forms;
  for (const std::string& words : rows_of_code(source, at, t, number))
    forms.push_back(code(words, {.size = at.size,
                                 .height = at.row,
                                 .plain = acts ? t.ink : t.ink2,
                                 .comment = source.is_lit(number) && !named ? t.ink2 : t.ink3,
                                 .bold = acts && words.find("sync") != std::string::npos}));
  if (named) {
    const LayoutNode many = line({tr_count(source.fold.last - source.fold.first + 1, "{} line", "{} lines")},
                                 {.size = at.size, .colour = t.ink3, .font = Font::mono_bold});
    forms.back() = row(at.letter, {forms.back(), space(0).grows(), LayoutNode(many).gives(1)});
  } else if (acts && role->what == LineRole::barrier) {
    forms.front() = row(at.letter, {forms.front(), barrier_dashes(at).grows()});
  }
  return forms;
}

/// In place of a hidden line: how long it is.
LayoutNode hidden_line(const SourceContent& source, const SourceGrid& at, int number) {
  const std::string& text = source.text(number);
  const size_t begin = text.find_first_not_of(' '), end = std::min(text.size(), letters_in_row(at));
  const size_t from = std::min(begin, end);
  return drawing(0, at.row,
                 [left = float(from) * at.letter, w = float(end - from) * at.letter, high = at.size * 0.5f](
                     const DrawContext& p, Box b) {
                   if (w > 0)
                     p.pen.rect({b.x + left, b.centre().y - high / 2, w, high}, p.t.line, 0, 1, high / 2);
                 });
}

}  // namespace

LayoutNode source_line(const SourceContent& source, const SourceGrid& at, const Theme& t, int number,
                       int fit) {
  if (source.is_hidden(number)) return hidden_line(source, at, number);
  const LineRole* role = source.role_of(number);
  std::vector<LayoutNode> forms = code_forms(source, at, t, number);
  if (is_folded_head(source, number)) return column(0, std::move(forms));
  const int rows = int(forms.size());
  const auto with_values = [&] {
    return beside(at, std::move(forms), mask(source, at, t, number, *role), value(source, at, t, number));
  };
  if (number == source.main_line)
    return beside(at, std::move(forms), {},
                  line({tr("the run shown has its own input"), tr("the run has its own input")},
                       {.size = at.size, .colour = t.ink2, .align = Align::right, .cut = true}));
  if (!source.unfolded(number)) return role ? with_values() : column(0, std::move(forms));
  // in the last row's size there is no room for the instructions and for what stands beside the line
  const bool alone = !role || t.projector();
  LayoutNode whole_line = alone ? column(0, std::move(forms)) : with_values();
  const int taken = rows + (alone ? 0 : 2) + (t.projector() ? 1 : 2);
  std::vector<LayoutNode> with_code =
      machine_rows(*source.machine, number, source.look.code_from, std::max(2, fit - taken), t,
                   {.size = at.size,
                    .row = at.row,
                    .letters = letters_in_row(at),
                    .ground = source.is_lit(number) ? t.selected : t.panel,
                    .brief = t.projector()});
  with_code.insert(with_code.begin(), std::move(whole_line));
  return column(0, std::move(with_code));
}

Colour colour_of(const Theme& t, LineRole::Activity what) {
  switch (what) {
    case LineRole::read: return t.read;
    case LineRole::write: return t.write;
    case LineRole::atomic: return t.atomic;
    case LineRole::barrier: return t.barrier;
    case LineRole::compute: break;
  }
  return t.thread;
}

}  // namespace bscope
