// The loops of a source text, by line.
#pragma once

#include <string_view>
#include <vector>

namespace bscope {

struct Trace;

/// The lines of the `for`, `while` and `do` statements of a C++ text, found without a compiler. Any text
/// gives an answer, in time that is linear in its length. Macros are not expanded, and lines of the
/// preprocessor are ignored. Lines count from 1; a line beyond the text holds no code and is in no loop.
class SourceLoops {
 public:
  explicit SourceLoops(std::string_view text = {});

  /// The number of the innermost loop that holds a line, from its keyword to its end; -1: none does. Of two
  /// loops that meet in a line, the second one.
  int loop_at(int line) const { return number_at(loop_at_, line); }
  /// Whether a loop, by its number, holds a line.
  bool holds(int loop, int line) const {
    return loop >= 0 && loops_[size_t(loop)].first <= line && line <= loops_[size_t(loop)].last;
  }
  /// Whether some loop holds both lines.
  bool share_loop(int a, int b) const;
  /// Whether one function's body holds both lines, or none holds either. A lambda belongs to the function
  /// around it.
  bool share_function(int a, int b) const { return number_at(function_at_, a) == number_at(function_at_, b); }
  bool has_code(int line) const { return number_at(code_at_, line) >= 0; }
  /// Whether the text of the line decides something: an `if`, a `while`, `?`, `&&` or `||`.
  bool decides(int line) const { return number_at(code_at_, line) > 0; }

  struct Range {
    int first = 0, last = 0;  ///< lines
    int around = -1;          ///< the next outer loop
  };
  /// All loops in the order of their keywords.
  const std::vector<Range>& loops() const { return loops_; }

 private:
  static int number_at(const std::vector<int>& numbers, int line) {
    return line > 0 && size_t(line) < numbers.size() ? numbers[size_t(line)] : -1;
  }
  std::vector<Range> loops_;
  std::vector<int> loop_at_, function_at_;  ///< by line
  std::vector<int> code_at_;                ///< by line: -1 no code, 0 code, 1 code that decides
};

/// Those of each of the trace's sources.
std::vector<SourceLoops> source_loops(const Trace&);

}  // namespace bscope
