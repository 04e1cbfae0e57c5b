// What stands in an assignment's file, member by member. app/assignments/assignment reads it and checks what
// the members mean.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/trace/fields.hpp"

namespace bscope {

/// A text of several lines. In the file: one text, or a list of lines.
struct TextOrLines {
  std::string text;
  /// Throws BadFile.
  static TextOrLines from_json(const nlohmann::ordered_json&, const std::string& where);
};

/// An expression, as it is typed. In the file: a text, or a number.
struct TextOrNumber {
  std::string text;
  /// Throws BadFile.
  static TextOrNumber from_json(const nlohmann::ordered_json&, const std::string& where);
};

struct AssignedRunEntry {
  std::vector<std::pair<std::string, TextOrNumber>> constants;  ///< in the order of the file
  std::vector<std::string> arguments;
  double seconds = 20;
  std::string schedule;
  template <class Self, class Visit>
  static void fields(Self& r, Visit&& visit) {
    visit("constants", r.constants);
    visit("arguments", r.arguments, Field{.at_most = 256});
    visit("seconds", r.seconds, Field{.least = 0.1, .most = 3600});
    visit("schedule", r.schedule);
  }
};

/// The most points that one check or requirement gives.
inline constexpr double most_points = 1e6;

struct RequirementEntry {
  std::string what, kernel;
  TextOrNumber at_most, at_least;
  double points = 0;
  std::string hint;
  template <class Self, class Visit>
  static void fields(Self& r, Visit&& visit) {
    visit("what", r.what);
    visit("kernel", r.kernel);
    visit("at_most", r.at_most);
    visit("at_least", r.at_least);
    visit("points", r.points, Field{.least = 0, .most = most_points});
    visit("hint", r.hint);
  }
};

/// Of puzzles.
inline constexpr int hardest_level = 5;

struct AssignmentFile {
  std::string format, title;
  TextOrLines task;
  std::string hint, start;
  int level = 0;           ///< of a puzzle, from 1
  std::vector<int> lines;  ///< of `start`; none: it is no puzzle
  std::vector<std::string> hints;
  std::string solution;
  std::optional<std::vector<std::string>> may_change;
  std::vector<std::string> files;
  std::string expect;
  std::vector<AssignedRunEntry> runs;
  std::vector<RequirementEntry> requirements;
  std::vector<std::pair<std::string, double>> points;
  template <class Self, class Visit>
  static void fields(Self& a, Visit&& visit) {
    visit("format", a.format, Field{.required = true});
    visit("title", a.title);
    visit("task", a.task);
    visit("hint", a.hint);
    visit("start", a.start);
    visit("level", a.level, Field{.least = 1, .most = hardest_level});
    visit("lines", a.lines, Field{.least = 1, .most = 1e6, .at_most = 16});
    visit("hints", a.hints, Field{.at_most = 16});
    visit("solution", a.solution);
    visit("may_change", a.may_change, Field{.at_most = 256});
    visit("files", a.files, Field{.at_most = 256});
    visit("expect", a.expect);
    visit("runs", a.runs, Field{.at_most = 64});
    visit("requirements", a.requirements, Field{.at_most = 256});
    visit("points", a.points, Field{.least = 0, .most = most_points});
  }
};

}  // namespace bscope
