#include "app/export/svg_only/advances.hpp"

#include <algorithm>

#include "app/draw/letters.hpp"
#include "app/export/svg_only/advance_table.hpp"
#include "app/export/unkerned.hpp"

namespace bscope {
namespace {

constexpr float of_the_code = 0.6f;  // every letter of JetBrains Mono

/// Of a font, in ems; negative: it has no such letter.
float advance_in(const AdvanceTable& table, char32_t code) {
  const auto it = std::ranges::lower_bound(table.letters, code, {}, &LetterAdvance::code);
  if (it == table.letters.end() || it->code != code) return -1;
  return float(it->advance) / float(table.units_per_em);
}

float advance(Font font, char32_t code) {
  if (is_wide(code)) return 1;
  const auto tables = advance_tables();
  const float own = advance_in(tables[size_t(font)], code);
  if (own >= 0) return own;
  for (const AdvanceTable& other : tables)
    if (const float em = advance_in(other, code); em >= 0) return em;
  return of_the_code;
}

}  // namespace

Metrics table_metrics() {
  return {[](Font font, float size, const std::string& words) {
    return unkerned_width(words, size, [&](char32_t code) { return advance(font, code); });
  }};
}

}  // namespace bscope
