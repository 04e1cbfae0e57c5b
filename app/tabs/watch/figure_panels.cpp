#include "app/tabs/watch/figure_panels.hpp"

#include <algorithm>
#include <cmath>

#include "app/session/fields.hpp"
#include "app/shell/commands.hpp"
#include "app/tabs/watch/prediction_tab.hpp"
#include "app/tabs/watch/source_panel.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/tabs/watch/whole_run.hpp"
#include "app/tabs/watch/why_panel.hpp"
#include "engine/analysis/why_rows.hpp"

namespace bscope {
namespace {

constexpr int most_levels = 64;

void next_relatives(State& s, Kept&) {
  s.of<WatchState>().relatives = Relatives((int(s.of<WatchState>().relatives) + 1) % 3);
}
void next_profile(State& s, Kept&) {
  s.of<WatchState>().profile = Profile((int(s.of<WatchState>().profile) + 1) % 3);
}
template <int By>
void shift_source(State& s, Kept&) {
  s.of<WatchState>().source_shift = std::clamp(s.of<WatchState>().source_shift + By, 0, 400);
}
/// As far as the picture on screen says that there are lines.
void scroll_lines(State& s, const Kept& kept, int by) {
  const auto shown = kept.shelf.find("source");
  if (shown == kept.shelf.end()) return;
  const auto& hits = shown->second.picture.hits;
  const auto range =
      std::find_if(hits.begin(), hits.end(), [](const Hit& h) { return h.name == "source:scroll"; });
  if (range == hits.end()) return;
  const int here = step_of(*s.run, s.cursor);
  if (s.of<WatchState>().source_scroll_at != here)
    s.of<WatchState>().source_scroll = 0, s.of<WatchState>().source_scroll_at = here;
  s.of<WatchState>().source_scroll = std::clamp(s.of<WatchState>().source_scroll + by, range->a, range->b);
}
template <int By>
void scroll_source(State& s, Kept& kept) {
  scroll_lines(s, kept, By);
}
void fold_registration(State& s, Kept&) {
  s.of<WatchState>().registration = !s.of<WatchState>().registration;
}
void scroll_rows(State& s, int by) {
  const int here = step_of(*s.run, s.cursor);
  if (s.of<WatchState>().run_scroll_at != here)
    s.of<WatchState>().run_scroll = 0, s.of<WatchState>().run_scroll_at = here;
  s.of<WatchState>().run_scroll =
      std::clamp(s.of<WatchState>().run_scroll + by, -steps(*s.run) * 8, steps(*s.run) * 8);
}
template <int By>
void scroll_run(State& s, Kept&) {
  scroll_rows(s, By);
}

// The tree's rows as they are on screen: the picture's hits know their writers.
const Hit* why_hit(const Kept& kept, const std::string& name) {
  const auto shown = kept.shelf.find("why");
  if (shown == kept.shelf.end()) return nullptr;
  const auto& hits = shown->second.picture.hits;
  const auto it = std::find_if(hits.begin(), hits.end(), [&](const Hit& h) { return h.name == name; });
  return it == hits.end() ? nullptr : &*it;
}
int last_row(const Kept& kept) {
  int last = -1;
  if (const auto shown = kept.shelf.find("why"); shown != kept.shelf.end())
    for (const Hit& h : shown->second.picture.hits)
      if (h.name.starts_with("why:row:")) last = std::max(last, h.b);
  return last;
}

void levels(State& s, int by) {
  s.of<WatchState>().why_levels = std::clamp(s.of<WatchState>().why_levels + by, 0, most_levels);
  s.of<WatchState>().why_turned.clear();
  s.of<WatchState>().why_scroll = 0;
  if (s.of<WatchState>().why_levels == 0)
    s.of<WatchState>().why_tall = false, s.of<WatchState>().why_row = -1;
}
template <int By>
void unfold(State& s, Kept&) {
  levels(s, By);
}
void make_tall(State& s, Kept&) {
  s.of<WatchState>().why_tall = !s.of<WatchState>().why_tall;
  if (s.of<WatchState>().why_levels == 0) s.of<WatchState>().why_levels = 1;
}
void close_tall(State& s, Kept&) { s.of<WatchState>().why_tall = false; }
bool tree_shown(const State& s, const Kept&) { return s.of<WatchState>().why_levels > 0; }
bool tall_shown(const State& s, const Kept&) { return why_is_tall(s); }

void turn(State& s, int writer) {
  auto& turned = s.of<WatchState>().why_turned;
  const auto it = std::find(turned.begin(), turned.end(), writer);
  if (it != turned.end())
    turned.erase(it);
  else
    turned.push_back(writer);
}
template <int By>
void focus_row(State& s, Kept& kept) {
  // one past the last row on screen brings the next into view
  s.of<WatchState>().why_row =
      std::clamp(s.of<WatchState>().why_row + By, 0, std::max(0, last_row(kept) + 1));
}
void turn_row(State& s, Kept& kept) {
  if (const Hit* fold = why_hit(kept, "why:fold:" + std::to_string(s.of<WatchState>().why_row)))
    turn(s, fold->a);
}
bool row_turns(const State& s, const Kept& kept) {
  return s.of<WatchState>().why_levels > 0 &&
         why_hit(kept, "why:fold:" + std::to_string(s.of<WatchState>().why_row));
}
/// To the step in which a write happened, and to its cell.
void go_to_write(State& s, int writer) {
  const Flow& flow = s.run->report.flow;
  if (writer < 0 || size_t(writer) >= flow.nodes.size()) return;
  const Node& n = flow.nodes[size_t(writer)];
  const int threads = s.run->trace.launches[size_t(n.launch)].block;
  Cursor c = s.cursor;
  c.launch = n.launch;
  c.block = n.thread / threads;
  c.interval = n.interval;
  const int step = step_of(*s.run, c);
  s = to_step(std::move(s), step);
  s.cursor.cell = n.place;
  s.cursor.thread = -1;
  s.of<WatchState>().why_row = -1;
  s.of<WatchState>().why_scroll = 0;
}
void go_to_row(State& s, Kept& kept) {
  if (const Hit* row = why_hit(kept, "why:row:" + std::to_string(s.of<WatchState>().why_row)))
    go_to_write(s, row->a);
}
bool row_goes(const State& s, const Kept& kept) {
  const Hit* row = s.of<WatchState>().why_levels > 0
                       ? why_hit(kept, "why:row:" + std::to_string(s.of<WatchState>().why_row))
                       : nullptr;
  return row && row->a >= 0;
}

constexpr auto shift = ImGuiMod_Shift, ctrl = ImGuiMod_Ctrl, alt = ImGuiMod_Alt;
using C = RegisterCommand;
const C why_commands[]{
    C{{"why.unfold", later("Why"), later("Unfold why by one level"), {ImGuiKey_W}, unfold<1>, true, "watch"}},
    C{{"why.fold",
       later("Why"),
       later("Fold why by one level"),
       {shift | ImGuiKey_W},
       unfold<-1>,
       true,
       "watch",
       tree_shown}},
    C{{"why.tall",
       later("Why"),
       later("Give why the source's place, or give it back"),
       {alt | ImGuiKey_W},
       make_tall,
       false,
       "watch"}},
    C{{"why.close",
       later("Why"),
       later("Show the source again"),
       {ImGuiKey_Escape},
       close_tall,
       false,
       "watch",
       tall_shown}},
    C{{"why.row_next",
       later("Why"),
       later("Go to the next row of the tree"),
       {ctrl | ImGuiKey_DownArrow},
       focus_row<1>,
       true,
       "watch",
       tree_shown}},
    C{{"why.row_before",
       later("Why"),
       later("Go to the row before"),
       {ctrl | ImGuiKey_UpArrow},
       focus_row<-1>,
       true,
       "watch",
       tree_shown}},
    C{{"why.row_turn",
       later("Why"),
       later("Unfold or fold the row"),
       {ctrl | ImGuiKey_RightArrow, ctrl | ImGuiKey_LeftArrow},
       turn_row,
       false,
       "watch",
       row_turns}},
    C{{"why.row_go",
       later("Why"),
       later("Go to the row's step and cell"),
       {ctrl | ImGuiKey_Enter},
       go_to_row,
       false,
       "watch",
       row_goes}},
};
const C figure_commands[]{
    C{{"relatives",
       later("Selection"),
       later("Light what went into the cell, what it flows into, or both"),
       {ImGuiKey_D},
       next_relatives,
       false,
       "watch"}},
    C{{"source.profile",
       later("View"),
       later("Show values or working lanes beside the source"),
       {ImGuiKey_V},
       next_profile,
       false,
       "watch"}},
    C{{"source.right",
       later("View"),
       later("Scroll the source to the right"),
       {alt | ImGuiKey_RightArrow},
       shift_source<8>,
       true,
       "watch"}},
    C{{"source.left",
       later("View"),
       later("Scroll the source to the left"),
       {alt | ImGuiKey_LeftArrow},
       shift_source<-8>,
       true,
       "watch"}},
    C{{"source.down",
       later("View"),
       later("Scroll the source down"),
       {alt | ImGuiKey_PageDown},
       scroll_source<8>,
       true,
       "watch"}},
    C{{"source.up",
       later("View"),
       later("Scroll the source up"),
       {alt | ImGuiKey_PageUp},
       scroll_source<-8>,
       true,
       "watch"}},
    C{{"source.registration",
       later("View"),
       later("Unfold or fold the source's registration"),
       {alt | ImGuiKey_R},
       fold_registration,
       false,
       "watch"}},
    C{{"run.down",
       later("View"),
       later("Scroll the whole run down"),
       {alt | ImGuiKey_DownArrow},
       scroll_run<1>,
       true,
       "watch"}},
    C{{"run.up",
       later("View"),
       later("Scroll the whole run up"),
       {alt | ImGuiKey_UpArrow},
       scroll_run<-1>,
       true,
       "watch"}},
};

/// What these pictures show beside the run and the cursor.
uint64_t looked_at(const State& s, const Prediction* p) {
  return fingerprint(p ? *p : Prediction{}) ^ fingerprint(s.of<WatchState>());
}

}  // namespace

bool why_is_tall(const State& s) {
  return s.of<WatchState>().why_tall && s.of<WatchState>().why_levels > 0 && !prediction_on(s);
}

void show_whole_run(View& v, Box area, const Prediction* prediction) {
  const auto touched =
      v.picture("whole run", area,
                [&](float w, float h) {
                  return whole_run(v.model, v.state.cursor, v.theme, v.metrics, w, h,
                                   v.state.of<WatchState>(), prediction);
                },
                {.extra = looked_at(v.state, prediction), .zooms = true, .motion = View::Options::lands});
  focus_box(v, touched);
  if (touched.clicked && touched.clicked->name == "run:relatives") next_relatives(v.state, v.kept);
  if (touched.wheel != 0) scroll_rows(v.state, touched.wheel > 0 ? -1 : 1);
}

void show_source(View& v, Box area, const Prediction* prediction) {
  const auto touched = v.picture("source", area,
                                 [&](float w, float h) {
                                   return source_panel(v.model, v.state.cursor, v.theme, v.metrics, w, h,
                                                       v.state.of<WatchState>(), prediction);
                                 },
                                 {.extra = looked_at(v.state, prediction)});
  if (touched.clicked && touched.clicked->name == "source:profile") next_profile(v.state, v.kept);
  if (touched.clicked && touched.clicked->name == "source:registration") fold_registration(v.state, v.kept);
  const ImGuiIO& io = ImGui::GetIO();
  const bool sideways = io.KeyShift;  // for wheels that turn one way only
  if (touched.wheel != 0 && !sideways) scroll_lines(v.state, v.kept, -int(std::round(touched.wheel * 3)));
  const float across = touched.over ? io.MouseWheelH + (sideways ? touched.wheel : 0) : 0;
  if (across != 0)
    v.state.of<WatchState>().source_shift =
        std::clamp(v.state.of<WatchState>().source_shift - int(std::round(across * 4)), 0,
                   source_shift_most(v.model, v.state.cursor));
}

void show_why(View& v, Box area) {
  const auto touched = v.picture(
      "why", area,
      [&](float w, float h) {
        return why_panel(v.model, v.state.cursor, v.theme, v.metrics, w, h, v.state.of<WatchState>());
      },
      {.extra = fingerprint(v.state.of<WatchState>()), .motion = View::Options::lands});
  if (touched.wheel != 0 && v.state.of<WatchState>().why_levels > 0) {
    v.state.of<WatchState>().why_row = -1;
    v.state.of<WatchState>().why_scroll =
        std::clamp(v.state.of<WatchState>().why_scroll - int(std::round(touched.wheel)), 0, most_why_rows);
  }
  if (!touched.clicked) return;
  const std::string name = touched.clicked->name;
  const int writer = touched.clicked->a, row = touched.clicked->b;
  if (name == "why:unfold") levels(v.state, 1);
  if (name == "why:tall") make_tall(v.state, v.kept);
  if (name.starts_with("why:fold:")) {
    turn(v.state, writer);
    v.state.of<WatchState>().why_row = row;
  }
  if (name.starts_with("why:row:")) go_to_write(v.state, writer);
}

}  // namespace bscope
