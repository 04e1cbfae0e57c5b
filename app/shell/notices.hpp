// Notices: for a few seconds, what was done.
#pragma once

#include <string>
#include <vector>

#include "app/draw/picture.hpp"

namespace bscope {

struct UiState;
class View;

struct Notice {
  std::string words;
  double until = 0;  ///< ImGui's time
};
struct Notices {
  std::vector<Notice> all;
};

/// Says for a few seconds what was done.
void notify(UiState&, const std::string& said);
void show_notices(View&, Box window);

}  // namespace bscope
