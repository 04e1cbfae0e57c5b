// Watch's own keys: within an interval, what its pictures show, and the questions of predict.
#include <algorithm>

#include "app/session/prediction.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/ui_state.hpp"
#include "app/shell/watch/figure_panels.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "engine/analysis/run.hpp"

namespace bscope {
namespace {

constexpr auto shift = ImGuiMod_Shift, ctrl = ImGuiMod_Ctrl, alt = ImGuiMod_Alt;

template <int By>
void launch(LoadedState& s, UiState&) {
  const int to = s.cursor.launch + By;
  s = to_launch(std::move(s), to);
}
bool several_launches(const LoadedState& s, const UiState&) {
  return s.run && s.run->trace.launches.size() > 1;
}
constexpr CommandGroup stepping{tr_noop("Steps")};
const RegisterCommands places{
    stepping("substep.next", tr_noop("Go one warp instruction on within the step"), {ImGuiKey_Period},
             step<next_substep>, true),
    stepping("substep.previous", tr_noop("Go one warp instruction back"), {ImGuiKey_Comma},
             step<previous_substep>, true),
    when(several_launches,
         stepping("launch.next", tr_noop("Show the next launch"), {shift | ImGuiKey_PageDown}, launch<1>)),
    when(several_launches, stepping("launch.previous", tr_noop("Show the launch before"),
                                    {shift | ImGuiKey_PageUp}, launch<-1>)),
};

template <bool WatchState::*Shown>
void turn(LoadedState& s, UiState&) {
  s.of<WatchState>().*Shown = !(s.of<WatchState>().*Shown);
}
bool several_blocks(const LoadedState& s, const UiState&) {
  return s.run && !s.run->trace.launches.empty() && s.run->trace.launches[size_t(s.cursor.launch)].grid > 1;
}
template <int By>
void scroll_lines(LoadedState& s, UiState& ui) {
  scroll_source_on_screen(s, ui, By);
}
constexpr CommandGroup view{tr_noop("View"), main_tab}, selection{tr_noop("Selection"), main_tab};
const RegisterCommands looks{
    view("watch.hand_over", tr_noop("Show how the selected flag was handed over"), {},
         turn<&WatchState::hand_over>),
    view("array.next", tr_noop("Show the next array"), {ImGuiKey_G}, step_by<next_array, 1>),
    view("array.previous", tr_noop("Show the array before"), {shift | ImGuiKey_G}, step_by<next_array, -1>),
    view("watch.words", tr_noop("Show which inputs each cell holds, or its value"), {ImGuiKey_C},
         turn<&WatchState::words>),
    when(several_blocks,
         view("watch.blocks", tr_noop("Show all blocks small, or one"), {ImGuiKey_B}, step<all_blocks>)),
    view("watch.arrays", tr_noop("Show all arrays small, or one"), {alt | ImGuiKey_G}, step<all_arrays>),
    selection("relatives", tr_noop("Light what went into the cell, what it flows into, or both"),
              {ImGuiKey_D}, step<next_relatives>),
    view("source.profile", tr_noop("Show values or working lanes beside the source"), {ImGuiKey_V},
         step<next_profile>),
    view("source.right", tr_noop("Scroll the source to the right"), {alt | ImGuiKey_RightArrow},
         step_by<shift_source, 8>, true),
    view("source.left", tr_noop("Scroll the source to the left"), {alt | ImGuiKey_LeftArrow},
         step_by<shift_source, -8>, true),
    view("source.down", tr_noop("Scroll the source down"), {alt | ImGuiKey_PageDown}, scroll_lines<8>, true),
    view("source.up", tr_noop("Scroll the source up"), {alt | ImGuiKey_PageUp}, scroll_lines<-8>, true),
    view("source.registration", tr_noop("Unfold or fold the source's registration"), {alt | ImGuiKey_R},
         step<fold_registration>),
    view("source.code", tr_noop("Show the source's machine code, registers and occupancy, or hide them"),
         {alt | ImGuiKey_M}, step<show_machine_code>),
    view("source.unfold", tr_noop("Unfold or fold the selected line's instructions"), {alt | ImGuiKey_I},
         step<unfold_selected_code>),
    view("run.down", tr_noop("Scroll the whole run down"), {alt | ImGuiKey_DownArrow}, step_by<scroll_run, 1>,
         true),
    view("run.up", tr_noop("Scroll the whole run up"), {alt | ImGuiKey_UpArrow}, step_by<scroll_run, -1>,
         true),
};

/// A hit of the tree as it is on screen, by what its name begins with: of the row with the focus.
const HitRegion* of_row(const LoadedState& s, const UiState& ui, const char* what) {
  const auto& look = s.of<WatchState>();
  return look.why_levels > 0 ? hit_on_screen(ui, "why", what + std::to_string(look.why_row)) : nullptr;
}
bool row_turns(const LoadedState& s, const UiState& ui) { return of_row(s, ui, "why:fold:"); }
bool row_goes(const LoadedState& s, const UiState& ui) {
  const HitRegion* row = of_row(s, ui, "why:row:");
  return row && row->a >= 0;
}
template <const char* What>
void press_row(LoadedState& s, UiState& ui) {
  if (const HitRegion* hit = of_row(s, ui, What)) HitAction(hit->press)(s, 0);
}
constexpr char fold[] = "why:fold:", row[] = "why:row:";
template <int By>
void focus_row(LoadedState& s, UiState& ui) {
  int last = -1;
  if (const auto shown = ui.pictures.find("why"); shown != ui.pictures.end())
    for (const HitRegion& h : shown->second.picture.hits)
      if (h.name.starts_with(row)) last = std::max(last, h.b);
  // one past the last row on screen brings the next into view
  int& now = s.of<WatchState>().why_row;
  now = std::clamp(now + By, 0, std::max(0, last + 1));
}
bool tree_shown(const LoadedState& s, const UiState&) { return s.of<WatchState>().why_levels > 0; }
bool tall_shown(const LoadedState& s, const UiState&) { return why_is_tall(s); }
constexpr CommandGroup why{tr_noop("Why"), main_tab};
const RegisterCommands whys{
    why("why.unfold", tr_noop("Unfold why by one level"), {ImGuiKey_W}, step_by<unfold_why, 1>, true),
    when(tree_shown, why("why.fold", tr_noop("Fold why by one level"), {shift | ImGuiKey_W},
                         step_by<unfold_why, -1>, true)),
    why("why.tall", tr_noop("Give why the source's place, or give it back"), {alt | ImGuiKey_W},
        step<tall_why>),
    when(tall_shown,
         why("why.close", tr_noop("Show the source again"), {ImGuiKey_Escape}, turn<&WatchState::why_tall>)),
    when(tree_shown, why("why.row_next", tr_noop("Go to the next row of the tree"),
                         {ctrl | ImGuiKey_DownArrow}, focus_row<1>, true)),
    when(tree_shown, why("why.row_before", tr_noop("Go to the row before"), {ctrl | ImGuiKey_UpArrow},
                         focus_row<-1>, true)),
    when(row_turns, why("why.row_turn", tr_noop("Unfold or fold the row"),
                        {ctrl | ImGuiKey_RightArrow, ctrl | ImGuiKey_LeftArrow}, press_row<fold>)),
    when(row_goes, why("why.row_go", tr_noop("Go to the row's step and cell"), {ctrl | ImGuiKey_Enter},
                       press_row<row>)),
};

void start_or_stop(LoadedState& s, UiState&) {
  s = prediction_on(s) ? leave_prediction(std::move(s)) : predict(std::move(s));
}
bool on(const LoadedState& s, const UiState&) { return prediction_on(s); }
bool startable(const LoadedState& s, const UiState&) { return prediction_on(s) || can_predict(s); }
template <bool Revealed>
bool is(const LoadedState& s, const UiState&) {
  const Prediction* p = prediction_on(s);
  const bool in_list = s.lesson.open && s.lesson.lesson.empty();  // there Enter opens a lesson
  return p && p->revealed == Revealed && !in_list;
}
constexpr CommandGroup question{tr_noop("Predict"), main_tab};
const RegisterCommands questions{
    when(startable,
         question("predict", tr_noop("Predict what the step changes"), {ImGuiKey_P}, start_or_stop)),
    when(is<false>, question("predict.reveal", tr_noop("Reveal the answers"),
                             {ImGuiKey_Enter, ImGuiKey_KeypadEnter}, step<reveal>)),
    when(is<false>, question("predict.hint", tr_noop("Give a hint"), {ImGuiKey_H}, step<hint>)),
    when(on, question("predict.next_box", tr_noop("Go to the next box"), {ImGuiKey_Tab}, step_by<next_box, 1>,
                      true)),
    when(on, question("predict.box_before", tr_noop("Go to the box before"), {shift | ImGuiKey_Tab},
                      step_by<next_box, -1>, true)),
    when(is<false>, question("predict.erase", tr_noop("Take back the last character"), {ImGuiKey_Backspace},
                             step<erase_guess>, true)),
    when(is<true>, question("predict.next_step", tr_noop("Predict the next step"),
                            {ImGuiKey_Enter, ImGuiKey_KeypadEnter}, step<predict_next>)),
    when(on,
         question("predict.leave", tr_noop("Skip the question"), {ImGuiKey_Escape}, step<leave_prediction>)),
};

}  // namespace
}  // namespace bscope
