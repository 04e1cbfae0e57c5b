// Changes of a program's text, line by line, and how they are printed.
#pragma once

#include <string>
#include <vector>

namespace bscope::cuda {

/// Replaces `removed` lines, from `line` (from 1) on, with others. With `removed` 0 they go before that line.
struct LineEdit {
  std::string file;  ///< as messages name it
  int line = 0, removed = 0;
  std::vector<std::string> inserted = {};
  template <class Self, class Visit>
  static void fields(Self& e, Visit&& visit) {
    visit("file", e.file);
    visit("line", e.line);
    visit("removed", e.removed);
    visit("inserted", e.inserted);
  }
  bool operator==(const LineEdit&) const = default;
};

/// The text with the edits of that file. All lines are those of the text as it was; edits must not overlap.
std::string edited(const std::string& text, const std::string& file, std::vector<LineEdit>);
/// The change as `diff -u` prints it, with three lines around each hunk; empty where nothing changed. `patch
/// -p0` takes it.
std::string unified_diff(const std::string& path, const std::string& before, const std::string& after);

}  // namespace bscope::cuda
