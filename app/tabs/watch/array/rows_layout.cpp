#include "app/tabs/watch/array/rows_layout.hpp"

#include <algorithm>
#include <utility>

#include "app/draw/text.hpp"
#include "app/draw/theme.hpp"
#include "app/tabs/watch/array/captions.hpp"
#include "app/tabs/watch/array/cell_row.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

/// Chooses the words below the rows: `free` is what they and the arrows share.
class CaptionChoice {
 public:
  CaptionChoice(const Pen& pen, const Theme& t, float width, float free)
      : pen_(pen), t_(t), width_(width), free_(free) {}

  /// Returns the room that these clauses leave for arrows.
  float say(std::vector<std::string> clauses) {
    said.clauses = std::move(clauses);
    said.lines = caption_lines(pen_, t_, said.clauses, width_);
    return free_ - height();
  }
  float height() const {
    return said.lines.empty() ? 0 : caption_line_height(t_) * float(said.lines.size()) + t_.px(2);
  }
  RowsCaption said;

 private:
  const Pen& pen_;
  const Theme& t_;
  float width_, free_;
};

/// Says what arrows leave room for; returns their room. `spare`: what cells could give them.
float say_what_fits(CaptionChoice& caption, const Theme& t, const RowsWords& words, float least, float spare,
                    bool of_substep) {
  float zone = caption.say(words.captions);
  // what the signs mean, in as many words as leave the arrows their room
  for (const bool briefly : {false, true}) {
    const std::vector<std::string>& signs = briefly ? words.signs_briefly : words.signs;
    if (signs.empty()) break;
    std::vector<std::string> all = words.captions;
    all.insert(briefly ? all.begin() : all.end(), signs.begin(), signs.end());
    zone = caption.say(std::move(all));
    if (zone >= least * 1.2f) break;
  }
  if (of_substep) return zone;
  // what has no room even with lower cells is left out whole, from the end
  const RowsCaption& said = caption.said;
  while (said.lines.size() > 1 && said.clauses.size() > 1 && zone + spare < t.px(40)) {
    std::vector<std::string> fewer = said.clauses;
    fewer.erase(fewer.back() == words.keeps ? fewer.end() - 2 : fewer.end() - 1);
    zone = caption.say(std::move(fewer));
  }
  if (zone + spare < t.px(38)) zone = caption.say({});
  return zone;
}

RowsLayout arranged(const Pen& pen, const Theme& t, const RowsRoom& room, const CellRow& row,
                    const RowsWords& words, float width, bool holds, bool of_substep) {
  RowsLayout out;
  out.index_h = t.small() * 1.2f + t.px(4);
  out.holds_h = holds ? t.label() * 1.3f + t.px(14) : 0;
  out.before_y = room.top;
  out.before_h = room.whole ? std::clamp(row.cell_w * 0.85f, t.px(24, 34), t.px(42)) : t.px(28, 32);
  out.after_h = !row.roomy   ? out.before_h + t.px(4)
                : room.whole ? std::max(out.before_h * 1.3f, t.px(50, 60))
                             : t.px(46, 44);
  const float barrier_gap = t.px(10, 12), least = t.px(40, 52);
  const float free = room.bottom - room.top - out.before_h - out.after_h - barrier_gap * 2 - out.index_h -
                     out.holds_h - t.px(2);
  const float spare = std::max(0.0f, out.after_h - out.before_h * 0.9f);
  CaptionChoice caption(pen, t, width, free);
  float zone = say_what_fits(caption, t, words, least, spare, of_substep);
  // where there is little room (below a sub-step's bar) the caption goes first, then the height of cells
  if (of_substep && zone < least) zone += caption.height(), caption.said.lines.clear();
  if (zone < least) {
    const float less = std::clamp(least - zone, 0.0f, spare);
    out.after_h -= less, zone += less;
  }
  out.caption = std::move(caption.said);
  out.open_y = out.before_y + out.before_h + barrier_gap;
  out.close_y = out.open_y + std::max(t.px(40), zone);
  out.after_y = out.close_y + barrier_gap;
  return out;
}

bool says_all(const RowsCaption& caption, const std::vector<std::string>& clauses) {
  return std::ranges::all_of(
      clauses, [&](const std::string& one) { return std::ranges::count(caption.clauses, one) > 0; });
}

}  // namespace

std::vector<std::string> caption_lines(const Pen& pen, const Theme& t,
                                       const std::vector<std::string>& clauses, float width) {
  return in_lines(pen, joined(clauses, tr("; ")), width, t.label());
}

float caption_line_height(const Theme& t) { return t.label() * 1.3f; }

float RowsLayout::index_y(const Theme& t) const { return after_y + after_h + index_h / 2 + t.px(1); }
float RowsLayout::holds_y(const Theme& t) const { return after_y + after_h + index_h + t.px(1); }

RowsLayout rows_layout(const Pen& pen, const Theme& t, const RowsRoom& room, const CellRow& row,
                       const RowsWords& words, float width, bool holds, bool of_substep) {
  const auto explains = [&](const RowsLayout& at) {
    return (words.keeps.empty() || says_all(at.caption, {words.keeps})) &&
           (says_all(at.caption, words.signs) || says_all(at.caption, words.signs_briefly));
  };
  RowsLayout out = arranged(pen, t, room, row, words, width, holds, of_substep);
  if (!holds || explains(out)) return out;
  // what a sign means comes before the brackets: the sentence beside says what the cell holds, too
  const RowsLayout without = arranged(pen, t, room, row, words, width, false, of_substep);
  return explains(without) ? without : out;
}

}  // namespace bscope
