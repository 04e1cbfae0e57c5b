// What a panel is given to draw itself, and how panels make themselves known.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/parts/partners.hpp"
#include "app/run/run.hpp"
#include "app/run/troubles.hpp"
#include "app/session/dispatcher.hpp"
#include "app/session/state.hpp"
#include "app/session/tab.hpp"
#include "app/shell/painter.hpp"
#include "app/shell/shell.hpp"
#include "app/tabs/watch/array/columns.hpp"
#include "engine/analysis/run_queries.hpp"

namespace bscope {

/// A picture as it was drawn last, and what it was made from.
struct CachedPicture {
  std::shared_ptr<const Run> run;
  Cursor cursor;
  ThemeName theme_name;
  Language language;
  Box area;
  uint64_t extra = 0;
  Picture picture;
  int made = 0;         ///< how often it was made
  Sorted sorted = {};   ///< the picture's shapes as they are drawn
  int frame = -1;       ///< of ImGui, when it was last on screen
  bool turns = false;   ///< as in View::PictureOptions
  unsigned int id = 0;  ///< of ImGui: the item that it lies in
  bool same(const CachedPicture&) const;
};

/// Threads at work in each step of a kernel's default run, for the bars of the kernel list.
struct KernelSummary {
  std::vector<float> working;  ///< share of the block, one a step of block 0
  std::string trouble;         ///< race, fault or wrong; empty where all is well
};
using Summaries = std::map<std::string, KernelSummary>;  ///< by kernel name
/// Traces the next kernel that has no summary yet; false if all have one. One a frame keeps frames short.
bool summarise_next(Summaries&);

/// The array view's level of zoom, and the picture of the level before while it fades.
struct ZoomShown {
  std::shared_ptr<const Run> run;
  std::optional<Zoom> level;
  Picture before;
  float fade = 0;              ///< ms that are left
  std::optional<float> about;  ///< the cell that the wheel zooms about while the mouse stays at `mouse`
  Point mouse;
  std::optional<float> from;  ///< the zoom before a key changed it: the cells in view are still to follow
};

/// What panels keep from frame to frame that is no state of the app.
struct UiState {
  std::map<std::string, CachedPicture> shelf;  ///< pictures by name
  ZoomShown zoom;
  Summaries summaries;
  std::shared_ptr<const Run> judged;  ///< the run that `troubles` is about
  Troubles troubles;
  std::vector<Message> troubles_why;  ///< by an assignment: what `troubles` is based on
  bool troubles_open = false;         ///< the box that tells them all; keys go on working
  float told_above = 0;               ///< height that the header has taken of the tab's area for them
  std::map<unsigned int, std::string> listed;  ///< the kernel that each list last scrolled to
  float list_pin = -1;           ///< where the list was scrolled to when a kernel of it was clicked; -1: free
  std::array<int, 5> stepped{};  ///< where that was: in the run, in the tab's own time
  bool stepping = false;         ///< since the mouse moved last, a step was taken: no tip covers what changes
  /// What was typed for the parameters and refused; it stays beside the error.
  struct Refused {
    std::shared_ptr<const Run> over;  ///< the run that is still open
    Target target;
    std::string values;
  };
  std::optional<Refused> refused;
  std::string tab;             ///< of the frame before; none in the first
  std::string told_aside;      ///< the last sentence about an input that waits
  float parameter_height = 0;  ///< of the list of parameters, as it came out last
  /// Two fingers, since the last frame: where, how far they went, and how much farther they are apart.
  struct Pinch {
    Point at{};
    float across = 0, factor = 1;
  } pinch;
  Shell shell;  ///< what lies over the tabs, and what is kept between starts

  std::shared_ptr<struct ExportPanel> exporting;  ///< null until it is opened
  std::shared_ptr<struct LessonKept> lesson;      ///< the lessons as they were read
  std::shared_ptr<struct SourceEditor> editor;    ///< of users' own programs; null until one is opened

  TabServices services;                      ///< of the tabs
  RunStore& runs = services.of<RunStore>();  ///< the runs of window, lessons and tabs
  Dispatcher dispatcher{runs};               ///< steps that may open runs, and the one that waits
  std::map<std::string, TabStates>
      last_shown;           ///< by tab: what tabs remembered when all that it needs was there
  std::string loading_tab;  ///< the tab whose needs were loading in the last frame; empty: none

  std::function<void()> wake;  ///< asks for a frame, from any thread
  std::future<void> reading;   ///< of the program's recordings, beside the window's first frames
};

/// One frame's surroundings of a panel. Panels read the state and leave the new one in it.
class View {
 public:
  View(LoadedState& s, const Theme& t, Painter& p, const Metrics& m, const RunQueries& w, UiState& k)
      : state(s), theme(t), painter(p), metrics(m), model(w), kept(k) {}

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

  UiState& kept;
  const Tab& tab = tab_of(state);  ///< that this frame shows: what is pressed in it may have chosen another
  bool on_panels = false;          ///< the window was cleared in the panels' colour

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
/// Returns how much of `below`, the room under it, it takes for what has gone wrong with the run.
float show_header(View&, Box, Box below);
/// A run that goes wrong says so: a word and the first sentence, at most so many lines of it; a click opens
/// them all. In the header where there is room for it, else on lines of its own at the top of `below`.
/// Returns the height taken there.
float show_troubles(View&, Box header, Box below, size_t most_lines = SIZE_MAX);
/// The panel at the left of Watch: the two below, and the legend. It begins right under the header: what has
/// gone wrong appears beside it, so that no kernel moves away under the mouse that opens it.
void show_kernels(View&, Box);
/// The width that it takes, with the gap beside it; 0: there is none on screen.
float kernels_width(const View&);
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
/// The catalog by family, from ImGui's cursor on.
void list_of_kernels(View&, float width);
/// The open run's parameters as controls, from ImGui's cursor on; an error of theirs stands above them.
void list_of_parameters(View&);
/// Of a user's own program: its arguments, constants that can be smaller, what it said.
void list_of_program(View&);

/// ImGui::BeginPopup with this padding and an edge that shows on a panel of the same colour.
bool begin_popup(const Theme&, const char* id, ImVec2 padding, int flags);
/// A tooltip of the item that was made last, broken into lines.
void tip_of_item(const Theme&, const std::string& words);
/// A tooltip over a place of the current window that is no item.
void tip_over(const Theme&, Box, const std::string& words);

}  // namespace bscope
