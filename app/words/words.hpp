// Every word on the screen, in the user's language. English stands in the source, as
// gettext has it; assets/words/LANGUAGE/*.json say it in the other languages.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/trace/message.hpp"

namespace bscope {

enum class Language : uint8_t { en, zh };
/// en | zh. Throws UsageError with a sentence that lists them.
Language parse_language(const std::string&);
const char* name_of(Language);

/// From now on `tr` speaks this language, where no ScopedLanguage says another. Pictures made before keep
/// their words: a cache of pictures makes them again.
void speak(Language);
/// What `tr` speaks here and now.
Language spoken();

/// The language of this thread's words as long as this lives, whatever the program speaks. What is drawn of a
/// state has the state's language.
class ScopedLanguage {
 public:
  explicit ScopedLanguage(Language);
  ~ScopedLanguage();
  ScopedLanguage(const ScopedLanguage&) = delete;
  ScopedLanguage& operator=(const ScopedLanguage&) = delete;

 private:
  std::optional<Language> before_;
};

/// The text in the spoken language; English where it has no translation (a test fails then). Use a literal,
/// so that tools/check_words.py finds it.
std::string tr(std::string_view english);
/// Marks a literal that is said later: tools/check_words.py finds it.
constexpr const char* tr_noop(const char* english) { return english; }
/// The same without a copy, as long as the program runs.
std::string_view translated_view(std::string_view english);
/// `tr` with values for its {} (as fmt has them; a translation may name {0} and {1} in another order).
template <class First, class... More>
std::string tr(std::string_view english, const First& first, const More&... more) {
  return fmt::format(fmt::runtime(translated_view(english)), first, more...);
}
/// "1 add", "2,000 adds": `one` and `many` hold a {} for n each, whose thousands are grouped.
std::string tr_count(long long n, std::string_view one, std::string_view many);
/// A message of the engine, with its arguments that are messages themselves.
std::string tr(const Message&);
/// A text that comes in English from a file or a library, with its arguments already in it: a launch's name,
/// a formula, a recording's note. Found as it is, or by an entry whose {} stand for its parts, which are then
/// translated in turn. What this program makes itself is a message.
std::string translated(const std::string& text);
/// A word or sentence as it begins a line: its first letter large, where there are large ones. What looks
/// like a name of code stays: thrust::sort, cudaMemcpy, warp_sum, s[3].
std::string capitalised(std::string);
/// Whether the language knows this text or sentence. For tests and for tools.
bool known(Language, const std::string& english);
/// The same of each pattern of a message.
bool known(Language, const Message&);

}  // namespace bscope
