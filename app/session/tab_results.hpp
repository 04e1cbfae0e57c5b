// What tabs show beside the open run, by type: second runs and what is computed from them. The run store made
// it, and makes it again; nothing of it is saved.
#pragma once

#include <any>
#include <cstddef>
#include <vector>

#include "app/session/tab_states.hpp"

namespace bscope {

class TabResults {
 public:
  /// The value of this type; its default where there is none yet.
  template <class T>
  const T& of() const {
    static const T none{};
    const size_t place = detail::type_index<T>();
    if (place >= all_.size() || !all_[place].has_value()) return none;
    return *std::any_cast<T>(&all_[place]);
  }
  /// To be written.
  template <class T>
  T& of() {
    const size_t place = detail::type_index<T>();
    if (place >= all_.size()) all_.resize(place + 1);
    if (!all_[place].has_value()) all_[place].emplace<T>();
    return *std::any_cast<T>(&all_[place]);
  }

 private:
  std::vector<std::any> all_;
};

}  // namespace bscope
