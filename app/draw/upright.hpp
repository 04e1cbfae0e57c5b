// Pictures in the width of a phone.
#pragma once

#include "app/draw/theme.hpp"

namespace bscope {

/// Whether the parts of a picture stand one below the other: it is as narrow as a phone or a tablet held
/// upright, and high enough for them. Figures and portrait screens, which are wider for their letters, are
/// not.
inline bool is_upright(const Theme& t, float width, float height) {
  return width < t.px(760) && height >= t.px(1000);
}

}  // namespace bscope
