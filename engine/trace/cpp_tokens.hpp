// The words of a C++ text, with their places: enough to find constants, launches and comments in it.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace bscope {

struct Token {
  enum TokenKind : unsigned char { name, number, text, sign, comment } kind = sign;
  size_t begin = 0, end = 0;  ///< bytes of the text
  int line = 1;               ///< where it begins
  int directive = 0;          ///< the number of the preprocessor's line that it is part of, from 1; 0: none
};

/// All of them in order; a sign is one character. Any bytes give tokens.
std::vector<Token> tokens(std::string_view text);
/// The same without comments.
std::vector<Token> code_tokens(std::string_view text);

}  // namespace bscope
