// Pictures and checks that the tests of the Watch pictures share.
#pragma once

#include <string>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/run/cursor.hpp"
#include "app/run/run.hpp"
#include "tests/analysis/moments_support.hpp"

namespace bscope {

/// The five pictures of the Watch tab with the sizes that they have in a window.
struct WatchPictures {
  Picture array, whole, source, why, timeline;
  std::vector<std::pair<const char*, const Picture*>> all() const {
    return {{"array", &array},
            {"whole run", &whole},
            {"source", &source},
            {"why", &why},
            {"timeline", &timeline}};
  }
};
WatchPictures watch_pictures(const RunQueries&, const Cursor&, ThemeName, const Metrics&, float window_width,
                             float window_height);

/// What is wrong with a picture's texts: clipped by the picture's edge, or over one another. Empty: nothing.
/// With `moving` only the first: copies that travel pass over other texts.
std::string misplaced_text(const Picture&, bool moving = false);

/// Every text of a picture, in drawing order.
std::vector<std::string> texts(const Picture&);

}  // namespace bscope
