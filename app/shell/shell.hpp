// What lies over the tabs: the palette, the key sheet, popovers of the header, labels on everything that can
// be pressed, notices. And what the app keeps beside the state: its past, its settings.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/parts/fuzzy.hpp"
#include "app/parts/key_sheet.hpp"
#include "app/session/history.hpp"
#include "app/session/settings.hpp"

namespace bscope {

struct UiState;
class View;

/// A line of the palette.
struct PaletteItem {
  std::string group;   ///< said: "Kernels"
  std::string title;   ///< said
  std::string also;    ///< other words that find it: its English title, its name
  std::string detail;  ///< said, at the right: what it is
  std::vector<std::string> keys;
  std::function<void(LoadedState&, UiState&)> run;
};
/// More lines for the palette: static const RegisterPalette lessons{[](const State&, Kept&) {...}};
using PaletteSource = std::vector<PaletteItem> (*)(const LoadedState&, UiState&);
std::vector<PaletteSource>& palette_sources();
struct RegisterPalette {
  explicit RegisterPalette(PaletteSource s) { palette_sources().push_back(s); }
};

/// What the palette asks for: anything, or the path of a file.
enum class Asks : uint8_t { anything, open, save };

/// An open file dialog of the desktop.
struct FileDialog {
  virtual ~FileDialog() = default;
  /// Nothing while it is open; then the path, empty if nothing was chosen. Does not wait.
  virtual std::optional<std::string> chosen() = 0;
};

/// What lies over the tabs; at most one.
enum class Popup : uint8_t { none, palette, keys, glossary, kernel, place, device, options };

struct Shell {
  Popup wants = Popup::none;  ///< to be opened in this frame
  Popup after = Popup::none;  ///< to be opened in the next: what the palette was asked for
  Box anchors[8] = {};        ///< by Popup: the header's control that it hangs from

  struct {
    Asks asks = Asks::anything;
    std::string typed;
    int chosen = 0;
    bool fresh = false;  ///< just opened: takes the keyboard
    std::vector<PaletteItem> items;
    struct PaletteMatch {
      size_t item;
      Match match;
    };
    std::vector<PaletteMatch> found;
  } palette;

  struct {
    int page = 0;
    KeySheet sheet;
    std::string made_for;
  } sheet;

  /// Letters on everything that can be pressed.
  struct Label {
    Box box;
    std::string letters;
    unsigned int item = 0;  ///< of ImGui; 0: a hit
    std::string picture, hit;
  };
  struct {
    bool on = false;
    int frames = 0;  ///< since it was turned on: all items are known after one
    std::string typed;
    std::vector<Label> all;
    size_t left_out = 0;  ///< too small, or too many
  } labels;
  /// A hit that was pressed by its letters (or a slider that keys move): View::picture answers as to the
  /// mouse.
  struct {
    std::string picture, hit;
    float at = 0.5f;  ///< share of its width
    bool any() const { return !hit.empty(); }
  } pressed;
  struct {
    std::string picture, hit;
    bool any() const { return !hit.empty(); }
  } slider;  ///< that Left and Right move

  struct Notice {
    std::string words;
    double until = 0;  ///< ImGui's time
  };
  std::vector<Notice> notices;

  History history;
  Settings settings;
  std::string settings_file;  ///< empty: nothing is kept between starts
  Settings written;           ///< what the file holds

  bool coarse = false;           ///< the pointer is a finger
  int part = 0;                  ///< the panel of Watch that a phone shows (compact.hpp)
  bool lesson_was_open = false;  ///< in the frame before

  /// The one view that is shown, in a frame of a page (embedded.hpp): a tab's name, or run. Empty: the app.
  std::string embed;
  Box whole_app;  ///< then: where the link to the whole app stands

  /// In a browser: the folder whose files it hands out as downloads. No videos then.
  std::string downloads;
  /// The desktop's file dialogs; null: paths are typed.
  std::function<std::unique_ptr<FileDialog>(Asks, const std::string& suggestion)> ask_desktop;
  int parameters_shown = -1;  ///< the frame that showed the list of parameters last

  std::unique_ptr<FileDialog> dialog;
  Asks dialog_asks = Asks::open;
  std::chrono::steady_clock::time_point dialog_opened;
  /// One that is gone sooner could not be shown: no user closes one so fast.
  std::chrono::milliseconds dialog_at_least{250};
};

/// Says for a few seconds what was done.
void notify(UiState&, const std::string& said);
/// Saves by the desktop's dialog if there is one, else by a path that is typed. Opens from a list: the
/// dialog, the files opened last, the examples that come with the program, or a path that is typed.
void ask_for_file(LoadedState&, UiState&, Asks);
/// The desktop's dialog itself; where there is none, a path is typed.
void browse(LoadedState&, UiState&, Asks);
/// Opens a link, pasted or from the page; a refusal says so.
void open_link(LoadedState&, UiState&, const std::string& link);
/// The link of what is on screen goes into the clipboard; a notice says so.
void copy_link(LoadedState&, UiState&);
/// Opens a file as what it is, or a link; a refusal or a notice says so.
void open_path(LoadedState&, UiState&, const std::string& path);
void save_path(LoadedState&, UiState&, const std::string& path);
/// Looks whether a dialog has been answered.
void poll_dialog(LoadedState&, UiState&);
/// The program that asks to run, and all of its folder, may or may not.
void answer_program(LoadedState&, UiState&, bool may);

// Once a frame each, in App::frame.
/// Takes the keys if labels are on screen or a slider is held by keys. Returns whether it did.
bool take_label_keys(LoadedState&, UiState&);
/// Popovers, palette, sheets, notices.
void show_shell(View&, Box window);
/// Gathers what can be pressed and draws the letters.
void show_labels(View&);
void begin_labels(UiState&);
void show_palette(View&, Box window);
/// What the palette finds for what is typed, the best first.
void search_palette(const LoadedState&, UiState&);
void show_sheets(View&, Box window);
void show_popovers(View&, Box window);
void show_notices(View&, Box window);
/// Asks whether a program that came from elsewhere may run; says how it is traced where nothing compiles it.
void show_consent(View&, Box window);

}  // namespace bscope
