// A lesson's markdown as blocks of styled words, read by cmark-gfm. (md4c would do as well, but Debian has it
// as a shared library only, and the program for GPU machines is one static file.)
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bscope {

/// Words of one style on one line of the text.
struct TextSpan {
  std::string words = {};
  bool bold = false, code = false;
  std::string link = {};  ///< where it leads, "kernel:scan/blelloch"; empty: nowhere
  int line = 0;           ///< in the text, from 0
  /// Whether they look alike and lead to the same place.
  bool like(const TextSpan& o) const { return bold == o.bold && code == o.code && link == o.link; }
};
using Spans = std::vector<TextSpan>;

/// A piece of the text that begins a line of its own.
struct TextBlock {
  enum BlockType { paragraph, heading, item, question, code, table, rule } kind = paragraph;
  int line = 0;                               ///< in the text, from 0
  Spans words = {};                           ///< of all but code, table and rule
  std::string mark = {};                      ///< of an item: "•" or "2."; empty: it goes on
  int level = 0;                              ///< of an item: 0 outermost
  std::string text = {};                      ///< of code: its lines
  std::vector<std::vector<Spans>> rows = {};  ///< of a table, its head first
};

/// Any text has blocks: what is no markdown stands there as it was typed. Lines of a paragraph are joined,
/// between Chinese characters without a space.
std::vector<TextBlock> read_markdown(std::string_view text);
/// What is read as prose: the words of each block, of each cell of a table.
std::vector<Spans> prose_of(const std::vector<TextBlock>&);

}  // namespace bscope
