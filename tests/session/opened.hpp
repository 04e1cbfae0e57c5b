#pragma once
#include <string>

#include "app/run/own_program.hpp"
#include "app/session/state.hpp"

namespace bscope {

/// A new state with this kernel's run.
inline LoadedState opened_on(const std::string& kernel) {
  LoadedState s;
  s.target.request.kernel = kernel;
  s.run = open_now(s.target).run;
  return s;
}

}  // namespace bscope
