// A picture as SVG: shapes as shapes, texts as texts, so that words can be searched, copied and read aloud.
#pragma once

#include <string>

#include "app/draw/picture.hpp"

namespace bscope {

/// The whole document, UTF-8. Each text is as wide as `metrics` say, whatever font its reader has.
std::string svg(const Picture&, Colour background, const Metrics&);

}  // namespace bscope
