// A line of LLVM's text, read from its beginning.
#pragma once

#include <cctype>
#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>

namespace bscope::cuda::ir {

/// What clang may well write, and the interpreter cannot run.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Every reader moves on behind what it took, and leaves the line alone where it takes nothing.
class Scanner {
 public:
  Scanner() = default;
  Scanner(std::string_view text, int number) : whole_(text), rest_(text), number_(number) {}

  [[noreturn]] void refuse(const std::string& what) const {
    throw std::runtime_error("line " + std::to_string(number_) + " of the device code: " + what + ": " +
                             std::string(whole_.substr(0, 160)));
  }

  void skip_blanks() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\t')) rest_.remove_prefix(1);
  }
  /// The next character that is no blank; 0: there is none.
  char ahead() {
    skip_blanks();
    return rest_.empty() ? '\0' : rest_[0];
  }
  bool at_end() { return ahead() == '\0'; }
  /// Whether these characters come next. Of a word: all of it.
  bool comes(std::string_view s) {
    skip_blanks();
    return rest_.starts_with(s) &&
           !(in_word(s.back()) && rest_.size() > s.size() && in_word(rest_[s.size()]));
  }
  bool take(std::string_view s) {
    if (!comes(s)) return false;
    rest_.remove_prefix(s.size());
    return true;
  }
  void need(std::string_view s) {
    if (!take(s))
      refuse("\"" + std::string(s) + "\" should come at \"" + std::string(rest_.substr(0, 30)) + "\"");
  }
  /// A keyword; empty: none comes.
  std::string_view word() {
    skip_blanks();
    return take_while([](char c) { return in_word(c) || c == '-'; });
  }
  /// What stands behind % or @: a number, a name, a name in quotes.
  std::string name() {
    if (!rest_.empty() && rest_[0] == '"') return std::string(in_quotes());
    return std::string(take_while([](char c) { return in_word(c) || c == '$' || c == '-'; }));
  }
  /// A whole number, which may be below zero; its bits.
  uint64_t number() {
    skip_blanks();
    const bool below = rest_.starts_with('-');
    uint64_t n = 0;
    const char* from = rest_.data() + (below ? 1 : 0);
    const auto [end, error] = std::from_chars(from, rest_.data() + rest_.size(), n);
    if (error != std::errc()) refuse("a number should come at \"" + std::string(rest_.substr(0, 30)) + "\"");
    rest_.remove_prefix(size_t(end - rest_.data()));
    return below ? 0 - n : n;
  }
  bool digit_comes() { return std::isdigit(static_cast<unsigned char>(ahead())) != 0 || ahead() == '-'; }
  /// What stands in the brackets that come next, and in those within them.
  std::string_view in_brackets() {
    need("(");
    const std::string_view from = rest_;
    int depth = 1;
    while (!rest_.empty()) {
      const char c = rest_[0];
      rest_.remove_prefix(1);
      if (c == '"') {
        take_while([](char d) { return d != '"'; });
        if (!rest_.empty()) rest_.remove_prefix(1);
      }
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth == 0) return from.substr(0, from.size() - rest_.size() - 1);
    }
    refuse("a bracket is not closed");
  }
  /// What stands in the quotes that come next.
  std::string_view in_quotes() {
    need("\"");
    const std::string_view text = take_while([](char c) { return c != '"'; });
    if (rest_.empty()) refuse("a quote is not closed");
    rest_.remove_prefix(1);
    return text;
  }
  std::string_view rest() const { return rest_; }
  std::string_view line() const { return whole_; }
  int line_number() const { return number_; }
  void back_to(std::string_view rest) { rest_ = rest; }
  template <class Test>
  std::string_view take_while(Test test) {
    size_t n = 0;
    while (n < rest_.size() && test(rest_[n])) ++n;
    const std::string_view out = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return out;
  }

 private:
  static bool in_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  }
  std::string_view whole_, rest_;
  int number_ = 0;
};

}  // namespace bscope::cuda::ir
