// PNG and PDF in a browser, which can draw and print an SVG itself.
#pragma once

namespace bscope {

/// Does somebody make a PNG of an SVG that is written as NAME.png, and print one that is written as NAME.pdf?
/// The page does (app/web/site/page.js).
inline bool svg_becomes_png = false;

}  // namespace bscope
