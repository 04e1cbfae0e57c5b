// Searching as in a command palette: the letters typed, in order, anywhere in the text.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace bscope {

struct Match {
  int score = 0;           ///< higher is better
  std::vector<int> bytes;  ///< where each letter of the text that was typed begins, ascending
};
/// How well `typed` matches `text`: letters at the beginning of words and runs of letters count most, then
/// short texts. Case does not matter; spaces in `typed` are left out. Both are UTF-8. Nothing: it does not.
std::optional<Match> fuzzy(std::string_view typed, std::string_view text);

}  // namespace bscope
