// What tabs share and keep from frame to frame, and what they may ask of a window.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "app/session/tab_states.hpp"

namespace bscope {

struct LoadedState;

/// What tabs keep that is no state, by type: made when it is first asked for (the runs: `of<RunStore>()`).
/// And what they may ask of a window.
class TabServices {
 public:
  std::function<void()> wake = {};                     ///< asks for a frame, from any thread; null: no window
  std::function<void(LoadedState&)> choose_file = {};  ///< lets the user open a file

  template <class T>
  T& of() const {
    const size_t place = detail::type_index<T>();
    if (place >= all_.size()) all_.resize(place + 1);
    if (!all_[place]) all_[place] = std::make_shared<T>();
    return *static_cast<T*>(all_[place].get());
  }

 private:
  mutable std::vector<std::shared_ptr<void>> all_;
};

}  // namespace bscope
