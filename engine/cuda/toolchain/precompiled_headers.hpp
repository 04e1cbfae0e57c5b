// Headers that are parsed once for all compilations that begin with the same ones: clang takes most of its
// time for them, in plain files as in those that begin with headers of libcu++, CUB or Thrust.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bscope::cuda {

/// The headers in <> that a text includes before anything else stands in it: those of the compiler, of the
/// C++ library and of `include`. What stands in one of `searched_before` ends them.
std::vector<std::string> leading_headers(std::string_view text, const std::filesystem::path& include,
                                         const std::vector<std::string>& searched_before);

/// A folder of them. It is written by this process alone: compilers, which are confined, write in their run's
/// folder and read here. Files are named after all that they depend on, and those that were used longest ago
/// go where they take more than 400 MB. A list of headers may be empty: what the command itself includes is
/// parsed then.
class PrecompiledHeaders {
 public:
  /// `run`: a run's folder in the user's cache, beside which they lie.
  explicit PrecompiledHeaders(const std::filesystem::path& run);
  /// Where that is, whether or not it is there.
  static std::filesystem::path folder_beside(const std::filesystem::path& run);

  const std::filesystem::path& folder() const { return folder_; }
  /// The file for these headers with this command (a compiler and its options); empty: it has to be made.
  std::filesystem::path find(const std::vector<std::string>& command,
                             const std::vector<std::string>& headers) const;
  /// Whether text_for was asked for that before, and it was not refused: making a file takes longer than one
  /// compilation without it.
  bool was_asked_for(const std::vector<std::string>& command, const std::vector<std::string>& headers) const;
  /// A text that includes them, which one is made of and must stay beside it; empty: it cannot be written.
  std::filesystem::path text_for(const std::vector<std::string>& command,
                                 const std::vector<std::string>& headers) const;
  /// Keeps what a compiler has made of such a text.
  void keep(const std::filesystem::path& made, const std::filesystem::path& text) const;
  /// Headers that cannot be parsed ahead, or that say something, which belongs to the file that includes
  /// them.
  static void refuse(const std::filesystem::path& text);
  /// One that the compiler does not take any more.
  static void forget(const std::filesystem::path& file);

 private:
  std::filesystem::path folder_;
};

}  // namespace bscope::cuda
