// PNG in a browser, which can draw an SVG itself.
#pragma once

namespace bscope {

/// Does somebody make a PNG of an SVG that is written as NAME.png? The page does (app/web/site/page.js).
inline bool svg_becomes_png = false;

}  // namespace bscope
