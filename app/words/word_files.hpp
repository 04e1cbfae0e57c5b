// The translations' files as they were at build time.
#pragma once

#include <span>
#include <string_view>

namespace bscope {

struct WordFile {
  std::string_view path;  ///< assets/words/zh/watch.json
  std::string_view text;  ///< a JSON object: English to the other language
};
/// All of them, and an empty one at the end.
std::span<const WordFile> word_files();

}  // namespace bscope
