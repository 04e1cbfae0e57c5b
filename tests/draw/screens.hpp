// The screens and themes in which no text of a picture may be clipped or covered.
#pragma once

#include "app/draw/theme.hpp"

namespace bscope::test {

struct Screen {
  float width, height;
};
/// Where sanitizers make each picture many times slower, one: what is drawn in the others is drawn alike.
#ifdef BARRIERSCOPE_SANITIZED
inline constexpr Screen screens[] = {{1600, 900}};
inline constexpr ThemeName themes[] = {ThemeName::projector};
#else
inline constexpr Screen screens[] = {{1280, 720}, {1600, 900}, {3840, 2160}};
inline constexpr ThemeName themes[] = {ThemeName::dark, ThemeName::light, ThemeName::projector};
#endif

}  // namespace bscope::test
