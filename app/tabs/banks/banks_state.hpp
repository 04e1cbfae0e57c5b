// What Banks remembers.
#pragma once

#include "app/parts/pattern.hpp"

namespace bscope {

struct BanksState : RequestState {
  static constexpr const char* saved_as = "banks";
  bool beside = true;  ///< the padded twin, where there is one
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("request", s.request);
    visit("by_cost", s.by_cost);
    visit("beside", s.beside);
    visit("playing", s.playing);
    visit("pattern", s.pattern);
  }
};

}  // namespace bscope
