// The open run's parameters as controls.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/run/target.hpp"

namespace bscope {

struct Run;
class View;

/// What the list of parameters keeps.
struct ParameterList {
  /// What was typed and refused; it stays beside the error.
  struct Refused {
    std::shared_ptr<const Run> over;  ///< the run that is still open
    Target target;
    std::string values;
  };
  std::optional<Refused> refused;
  float height = 0;   ///< as it came out last
  int shown_in = -1;  ///< the frame that showed it last
};

/// The list, from ImGui's cursor on; an error of theirs stands above them.
void list_of_parameters(View&);
/// Of a user's own program: its arguments, constants that can be smaller, what it said.
void list_of_program(View&);

}  // namespace bscope
