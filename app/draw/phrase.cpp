#include "app/draw/phrase.hpp"

#include <charconv>
#include <string>
#include <utility>

namespace bscope {

Text phrase(std::string_view sentence, Colour colour, const std::vector<Text>& pieces) {
  Text out;
  std::string words;
  const auto end_words = [&] {
    if (!words.empty()) out.push_back({std::exchange(words, {}), colour});
  };
  size_t next = 0;
  for (size_t at = 0; at < sentence.size(); ++at) {
    const size_t end = sentence[at] == '{' ? sentence.find('}', at) : std::string_view::npos;
    if (end == std::string_view::npos) {
      words += sentence[at];
      continue;
    }
    size_t number = next;
    if (std::from_chars(sentence.data() + at + 1, sentence.data() + end, number).ptr ==
        sentence.data() + at + 1)
      ++next;
    end_words();
    if (number < pieces.size()) out += pieces[number];
    at = end;
  }
  end_words();
  return out;
}

}  // namespace bscope
