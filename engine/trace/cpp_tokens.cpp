#include "engine/trace/cpp_tokens.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace bscope {
namespace {

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

/// Walks through a text once.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> all() {
    while (at_ < text_.size()) step();
    return std::move(tokens_);
  }

 private:
  char ahead(size_t k = 0) const { return at_ + k < text_.size() ? text_[at_ + k] : '\0'; }
  bool comes(std::string_view s) const { return text_.substr(at_).starts_with(s); }

  void step() {
    const char c = ahead();
    if (c == '\n') {
      ++at_, ++line_;
      directive_ = 0;
      begins_line_ = true;
    } else if (c == '\\' && (ahead(1) == '\n' || (ahead(1) == '\r' && ahead(2) == '\n'))) {
      at_ += ahead(1) == '\n' ? 2 : 3;
      ++line_;
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      ++at_;
    } else {
      take(c);
    }
  }

  void take(char c) {
    if (c == '#' && begins_line_) directive_ = ++directives_;
    if (comes("//")) return add(Token::comment, end_of_line());
    if (comes("/*")) return add(Token::comment, behind("*/", at_ + 2));
    begins_line_ = false;
    for (const std::string_view begin : {"R\"", "u8R\"", "uR\"", "UR\"", "LR\""})
      if (comes(begin)) return add(Token::text, end_of_raw(at_ + begin.size()));
    if (c == '"' || c == '\'') return add(Token::text, end_of_quoted(c));
    if (is_digit(c) || (c == '.' && is_digit(ahead(1)))) return add(Token::number, end_of_number());
    if (in_name(c)) return add(Token::name, end_of_name());
    add(Token::sign, at_ + 1);
  }

  void add(Token::TokenKind kind, size_t end) {
    tokens_.push_back({kind, at_, end, line_, directive_});
    line_ += int(std::count(text_.begin() + long(at_), text_.begin() + long(end), '\n'));
    at_ = end;
  }

  /// Where the next such characters end; the text's end if there are none.
  size_t behind(std::string_view what, size_t from) const {
    const size_t found = text_.find(what, std::min(from, text_.size()));
    return found == std::string_view::npos ? text_.size() : found + what.size();
  }
  size_t end_of_line() const {
    size_t end = at_;
    for (; end < text_.size() && text_[end] != '\n'; ++end)
      if (text_[end] == '\\' && end + 1 < text_.size() && text_[end + 1] == '\n') ++end;
    return end;
  }
  /// `delimiter`: where the text behind the quote begins, at most 16 characters before the parenthesis.
  size_t end_of_raw(size_t delimiter) const {
    const size_t length = text_.substr(delimiter, 17).find('(');  // no further, for a text may have many such
    if (length == std::string_view::npos) return at_ + 1;
    return behind(")" + std::string(text_.substr(delimiter, length)) + "\"", delimiter + length);
  }
  size_t end_of_quoted(char quote) const {
    size_t end = at_ + 1;
    for (; end < text_.size() && text_[end] != '\n'; ++end) {
      if (text_[end] == quote) return end + 1;
      if (text_[end] == '\\' && end + 1 < text_.size()) ++end;
    }
    return std::min(end, text_.size());
  }
  size_t end_of_number() const {
    size_t end = at_ + 1;
    for (; end < text_.size(); ++end) {
      const char c = text_[end], before = text_[end - 1];
      const bool hexadecimal = text_.size() > at_ + 1 && (text_[at_ + 1] == 'x' || text_[at_ + 1] == 'X');
      const bool exponent = (c == '+' || c == '-') && !hexadecimal && (before == 'e' || before == 'E');
      const bool separator = c == '\'' && end + 1 < text_.size() && in_name(text_[end + 1]);
      if (!in_name(c) && c != '.' && !exponent && !separator) break;
    }
    return end;
  }
  size_t end_of_name() const {
    return size_t(std::find_if_not(text_.begin() + long(at_), text_.end(), in_name) - text_.begin());
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  int line_ = 1, directive_ = 0, directives_ = 0;
  bool begins_line_ = true;
};

}  // namespace

std::vector<Token> tokens(std::string_view text) { return Lexer(text).all(); }

std::vector<Token> code_tokens(std::string_view text) {
  std::vector<Token> all = tokens(text);
  std::erase_if(all, [](const Token& t) { return t.kind == Token::comment; });
  return all;
}

}  // namespace bscope
