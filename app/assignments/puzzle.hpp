// Puzzles: assignments that ask for the wrong line before it is repaired.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bscope {

struct Assignment;

/// After so many tries that failed the report names lines, and the solution may be read.
inline constexpr int tries_before_solution = 2;

/// Whether this line of the student's text is one that the puzzle asks for. Lines are compared by their
/// text, so that lines added above do not matter. Nothing where the given file has no such line.
std::optional<bool> names_wrong_line(const Assignment&, std::string_view text, int line);

/// How many of the hints are given after so many tries that failed: one for each.
size_t hints_given(const Assignment&, int failed);

/// The assignments that come with the program, read once; those that cannot be read are left out. In the
/// order of known_assignments().
const std::vector<std::shared_ptr<const Assignment>>& built_in_assignments();
/// The one that a text began from, of these or of those that come with the program: all of what was given is
/// there, but for what may change. Null: none.
std::shared_ptr<const Assignment> assignment_begun_by(
    std::string_view text, const std::vector<std::shared_ptr<const Assignment>>& first = {});

/// The puzzles of a series, in its order; empty: there is no such series.
std::vector<std::shared_ptr<const Assignment>> puzzles_of(std::string_view series);
/// The numbers from 0 to `count` in an order that follows from the seed, on every machine the same.
std::vector<size_t> shuffled_order(size_t count, uint64_t seed);
/// The starting file under a comment that holds the task, in the user's language.
std::string start_under_its_task(const Assignment&);

}  // namespace bscope
