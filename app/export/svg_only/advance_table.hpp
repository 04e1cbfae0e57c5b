// How far each letter of the figures' fonts moves on. tools/font_advances.py writes the table at build time.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace bscope {

struct LetterAdvance {
  uint16_t code = 0;     ///< Unicode; letters beyond 16 bits are not listed
  uint16_t advance = 0;  ///< in the font's units
};
struct AdvanceTable {
  int units_per_em = 0;
  std::span<const LetterAdvance> letters;  ///< ascending
};

/// In the order of Font: text, text_bold, mono, mono_bold.
std::array<AdvanceTable, 4> advance_tables();

}  // namespace bscope
