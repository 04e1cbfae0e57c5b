#include "app/tabs/watch/phrase.hpp"

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

std::string threads_listed(const std::vector<int>& ranks) {
  std::string out;
  int runs = 0;
  for (size_t k = 0; k < ranks.size();) {
    size_t end = k + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    if (++runs > 4) return say("{0} and {1} more", out, ranks.size() - k);
    if (!out.empty()) out += say(", ");
    const std::string first = "t" + std::to_string(ranks[k]), last = "t" + std::to_string(ranks[end - 1]);
    if (end - k == 1)
      out += first;
    else if (end - k == 2)
      out += first + say(", ") + last;
    else
      out += say("{0} to {1}", first, last);
    k = end;
  }
  return out;
}

}  // namespace bscope
