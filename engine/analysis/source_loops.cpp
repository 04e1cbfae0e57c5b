#include "engine/analysis/source_loops.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/trace/cpp_tokens.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

/// A token as the parser sees it: some signs of two characters are one.
struct SourceToken {
  Token::TokenKind kind = Token::sign;
  int line = 0;  // where it begins
  std::string_view text;
};

/// Those of the code, without comments and lines of the preprocessor.
std::vector<SourceToken> source_tokens(std::string_view text) {
  std::vector<Token> all = code_tokens(text);
  std::erase_if(all, [](const Token& t) { return t.directive > 0; });
  std::vector<SourceToken> out;
  out.reserve(all.size());
  for (size_t k = 0; k < all.size(); ++k) {
    const Token& t = all[k];
    size_t end = t.end;
    const char c = text[t.begin];
    const bool doubles = t.kind == Token::sign && (c == ':' || c == '&' || c == '|' || c == '[');
    if (doubles && k + 1 < all.size() && all[k + 1].begin == t.end && text[t.end] == c) end = all[++k].end;
    out.push_back({t.kind, t.line, text.substr(t.begin, end - t.begin)});
  }
  return out;
}

/// Follows the statements of a text with a stack of what is open. What is popped was pushed once, so the time
/// is linear. What cannot be C++ is passed over.
class LoopParser {
 public:
  void run(std::string_view text) {
    for (const SourceToken& t : source_tokens(text)) {
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
    enum Construct : unsigned char {
      block,       // braces that end a statement
      expression,  // braces within a statement: a lambda's body, an initializer
      parenthesis,
      loop,  // for, while
      do_loop,
      if_statement,
      other_statement,  // switch, catch, the branch behind `else`
    } kind;
    enum Stage : unsigned char { expects_head, in_head, in_body, behind_body, behind_head } state = in_body;
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
    if (t.kind == Token::name)
      take_word(t);
    else if (t.kind == Token::sign)
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
  void open_loop(Open::Construct kind, Open::Stage state, int line) {
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
  LoopParser parser;
  parser.run(text);
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
