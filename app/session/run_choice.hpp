// A run that is chosen beside the open one.
#pragma once

#include <string>

#include "app/session/local_path.hpp"

namespace bscope {

/// A run that a tab asks for beside the open one: a file, or a kernel on the open run's input.
struct RunChoice {
  LocalPath file = {};      ///< a .bscope file, or a program's; empty: `kernel`
  std::string kernel = {};  ///< empty: the tab's own choice
  long long n = 0;          ///< 0: the open run's input
  int block = 0;            ///< 0: as the open run was asked for
  std::string set = {};     ///< parameters of its own: "items=4 access=contiguous"; a program's constants
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("file", s.file);
    visit("kernel", s.kernel);
    visit("n", s.n);
    visit("block", s.block);
    visit("set", s.set);
  }
  bool operator==(const RunChoice&) const = default;
};

}  // namespace bscope
