#include "app/session/lesson_state.hpp"

#include <set>
#include <sstream>

namespace bscope {

std::string merged_progress(const std::string& own, const std::string& other) {
  const auto step = [](const std::string& word) { return word.substr(0, word.find('=')); };
  std::string all = own, word;
  std::set<std::string> known;
  for (std::istringstream words(own); words >> word;) known.insert(step(word));
  for (std::istringstream words(other); words >> word;)
    if (known.insert(step(word)).second) all += (all.empty() ? "" : " ") + word;
  return all;
}

}  // namespace bscope
