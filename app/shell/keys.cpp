// The keys of the transport, the selection and the looks.
#include "app/shell/commands.hpp"
#include "app/shell/notices.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/ui_state.hpp"
#include "app/shell/zoom_shown.hpp"

namespace bscope {
namespace {

template <int By>
void go_to_block(LoadedState& s, UiState&) {
  const int to = s.cursor.block + By;
  s = to_block(std::move(s), to);
}
template <int Percent>
void zoom_by(LoadedState& s, UiState& ui) {
  if (s.tab == main_tab && !ui.of<ZoomShown>().from) ui.of<ZoomShown>().from = s.cursor.zoom;
  s = zoom(std::move(s), float(Percent) / 100);
}
/// A key that repeats skips the motion.
void step_forward(LoadedState& s, UiState&) {
  const bool held = ImGui::IsKeyDown(ImGuiKey_RightArrow) && !ImGui::IsKeyPressed(ImGuiKey_RightArrow, false);
  s = forward(std::move(s), !held);
}
/// A run that is waited for is given up first; then what was refused is taken away; then the selection.
void clear(LoadedState& s, UiState& ui) {
  if (give_up_run(s, ui)) return;
  if (s.error.empty() && ui.of<Notices>().all.empty()) {
    s = clear_selection(std::move(s));
    return;
  }
  ui.of<Notices>().all.clear();
  forgive(s);
}
void arrows(LoadedState& s, UiState&) { s.cursor.arrows = !s.cursor.arrows; }
void other_theme(LoadedState& s, UiState&) {
  const ThemeName t = s.theme == ThemeName::dark ? ThemeName::light : ThemeName::dark;
  s = to_theme(std::move(s), t);
}

constexpr auto shift = ImGuiMod_Shift;

constexpr CommandGroup stepping{tr_noop("Steps")}, selection{tr_noop("Selection")}, view{tr_noop("View")};
const RegisterCommands step_commands{
    stepping("step.forward", tr_noop("Go to the next barrier"), {ImGuiKey_RightArrow}, step_forward, true),
    stepping("step.back", tr_noop("Go back one barrier"), {ImGuiKey_LeftArrow}, step<back>, true),
    stepping("phase.next", tr_noop("Go to the next phase"), {shift | ImGuiKey_RightArrow}, step<next_phase>,
             true),
    stepping("phase.previous", tr_noop("Go back one phase"), {shift | ImGuiKey_LeftArrow},
             step<previous_phase>, true),
    stepping("step.first", tr_noop("Go to the first step"), {ImGuiKey_Home}, step<first>),
    stepping("step.last", tr_noop("Go to the last step"), {ImGuiKey_End}, step<last>),
    stepping("block.next", tr_noop("Show the next block"), {ImGuiKey_PageDown}, go_to_block<1>, true),
    stepping("block.previous", tr_noop("Show the block before"), {ImGuiKey_PageUp}, go_to_block<-1>, true),
    stepping("play", tr_noop("Play or pause"), {ImGuiKey_Space}, step<play_or_pause>),
    stepping("play.slower", tr_noop("Play slower"), {ImGuiKey_LeftBracket}, step<slower>),
    stepping("play.faster", tr_noop("Play faster"), {ImGuiKey_RightBracket}, step<faster>),

    selection("thread.next", tr_noop("Follow the next thread"), {ImGuiKey_DownArrow},
              step_by<follow_thread, 1>, true),
    selection("thread.previous", tr_noop("Follow the thread before"), {ImGuiKey_UpArrow},
              step_by<follow_thread, -1>, true),
    selection("cell.next", tr_noop("Select the next cell that this step writes"), {ImGuiKey_Tab},
              step_by<select_next, 1>, true),
    selection("cell.previous", tr_noop("Select the cell before"), {shift | ImGuiKey_Tab},
              step_by<select_next, -1>, true),
    selection("selection.clear", tr_noop("Clear the selection"), {ImGuiKey_Escape}, clear),
    selection("arrows", tr_noop("Show all arrows, or the selection's only"), {ImGuiKey_A}, arrows),

    view("zoom.in", tr_noop("Zoom in"), {ImGuiKey_Equal, shift | ImGuiKey_Equal, ImGuiKey_KeypadAdd},
         zoom_by<125>, true),
    view("zoom.out", tr_noop("Zoom out"), {ImGuiKey_Minus, ImGuiKey_KeypadSubtract}, zoom_by<80>, true),
    view("zoom.all", tr_noop("Show all cells"), {ImGuiKey_0, ImGuiKey_Keypad0}, step<reset_zoom>),
    view("theme", tr_noop("Switch between dark and light"), {ImGuiKey_T}, other_theme),
    view("projector", tr_noop("Switch to the projector and back"), {ImGuiKey_F5}, step<projector>),
};

}  // namespace
}  // namespace bscope
