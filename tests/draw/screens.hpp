// The screens on which no text of a picture may be clipped or covered.
#pragma once

namespace bscope::test {

struct Screen {
  float width, height;
};
/// Where sanitizers make each picture many times slower, one: what is drawn on the others is drawn alike.
#ifdef BARRIERSCOPE_SANITIZED
inline constexpr Screen screens[] = {{1600, 900}};
#else
inline constexpr Screen screens[] = {{1280, 720}, {1600, 900}, {3840, 2160}};
#endif

}  // namespace bscope::test
