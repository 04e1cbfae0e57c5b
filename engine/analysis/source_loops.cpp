#include "engine/analysis/source_loops.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <utility>

#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

struct SourceToken {
  enum Kind : unsigned char { word, sign, literal, end } kind = end;
  int line = 0;  // where it begins
  std::string_view text;
};

bool begins_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }
bool in_word(char c) { return begins_word(c) || std::isdigit(static_cast<unsigned char>(c)); }

/// Reads C++ tokens one by one. Comments and lines of the preprocessor are skipped.
class SourceScanner {
 public:
  explicit SourceScanner(std::string_view text) : text_(text) {}
  int line() const { return line_; }

  SourceToken next() {
    skip();
    if (at_ >= text_.size()) return {SourceToken::end, line_, {}};
    const size_t from = at_;
    const int line = line_;
    const auto token = [&](SourceToken::Kind kind) {
      return SourceToken{kind, line, text_.substr(from, at_ - from)};
    };
    const char c = text_[at_];
    if (begins_word(c)) {
      while (at_ < text_.size() && in_word(text_[at_])) ++at_;
      const std::string_view word = text_.substr(from, at_ - from);
      if (ahead() == '"' && (word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R")) {
        skip_raw_string();
        return token(SourceToken::literal);
      }
      return token(SourceToken::word);
    }
    const auto is_digit = [](char x) { return std::isdigit(static_cast<unsigned char>(x)) != 0; };
    if (is_digit(c) || (c == '.' && is_digit(ahead(1)))) {
      skip_number();
      return token(SourceToken::literal);
    }
    if (c == '"' || c == '\'') {
      skip_quoted(c);
      return token(SourceToken::literal);
    }
    const char second = ahead(1);
    at_ += (c == ':' && second == ':') || ((c == '&' || c == '|' || c == '[') && second == c) ? 2 : 1;
    return token(SourceToken::sign);
  }

 private:
  char ahead(size_t k = 0) const { return at_ + k < text_.size() ? text_[at_ + k] : '\0'; }
  /// The length of a backslash with the line end behind it; 0: none is here.
  size_t splice() const {
    if (ahead() != '\\') return 0;
    return ahead(1) == '\n' ? 2 : ahead(1) == '\r' && ahead(2) == '\n' ? 3 : 0;
  }
  void advance() {
    if (text_[at_++] == '\n') ++line_, begins_line_ = true;
  }
  void advance(size_t n) {
    for (; n > 0 && at_ < text_.size(); --n) advance();
  }

  void skip() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (const size_t n = splice()) {
        const bool begins = begins_line_;
        advance(n);
        begins_line_ = begins;
      } else if (std::isspace(static_cast<unsigned char>(c))) {
        advance();
      } else if (c == '/' && ahead(1) == '/') {
        skip_line();
      } else if (c == '/' && ahead(1) == '*') {
        skip_comment();
      } else if (c == '#' && begins_line_) {
        skip_directive();
      } else {
        begins_line_ = false;
        return;
      }
    }
  }
  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') advance(std::max(splice(), size_t(1)));
  }
  /// Whether a line begins behind a comment is known before it.
  void skip_comment() {
    const bool begins = begins_line_;
    advance(2);
    while (at_ < text_.size() && !(text_[at_] == '*' && ahead(1) == '/')) advance();
    advance(2);
    begins_line_ = begins;
  }
  void skip_directive() {
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (text_[at_] == '/' && ahead(1) == '/') return skip_line();
      if (text_[at_] == '/' && ahead(1) == '*')
        skip_comment();
      else if (text_[at_] == '"')
        skip_quoted('"');
      else
        advance(std::max(splice(), size_t(1)));
    }
  }
  /// To the closing quote, or to the end of the line where that is missing.
  void skip_quoted(char quote) {
    ++at_;
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (const size_t n = splice())
        advance(n);
      else if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n')
        at_ += 2;
      else if (text_[at_++] == quote)
        return;
    }
  }
  /// A raw string has at most 16 characters before its parenthesis, else it is none.
  void skip_raw_string() {
    const size_t open = text_.substr(at_, 18).find('(');
    if (open == std::string_view::npos) return skip_quoted('"');
    const std::string close = ")" + std::string(text_.substr(at_ + 1, open - 1)) + "\"";
    const size_t found = text_.find(close, at_ + open);
    advance(std::min(found, text_.size()) - at_);
    advance(close.size());
    begins_line_ = false;
  }
  void skip_number() {
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_], before = text_[at_ - 1];
      const bool exponent =
          (c == '+' || c == '-') && (before == 'e' || before == 'E' || before == 'p' || before == 'P');
      const bool separator = c == '\'' && in_word(ahead(1));
      if (!in_word(c) && c != '.' && !exponent && !separator) return;
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  int line_ = 1;
  bool begins_line_ = true;
};

/// Follows the statements of a text with a stack of what is open. What is popped was pushed once, so the time
/// is linear. What cannot be C++ is passed over.
class LoopParser {
 public:
  explicit LoopParser(std::string_view text) : scanner_(text) {}

  void run() {
    for (SourceToken t = scanner_.next(); t.kind != SourceToken::end; t = scanner_.next()) {
      note(t);
      take(t);
      last_line_ = t.line;
    }
    continues_pending({});
    while (!open_.empty()) pop_unfinished();
    std::erase_if(loops, [](const SourceLoops::Range& l) { return l.last == 0; });
  }

  std::vector<SourceLoops::Range> loops, functions;
  std::vector<int> code_at;  // by line: -1 no code, 0 code, 1 code that decides

 private:
  /// What the current statement has shown so far.
  struct Statement {
    int tokens = 0;
    bool is_case = false;                           // behind `case`
    bool has_parenthesis = false, is_type = false;  // outside of template parameters
    bool is_template = false;                       // `template` waits for its parameters or is in them
    int angles = 0;                                 // open in those
  };
  /// Something open. A loop, an `if` or a `switch` is open until the statement that it governs ends.
  struct Open {
    enum Kind : unsigned char {
      block,       // braces that end a statement
      expression,  // braces within a statement: a lambda's body, an initializer
      parenthesis,
      loop,  // for, while
      do_loop,
      if_statement,
      other_statement,  // switch, catch, the branch behind `else`
    } kind;
    enum State : unsigned char { expects_head, in_head, in_body, behind_body, behind_head } state = in_body;
    int number = -1;      // of the loop or the function
    int parentheses = 0;  // braces: those open around them
  };

  void note(const SourceToken& t) {
    if (size_t(t.line) >= code_at.size()) code_at.resize(size_t(t.line) + 1, -1);
    const bool decides =
        t.text == "if" || t.text == "while" || t.text == "?" || t.text == "&&" || t.text == "||";
    code_at[size_t(t.line)] = std::max(code_at[size_t(t.line)], int(decides));
  }

  void take(const SourceToken& t) {
    if (attribute_ > 0 && in_attribute(t)) return;
    if (continues_pending(t)) return;
    if (!open_.empty() && open_.back().state == Open::expects_head && t.text != "(") {
      if (t.text == "constexpr" || t.text == "consteval" || t.text == "!") return;
      if (t.text == "{" && open_.back().kind == Open::if_statement)  // if consteval
        begin_body();
      else
        drop();
    }
    if (t.kind == SourceToken::word)
      take_word(t);
    else if (t.kind == SourceToken::sign)
      take_sign(t);
    else
      ++statement_.tokens;
  }

  void take_word(const SourceToken& t) {
    if (t.text == "for" || t.text == "while") return open_loop(Open::loop, Open::expects_head, t.line);
    if (t.text == "do") return open_loop(Open::do_loop, Open::in_body, t.line);
    if (t.text == "if") return push({Open::if_statement, Open::expects_head});
    if (t.text == "switch" || t.text == "catch") return push({Open::other_statement, Open::expects_head});
    if (t.text == "else" || t.text == "try") return begin_statement();
    if (t.text == "case") statement_.is_case = true;
    if (t.text == "template") statement_.is_template = true;
    const bool names_type = t.text == "namespace" || t.text == "struct" || t.text == "class" ||
                            t.text == "union" || t.text == "enum";
    if (names_type && statement_.angles == 0 && parentheses_ == 0) statement_.is_type = true;
    ++statement_.tokens;
  }

  void take_sign(const SourceToken& t) {
    switch (t.text[0]) {
      case '(': return open_parenthesis();
      case ')': return close_parenthesis();
      case '{': return open_brace(t.line);
      case '}': return close_brace(t.line);
      case ';':
        if (open_.empty() || open_.back().kind != Open::parenthesis) end_statement(t.line);
        return;
      case ':':  // of a label
        if (t.text == ":" && (statement_.is_case || statement_.tokens == 1)) return begin_statement();
        break;
      case '[':
        if (t.text != "[[" || statement_.tokens > 0) break;
        attribute_ = 2;
        return;
      case '<':
        if (statement_.is_template && parentheses_ == 0) ++statement_.angles;
        break;
      case '>':
        if (statement_.angles > 0 && parentheses_ == 0 && --statement_.angles == 0)
          statement_.is_template = false;
        break;
      default: break;
    }
    ++statement_.tokens;
  }
  /// Whether the token is part of the attribute that is open.
  bool in_attribute(const SourceToken& t) {
    if (t.text == ";" || t.text == "{" || t.text == "}") {  // its end is missing
      attribute_ = 0;
      return false;
    }
    attribute_ += t.text == "[[" ? 2 : t.text == "[" ? 1 : t.text == "]" ? -1 : 0;
    return true;
  }

  void begin_statement() { statement_ = {}; }
  void push(const Open& o) {
    open_.push_back(o);
    begin_statement();
  }
  void begin_body() {
    open_.back().state = Open::in_body;
    begin_statement();
  }
  void open_loop(Open::Kind kind, Open::State state, int line) {
    loops.push_back({line, 0});
    push({kind, state, int(loops.size()) - 1});
  }
  /// The keyword on top has no head, so it is no statement.
  void drop() {
    open_.pop_back();
    ++statement_.tokens;
  }

  void open_parenthesis() {
    if (!open_.empty() && open_.back().state == Open::expects_head)
      open_.back().state = Open::in_head;
    else if (parentheses_ == 0 && statement_.angles == 0)
      statement_.has_parenthesis = true;
    ++statement_.tokens;
    open_.push_back({Open::parenthesis});
    ++parentheses_;
  }
  void close_parenthesis() {
    if (parentheses_ == 0) return;
    while (open_.back().kind != Open::parenthesis) pop_unfinished();
    open_.pop_back();
    --parentheses_;
    ++statement_.tokens;
    if (open_.empty() || open_.back().state != Open::in_head) return;
    if (open_.back().kind == Open::do_loop)
      open_.back().state = Open::behind_head;
    else
      begin_body();
  }

  void open_brace(int line) {
    Open o{Open::block};
    if (statement_.tokens > 0) {
      if (in_function_ || parentheses_ > 0) {
        o.kind = Open::expression;
      } else if (statement_.has_parenthesis && !statement_.is_type) {
        in_function_ = true;
        o.number = int(functions.size());
        functions.push_back({line, 0});
      }
    }
    o.parentheses = parentheses_;
    if (o.kind == Open::expression) around_.push_back(statement_);
    push(o);
    parentheses_ = 0;
    ++braces_;
  }
  void close_brace(int line) {
    if (braces_ == 0) return;
    while (!is_brace(open_.back())) pop_unfinished();
    const bool ends_statement = open_.back().kind == Open::block;
    last_line_ = line;
    pop_unfinished();
    if (ends_statement) return end_statement(line);
    ++statement_.tokens;
  }
  static bool is_brace(const Open& o) { return o.kind == Open::block || o.kind == Open::expression; }

  /// Pops what ends with the last token, with its end or without one.
  void pop_unfinished() {
    const Open o = open_.back();
    open_.pop_back();
    if (is_brace(o)) {
      --braces_;
      parentheses_ = o.parentheses;
      if (o.kind == Open::expression) {
        statement_ = around_.back();
        around_.pop_back();
      }
      if (o.number < 0) return;
      functions[size_t(o.number)].last = last_line_;
      in_function_ = false;
    } else if (o.kind == Open::loop ? o.state == Open::in_body : o.kind == Open::do_loop) {
      loops[size_t(o.number)].last = last_line_;
    }
  }
  /// A statement ends in that line, and with it those that govern it.
  void end_statement(int line) {
    begin_statement();
    ended_ = line;
    while (!open_.empty()) {
      Open& o = open_.back();
      if (is_brace(o) || o.kind == Open::parenthesis) return;
      if (o.kind == Open::if_statement || (o.kind == Open::do_loop && o.state == Open::in_body)) {
        o.state = Open::behind_body;  // `else` or `while` may come
        return;
      }
      if (o.number >= 0) loops[size_t(o.number)].last = line;
      open_.pop_back();
    }
  }
  /// Whether the token is the `else` of an `if`, or the `while` of a `do`, whose body has ended. Ends those
  /// that it does not continue; a `do` without its `while` is no loop.
  bool continues_pending(const SourceToken& t) {
    while (!open_.empty() && open_.back().state == Open::behind_body) {
      if (open_.back().kind == Open::if_statement && t.text == "else") {
        open_.back() = {Open::other_statement};
        begin_statement();
        return true;
      }
      if (open_.back().kind == Open::do_loop && t.text == "while") {
        open_.back().state = Open::expects_head;
        return true;
      }
      open_.pop_back();
      end_statement(ended_);
    }
    return false;
  }

  SourceScanner scanner_;
  std::vector<Open> open_;
  std::vector<Statement> around_;  // those that go on behind the open expressions
  Statement statement_;
  int last_line_ = 1;               // of the last token
  int ended_ = 1;                   // line where the last statement ended
  int parentheses_ = 0;             // open within the innermost braces
  int braces_ = 0, attribute_ = 0;  // open
  bool in_function_ = false;
};

/// Of each line the number of the innermost range. Ranges are nested, and in the order of their beginnings.
std::vector<int> innermost(std::vector<SourceLoops::Range>& ranges, size_t lines) {
  std::vector<int> at(lines, -1), open;
  int line = 0;
  const auto paint = [&](int until) {
    for (; line < until; ++line) {
      while (!open.empty() && ranges[size_t(open.back())].last < line) open.pop_back();
      if (!open.empty()) at[size_t(line)] = open.back();
    }
  };
  for (size_t k = 0; k < ranges.size(); ++k) {
    paint(ranges[k].first);
    // the one before it may end in the line where this one begins
    while (!open.empty() && ranges[size_t(open.back())].last < ranges[k].last) open.pop_back();
    ranges[k].around = open.empty() ? -1 : open.back();
    open.push_back(int(k));
  }
  paint(int(lines));
  return at;
}

}  // namespace

SourceLoops::SourceLoops(std::string_view text) {
  LoopParser parser(text);
  parser.run();
  loops_ = std::move(parser.loops);
  code_at_ = std::move(parser.code_at);
  loop_at_ = innermost(loops_, code_at_.size());
  function_at_ = innermost(parser.functions, code_at_.size());
}

bool SourceLoops::share_loop(int a, int b) const {
  const auto holds_other = [&](int line, int other) {
    int k = loop_at(line);
    while (k >= 0 && !holds(k, other)) k = loops_[size_t(k)].around;
    return k >= 0;
  };
  return holds_other(a, b) || holds_other(b, a);  // both, since two loops may meet in a line
}

std::vector<SourceLoops> source_loops(const Trace& trace) {
  std::vector<SourceLoops> all;
  all.reserve(trace.sources.size());
  for (const Source& source : trace.sources) all.emplace_back(source.text);
  return all;
}

}  // namespace bscope
