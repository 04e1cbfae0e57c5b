// Puzzles in the terminal: their tries are counted in the user's settings.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bscope {

struct Assignment;
struct Console;
class Options;
struct PuzzleProgress;
struct Target;

/// What `new` may be asked of puzzles.
struct PuzzleWishes {
  bool solution = false;            ///< in place of the starting file
  std::optional<uint64_t> shuffle;  ///< a seed: a series in another order
};
void puzzle_options(Options&, PuzzleWishes&);

/// Puzzles by series, from easy to hard, with what the user has done of them.
void list_puzzles(Console&);
/// Writes what the words name: a puzzle, its solution once its tries have failed, or all puzzles of a series,
/// a file each, whose names do not give them away. False: the first word names none of them. Throws
/// UsageError.
bool begin_puzzle(const std::vector<std::string>& words, const PuzzleWishes&, Console&);

/// The puzzle that a .cu file began from; null: it began from none, or is no such file.
std::shared_ptr<const Assignment> puzzle_begun_by(const std::string& file);

/// Whether the line of the file is the wrong one, as a sentence, with the hints so far. Returns the exit
/// code: 1 if it is not. Throws UsageError for a line that the given file does not have.
int answer_line(const Assignment&, const std::string& file, int line, Console&);

/// Judges the file. Until the line is found, or two tries have failed, the report names no line. Returns the
/// exit code.
int judge_puzzle(const Assignment&, const Target&, Console&);

}  // namespace bscope
