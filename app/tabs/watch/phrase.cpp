#include "app/tabs/watch/phrase.hpp"

#include "app/draw/phrase.hpp"
#include "app/draw/theme.hpp"
#include "app/run/titles.hpp"
#include "app/words/words.hpp"
#include "engine/trace/library_launch.hpp"
#include "engine/trace/places.hpp"

namespace bscope {

Text cell_named(const std::string& name, CellRef p, Colour c, Font font) {
  Words words{name, c, font};
  words.hit = {.what = HitRegion::cell,
               .box = {},
               .a = p.array,
               .b = p.index,
               .tip = tr("Select {}.", name),
               .name = "why:" + name};
  return {words};
}

Text thread_named(const Theme& t, const Launch& launch, int thread, int block) {
  if (is_library_launch(launch)) return {{translated(launch.name), t.ink2, Font::text_bold}};
  if (is_between_launches(launch))
    return {{tr("Between launches ({})", translated(launch.name)), t.ink2, Font::text_bold}};
  const int rank = thread % launch.block, of = thread / launch.block;
  const std::string own = rank_text(launch, rank);
  return {{of == block ? tr("Thread {}", own) : tr("Thread {0} of block {1}", own, block_text(launch, of)),
           t.thread, Font::text_bold}};
}

Text listed(const std::vector<Text>& parts, Colour colour) {
  Text out;
  for (size_t k = 0; k < parts.size(); ++k) {
    if (k) out += {{k + 1 == parts.size() ? tr(" and ") : tr(", "), colour}};
    out += parts[k];
  }
  return out;
}

std::string threads_listed(const std::vector<int>& ranks) {
  std::string out;
  int runs = 0;
  for (size_t k = 0; k < ranks.size();) {
    size_t end = k + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    if (++runs > 4) return tr("{0} and {1} more", out, ranks.size() - k);
    if (!out.empty()) out += tr(", ");
    const std::string first = "t" + std::to_string(ranks[k]), last = "t" + std::to_string(ranks[end - 1]);
    if (end - k == 1)
      out += first;
    else if (end - k == 2)
      out += first + tr(", ") + last;
    else
      out += tr("{0} to {1}", first, last);
    k = end;
  }
  return out;
}

}  // namespace bscope
