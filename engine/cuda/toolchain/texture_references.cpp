#include "engine/cuda/toolchain/texture_references.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/trace/cpp_tokens.hpp"

namespace bscope::cuda {
namespace {

/// What a text says of one of the names.
struct Mention {
  bool as_template = false, defined = false;
};

Mention mention(std::string_view text, const std::vector<Token>& words, std::string_view name) {
  constexpr std::array defining = {"class", "struct", "union", "enum", "namespace", "typename"};
  Mention m;
  const auto word = [&](size_t k) {
    return k < words.size() ? text.substr(words[k].begin, words[k].end - words[k].begin) : std::string_view();
  };
  for (size_t k = 0; k < words.size(); ++k) {
    if (words[k].kind != Token::name || word(k) != name) continue;
    const std::string_view before = k ? word(k - 1) : std::string_view();
    m.as_template = m.as_template || word(k + 1) == "<";
    m.defined = m.defined || std::ranges::find(defining, before) != defining.end();
  }
  return m;
}

}  // namespace

bool has_texture_references(const std::vector<NamedText>& texts) {
  bool any = false, defined = false;
  for (const NamedText& t : texts) {
    const bool has_name =
        t.text.find("texture") != std::string::npos || t.text.find("surface") != std::string::npos;
    if (!has_name) continue;
    const std::vector<Token> words = code_tokens(t.text);
    for (const char* name : {"texture", "surface"}) {
      const Mention m = mention(t.text, words, name);
      any = any || m.as_template;
      defined = defined || m.defined;
    }
  }
  return any && !defined;
}

}  // namespace bscope::cuda
