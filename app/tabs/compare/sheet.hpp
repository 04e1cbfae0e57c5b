// What the parts of the Compare picture share.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/draw/layout.hpp"
#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/tabs/compare/picture.hpp"

namespace bscope {

/// The sides' names to stand within a sentence: in quotes where one has a comma of its own.
std::array<std::string, 2> quoted_names(std::array<std::string, 2>);
}  // namespace bscope

namespace bscope::compare {

struct CompareSheet {
  const Theme& t;
  const Comparison& c;
  CompareLook look;
  bool low = false;  ///< on a projector below a lesson's strip: figures before words
  std::array<std::string, 2> names = names_of(c);
  /// Rows at which the sides stand.
  std::array<int, 2> now = {0, 0};

  LineLook label(Colour colour, Align a = Align::left, Font f = Font::text) const {
    return {.size = t.label(), .colour = colour, .font = f, .align = a, .cut = true};
  }
};

/// What the bars count: what was asked for; where neither run has any work, the first scale that counts
/// something in place of it.
std::string shown_scale(const Comparison&, const std::string& asked);

/// "adds", "atomics", "wavefronts", "threads at work": what a scale counts, said.
std::string counted_thing(const Comparison&, const std::string& scale);

// The parts, each what stands in a panel.
LayoutNode side(const CompareSheet&, size_t which);
/// Counts of both, each against its formula. Where not all have room, the last line says how many are left
/// out. `in_words`: what differs stands below in a sentence, as long as it has room.
LayoutNode counts(const CompareSheet&, bool in_words);
LayoutNode measured(const CompareSheet&, const std::vector<Recording>&);

}  // namespace bscope::compare
