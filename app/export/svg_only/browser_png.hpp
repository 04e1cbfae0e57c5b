// PNG and PDF in a browser, which can draw and print an SVG itself.
#pragma once

namespace bscope {

/// Whether the page makes a PNG of an SVG that is written as NAME.png, and prints one that is written as
/// NAME.pdf (app/web/site/page.js).
inline bool svg_becomes_png = false;

}  // namespace bscope
