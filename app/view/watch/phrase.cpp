#include "app/view/watch/phrase.hpp"

#include "app/words/words.hpp"

namespace bscope {

RichText listed(std::vector<RichText> parts, Colour colour) {
  RichText out;
  for (size_t k = 0; k < parts.size(); ++k) {
    if (k) append(out, rich(std::string(k + 1 == parts.size() ? say(" and ") : say(", ")), colour));
    append(out, std::move(parts[k]));
  }
  return out;
}

}  // namespace bscope
