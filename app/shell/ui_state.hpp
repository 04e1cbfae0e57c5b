// What the window keeps from frame to frame that is no state of the app.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/run/cursor.hpp"
#include "app/session/dispatcher.hpp"
#include "app/session/tab_services.hpp"
#include "app/words/words.hpp"

namespace bscope {

struct Run;
class RunStore;
struct Sorted;

/// A picture as it was drawn last, and what it was made from.
struct CachedPicture {
  std::shared_ptr<const Run> run;
  Cursor cursor;
  ThemeName theme_name;
  Language language;
  Box area;
  uint64_t extra = 0;
  Picture picture;
  int made = 0;                         ///< how often it was made
  std::shared_ptr<Sorted> sorted = {};  ///< the picture's shapes as they are drawn; null: not drawn yet
  int frame = -1;                       ///< of ImGui, when it was last on screen
  bool turns = false;                   ///< as in View::PictureOptions
  unsigned int id = 0;                  ///< of ImGui: the item that it lies in
  bool same(const CachedPicture&) const;
};

/// What the window keeps from frame to frame that is no state of the app: what all its parts use, and by type
/// what each part keeps for itself (`of<KernelList>()`).
struct UiState {
  UiState();

  std::map<std::string, CachedPicture> pictures;  ///< by name
  std::string tab;                                ///< of the frame before; none in the first

  TabServices services;   ///< of the tabs
  RunStore& runs;         ///< the runs of window, lessons and tabs
  Dispatcher dispatcher;  ///< steps that may open runs, and the one that waits

  std::function<void()> wake;  ///< asks for a frame, from any thread

  /// What a part of the window keeps: made when it is first asked for.
  template <class T>
  T& of() const {
    return services.of<T>();
  }
};

}  // namespace bscope
