// An access pattern to play with, on Banks and Memory.
#pragma once

namespace bscope {

/// An access pattern to play with, in elements; kernels/patterns run it.
struct PatternState {
  int stride = 2, offset = 0, pad = 0;
  int width = 4;  ///< bytes of an element: 4, 8 or 16
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("stride", s.stride);
    visit("offset", s.offset);
    visit("pad", s.pad);
    visit("width", s.width);
  }
  bool operator==(const PatternState&) const = default;
};

/// What Banks and Memory both remember.
struct RequestState {
  int request = -1;      ///< the node of its first lane's access; -1: the worst of the step
  bool by_cost = false;  ///< the list: those that waste most first
  bool playing = false;  ///< with the access pattern instead of the kernel
  PatternState pattern;
};

}  // namespace bscope
