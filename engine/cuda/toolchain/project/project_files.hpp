// The files that are read of a project, within bounds: they come from anywhere.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bscope::cuda {

/// Reads texts, and counts them and the work that is done on them.
class ProjectFiles {
 public:
  /// The text of a file. Nothing: it cannot be read, or so many were read that no other is.
  std::optional<std::string> text(const std::filesystem::path&);
  /// Takes of the work that one project may make; false where none is left.
  bool work(size_t bytes);

  /// Notes something that was not decided, once.
  void leave_out(std::string_view what);
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  size_t files_ = 0, bytes_ = 0, work_ = 0;
  std::vector<std::string> left_out_;
};

/// The files that a pattern of a shell names (*, ?, [a-z]), sorted; relative patterns from the folder on, and
/// the names then relative, too. A pattern without signs names itself where it is there.
std::vector<std::string> files_of_pattern(const std::string& pattern, const std::filesystem::path& folder);
/// The files below a folder whose names match the pattern, sorted; at most a few thousand are looked at.
std::vector<std::string> files_below(const std::filesystem::path& folder, const std::string& name_pattern);
/// Whether it has *, ? or [.
bool is_pattern(std::string_view text);

/// Whether a build file in this folder may name the path. A program may read what its build names, so what
/// the home folder hides (names with a dot) stays hidden, unless the build file lies there itself.
bool may_be_named(const std::filesystem::path&, const std::filesystem::path& folder);

/// The words between blanks.
std::vector<std::string> words_between_blanks(std::string_view text);
std::string joined_by_blanks(const std::vector<std::string>& words);
std::string_view without_blanks(std::string_view text);
/// Adds what is not there yet.
void add_new(std::vector<std::string>& all, const std::vector<std::string>& more);

}  // namespace bscope::cuda
