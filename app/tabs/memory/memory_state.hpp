// What Memory remembers.
#pragma once

#include "app/parts/pattern.hpp"

namespace bscope {

struct MemoryState : RequestState {
  static constexpr const char* saved_as = "memory";
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("request", s.request);
    visit("by_cost", s.by_cost);
    visit("playing", s.playing);
    visit("pattern", s.pattern);
  }
};

}  // namespace bscope
