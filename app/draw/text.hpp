// Text in lines: pieces of several styles, broken between words and Chinese characters, fitted to the room.
//
//   const LaidText laid = lay_out(pen.metrics(), {{"sum[15]", t.read, Font::mono_bold}, {" is 7.", t.ink}},
//                                 room.w, {.size = t.label()});
//   if (laid.whole && laid.height <= room.h) draw(pen, laid, {room.x, room.y});
//
// Pango and HarfBuzz lay out glyphs of their own fonts; these pictures go to ImGui, cairo, SVG, PDF and
// tests, each with its own widths (Metrics), so the lines are broken here, with nothing but widths.
#pragma once

#include <string>
#include <vector>

#include "app/draw/picture.hpp"

namespace bscope {

/// A piece of a text in one style. Pieces without a space between them are one word and stay on one line.
struct Words {
  std::string words;
  Colour colour = 0;
  Font font = Font::text;
  float scale = 1;       ///< of the text's size
  Colour backing = 0;    ///< a box behind the words; 0: none
  Colour underline = 0;  ///< 0: none
  HitRegion hit = {};    ///< what a press means, if it has a name; its box is found when it is drawn
};
using Text = std::vector<Words>;

struct TextLook {
  float size = 0;  ///< em, in pixels
  Align align = Align::left;
  float leading = 1.35f;  ///< a line's height, in ems
  int most_lines = 0;     ///< the rest is cut with dots; 0: as many as it takes
  /// A word that is wider than a line: cut with dots, broken where the line is full, or left to stand out.
  enum Long : uint8_t { cut, broken, whole } long_words = cut;
};

/// Where everything came to lie, from the left top of the text.
struct LaidText {
  struct GlyphRun {
    Words what;      ///< `words`: those of this line alone
    Box box;         ///< as high as its line
    float size = 0;  ///< em
    int of = 0;      ///< which of the text's pieces
    int line = 0;
  };
  std::vector<GlyphRun> pieces;
  std::vector<Box> lines;
  float width = 0, height = 0;  ///< of the widest line; of all lines
  bool whole = true;            ///< nothing was cut, no word stands out
};
/// In lines of at most this width. A line end in the words is one; spaces at a line's ends are left out.
LaidText lay_out(const Metrics&, const Text&, float width, const TextLook&);
/// With backings, underlines and hits.
void draw(Pen&, const LaidText&, Point left_top);

/// How wide the text is in one line.
float width_of(const Metrics&, const Text&, float size);
/// Words in lines of at most this width.
std::vector<std::string> in_lines(const Pen&, const std::string&, float room, float size, Font = Font::text);
/// The longest of the spellings (longest first) that fits; none: empty, or the last one cut with dots.
std::string spelled(const Pen&, const std::vector<std::string>& spellings, float room, float size,
                    Font = Font::text, bool cut = false);

}  // namespace bscope
