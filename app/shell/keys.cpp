// The keys of the transport, the selection and the looks.
#include "app/shell/commands.hpp"

namespace bscope {
namespace {

template <int By>
void block(State& s, Kept&) {
  const int to = s.cursor.block + By;
  s = to_block(std::move(s), to);
}
template <int Percent>
void zoom_by(State& s, Kept& kept) {
  if (s.tab == "watch" && !kept.zoom.from) kept.zoom.from = s.cursor.zoom;
  s = zoom(std::move(s), float(Percent) / 100);
}
/// A key that repeats skips the motion.
void step_forward(State& s, Kept&) {
  const bool held = ImGui::IsKeyDown(ImGuiKey_RightArrow) && !ImGui::IsKeyPressed(ImGuiKey_RightArrow, false);
  s = forward(std::move(s), !held);
}
/// A run that is waited for is given up first; then what was refused is taken away; then the selection.
void clear(State& s, Kept& kept) {
  if (give_up_run(s, kept)) return;
  if (s.error.empty() && kept.shell.notices.empty()) {
    s = clear_selection(std::move(s));
    return;
  }
  kept.shell.notices.clear();
  s.error.clear();
  s.error_at = Where::nowhere;
}
void arrows(State& s, Kept&) { s.cursor.arrows = !s.cursor.arrows; }
void other_theme(State& s, Kept&) {
  const ThemeName t = s.theme == ThemeName::dark ? ThemeName::light : ThemeName::dark;
  s = to_theme(std::move(s), t);
}

constexpr auto shift = ImGuiMod_Shift;
using C = RegisterCommand;

const C steps[]{
    C{{"step.forward",
       later("Steps"),
       later("Go to the next barrier"),
       {ImGuiKey_RightArrow},
       step_forward,
       true}},
    C{{"step.back", later("Steps"), later("Go back one barrier"), {ImGuiKey_LeftArrow}, step<back>, true}},
    C{{"phase.next",
       later("Steps"),
       later("Go to the next phase"),
       {shift | ImGuiKey_RightArrow},
       step<next_phase>,
       true}},
    C{{"phase.previous",
       later("Steps"),
       later("Go back one phase"),
       {shift | ImGuiKey_LeftArrow},
       step<previous_phase>,
       true}},
    C{{"step.first", later("Steps"), later("Go to the first step"), {ImGuiKey_Home}, step<first>}},
    C{{"step.last", later("Steps"), later("Go to the last step"), {ImGuiKey_End}, step<last>}},
    C{{"block.next", later("Steps"), later("Show the next block"), {ImGuiKey_PageDown}, block<1>, true}},
    C{{"block.previous", later("Steps"), later("Show the block before"), {ImGuiKey_PageUp}, block<-1>, true}},
    C{{"play", later("Steps"), later("Play or pause"), {ImGuiKey_Space}, step<play_or_pause>}},
    C{{"play.slower", later("Steps"), later("Play slower"), {ImGuiKey_LeftBracket}, step<slower>}},
    C{{"play.faster", later("Steps"), later("Play faster"), {ImGuiKey_RightBracket}, step<faster>}},
};
const C selection[]{
    C{{"thread.next",
       later("Selection"),
       later("Follow the next thread"),
       {ImGuiKey_DownArrow},
       step_by<follow_thread, 1>,
       true}},
    C{{"thread.previous",
       later("Selection"),
       later("Follow the thread before"),
       {ImGuiKey_UpArrow},
       step_by<follow_thread, -1>,
       true}},
    C{{"cell.next",
       later("Selection"),
       later("Select the next cell that this step writes"),
       {ImGuiKey_Tab},
       step_by<select_next, 1>,
       true}},
    C{{"cell.previous",
       later("Selection"),
       later("Select the cell before"),
       {shift | ImGuiKey_Tab},
       step_by<select_next, -1>,
       true}},
    C{{"selection.clear", later("Selection"), later("Clear the selection"), {ImGuiKey_Escape}, clear}},
    C{{"arrows",
       later("Selection"),
       later("Show all arrows, or the selection's only"),
       {ImGuiKey_A},
       arrows}},
};
const C looks[]{
    C{{"zoom.in",
       later("View"),
       later("Zoom in"),
       {ImGuiKey_Equal, shift | ImGuiKey_Equal, ImGuiKey_KeypadAdd},
       zoom_by<125>,
       true}},
    C{{"zoom.out",
       later("View"),
       later("Zoom out"),
       {ImGuiKey_Minus, ImGuiKey_KeypadSubtract},
       zoom_by<80>,
       true}},
    C{{"zoom.all", later("View"), later("Show all cells"), {ImGuiKey_0, ImGuiKey_Keypad0}, step<reset_zoom>}},
    C{{"theme", later("View"), later("Switch between dark and light"), {ImGuiKey_T}, other_theme}},
    C{{"projector",
       later("View"),
       later("Switch to the projector and back"),
       {ImGuiKey_F5},
       step<projector>}},
};

}  // namespace
}  // namespace bscope
