// Coloured parts within a sentence that is said in any language: the translation says in which order they
// come.
#pragma once

#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include "app/tabs/watch/draw.hpp"

namespace bscope {

/// `sentence` (already said) with its {}, {0}, {1}... replaced by the parts; the words between them in this
/// colour.
inline RichText phrase(std::string_view sentence, Colour colour, const std::vector<RichText>& parts,
                       Font font = Font::text) {
  RichText out;
  size_t next = 0;
  std::string words;
  const auto flush = [&] {
    if (!words.empty()) out.push_back({std::move(words), colour, font, -1, -1});
    words.clear();
  };
  for (size_t at = 0; at < sentence.size(); ++at) {
    const size_t end = sentence[at] == '{' ? sentence.find('}', at) : std::string_view::npos;
    if (end == std::string_view::npos) {
      words += sentence[at];
      continue;
    }
    size_t number = 0;
    const bool numbered = end > at + 1;
    for (size_t k = at + 1; k < end; ++k) number = number * 10 + size_t(sentence[k] - '0');
    if (!numbered) number = next++;
    flush();
    if (number < parts.size()) out.insert(out.end(), parts[number].begin(), parts[number].end());
    at = end;
  }
  flush();
  return out;
}
inline RichText rich(std::string words, Colour colour, Font font = Font::text) {
  return {{std::move(words), colour, font, -1, -1}};
}
inline void append(RichText& to, RichText more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}
/// "a, b and c", as the language joins a list.
RichText listed(std::vector<RichText> parts, Colour);
/// "t0, t2 to t7": at most four runs, then how many more.
std::string threads_listed(const std::vector<int>& ranks);

}  // namespace bscope
