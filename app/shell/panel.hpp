// What a panel is given to draw itself, and how panels make themselves known.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"

namespace bscope {

struct CachedPicture;
struct ChooseRun;
struct LoadedState;
class Painter;
class RunQueries;
struct RunChoice;
struct Tab;
struct Theme;
struct UiState;

/// One frame's surroundings of a panel. Panels read the state and leave the new one in it.
class View {
 public:
  View(LoadedState&, const Theme&, Painter&, const Metrics&, const RunQueries&, UiState&);

  LoadedState& state;
  const Theme& theme;
  Painter& painter;
  const Metrics& metrics;
  const RunQueries& model;  ///< of state.run

  /// Makes a picture of this width and height.
  using Make = std::function<Picture(float width, float height)>;
  /// What the mouse did to a picture.
  struct PointerInput {
    const HitRegion* hovered = nullptr;  ///< what lies under the mouse, if anything
    const HitRegion* clicked = nullptr;  ///< pressed just now
    const HitRegion* dragged = nullptr;  ///< under the mouse while the button is held
    Point at;                            ///< the mouse, in the picture's coordinates
    float wheel = 0;
    bool held = false, over = false;
  };
  /// How a picture is made and kept.
  struct PictureOptions {
    uint64_t extra = 0;                           ///< made again when this changes
    bool framed = true;                           ///< with a panel's background and border
    bool placed = true;                           ///< shows a place in the run: the cursor's
    bool zooms = false;                           ///< shows Cursor's zoom and scroll
    bool turns = false;                           ///< goes line by line: a wheel does, and a finger
    enum { rests, lands, moves } motion = rests;  ///< how much of Cursor's phase it shows
  };
  /// A picture in its area: made again only if the run, the cursor (the parts of it that it shows), the
  /// theme, its size or `extra` changed since the last frame. Its hits select cells, threads, lines and
  /// steps.
  PointerInput picture(const std::string& name, Box area, const Make&, const PictureOptions&);

  /// A picture over what is drawn in its area, as strong as `alpha` (0 to 1) says; it does not answer.
  void fading(const Picture&, Box area, float alpha);

  /// A panel's background and border. Nothing if `panels` has drawn them all.
  void frame(Box);
  /// The background and borders of all panels of an area at once, by drawing what lies between them: the
  /// window was cleared in the panels' colour. Painting panels is a third of a frame on software OpenGL.
  void panels(Box area, const std::vector<Box>&);
  void text(Point, const std::string&, float size, Colour, Font = Font::text, Align = Align::left);
  float width(const std::string& words, float size, Font f = Font::text) const {
    return metrics.width(f, size, words);
  }

  UiState& ui;
  const Tab& tab;          ///< that this frame shows: what is pressed in it may have chosen another
  bool on_panels = false;  ///< the window was cleared in the panels' colour

 private:
  /// What a hit does while it is held, and when it is pressed.
  void touch(const HitRegion&, Point at, bool pressed);
  /// What the mouse would have done to the hit whose letters were typed.
  PointerInput pressed_by_letters(const CachedPicture&);
  bool panels_drawn_ = false;
};

/// How a tab is shown in the window, below the header, where that is more than its picture.
struct TabPanel {
  std::string tab;  ///< Tab::name
  void (*show)(View&, Box area);
  bool on_panels = false;  ///< uses View::panels: its window is cleared in the panels' colour
  void (*alone)(View&, Box area) = nullptr;  ///< as one view in a frame (embedded.hpp); null: its picture
};
/// static const RegisterPanel compare{{"compare", show}};
std::vector<TabPanel>& tab_panels();
struct RegisterPanel {
  explicit RegisterPanel(TabPanel panel) { tab_panels().push_back(std::move(panel)); }
};
/// The panel of a tab; one that shows its picture above the transport where it has registered none.
const TabPanel& panel_of(const Tab&);

// The parts around the tabs.
void show_transport(View&, Box);
/// Transport and timeline at the bottom of the area, below every tab that moves through a run step by step;
/// returns what is left above. Where they stand in the area.
Box show_playback(View&, Box area);
Box playback_box(const Theme&, Box area);
/// The transport's buttons alone; the area keeps what is above. Returns what is left of their bar: the
/// timeline's place.
Box show_buttons(View&, Box& area);
/// Back, play, forward and the step's number in one row; returns where it ends.
float show_small_transport(View&, Box row);
/// The whole run instead of the tab.
void show_only_run(View&, Box);
/// The tab's picture without choices, offers and transport; what it needs is made in the background.
void show_picture(View&, Box);
/// The tab without its transport, for a phone: the picture may be higher than the area.
void show_narrow_tab(View&, Box);
/// Kernel, size, block and the kernel's own parameters on one line; true if the choice was changed.
bool choose_run(View&, Box, const ChooseRun&, RunChoice&);
/// The window of export, where it is open: over the tab.
void show_export(View&);
/// The lesson, or the list of lessons, beside every tab while it is open. Returns what is left of the area.
Box show_lesson(View&, Box);
/// The same on the whole of the box.
void show_lesson_alone(View&, Box);
/// Cancels what is being made in the background; what was shown before stays, and the fields go back to it.
/// False: nothing is.
bool give_up_run(LoadedState&, UiState&);
/// The tab whose runs are being made, if any; and that it need not go on.
const Tab* loading_tab(const UiState&);
void cancel_needs(const Tab&, LoadedState&, UiState&);
/// ImGui::BeginPopup with this padding and an edge that shows on a panel of the same colour.
bool begin_popup(const Theme&, const char* id, ImVec2 padding, int flags);
/// A tooltip of the item that was made last, broken into lines.
void tip_of_item(const Theme&, const std::string& words);
/// A tooltip over a place of the current window that is no item.
void tip_over(const Theme&, Box, const std::string& words);

}  // namespace bscope
