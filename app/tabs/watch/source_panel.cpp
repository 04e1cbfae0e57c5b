#include "app/tabs/watch/source_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include "app/draw/chart.hpp"
#include "app/draw/code.hpp"
#include "app/draw/letters.hpp"
#include "app/draw/tree.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/machine_lines.hpp"
#include "app/tabs/watch/source_lines.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/barrier_lines.hpp"

namespace bscope {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line); out.push_back(std::move(line))) {
    if (line.ends_with('\r')) line.pop_back();
    for (size_t tab; (tab = line.find('\t')) != std::string::npos;) line.replace(tab, 1, "  ");
  }
  return out;
}

/// Lines, from 1, both of them included; none where `last` is before `first`.
struct LineRange {
  int first = 1, last = 0;
  bool holds(int line) const { return line >= first && line <= last; }
};

/// The lines in which the kernel is entered into the catalog: no part of what it does.
LineRange registration(const std::vector<std::string>& lines) {
  for (size_t k = 0; k < lines.size(); ++k) {
    if (!lines[k].starts_with("static") || lines[k].find("Register") == std::string::npos) continue;
    size_t end = k;
    while (end + 1 < lines.size() && !lines[end].starts_with("}};")) ++end;
    return {int(k) + 1, int(end) + 1};
  }
  return {};
}

/// As wide as that, whatever is in it.
LayoutNode wide(float w, LayoutNode f) {
  f.wanted = [w](const DrawContext&) { return w; };
  f.least = f.wanted;
  return f;
}

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

// On a projector the room of an unfolded line's indent and comment is its instructions'.
/// Indented by one blank at most.
std::string less_indented(const std::string& line) {
  const size_t indent = std::min(line.find_first_not_of(' '), line.size());
  return line.substr(indent - std::min<size_t>(indent, 1));
}
/// A line's rows without those that are comment alone, but for the first.
std::vector<std::string> without_comment(std::vector<std::string> rows) {
  const auto comments = [](const std::string& row) {
    return std::string_view(row).substr(std::min(row.find_first_not_of(' '), row.size())).starts_with("//");
  };
  if (!rows.empty()) rows.erase(std::remove_if(rows.begin() + 1, rows.end(), comments), rows.end());
  return rows;
}

class SourcePanel {
 public:
  SourcePanel(const RunQueries& model, const Cursor& c, const Theme& t, const Metrics& m, float w,
              const WatchState& look, bool hides, const std::shared_ptr<const OwnCode>& own)
      : model_(model),
        cursor_(c),
        t_(t),
        look_(look),
        width_(w),
        step_(*model.step(c)),
        sub_(hides ? nullptr : model.instruction(c)),
        followed_(model.followed(c)),
        letter_(m.width(Font::mono, size_, "m")) {
    const auto& sources = model.trace().sources;
    const int source = model.trace().launches[size_t(step_.interval->launch)].source;
    if (source >= 0 && size_t(source) < sources.size()) {
      lines_ = lines_of(sources[size_t(source)].text);
      file_ = sources[size_t(source)].path;
      file_.erase(0, file_.find_last_of('/') + 1);
    }
    barriers_ = barrier_lines(model.trace(), model.flow(), source);
    fold_ = registration(lines_);
    const auto within = [&](int line) { return line > fold_.first && line <= fold_.last; };
    folded_ = fold_.last > fold_.first && !look.registration && !within(c.line) &&
              (step_.lines().empty() || !within(step_.lines().rbegin()->first));
    std::vector<int> run{c.line};
    if (const auto& lines = step_.lines(); !lines.empty())
      run = {lines.begin()->first, lines.rbegin()->first};
    else if (c.line == 0)  // the block was ended before it did anything: no line to name
      for (const Finding& f : model.trace().findings)
        if (f.launch == c.launch && f.block == c.block && f.line > 0) {
          run = {f.line};
          break;
        }
    if (sub_) run.push_back(sub_->what.line);  // lanes may meet on a line that touches no memory
    const auto within_file = [&](int line) { return std::clamp(line, 1, std::max(1, int(lines_.size()))); };
    lit_ = {within_file(std::ranges::min(run)), within_file(std::ranges::max(run))};
    const Selection selection = model.selection(c);
    const int chosen = selection.here ? selection.node : -1;
    roles_ = roles_of_lines(model, step_, followed_, chosen);
    profile_ = lanes_of_lines(model, step_, look.profile);
    if (sub_) sub_role_ = bscope::role_of(*sub_);
    if (look.machine_code) machine_ = &machine_lines(model, step_.interval->launch, own);
    if (profiled()) return;
    values_ = values_of_lines(model, step_, followed_, chosen, hides);
    if (sub_) sub_values_ = values_of_lines(model, step_, followed_, chosen, hides, sub_);
  }

  LayoutNode form() {
    const LayoutNode body =
        lines_.empty()
            ? padded(text({{tr("The trace holds no source text."), t_.ink2}}, {.size = size_}), margin(t_), 0)
            : drawing(0, 0, [this](const DrawContext& p, Box b) { draw_lines(p, b); });
    LayoutNode columns;
    if (profiled()) {
      const auto head = [&](const std::string& words) {
        const float size = t_.px(t_.size_index, 22);
        LayoutNode form = line({words}, {.size = size, .colour = t_.ink2, .align = Align::right});
        form.height = [size](const DrawContext&, float) { return size * 1.15f; };
        return form;
      };
      columns = row(
          0,
          {space(0).grows(),
           pressed(profile_columns(head(tr("runs")), head(tr("lanes")), head(tr("passes"))),
                   {.what = HitRegion::other,
                    .box = {},
                    .tip = tr("Runs: how often a warp ran the line. Lanes: how many of its lanes took part; "
                              "the others were switched off, which is divergence. Passes: runs over the "
                              "fewest that could do it if the working lanes were packed into full warps."),
                    .name = "source:columns"}),
           space(right_)});
    }
    return column(
        0,
        {padded(head(), margin(t_), t_.px(6, 4)),
         machine_ ? padded(machine_figures(*machine_, t_, t_.projector() && machine_->has(look_.code_line)),
                           margin(t_), t_.px(4, 2))
                  : LayoutNode{},
         std::move(columns), LayoutNode(body).grows()});
  }

 private:
  bool profiled() const { return look_.profile != Profile::values; }

  LayoutNode head() const {
    std::string words;
    if (profiled())
      words = look_.profile == Profile::step ? tr("lanes in this step") : tr("lanes in the whole run");
    else if (followed_ >= 0)
      words = tr("following thread {}", followed_);
    const float small = t_.px(t_.size_label);
    const LayoutNode chosen =
        pressed(line({words}, {.size = small, .colour = t_.thread, .font = Font::text_bold}),
                {.what = HitRegion::button,
                 .box = {},
                 .tip = tr("What stands beside the lines: the followed thread's values, or how many of a "
                           "warp's lanes take part, in this step or in the whole run. Click to change."),
                 .name = "source:profile",
                 .press = [](State& s, float) { s = next_profile(std::move(s)); }});
    const LayoutNode named =
        row(t_.px(12), {line({tr("Source")}, heading_look(t_)),
                        line({file_}, {.size = small, .colour = t_.ink3, .font = Font::mono}).gives(1)});
    return row(t_.px(12),
               {LayoutNode(named).grows(), words.empty() ? LayoutNode{} : LayoutNode(chosen).gives(1)});
  }

  /// The columns of a profile, each at the right of its own.
  float runs_width() const { return size_ * (t_.projector() ? 2.6f : 2.2f); }
  float bar_width() const { return t_.px(38, 78); }
  float passes_width() const { return size_ * (t_.projector() ? 3.4f : 3.6f); }
  LayoutNode profile_columns(LayoutNode runs, LayoutNode lanes, LayoutNode passes) const {
    return row(0, {wide(runs_width(), std::move(runs)), space(t_.px(10)), wide(bar_width(), std::move(lanes)),
                   wide(passes_width(), std::move(passes))});
  }
  LayoutNode profile(const LanesOfLine& l) const {
    const auto number = [&](const std::string& words, Colour c, bool bold) {
      return line({words}, {.size = std::min(size_, row_ * 0.8f),
                            .colour = c,
                            .font = bold ? Font::mono_bold : Font::mono,
                            .align = Align::right});
    };
    const LayoutNode bar = drawing(0, row_ * 0.62f, [share = float(l.share())](const DrawContext& p, Box b) {
      p.pen.hatch(b, mix(p.t.idle, p.t.panel, 0.45f), p.t.px(5), p.t.px(1));
      p.pen.rect({b.x, b.y, b.w * share, b.h}, p.t.thread);
      p.pen.rect(b, 0, mix(p.t.idle, p.t.panel, 0.7f), p.t.px(1));
    });
    const double ratio = l.runs / std::max(1.0, l.ideal);
    return profile_columns(
        number(brief(l.runs), t_.ink2, false), bar,
        number(ratio >= 9.95 ? fmt::format("{:.0f}x", ratio) : fmt::format("{:.1f}x", ratio), t_.ink,
               ratio > 1.04));
  }

  // Where code stands.
  float number_gap() const { return t_.px(12, 8); }
  float code_left() const {
    return margin(t_) + letter_ * float(std::to_string(lines_.size()).size()) + number_gap();
  }
  float code_right() const {
    const float columns = runs_width() + t_.px(10) + bar_width() + passes_width() + t_.px(6);
    return width_ - right_ - (profiled() ? columns : 0);
  }
  float room() const { return code_right() - code_left(); }

  /// Whether it is the line that the registration can be folded to.
  bool folds(int number) const { return number == fold_.first && fold_.last > fold_.first; }
  /// What the line does in this step; null: nothing. Of the instruction that is shown: what that does.
  const LineRole* role_of(int number) const {
    if (sub_ && number == sub_->what.line) return &sub_role_;
    const auto it = roles_.find(number);
    return it == roles_.end() ? nullptr : &it->second;
  }
  /// Whether it happens now, in the step or in the instruction that is shown.
  bool is_now(int number) const { return !sub_ || number == sub_->what.line; }
  /// A line of the step, or between two of them that lie close.
  bool is_lit(int number) const {
    return lit_.holds(number) && (lit_.last - lit_.first < 14 || role_of(number));
  }
  Colour colour_of(LineRole::What what) const {
    switch (what) {
      case LineRole::read: return t_.read;
      case LineRole::write: return t_.write;
      case LineRole::atomic: return t_.atomic;
      case LineRole::barrier: return t_.barrier;
      case LineRole::compute: break;
    }
    return t_.thread;
  }

  /// The lanes that take part, filled. Those that left at one `if` stay away for the lines below: their mask
  /// is shown once.
  LayoutNode mask(int number, const LineRole& role) const {
    if (role.lanes.empty() || profiled()) return {};
    const auto here = roles_.lower_bound(number);
    const LineRole* above = here == roles_.begin() ? nullptr : &std::prev(here)->second;
    const bool as_above = above && above->lanes == role.lanes && above->warp == role.warp;
    if (sub_ ? !is_now(number) : as_above) return {};
    const float w = std::min(t_.px(10, 15) * float(role.lanes.size()), room() * 0.6f);
    return drawing(w, row_, [lanes = role.lanes, high = size_ * 0.75f](const DrawContext& p, Box b) {
      const float each = b.w / float(lanes.size()), gap = std::min(p.t.px(2), each * 0.25f);
      for (size_t k = 0; k < lanes.size(); ++k) {
        const Box lane{b.x + float(k) * each + gap / 2, b.centre().y - high / 2, each - gap, high};
        p.pen.rect(lane, lanes[k] ? p.t.thread : 0, lanes[k] ? 0 : p.t.ink3, p.t.px(1));
      }
    });
  }
  /// While instructions are stepped through values keep their room, so that lines stay where they are.
  LayoutNode value(int number) const {
    const auto of = [number](const std::map<int, ValueOfLine>& all) {
      const auto it = all.find(number);
      return it == all.end() ? nullptr : &it->second;
    };
    const ValueOfLine* all = of(values_);
    if (!all) return {};
    const ValueOfLine* shown = !sub_ ? all : is_now(number) ? of(sub_values_) : nullptr;
    const Colour c = !shown ? t_.ink : shown->what == LineRole::write ? t_.present() : colour_of(shown->what);
    const LineLook look{.size = size_,
                        .colour = contrast(c, t_.selected) >= 4.5f ? c : t_.ink,
                        .font = Font::mono_bold,
                        .align = Align::right,
                        .cut = true};
    LayoutNode form = line(shown ? spellings(shown->all) : std::vector<std::string>{}, look);
    if (sub_) form.wanted = line({all->longest, spellings(all->all)[0]}, look).wanted;
    form.height = [high = row_](const DrawContext&, float) { return high; };
    return form;
  }

  /// The code; at the right of its last row the lanes and the value, or on rows of their own.
  LayoutNode beside(std::vector<LayoutNode> rows, const LayoutNode& lanes, const LayoutNode& value) const {
    if (lanes.empty() && value.empty()) return column(0, std::move(rows));
    const LayoutNode last = std::move(rows.back());
    rows.pop_back();
    const auto right = [&](const LayoutNode& left, const LayoutNode& one, const LayoutNode& other = {}) {
      const bool both = !one.empty() && !other.empty();
      return row(0, {left, space(left.empty() ? 0 : 2 * letter_).grows(), one,
                     both ? space(letter_) : LayoutNode{}, other});
    };
    std::vector<LayoutNode> ways;
    for (const std::vector<LayoutNode>& below :
         std::vector<std::vector<LayoutNode>>{{right(last, lanes, value)},
                                              {last, right({}, lanes, value)},
                                              {right(last, lanes), right({}, value)},
                                              {right(last, value), right({}, lanes)},
                                              {last, right({}, lanes), right({}, value)}}) {
      std::vector<LayoutNode> all = rows;
      all.insert(all.end(), below.begin(), below.end());
      ways.push_back(column(0, std::move(all)));
    }
    return widest_that_fits(std::move(ways));
  }

  LayoutNode code_of(int number) const {
    const std::string& whole = lines_[size_t(number) - 1];
    const LineRole* role = role_of(number);
    const bool acts = role && is_now(number);
    const bool named = folded_ && folds(number);  // its name stands for the registration
    const bool short_rows = t_.projector() && unfolded(number);
    const size_t most = size_t(std::max(8.0f, room() / letter_)),
                 shift = size_t(std::max(0, look_.source_shift));
    std::vector<std::string> rows;
    if (named)
      rows = code_rows(whole.substr(0, whole.find('{')), most);
    else if (shift == 0)
      rows = short_rows ? without_comment(code_rows(less_indented(whole), most)) : code_rows(whole, most);
    else {  // scrolled to the right: as in the file
      const std::string text = whole.size() > shift ? whole.substr(cut_before(whole, shift)) : "";
      rows = {text.substr(0, cut_before(text, std::min(most, text.size())))};
    }
    std::vector<LayoutNode> forms;
    for (const std::string& words : rows)
      forms.push_back(code(words, {.size = size_,
                                   .height = row_,
                                   .plain = acts ? t_.ink : t_.ink2,
                                   .comment = is_lit(number) && !named ? t_.ink2 : t_.ink3,
                                   .bold = acts && words.find("sync") != std::string::npos}));
    if (named) {
      const LayoutNode many = line({tr_count(fold_.last - fold_.first + 1, "{} line", "{} lines")},
                                   {.size = size_, .colour = t_.ink3, .font = Font::mono_bold});
      forms.back() = row(letter_, {forms.back(), space(0).grows(), LayoutNode(many).gives(1)});
      return column(0, std::move(forms));
    }
    if (acts && role->what == LineRole::barrier) {
      LayoutNode dashes;
      dashes.fills = true;
      dashes.drawn = [least = letter_ * 3](const DrawContext& p, Box b) {
        const float y = b.centre().y;
        if (b.w > least) p.pen.line({b.x, y}, {b.right(), y}, p.t.barrier, p.t.px(1.5f), p.t.px(5));
      };
      forms.front() = row(letter_, {forms.front(), std::move(dashes).grows()});
    }
    if (!unfolded(number))
      return role ? beside(std::move(forms), mask(number, *role), value(number))
                  : column(0, std::move(forms));
    // in the last row's size there is no room for the instructions and for what stands beside the line
    const bool alone = !role || t_.projector();
    LayoutNode whole_line =
        alone ? column(0, std::move(forms)) : beside(std::move(forms), mask(number, *role), value(number));
    const int taken = int(rows.size()) + (alone ? 0 : 2) + (t_.projector() ? 1 : 2);
    std::vector<LayoutNode> with_code =
        machine_rows(*machine_, number, look_.code_from, std::max(2, fit_ - taken), t_,
                     {.size = size_,
                      .row = row_,
                      .letters = most,
                      .ground = is_lit(number) ? t_.selected : t_.panel,
                      .brief = t_.projector()});
    with_code.insert(with_code.begin(), std::move(whole_line));
    return column(0, std::move(with_code));
  }
  bool unfolded(int number) const { return machine_ && look_.code_line == number && machine_->has(number); }

  /// A line of the source, or what stands for lines that are left out.
  struct SourceRow {
    int number = 0, left_out = 0;  ///< up to this one; 0: it is a line
    Box box = {};
  };
  const LayoutNode& form_of(int number) {
    auto [it, fresh] = forms_.try_emplace(number);
    const bool away = folded_ && number > fold_.first && number <= fold_.last;
    if (fresh && !away) it->second = code_of(number);
    return it->second;
  }
  int rows(const DrawContext& p, int number) {
    auto [it, fresh] = rows_.try_emplace(number);
    if (fresh) it->second = int(std::lround(form_of(number).height_at(p, room()) / row_));
    return it->second;
  }
  int rows(const DrawContext& p, LineRange all) {
    int sum = 0;
    for (int k = all.first; k <= all.last; ++k) sum += rows(p, k);
    return sum;
  }

  /// Lines around those of `core`, as many as fill `fit` rows, none outside of `within`. Of more than fit the
  /// first ones.
  LineRange grown(const DrawContext& p, LineRange core, int fit, LineRange within) {
    LineRange out{core.first, core.first - 1};
    int used = 0;
    const auto take = [&](int number) {
      const int more = rows(p, number);
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

  /// The line that wrote the selected cell, of those that run in this step; else the first of them.
  int telling_line() const {
    if (sub_) return sub_->what.line;
    if (const auto cell = model_.selected(cursor_))
      if (const auto* written = step_.writes_of(*cell)) {
        const int line = model_.flow().nodes[size_t(written->node)].line;
        if (line >= 1 && line <= int(lines_.size())) return line;
      }
    return lit_.first;
  }

  /// The running lines and the selected one are in view, whole: with what stands between them where there is
  /// room for it, else in two pieces.
  std::vector<LineRange> in_view(const DrawContext& p, int fit) {
    const int all = int(lines_.size());
    LineRange core = lit_;
    if (rows(p, core) > fit) core.first = core.last = std::clamp(telling_line(), 1, all);
    const int chosen = cursor_.line >= 1 && cursor_.line <= all ? cursor_.line : core.first;
    const LineRange both{std::min(chosen, core.first), std::max(chosen, core.last)}, whole{1, all};
    if (rows(p, both) <= fit) return {grown(p, both, fit, whole)};
    const LineRange line{chosen, chosen};
    // the selected line's has a third
    const int small = std::clamp(fit / 3, std::min(fit, rows(p, line)), fit);
    // instructions that were asked for are not cut for lines that run elsewhere
    if (fit - small - 1 < (unfolded(chosen) ? rows(p, core.first) : 1)) return {grown(p, line, fit, whole)};
    const bool above = chosen < core.first;
    const LineRange one =
        grown(p, line, small, above ? LineRange{1, core.first - 1} : LineRange{core.last + 1, all});
    const LineRange other = grown(p, core, fit - std::min(small, rows(p, one)) - 1,
                                  above ? LineRange{one.last + 1, all} : LineRange{1, one.first - 1});
    return above ? std::vector{one, other} : std::vector{other, one};
  }

  /// The first line of a page that ends with the last one.
  int last_page(const DrawContext& p, int fit) {
    int top = int(lines_.size()), used = 0;
    while (top >= 1 && (used += rows(p, top)) <= fit) --top;
    return std::min(top + 1, int(lines_.size()));
  }

  void draw_lines(const DrawContext& p, Box b) {
    const int all = int(lines_.size());
    int fit = std::max(1, int((b.h - t_.px(6)) / row_));
    if (t_.projector()) fit = std::min(fit, 9);
    fit_ = fit;
    std::vector<LineRange> pieces = in_view(p, fit);
    const Box page{b.x, b.y, b.w, row_ * float(fit)};
    if (const int last = last_page(p, fit); last > 1) {  // not all of it is in view
      const int home = pieces.front().first;
      if (look_.source_scroll != 0 && look_.source_scroll_at == step_.flow_index) {
        const int top = std::clamp(home + look_.source_scroll, 1, last);
        pieces = {grown(p, {top, all}, fit, {top, all})};
      }
      scroll_bar(p, page, {pieces.front().first, pieces.back().last}, home, last);
    }
    std::vector<SourceRow> shown;
    float y = page.y;
    const auto place = [&](SourceRow one, int rows) {
      one.box = {page.x, y, page.w, std::min(row_ * float(rows), page.bottom() - y)};
      y = one.box.bottom();
      if (one.box.h > 0) shown.push_back(one);
    };
    for (size_t k = 0; k < pieces.size(); ++k) {
      if (const int from = k ? pieces[k - 1].last + 1 : 0, to = pieces[k].first - 1; k && from <= to)
        place({from, to}, 1);
      for (int number = pieces[k].first; number <= pieces[k].last; ++number) place({number}, rows(p, number));
    }
    for (const SourceRow& one : shown)
      if (one.left_out)
        draw_left_out(p, one);
      else
        draw_line(p, one);
    for (const SourceRow& one : shown)
      if (one.number == cursor_.line && !one.left_out)
        p.pen.rect({t_.px(6), one.box.y, width_ - t_.px(13), one.box.h}, 0, t_.ink2, t_.px(1.5f), t_.px(3));
  }

  void draw_line(const DrawContext& p, const SourceRow& one) {
    const int number = one.number;
    const LineRole* role = role_of(number);
    const bool now = is_now(number), lit = is_lit(number), selected = number == cursor_.line;
    const float left = code_left(), y = one.box.y + row_ / 2;
    if (sub_ ? now : lit && !(folded_ && folds(number))) p.pen.rect(one.box, t_.selected);
    if (role)
      p.pen.rect({0, one.box.y, t_.px(5), one.box.h},
                 now ? colour_of(role->what) : mix(colour_of(role->what), t_.panel, 0.35f));
    p.pen.text({left - number_gap(), y}, std::to_string(number), size_,
               selected ? t_.ink
               : lit    ? t_.ink2
                        : t_.ink3,
               selected ? Font::mono_bold : Font::mono, Align::right);
    if (sub_ && now)  // the line of the one instruction that is shown
      p.pen.polygon({{t_.px(8), y - t_.px(4)}, {t_.px(8), y + t_.px(4)}, {t_.px(13), y}}, t_.ink);
    if (folds(number) && !t_.printed)
      fold_mark(p, {left - number_gap() / 2, y}, t_.px(3.5f, 5), !folded_, t_.ink2);
    draw(p, form_of(number), {left, one.box.y, room(), one.box.h});
    if (const auto it = profile_.find(number); it != profile_.end())
      draw(p, profile(it->second),
           {code_right() + t_.px(6), one.box.y, width_ - right_ - code_right() - t_.px(6), row_});
    Box box = one.box;
    box.w -= t_.px(10);
    p.pen.hit({HitRegion::line, box, number, 0, tip_of(number), "line:" + std::to_string(number)});
    draw_barrier(p, one);
    if (machine_ && machine_->has(number) && !folds(number)) draw_unfolding(p, one);
    if (!folds(number)) return;
    press(p.pen, t_,
          {.what = HitRegion::button,
           .box = {0, box.y, folded_ ? box.w : left, row_},
           .tip = folded_ ? tr("How the kernel is entered into the list of algorithms: its name, its "
                               "parameters, what it promises. Click to open.")
                          : tr("Click to fold how the kernel is entered into the list."),
           .name = "source:registration",
           .press = [](State& s, float) { s = fold_registration(std::move(s)); }});
  }
  /// In the gutter: the mark that unfolds the line's instructions.
  void draw_unfolding(const DrawContext& p, const SourceRow& one) const {
    const float left = code_left();
    if (t_.printed && !unfolded(one.number)) return;
    fold_mark(p, {left - number_gap() / 2, one.box.y + row_ / 2}, t_.px(3.5f, 5), unfolded(one.number),
              t_.ink2);
    press(p.pen, t_,
          {.what = HitRegion::button,
           .box = {left - number_gap(), one.box.y, number_gap(), std::min(row_, one.box.h)},
           .tip = unfolded(one.number) ? tr("Click to fold the line's instructions.")
                                       : tr("What nvcc makes of this line. Click to see its instructions."),
           .name = "source:unfold:" + std::to_string(one.number),
           .press = [line = one.number](State& s, float) { s = unfold_code(std::move(s), line); }});
  }
  /// In the gutter: a bar where threads meet, a hollow one where they do not any more. Pressed, it changes.
  void draw_barrier(const DrawContext& p, const SourceRow& one) const {
    const bool away = barriers_.left_out.contains(one.number);
    if (!away && !barriers_.met.contains(one.number)) return;
    const float y = one.box.y + row_ / 2, x = t_.px(7, 6), w = margin(t_) - x - t_.px(2, 1);
    const float h = t_.px(4, 14);
    p.pen.rect({x, y - h / 2, w, h}, away ? 0 : t_.barrier, t_.barrier, t_.px(1.2f), std::min(w, h) / 2);
    if (away) {  // struck out, but for a comment
      const std::string& code = lines_[size_t(one.number) - 1];
      const float from = float(std::min(code.find_first_not_of(' '), code.size())),
                  to = float(std::min(code.find(';'), code.size() - 1) + 1), left = code_left();
      p.pen.line({left + from * letter_, y}, {left + std::min(to * letter_, room()), y}, t_.race,
                 t_.px(1.5f, 2.5f));
    }
    if (t_.printed) return;
    press(p.pen, t_,
          {.what = HitRegion::button,
           .box = {0, one.box.y, code_left() - number_gap() / 2, row_},
           .tip = away ? tr("The run is without this barrier. Click to put it back.")
                       : tr("A barrier. Click to run without it, and see what happens."),
           .name = "source:barrier:" + std::to_string(one.number),
           .press = [line = one.number](State& s, float) { s = turn_barrier(std::move(s), line); }});
  }
  std::string tip_of(int number) const {
    if (const auto it = profile_.find(number); it != profile_.end()) {
      const LanesOfLine& l = it->second;
      return tr("Line {0}: {1} runs of a warp, {2} of {3} lanes took part ({4}%); {5} runs would do.", number,
                l.runs, l.active, l.lanes, int(100 * l.share() + 0.5), l.ideal);
    }
    const LineRole* role = role_of(number);
    if (!role) return tr("Line {}", number);
    static constexpr const char* what[] = {tr_noop("Line {} computes in this step"),
                                           tr_noop("Line {} reads memory in this step"),
                                           tr_noop("Line {} writes memory in this step"),
                                           tr_noop("Line {} updates memory atomically in this step"),
                                           tr_noop("Line {} is the barrier that this step began at")};
    std::string tip = tr(what[int(role->what)], number);
    if (!role->lanes.empty())
      tip += tr("; the marks are the lanes of warp {}, filled where they take part", role->warp);
    return tip + tr(".");
  }

  /// Three points and the lines that they stand for.
  void draw_left_out(const DrawContext& p, const SourceRow& one) const {
    const float d = t_.px(2.5f, 4), y = one.box.centre().y;
    for (int k = -1; k <= 1; ++k)
      p.pen.disc({code_left() - t_.px(18, 14) + 2 * d * float(k), y}, d / 2, t_.ink2);
    draw(p,
         line({one.left_out == one.number ? tr("line {} is left out", one.number)
                                          : tr("lines {} to {} are left out", one.number, one.left_out)},
              {.size = size_, .colour = t_.ink3}),
         {code_left(), one.box.y, room(), one.box.h});
    Box box = one.box;
    box.w -= t_.px(10);
    p.pen.hit({HitRegion::other, box, one.number, one.left_out,
               tr("Lines {} to {} are left out: turn the wheel to see them.", one.number, one.left_out),
               "source:gap"});
  }

  /// Where the lines in view are; its hit says how far from `home` the first of them can be.
  void scroll_bar(const DrawContext& p, Box page, LineRange in_view, int home, int last_top) const {
    const float w = t_.px(3), all = float(lines_.size());
    const Box bar{width_ - t_.px(5), page.y, w, page.h};
    const float y = bar.h * float(in_view.first - 1) / all,
                part = bar.h * float(std::max(1, in_view.last - in_view.first + 1)) / all;
    p.pen.rect(bar, mix(t_.line, t_.panel, 0.6f), 0, 1, w / 2);
    p.pen.rect({bar.x, bar.y + y, w, std::clamp(part, t_.px(10), bar.h - y)}, t_.ink3, 0, 1, w / 2);
    p.pen.hit({HitRegion::other,
               {bar.x - t_.px(5), bar.y, t_.px(9), bar.h},
               std::min(0, 1 - home),
               std::max(0, last_top - home),
               tr("Lines {} to {} of {}: turn the wheel to see the others; with Shift it goes sideways.",
                  in_view.first, in_view.last, int(lines_.size())),
               "source:scroll"});
  }

  const RunQueries& model_;
  const Cursor& cursor_;
  const Theme& t_;
  const WatchState& look_;
  const float width_;
  const Step& step_;
  const Instruction* sub_;  ///< null: the whole step
  const int followed_;
  const float size_ = t_.px(t_.size_code), row_ = size_ * (t_.projector() ? 1.5f : 1.42f),
              right_ = t_.px(14, 10);
  const float letter_;
  std::string file_;
  std::vector<std::string> lines_;
  BarrierLines barriers_;
  LineRange fold_;  ///< the registration
  bool folded_ = false;
  const MachineLines* machine_ = nullptr;  ///< null: it is not shown
  int fit_ = 1;                            ///< rows that a page has
  LineRole sub_role_;
  std::map<int, LineRole> roles_;
  std::map<int, LanesOfLine> profile_;
  std::map<int, ValueOfLine> values_, sub_values_;
  LineRange lit_;                    ///< those that run
  std::map<int, LayoutNode> forms_;  ///< lines, as they were first asked for
  std::map<int, int> rows_;          ///< that they take
};

}  // namespace

Picture source_panel(const RunQueries& model, const Cursor& c, const Theme& t, const Metrics& m, float width,
                     float height, const WatchState& look, const Prediction* prediction,
                     const std::shared_ptr<const OwnCode>& own) {
  if (model.trace().launches.empty() || !model.step(c)) return {width, height, {}, {}};
  SourcePanel panel(model, c, t, m, width, look, prediction && prediction->hides(), own);
  return picture_of(panel.form(), t, m, width, height, false);
}

int source_shift_most(const RunQueries& model, const Cursor& c) {
  const Step* step = model.step(c);
  if (!step) return 0;
  const int source = model.trace().launches[size_t(step->interval->launch)].source;
  if (source < 0 || size_t(source) >= model.trace().sources.size()) return 0;
  size_t longest = 0;
  for (const std::string& line : lines_of(model.trace().sources[size_t(source)].text))
    longest = std::max(longest, line.size());
  return std::max(0, int(longest) - 24);
}

}  // namespace bscope
