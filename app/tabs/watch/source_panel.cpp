#include "app/tabs/watch/source_panel.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <set>

#include "app/draw/chart.hpp"
#include "app/draw/fitting.hpp"
#include "app/draw/letters.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

bool is_keyword(const std::string& word) {
  static const std::set<std::string> words{
      "auto",     "bool",  "break",  "case",   "const",      "constexpr", "continue", "do",
      "double",   "else",  "false",  "float",  "for",        "if",        "int",      "operator",
      "return",   "short", "static", "struct", "switch",     "template",  "true",     "typename",
      "unsigned", "using", "void",   "while",  "__device__", "class"};
  return words.contains(word);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    for (size_t tab; (tab = line.find('\t')) != std::string::npos;) line.replace(tab, 1, "  ");
    out.push_back(std::move(line));
    at = end + 1;
  }
  return out;
}

// Breaks a long line at a space or after a comma; continuation lines stand four deeper than the first.
std::vector<std::string> wrapped(const std::string& line, size_t most) {
  if (line.size() <= most || most < 8) return {line};
  const size_t indent = std::min(line.find_first_not_of(' ') + 4, most / 2);
  std::vector<std::string> out;
  std::string rest = line;
  while (rest.size() > most) {
    size_t cut = rest.rfind(' ', most);
    const size_t start = rest.find_first_not_of(' ');
    if (cut == std::string::npos || cut <= start) cut = cut_before(rest, most);
    out.push_back(rest.substr(0, cut));
    const size_t next = rest.find_first_not_of(' ', cut);
    if (next == std::string::npos) return out;
    rest = std::string(indent, ' ') + rest.substr(next);
  }
  out.push_back(rest);
  return out;
}

/// The lines, from 1, in which the kernel is entered into the catalog: no part of what it does.
std::pair<int, int> registration(const std::vector<std::string>& lines) {
  for (size_t k = 0; k < lines.size(); ++k) {
    if (!lines[k].starts_with("static") || lines[k].find("Register") == std::string::npos) continue;
    size_t end = k;
    while (end + 1 < lines.size() && !lines[end].starts_with("}};")) ++end;
    return {int(k) + 1, int(end) + 1};
  }
  return {0, 0};
}

/// The same of a comment, each line marked as one: it begins below code that has no room for it beside.
std::vector<std::string> wrapped_code(const std::string& line, size_t most) {
  const size_t comment = line.find("//");
  if (line.size() <= most || most < 16 || comment == std::string::npos) return wrapped(line, most);
  const size_t indent = line.find_first_not_of(' ');
  std::vector<std::string> out;
  if (comment > indent) {
    std::string code = line.substr(0, comment);
    code.resize(code.find_last_not_of(' ') + 1);
    out = wrapped(code, most);
  }
  const std::string mark =
      std::string(std::min(comment > indent ? indent + 4 : indent, most / 3), ' ') + "// ";
  size_t at = line.find_first_not_of("/ ", comment);
  if (at == std::string::npos) at = line.size();
  for (std::string& words : wrapped(line.substr(at), most - mark.size())) {
    words.erase(0, std::min(words.find_first_not_of(' '), words.size()));
    out.push_back(mark + words);
  }
  return out;
}

class SourcePanel {
 public:
  SourcePanel(const Moments& model, const Cursor& c, const Theme& t, const Metrics& m, float w, float h,
              const WatchState& state, const Prediction* prediction)
      : model_(model),
        cursor_(c),
        theme_(t),
        state_(state),
        hides_(prediction && prediction->hides()),
        pen_(picture_, m),
        step_(model.step(c)),
        sub_(hides_ ? nullptr : model.instruction(c)) {
    picture_.width = w;
    picture_.height = h;
    size_ = px(t.size_code);
    letter_ = pen_.width("m", size_, Font::mono);
    row_h_ = size_ * (t.projector() ? 1.5f : 1.42f);
    followed_ = model.followed(c);
    if (!sub_) return;
    // an instruction lights its own line and the lanes that take part in it
    const Op op = sub_->request ? sub_->request->op : Op::shuffle;
    sub_role_.what = !sub_->request  ? LineRole::compute
                     : is_atomic(op) ? LineRole::atomic
                     : writes(op)    ? LineRole::write
                                     : LineRole::read;
    sub_role_.warp = sub_->what.warp;
    const int threads = int(step_->works.size()), first = sub_->what.warp * warp_size;
    const int lanes = std::min(warp_size, threads - first);
    if (int(sub_->ranks.size()) >= lanes) return;
    sub_role_.lanes.assign(size_t(lanes), false);
    for (const int rank : sub_->ranks) sub_role_.lanes[size_t(rank - first)] = true;
  }

  Picture draw() {
    const auto& launches = model_.trace().launches;
    if (launches.empty() || !step_) return std::move(picture_);
    const Launch& launch = launches[size_t(step_->interval->launch)];
    const Source* source = launch.source >= 0 && launch.source < int(model_.trace().sources.size())
                               ? &model_.trace().sources[size_t(launch.source)]
                               : nullptr;
    header(source ? source->path.substr(source->path.find_last_of('/') + 1) : std::string());
    if (!source || source->text.empty()) {
      pen_.text(
          {margin(theme_), top_ + row_h_},
          pen_.fitted(say("The trace holds no source text."), picture_.width - 2 * margin(theme_), size_),
          size_, theme_.ink2);
      return std::move(picture_);
    }
    lines_ = lines_of(source->text);
    fold_ = registration(lines_);
    const auto within = [&](int line) { return line > fold_.first && line <= fold_.second; };
    folded_ = fold_.second > fold_.first && !state_.registration && !within(cursor_.line) &&
              (step_->lines().empty() || !within(step_->lines().rbegin()->first));
    roles_ = roles();
    if (profiled())
      profile();
    else
      values_ = values(launch, nullptr);
    if (sub_ && !profiled()) sub_values_ = values(launch, sub_);
    arrange();
    for (const Row& row : rows_) draw_row(row);
    frame_selected();
    return std::move(picture_);
  }

 private:
  float px(float v) const { return theme_.px(v); }

  bool profiled() const { return state_.profile != Profile::values; }

  void header(const std::string& file) {
    const float y = px(theme_.projector() ? 24 : 18), size = px(theme_.size_title),
                small = px(theme_.size_label);
    float right = picture_.width - margin(theme_);
    const float x =
        pen_.text({margin(theme_), y}, say("Source"), size, theme_.ink, Font::text_bold).right() + px(12);
    std::string words;
    if (profiled())
      words = state_.profile == Profile::step ? say("lanes in this step") : say("lanes in the whole run");
    else if (followed_ >= 0)
      words = say("following thread {}", followed_);
    if (!words.empty() && x + pen_.width(words, small, Font::text_bold) <= right) {
      const Box at = pen_.text({right, y}, words, small, theme_.thread, Font::text_bold, Align::right);
      press(pen_, theme_,
            {.what = Hit::button,
             .box = at,
             .tip = say("What stands beside the lines: the followed thread's values, or how many of a "
                        "warp's lanes take part, in this step or in the whole run. Click to change."),
             .name = "source:profile",
             .press = [](State& s, float) { s = next_profile(std::move(s)); }});
      right = at.x - px(12);
    }
    const float w = pen_.width(file, small, Font::mono);
    if (x + w <= right) pen_.text({x, y}, file, small, theme_.ink3, Font::mono);
    top_ = px(theme_.projector() ? 44 : 33);
    if (!profiled()) return;
    // the columns' names
    const float h = px(theme_.projector() ? 26 : 17),
                name_size = px(theme_.projector() ? 22 : theme_.size_index);
    for (const auto& [column, name] : {std::pair{runs_right(), say("runs")},
                                       {lanes_right(), say("lanes")},
                                       {passes_right(), say("passes")}})
      pen_.text({column, top_ + h / 2}, std::string(name), name_size, theme_.ink2, Font::text, Align::right);
    pen_.hit({Hit::other,
              {runs_right() - runs_width(), top_, passes_right() - runs_right() + runs_width(), h},
              0,
              0,
              say("Runs: how often a warp ran the line. Lanes: how many of its lanes took part; the "
                  "others were switched off, which is divergence. Passes: runs over the fewest that "
                  "could do it if the working lanes were packed into full warps."),
              "source:columns"});
    top_ += h;
  }

  // The columns of a profile, from the right.
  float passes_right() const { return picture_.width - px(theme_.projector() ? 10 : 14); }
  float lanes_right() const { return passes_right() - size_ * (theme_.projector() ? 3.4f : 3.6f); }
  float runs_right() const { return lanes_right() - bar_width() - px(10); }
  float bar_width() const { return px(theme_.projector() ? 78 : 38); }
  float runs_width() const { return size_ * (theme_.projector() ? 2.6f : 2.2f); }

  struct Lanes {
    double runs = 0, active = 0, lanes = 0, ideal = 0;
  };
  // What the lanes did on each line: in this step, or in all launches of this source.
  void profile() {
    const auto add = [&](std::map<int, Lanes>& to, const Divergence& d) {
      Lanes& l = to[d.line];
      l.runs += double(d.requests);
      l.active += double(d.active);
      l.lanes += double(d.lanes);
      l.ideal += double(d.requests) / d.executed_over_ideal;
    };
    const Report& report = model_.run().report;
    if (state_.profile == Profile::step) {
      for (const Divergence& d : divergence(model_.trace(), report.requests_of(size_t(step_->flow_index))))
        add(lanes_, d);
      return;
    }
    std::shared_ptr<const void>& kept = model_.kept("divergence");
    using All = std::vector<Divergence>;
    if (!kept) kept = std::make_shared<const All>(divergence(model_.trace(), report.requests()));
    const auto& launches = model_.trace().launches;
    const int source = launches[size_t(step_->interval->launch)].source;
    for (const Divergence& d : *std::static_pointer_cast<const All>(kept))
      if (launches[size_t(d.launch)].source == source) add(lanes_, d);
  }
  void draw_profile(int line, float y) {
    const auto it = lanes_.find(line);
    if (it == lanes_.end()) return;
    const Lanes& l = it->second;
    const float number = std::min(size_, row_h_ * 0.8f);
    pen_.text({runs_right(), y}, brief(l.runs), number, theme_.ink2, Font::mono, Align::right);
    const float share = float(l.active / std::max(1.0, l.lanes)), h = row_h_ * 0.62f;
    const Box bar{lanes_right() - bar_width(), y - h / 2, bar_width(), h};
    pen_.hatch(bar, mix(theme_.idle, theme_.panel, 0.45f), px(5), px(1));
    pen_.rect({bar.x, bar.y, bar.w * share, bar.h}, theme_.thread);
    pen_.rect(bar, 0, mix(theme_.idle, theme_.panel, 0.7f), px(1));
    const double ratio = l.runs / std::max(1.0, l.ideal);
    char words[16];
    std::snprintf(words, sizeof words, ratio >= 9.95 ? "%.0fx" : "%.1fx", ratio);
    pen_.text({passes_right(), y}, words, number, theme_.ink, ratio > 1.04 ? Font::mono_bold : Font::mono,
              Align::right);
  }
  std::string profile_tip(int line) const {
    const auto it = lanes_.find(line);
    if (it == lanes_.end()) return {};
    const Lanes& l = it->second;
    return say("Line {0}: {1} runs of a warp, {2} of {3} lanes took part ({4}%); {5} runs would do.", line,
               l.runs, l.active, l.lanes, int(100 * l.active / std::max(1.0, l.lanes) + 0.5), l.ideal);
  }

  // The step's lines. A line may be run in several rounds: its lanes are of the one whose value stands beside
  // them, which is the one that Why is about, else the followed thread's first.
  std::map<int, LineRole> roles() const {
    std::map<int, LineRole> out = step_->lines();
    if (followed_ < 0) return out;
    const int chosen = model_.selection(cursor_).here ? model_.selection(cursor_).node : -1;
    std::map<int, const WarpRequest*> of_line;
    for (const WarpRequest& q : model_.run().report.requests_of(size_t(step_->flow_index))) {
      if (q.warp != followed_ / warp_size) continue;
      const auto lane = std::ranges::find(q.lanes, followed_ % warp_size, &WarpRequest::Lane::lane);
      if (lane == q.lanes.end()) continue;
      const WarpRequest*& of = of_line[q.line];
      if (!of || lane->node == chosen) of = &q;
    }
    for (const auto& [line, q] : of_line) {
      const auto role = out.find(line);
      if (role == out.end()) continue;
      role->second.lanes.clear();
      role->second.warp = -1;
      if (int(q->lanes.size()) >= q->lanes_in_warp) continue;
      role->second.warp = q->warp;
      role->second.lanes.assign(size_t(q->lanes_in_warp), false);
      for (const auto& lane : q->lanes)
        if (lane.lane < q->lanes_in_warp) role->second.lanes[size_t(lane.lane)] = true;
    }
    return out;
  }

  struct Value {
    std::string words;
    Colour colour;
  };
  // While a prediction is on: does the node read what this step itself wrote?
  bool made_here(const Node& n) const {
    if (!hides_ || n.a < 0) return false;
    const Node& store = model_.flow().nodes[size_t(n.a)];
    return store.launch == step_->interval->launch && store.interval == step_->interval->index;
  }
  // What the followed thread read and wrote on each line, in its order; of one instruction, if it is given.
  std::map<int, Value> values(const Launch& launch, const Instruction* only) const {
    std::map<int, Value> out;
    const float room = code_right() - code_left();
    if (followed_ < 0) return out;
    const auto counts = [&](int id) {
      return !only || std::binary_search(only->nodes.begin(), only->nodes.end(), id);
    };
    const Flow& flow = model_.flow();
    const int thread = step_->interval->block * launch.block + followed_;
    std::map<int, std::vector<std::string>> read, written;
    std::map<int, std::string> explained;  // what Why is about stands first
    const int chosen = model_.selection(cursor_).here ? model_.selection(cursor_).node : -1;
    std::map<int, bool> atomic;
    for (int id : step_->interval->nodes) {
      const Node& n = flow.nodes[size_t(id)];
      if (n.thread != thread || !counts(id)) continue;
      const std::string name = model_.name(step_->interval->launch, n.place);
      if (writes(n.op)) continue;
      read[n.line].push_back(name + " = " + (made_here(n) ? "?" : text_of(Kind(n.kind), n.bits)));
      if (id == chosen) explained[n.line] = read[n.line].back();
    }
    for (const Move& m : step_->moves()) {
      if (m.held || m.arrow.thread != thread || !counts(m.arrow.node)) continue;
      const Node& n = flow.nodes[size_t(m.arrow.node)];
      const uint64_t old = model_.found(only, m.arrow.node);
      const std::string result = hides_ ? "?" : text_of(Kind(n.kind), written_bits(flow, n, old));
      std::string words = model_.name(step_->interval->launch, m.arrow.to) + " = " + result;
      if (is_atomic(n.op)) {
        atomic[n.line] = true;
        if (n.op == Op::atomic_add && n.b >= 0)
          words = (made_here(n) ? "?" : text_of(Kind(n.kind), old)) + " + " +
                  text_of(Kind(n.kind), flow.nodes[size_t(n.b)].bits) + " = " + result;
      } else if (m.arrow.loads.size() == 2 && m.arrow.lanes.empty() && !m.copy()) {
        // only where the two loads are the whole right-hand side
        const Node* v = n.a >= 0 ? &flow.nodes[size_t(n.a)] : nullptr;
        if (v && computes(v->op) && v->a >= 0 && v->b >= 0) {
          const auto cell_of = [&](int id) {
            while (id >= 0 && flow.nodes[size_t(id)].op == Op::convert) id = flow.nodes[size_t(id)].a;
            return id;
          };
          const int a = cell_of(v->a), b = cell_of(v->b);
          const bool both =
              a >= 0 && b >= 0 && reads(flow.nodes[size_t(a)].op) && reads(flow.nodes[size_t(b)].op);
          if (both) {
            const auto text = [&](int id) -> std::string {
              if (made_here(flow.nodes[size_t(id)])) return "?";
              return text_of(Kind(flow.nodes[size_t(id)].kind), flow.nodes[size_t(id)].bits);
            };
            const std::string op = sign(m.arrow.op);
            const bool call = op == "min" || op == "max" || op == "f";
            words = (call ? op + "(" + text(a) + ", " + text(b) + ")" : text(a) + " " + op + " " + text(b)) +
                    " = " + result;
          }
        }
      }
      written[n.line].push_back(std::move(words));
      if (m.arrow.node == chosen) explained[n.line] = written[n.line].back();
    }
    // as many as a row has room for, the one that Why explains before others
    const auto joined = [&](int line, std::vector<std::string> all) {
      if (const auto it = explained.find(line); it != explained.end())
        if (const auto at = std::ranges::find(all, it->second); at != all.end())
          std::rotate(all.begin(), at, at + 1);
      std::string words = all[0];
      for (size_t k = 1; k <= all.size(); ++k) {
        const std::string some = k < all.size() ? say("{} and {} more", words, all.size() - k) : words;
        const bool fits = pen_.width(some, size_, Font::mono_bold) <= room;
        if (k == all.size()) return fits ? words : std::string();
        const std::string longer = words + ", " + all[k];
        const std::string next =
            k + 1 < all.size() ? say("{} and {} more", longer, all.size() - k - 1) : longer;
        if (pen_.width(next, size_, Font::mono_bold) > room) return some;
        words = longer;
      }
      return words;
    };
    for (const auto& [line, all] : read) out[line] = {joined(line, all), theme_.read};
    for (const auto& [line, all] : written)
      out[line] = {joined(line, all), atomic[line]    ? theme_.atomic
                                      : theme_.dark() ? theme_.changed
                                                      : theme_.ink};
    return out;
  }
  /// What the line does in this step; null: nothing. Of the instruction that is shown: what that does.
  const LineRole* role_of(int line) const {
    if (sub_ && line == sub_->what.line) return &sub_role_;
    const auto it = roles_.find(line);
    return it == roles_.end() ? nullptr : &it->second;
  }
  /// Does it happen now, in the step or in the instruction that is shown?
  bool is_now(int line) const { return !sub_ || line == sub_->what.line; }

  struct Row {
    int line = 0;
    std::string words;
    bool first = false, lit = false;
    std::string value;
    Colour value_colour = 0;
    const LineRole* mask = nullptr;
    int left_out = 0;  ///< stands for the lines from `line` to this one
  };

  float code_left() const {
    return margin(theme_) +
           pen_.width(std::string(std::to_string(lines_.size()).size(), '0'), size_, Font::mono) +
           px(theme_.projector() ? 8 : 12);
  }
  float code_right() const {
    if (profiled()) return runs_right() - runs_width() - px(6);
    return picture_.width - px(theme_.projector() ? 10 : 14);
  }
  float mask_width(const LineRole& role) const {
    return std::min(px(theme_.projector() ? 15 : 10) * float(role.lanes.size()),
                    (code_right() - code_left()) * 0.6f);
  }

  std::vector<Row> rows_of(int number) const {
    const float room = code_right() - code_left();
    const size_t most = size_t(std::max(8.0f, room / letter_));
    const size_t shift = size_t(std::max(0, state_.source_shift));
    const std::string& whole = lines_[size_t(number) - 1];
    if (folded_ && number > fold_.first && number <= fold_.second) return {};
    const LineRole* role = role_of(number);
    const bool lit = number >= lit_first_ && number <= lit_last_ && (contiguous_ || role);
    std::vector<Row> out;
    if (folded_ && number == fold_.first) {
      const std::string name = whole.substr(0, whole.find('{'));
      for (std::string& words : wrapped(name, most))
        out.push_back({number, std::move(words), out.empty(), false, {}, 0, nullptr});
      const std::string many = say_count(fold_.second - fold_.first + 1, "{} line", "{} lines");
      Row& last = out.back();
      if (letter_ * float(last.words.size() + 2) + pen_.width(many, size_, Font::mono_bold) <= room)
        last.value = many, last.value_colour = theme_.ink3;
      return out;
    }
    if (shift > 0) {  // scrolled to the right: as the file has it
      const std::string text = whole.size() > shift ? whole.substr(cut_before(whole, shift)) : "";
      out.push_back(
          {number, text.substr(0, cut_before(text, std::min(most, text.size()))), true, lit, {}, 0, nullptr});
    } else {
      for (std::string& words : wrapped_code(whole, most))
        out.push_back({number, std::move(words), out.empty(), lit, {}, 0, nullptr});
    }
    if (!role || profiled()) return out;
    // values and lane masks stand at the right of the line's last row, or on a row of their own
    const auto value = values_.find(number);
    const float value_w =
        value == values_.end() ? 0 : std::min(room, pen_.width(value->second.words, size_, Font::mono_bold));
    // lanes that left at one `if` stay away for the lines below: their mask is shown once
    const auto here = roles_.lower_bound(number);
    const LineRole* above = here == roles_.begin() ? nullptr : &std::prev(here)->second;
    const bool mask =
        !role->lanes.empty() &&
        (sub_ ? is_now(number) : !above || above->lanes != role->lanes || above->warp != role->warp);
    const float mask_w = mask ? mask_width(*role) : 0;
    float used = letter_ * float(out.back().words.size() + 2);
    if (mask) {
      if (used + mask_w > room ||
          (value_w > 0 && used + mask_w + value_w + 2 * letter_ > room && used + value_w <= room)) {
        out.push_back({number, "", false, lit, {}, 0, nullptr});
        used = 0;
      }
      out.back().mask = role;
      used += mask_w + 2 * letter_;
    }
    if (value_w > 0) {
      // while instructions are stepped through values keep their room, so that lines stay where they are
      Value shown = value->second;
      if (sub_) {
        const auto of_sub = sub_values_.find(number);
        shown = is_now(number) && of_sub != sub_values_.end() ? of_sub->second : Value{};
      }
      if (used + value_w > room) {
        // perhaps there is room on the row before, beside the code itself
        Row* place = nullptr;
        if (out.size() >= 2 && out.back().words.empty() &&
            letter_ * float(out[out.size() - 2].words.size() + 2) + value_w <= room)
          place = &out[out.size() - 2];
        if (!place) {
          out.push_back({number, "", false, lit, {}, 0, nullptr});
          place = &out.back();
        }
        place->value = shown.words;
        place->value_colour = shown.colour;
      } else {
        out.back().value = shown.words;
        out.back().value_colour = shown.colour;
      }
    }
    return out;
  }

  int height_of(int from, int to) const {
    int rows = 0;
    for (int k = from; k <= to; ++k) rows += int(rows_of(k).size());
    return rows;
  }

  // Lines around those from `from` to `to`, as many as fill `fit` rows, none outside of `least` and `most`.
  // Of more than fit the first ones.
  std::vector<Row> grown(int from, int to, int fit, int least, int most) const {
    std::vector<Row> rows;
    const auto take = [&](int number, bool front) {
      std::vector<Row> more = rows_of(number);
      if (int(rows.size() + more.size()) > fit && !rows.empty()) return false;
      if (int(more.size()) > fit) more.resize(size_t(fit));
      rows.insert(front ? rows.begin() : rows.end(), more.begin(), more.end());
      return true;
    };
    int first = from, last = from - 1;
    while (last < to && take(last + 1, false)) ++last;
    // what the inner lines leave is filled from above alone, if they did not all fit
    bool up = true, down = last >= to;
    while (up || down) {
      if (up) up = first > least && take(first - 1, true);
      if (up) --first;
      if (down) down = last < most && take(last + 1, false);
      if (down) ++last;
    }
    return rows;
  }

  // The line that wrote the selected cell, of those that run in this step; else the first of them.
  int telling_line(int first) const {
    if (const auto cell = model_.selected(cursor_))
      if (const auto* written = step_->writes_of(*cell)) {
        const int line = model_.flow().nodes[size_t(written->node)].line;
        if (line >= 1 && line <= int(lines_.size())) return line;
      }
    return first;
  }

  // The running lines and the selected one are in view, whole: with what stands between them where there is
  // room for it.
  void choose_rows(int fit, int first, int last) {
    const int all = int(lines_.size());
    if (height_of(first, last) > fit)
      first = last = std::clamp(sub_ ? sub_->what.line : telling_line(first), 1, all);
    const int chosen = cursor_.line >= 1 && cursor_.line <= all ? cursor_.line : first;
    const int low = std::min(chosen, first), high = std::max(chosen, last);
    if (height_of(low, high) <= fit) {
      rows_ = grown(low, high, fit, 1, all);
      return;
    }
    // two pieces, the selected line's a third
    const int small = std::clamp(fit / 3, std::min(fit, height_of(chosen, chosen)), fit);
    if (fit - small - 1 < 1) {
      rows_ = grown(chosen, chosen, fit, 1, all);
      return;
    }
    const bool above = chosen < first;
    std::vector<Row> one =
        above ? grown(chosen, chosen, small, 1, first - 1) : grown(chosen, chosen, small, last + 1, all);
    const int edge = above ? one.back().line : one.front().line;
    std::vector<Row> other = above ? grown(first, last, fit - int(one.size()) - 1, edge + 1, all)
                                   : grown(first, last, fit - int(one.size()) - 1, 1, edge - 1);
    std::vector<Row>&upper = above ? one : other, &lower = above ? other : one;
    Row between;
    between.line = upper.back().line + 1;
    between.left_out = lower.front().line - 1;
    rows_ = std::move(upper);
    if (between.left_out >= between.line) rows_.push_back(between);
    rows_.insert(rows_.end(), lower.begin(), lower.end());
  }

  // Lines further up or down, where it was scrolled in this step; and a bar that says where that is.
  void scroll(int fit) {
    const int all = int(lines_.size());
    int last_top = all, used = 0;
    while (last_top >= 1 && used + int(rows_of(last_top).size()) <= fit)
      used += int(rows_of(last_top--).size());
    last_top = std::min(last_top + 1, all);
    if (last_top <= 1) return;  // all of it is in view
    const int home = rows_.empty() ? 1 : rows_.front().line;
    int top = home;
    if (state_.source_scroll != 0 && state_.source_scroll_at == step_->flow_index) {
      top = std::clamp(home + state_.source_scroll, 1, last_top);
      rows_.clear();
      for (int k = top; k <= all; ++k) {
        std::vector<Row> more = rows_of(k);
        if (int(rows_.size() + more.size()) > fit) break;
        rows_.insert(rows_.end(), more.begin(), more.end());
      }
    }
    const float w = px(3), x = picture_.width - px(5), h = row_h_ * float(fit);
    const int bottom = rows_.empty() ? top : rows_.back().line;
    const float y = h * float(top - 1) / float(all),
                part = h * float(std::max(1, bottom - top + 1)) / float(all);
    pen_.rect({x, top_, w, h}, mix(theme_.line, theme_.panel, 0.6f), 0, 1, w / 2);
    pen_.rect({x, top_ + y, w, std::clamp(part, px(10), h - y)}, theme_.ink3, 0, 1, w / 2);
    pen_.hit({Hit::other,
              {x - px(5), top_, px(9), h},
              std::min(0, 1 - home),
              std::max(0, last_top - home),
              say("Lines {} to {} of {}: turn the wheel to see the others; with Shift it goes sideways.", top,
                  bottom, all),
              "source:scroll"});
  }

  // Which lines are in view: those of the interval in the middle, as many as there is room for.
  void arrange() {
    const int all = int(lines_.size());
    int first = cursor_.line, last = cursor_.line;
    if (!step_->lines().empty()) {
      first = step_->lines().begin()->first;
      last = step_->lines().rbegin()->first;
    }
    if (sub_) {  // lanes may meet on a line that touches no memory
      first = std::min(first, sub_->what.line);
      last = std::max(last, sub_->what.line);
    }
    first = std::clamp(first, 1, all);
    last = std::clamp(last, first, all);
    lit_first_ = first;
    lit_last_ = last;
    contiguous_ = last - first < 14;
    const float room = picture_.height - top_ - px(6);
    int fit = std::max(1, int(room / row_h_));
    if (theme_.projector()) fit = std::min(fit, 9);

    choose_rows(fit, first, last);
    scroll(fit);
    float y = top_;
    for (size_t k = 0; k < rows_.size(); ++k) {
      y_.push_back(y + row_h_ / 2);
      y += row_h_;
    }
    // a line that touches the cursor's or the interval's is one region for the mouse
    for (size_t k = 0; k < rows_.size();) {
      size_t end = k + 1;
      while (end < rows_.size() && rows_[end].line == rows_[k].line) ++end;
      const Box box{0, y_[k] - row_h_ / 2, picture_.width - px(10), row_h_ * float(end - k)};
      if (const int to = rows_[k].left_out) {
        pen_.hit({Hit::other, box, rows_[k].line, to,
                  say("Lines {} to {} are left out: turn the wheel to see them.", rows_[k].line, to),
                  "source:gap"});
        k = end;
        continue;
      }
      const LineRole* role = role_of(rows_[k].line);
      std::string tip = profiled() ? profile_tip(rows_[k].line) : std::string();
      if (tip.empty() && !role) tip = say("Line {}", rows_[k].line);
      if (tip.empty()) {
        const char* what[] = {later("Line {} computes in this step"),
                              later("Line {} reads memory in this step"),
                              later("Line {} writes memory in this step"),
                              later("Line {} updates memory atomically in this step"),
                              later("Line {} is the barrier that this step began at")};
        tip = say(what[int(role->what)], rows_[k].line);
        if (!role->lanes.empty())
          tip += say("; the marks are the lanes of warp {}, filled where they take part", role->warp);
        tip += say(".");
      }
      pen_.hit({Hit::line, box, rows_[k].line, 0, tip, "line:" + std::to_string(rows_[k].line)});
      if (rows_[k].line == fold_.first && fold_.second > fold_.first) {
        const Box fold{0, box.y, folded_ ? box.w : code_left(), row_h_};
        press(pen_, theme_,
              {.what = Hit::button,
               .box = fold,
               .tip = folded_ ? say("How the kernel is entered into the list of algorithms: its name, its "
                                    "parameters, what it promises. Click to open.")
                              : say("Click to fold how the kernel is entered into the list."),
               .name = "source:registration",
               .press = [](State& s, float) { s = fold_registration(std::move(s)); }});
      }
      k = end;
    }
  }

  Colour role_colour(LineRole::What what) const {
    switch (what) {
      case LineRole::read: return theme_.read;
      case LineRole::write: return theme_.write;
      case LineRole::atomic: return theme_.atomic;
      case LineRole::barrier: return theme_.barrier;
      case LineRole::compute: break;
    }
    return theme_.thread;
  }

  void draw_row(const Row& row) {
    const float y = y_[size_t(&row - rows_.data())];
    if (row.left_out) return draw_left_out(row, y);
    const Box band{0, y - row_h_ / 2, picture_.width, row_h_};
    const LineRole* role = role_of(row.line);
    const bool now = is_now(row.line), acts = role && now;
    if (sub_ ? now : row.lit) pen_.rect(band, theme_.selected);
    if (role)
      pen_.rect({0, band.y, px(5), band.h},
                now ? role_colour(role->what) : mix(role_colour(role->what), theme_.panel, 0.35f));
    const float left = code_left();
    const bool selected = row.line == cursor_.line;
    if (row.first)
      pen_.text({left - px(theme_.projector() ? 8 : 12), y}, std::to_string(row.line), size_,
                selected  ? theme_.ink
                : row.lit ? theme_.ink2
                          : theme_.ink3,
                selected ? Font::mono_bold : Font::mono, Align::right);
    if (sub_ && now && row.first)  // the line of the one instruction that is shown
      pen_.polygon({{px(8), y - px(4)}, {px(8), y + px(4)}, {px(13), y}}, theme_.ink);
    if (row.first && row.line == fold_.first && fold_.second > fold_.first && !theme_.printed) {
      const float u = px(theme_.projector() ? 5 : 3.5f);
      const Point c{left - px(theme_.projector() ? 3 : 6), y};
      if (folded_)
        pen_.polygon({{c.x - u * 0.6f, c.y - u}, {c.x + u * 0.8f, c.y}, {c.x - u * 0.6f, c.y + u}},
                     theme_.ink2);
      else
        pen_.polygon({{c.x - u, c.y - u * 0.6f}, {c.x + u, c.y - u * 0.6f}, {c.x, c.y + u * 0.8f}},
                     theme_.ink2);
    }
    const float end = code(row, left, y, acts);
    if (profiled()) {
      if (row.first) draw_profile(row.line, y);
      return;
    }
    float right = code_right();
    if (!row.value.empty()) {
      const float size = fitting_size(pen_, {row.value}, right - left, size_, size_ * 0.75f, Font::mono_bold);
      const std::string words = pen_.fitted(row.value, right - left, size, Font::mono_bold);
      const Colour colour =
          contrast(row.value_colour, theme_.selected) >= 4.5f ? row.value_colour : theme_.ink;
      right = pen_.text({right, y}, words, size, colour, Font::mono_bold, Align::right).x - letter_;
    }
    if (row.mask) {
      const float w = mask_width(*row.mask), each = w / float(row.mask->lanes.size());
      const float h = size_ * 0.75f, gap = std::min(px(2), each * 0.25f);
      const float x = right - w;
      for (size_t k = 0; k < row.mask->lanes.size(); ++k) {
        const Box lane{x + float(k) * each + gap / 2, y - h / 2, each - gap, h};
        if (row.mask->lanes[k])
          pen_.rect(lane, theme_.thread);
        else
          pen_.rect(lane, 0, theme_.ink3, px(1));
      }
      right = x - letter_;
    }
    if (acts && role->what == LineRole::barrier && row.first && right - end > letter_ * 4)
      pen_.line({end + letter_, y}, {right, y}, theme_.barrier, px(1.5f), px(5));
  }

  // Three points and the lines that they stand for.
  void draw_left_out(const Row& row, float y) {
    const float left = code_left(), d = px(theme_.projector() ? 4 : 2.5f);
    for (int k = 0; k < 3; ++k)
      pen_.disc({left - px(theme_.projector() ? 14 : 18) + 2 * d * float(k - 1), y}, d / 2, theme_.ink2);
    const std::string words = row.left_out == row.line
                                  ? say("line {} is left out", row.line)
                                  : say("lines {} to {} are left out", row.line, row.left_out);
    if (pen_.width(words, size_) <= code_right() - left) pen_.text({left, y}, words, size_, theme_.ink3);
  }

  // One frame around all rows of the selected line.
  void frame_selected() {
    const auto at = [&](const Row& r) { return r.line == cursor_.line && !r.left_out; };
    const auto first = std::find_if(rows_.begin(), rows_.end(), at);
    if (first == rows_.end()) return;
    const auto last = std::find_if_not(first, rows_.end(), at);
    const float y = y_[size_t(first - rows_.begin())] - row_h_ / 2;
    pen_.rect({px(6), y, picture_.width - px(13), row_h_ * float(last - first)}, 0, theme_.ink2, px(1.5f),
              px(3));
  }

  // The code of a row in a few runs: keywords bold, comments quiet. Returns where it ends.
  float code(const Row& row, float left, float y, bool acts) {
    const std::string& s = row.words;
    const Colour plain = acts ? theme_.ink : theme_.ink2;
    const Colour quiet = row.lit ? theme_.ink2 : theme_.ink3;
    size_t at = s.find_first_not_of(' ');
    if (at == std::string::npos) return left;
    float end = left;
    const auto put = [&](size_t from, size_t to, Colour colour, Font font) {
      while (to > from && s[to - 1] == ' ') --to;
      while (from < to && s[from] == ' ') ++from;
      if (from == to) return;
      end = pen_.text({left + letter_ * float(from), y}, s.substr(from, to - from), size_, colour, font)
                .right();
    };
    const bool sync = s.find("sync") != std::string::npos && acts;
    size_t run = at;
    while (at < s.size()) {
      if (s.compare(at, 2, "//") == 0) {
        put(run, at, plain, sync ? Font::mono_bold : Font::mono);
        put(at, s.size(), quiet, Font::mono);
        return end;
      }
      const auto letter = [&](size_t k) {
        return k < s.size() && (std::isalnum(static_cast<unsigned char>(s[k])) || s[k] == '_');
      };
      if (letter(at)) {
        size_t word = at;
        while (letter(word)) ++word;
        if (is_keyword(s.substr(at, word - at))) {
          put(run, at, plain, Font::mono);
          put(at, word, plain, Font::mono_bold);
          run = word;
        }
        at = word;
      } else {
        ++at;
      }
    }
    put(run, s.size(), plain, sync ? Font::mono_bold : Font::mono);
    return end;
  }

  const Moments& model_;
  const Cursor& cursor_;
  const Theme& theme_;
  const WatchState& state_;
  const bool hides_;  // the step's results are asked for: they are not shown
  Picture picture_;
  Pen pen_;
  const Step* step_;
  const Instruction* sub_;  // null: the whole step
  LineRole sub_role_;
  int followed_ = -1;
  float size_ = 0, letter_ = 0, row_h_ = 0, top_ = 0;
  std::vector<std::string> lines_;
  std::map<int, LineRole> roles_;
  std::map<int, Value> values_, sub_values_;
  std::map<int, Lanes> lanes_;
  int lit_first_ = 0, lit_last_ = 0;
  bool contiguous_ = true;
  std::pair<int, int> fold_{0, 0};  // the lines of the registration
  bool folded_ = false;
  std::vector<Row> rows_;
  std::vector<float> y_;
};

}  // namespace

Picture source_panel(const Moments& model, const Cursor& c, const Theme& t, const Metrics& m, float width,
                     float height, const WatchState& state, const Prediction* prediction) {
  return SourcePanel(model, c, t, m, width, height, state, prediction).draw();
}

int source_shift_most(const Moments& model, const Cursor& c) {
  const Step* step = model.step(c);
  if (!step) return 0;
  const int source = model.trace().launches[size_t(step->interval->launch)].source;
  if (source < 0 || size_t(source) >= model.trace().sources.size()) return 0;
  size_t longest = 0, from = 0;
  const std::string& text = model.trace().sources[size_t(source)].text;
  while (from < text.size()) {
    const size_t end = std::min(text.find('\n', from), text.size());
    longest = std::max(longest, end - from);
    from = end + 1;
  }
  return std::max(0, int(longest) - 24);
}

}  // namespace bscope
