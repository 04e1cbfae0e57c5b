// What the parts of the Compare picture share.
#pragma once

#include <algorithm>

#include "app/draw/chart.hpp"
#include "app/tabs/compare/picture.hpp"
#include "app/words/words.hpp"

namespace bscope {
/// The sides' names to stand within a sentence: in quotes where one has a comma of its own.
std::array<std::string, 2> quoted_names(std::array<std::string, 2>);
}  // namespace bscope

namespace bscope::compare {

struct Sheet {
  Pen& pen;
  const Theme& t;
  const Comparison& c;
  CompareLook look;
  std::array<std::string, 2> names = names_of(c);
  /// Rows at which the sides stand.
  std::array<int, 2> now = {0, 0};

  float label() const { return t.px(t.size_label); }
  float small() const { return t.px(t.size_index); }
  float title() const { return t.px(t.size_title); }
  float thin(float v = 1) const { return std::max(1.0f, t.px(v)); }
  /// The present is a fill with an edge where the theme's `changed` is too light for a line.
  Colour present() const { return t.dark() ? t.changed : t.ink; }
};

/// "adds", "atomics", "wavefronts", "sectors", "threads": what the bars count.
std::string counted_thing(const Comparison&, CompareBy);

void side_panel(Sheet&, size_t side, Box);
/// The height at which the table has room for all of its rows.
float table_height(const Sheet&, float w);
/// Where it has less, its last line says how many rows are left out.
void table(Sheet&, Box);
void measured(Sheet&, const std::vector<Recording>&, Box);

}  // namespace bscope::compare
