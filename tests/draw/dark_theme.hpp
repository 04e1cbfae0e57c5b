#pragma once
#include "app/draw/theme.hpp"

namespace bscope {

/// What the pictures of these tests are drawn with.
inline const Theme t = theme(ThemeName::dark, 900);

}  // namespace bscope
