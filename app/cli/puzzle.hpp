// Puzzles in the terminal: their tries are counted in the user's settings.
#pragma once

#include <memory>
#include <string>

namespace bscope {

struct Assignment;
struct Console;
struct PuzzleProgress;
struct Target;

/// What the settings say of this puzzle.
PuzzleProgress kept_progress(const Assignment&);

/// The puzzle that a .cu file began from; null: it began from none, or is no such file.
std::shared_ptr<const Assignment> puzzle_begun_by(const std::string& file);

/// Whether the line of the file is the wrong one, as a sentence, with the hints so far. Returns the exit
/// code: 1 if it is not. Throws UsageError for a line that the given file does not have.
int answer_line(const Assignment&, const std::string& file, int line, Console&);

/// Judges the file. Until the line is found, or two tries have failed, the report names no line. Returns the
/// exit code.
int judge_puzzle(const Assignment&, const Target&, Console&);

}  // namespace bscope
