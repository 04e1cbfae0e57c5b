// A Makefile as rules: what it makes from what, and how.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda/toolchain/project/make_text.hpp"

namespace bscope::cuda {

struct MakeRule {
  std::vector<std::string> targets, prerequisites, order_only;
  std::string stem_pattern;  ///< of a static pattern rule: its targets' pattern
  std::vector<std::string> recipe;
  bool pattern = false;  ///< its targets hold a %
};

/// How to make one target.
struct MakeStep {
  std::string target;
  std::vector<std::string> prerequisites;
  std::vector<std::string> recipe;  ///< expanded; empty: there is none
  bool known = false;               ///< a rule has it
};

class Makefile {
 public:
  /// Reads it with what it includes.
  Makefile(const std::filesystem::path&, ProjectFiles&);

  /// The targets of rules without %, in order, the default goal first; then their prerequisites.
  std::vector<std::string> targets() const;
  /// Targets that pattern rules make of files that lie there: programs that no rule names.
  std::vector<std::string> targets_of_patterns();
  /// The rule for a target, its recipe expanded for it.
  MakeStep step(const std::string& target);
  const std::filesystem::path& folder() const { return text_.folder(); }
  MakeText& text() { return text_; }

 private:
  struct OwnVariable {
    std::string target, name, op, value;
  };
  /// One place among conditionals.
  struct Branch {
    bool taken = false;  ///< its lines count
    bool any = false;    ///< one of its branches was taken
    bool outer = true;   ///< what is around it counts
  };

  void read(const std::filesystem::path&, int depth);
  void read_text(const std::string&, int depth);
  void read_line(const std::string& line, int depth);
  bool read_conditional(std::string_view line);
  bool condition(std::string_view word, std::string_view rest);
  bool read_directive(std::string_view line, int depth);
  bool read_assignment(std::string_view line);
  void read_rule(std::string_view line);
  void add_rule(MakeRule);
  void include(std::string_view names, int depth);
  bool counts() const;

  std::string found(const std::string& file) const;
  bool is_there(const std::string& file, int depth) const;
  const MakeRule* pattern_rule(const std::string& target, std::string& stem, int depth) const;
  std::string prerequisite_of(const std::string& pattern, const std::string& stem, const MakeRule&) const;
  MakeStep built_in(const std::string& target) const;
  std::vector<std::string> recipe_of(const MakeStep&, const std::vector<std::string>& lines,
                                     const std::string& stem);

  MakeText text_;
  std::vector<MakeRule> rules_;
  std::vector<OwnVariable> own_;
  std::vector<Branch> branches_;
  std::vector<size_t> open_;  ///< rules that the next recipe lines belong to
  std::string defining_;      ///< the variable of a `define` that is open
  std::string definition_;
  std::map<std::string, std::vector<std::string>> search_;  ///< of vpath, by pattern
  int evaluations_ = 0;                                     ///< of $(eval ...), one within the other
};

}  // namespace bscope::cuda
