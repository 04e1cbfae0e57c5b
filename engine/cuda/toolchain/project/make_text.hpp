// Variables and functions of a Makefile: text to text, as make expands it. Nothing is run.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda/toolchain/project/project_files.hpp"

namespace bscope::cuda {

/// The variables of a Makefile, and what its texts become with them.
class MakeText {
 public:
  MakeText(std::filesystem::path folder, ProjectFiles& files);

  /// An assignment: `NAME op VALUE`, op being one of = := ::= ?= +=.
  void assign(const std::string& name, std::string_view op, std::string_view value);
  void undefine(const std::string& name) { all_.erase(name); }
  bool is_set(const std::string& name) const;
  /// The text with variables and functions replaced.
  std::string expand(std::string_view text) { return expanded(text, 0); }
  /// The same, as words.
  std::vector<std::string> words(std::string_view text) { return words_between_blanks(expand(text)); }

  /// What becomes of the text of $(eval ...): lines of the Makefile.
  std::function<void(const std::string&)> reads_lines;

  const std::filesystem::path& folder() const { return folder_; }
  ProjectFiles& files() { return files_; }

  /// Variables that hold while this lives, those of before afterwards: "@", "<" of a recipe.
  class Scope {
   public:
    Scope(MakeText& text, const std::map<std::string, std::string>& values);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    MakeText& text_;
    std::map<std::string, std::string> before_;
  };

 private:
  struct Variable {
    std::string text;
    bool at_once = false;  ///< it was expanded when it was set
  };
  using Arguments = std::vector<std::string_view>;

  std::string expanded(std::string_view text, int depth);
  std::string reference(std::string_view inside, int depth);
  std::string value(const std::string& name, int depth);
  std::string automatic(const std::string& name) const;
  /// What a function gives. Nothing where there is none of this name.
  bool function(std::string_view name, std::string_view rest, int depth, std::string& result);
  std::string of_words(std::string_view name, const Arguments&, int depth);
  std::string of_choice(std::string_view name, const Arguments&, int depth);
  std::string of_loop(const Arguments&, int depth);
  std::string of_call(const Arguments&, int depth);
  std::string of_shell(std::string_view command);
  std::string of_file_names(std::string_view name, const std::vector<std::string>& words) const;

  std::filesystem::path folder_;
  ProjectFiles& files_;
  std::map<std::string, Variable> all_;
  std::map<std::string, std::string> scope_;
};

/// Where the sign stands outside of $(...) and ${...}; npos: nowhere.
size_t find_outside(std::string_view text, std::string_view signs, size_t from = 0);
/// Whether a word matches a pattern with one %, and what stands for it.
bool matches_percent(std::string_view pattern, std::string_view word, std::string& stem);
/// The pattern with the stem in the place of %.
std::string with_stem(std::string_view pattern, std::string_view stem);

}  // namespace bscope::cuda
