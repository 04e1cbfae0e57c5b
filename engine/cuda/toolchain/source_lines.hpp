// The lines of a C++ text with what the brackets around them say: where statements begin and blocks end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bscope::cuda {

/// Lines count from 1.
class SourceLines {
 public:
  explicit SourceLines(const std::string& text);

  int count() const { return int(lines_.size()); }
  /// The line without comments, and without blanks at both ends.
  const std::string& code(int line) const { return lines_[size_t(line - 1)].code; }
  /// What stands behind the code: a comment, with the blanks before it.
  const std::string& comment(int line) const { return lines_[size_t(line - 1)].comment; }
  const std::string& indentation(int line) const { return lines_[size_t(line - 1)].indentation; }
  /// How many braces are open where the line begins.
  int depth(int line) const { return lines_[size_t(line - 1)].depth; }
  /// Whether a statement can be put before the line: the one before has ended, and a block is open.
  bool starts_statement(int line) const { return lines_[size_t(line - 1)].starts; }
  /// Whether the line holds one statement, from its first word to its semicolon.
  bool is_one_statement(int line) const;

  /// A block of braces.
  struct Block {
    int header = 0;             ///< line in which the statement that it belongs to begins
    int opens = 0, closes = 0;  ///< lines of its braces
    std::string text;           ///< of that statement up to the brace: "for (int k = 0; k < n; ++k)"
    bool is_loop() const {
      return text.starts_with("for") || text.starts_with("while") || text.starts_with("do");
    }
    bool is_if() const { return text.starts_with("if") || text.starts_with("else"); }
    bool holds(int line) const { return opens < line && line <= closes; }
  };
  /// Those around a line, the outermost first.
  std::vector<Block> blocks_around(int line) const;
  /// Whether two lines are in one function.
  bool same_function(int a, int b) const;

 private:
  struct Line {
    std::string code, indentation, comment;
    int depth = 0;
    bool starts = false;
  };
  std::vector<Line> lines_;
  std::vector<Block> blocks_;
};

}  // namespace bscope::cuda
