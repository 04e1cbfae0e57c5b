// The theme that is shown where the user has chosen none.
#pragma once

#include "app/draw/theme.hpp"

namespace bscope {

/// What the system prefers, as far as that is known: a page asks its browser. Links say only themes that
/// differ from it.
inline ThemeName system_theme = ThemeName::dark;

}  // namespace bscope
