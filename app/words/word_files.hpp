// The translations' files as they were at build time.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace bscope {

struct WordFile {
  std::string_view path;  ///< assets/words/zh/watch.json
  std::string_view text;  ///< a JSON object: English to the other language
};
/// All of them, and an empty one at the end. In a page they are those of English alone.
std::span<const WordFile> word_files();
/// The others of a page, which fetches them when it speaks Chinese: an object of them by their paths.
inline constexpr const char* fetched_words = "/assets/words/zh.json";
inline constexpr size_t most_fetched = 4 << 20;  ///< bytes

}  // namespace bscope
