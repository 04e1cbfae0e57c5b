// An assignment: what a program should compute, and within which limits, read from a lecturer's file.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/catalog/run_spec.hpp"
#include "engine/cuda/toolchain/constants.hpp"
#include "engine/cuda/toolchain/terms.hpp"

namespace bscope {

struct Fact;

/// One run of the program.
struct AssignedRun {
  std::vector<cuda::Setting> constants;
  std::vector<std::string> arguments;
  double seconds = 20;
  Schedule schedule;
  int line = 0;
  /// "N=64, TILE=16", "-- 64"; the run's number where nothing tells it from others.
  std::string name;
};

/// A counted figure that has a limit.
struct Requirement {
  const Fact* fact = nullptr;
  std::string what;    ///< the figure, as the lecturer calls it
  std::string kernel;  ///< of each launch of this kernel by itself, "*": of any; empty: of the whole run
  std::string at_most, at_least;  ///< expressions; one may be empty
  double points = 0;
  std::string hint;  ///< for a student who does not meet it
  int line = 0;
};

struct Assignment {
  std::string file;          ///< as the user named it
  std::string name, series;  ///< of one that comes with the program, see KnownAssignment; else its path
  std::string title, task;
  std::string hint;                ///< for a student who does not meet all of it
  std::filesystem::path start;     ///< the file to begin with; empty: there is none
  std::string given;               ///< its text
  std::filesystem::path solution;  ///< a file that meets all of it; empty: there is none
  /// Of a puzzle the lines of `start` that count as the wrong one; else empty.
  std::vector<int> lines;
  std::vector<std::string> hints;  ///< of a puzzle, in the order in which they are given
  int level = 0;                   ///< of a puzzle, from 1 (easy) to 5
  bool guards = false;             ///< all of it but `may_change` must stay as it is
  std::vector<std::string> may_change;
  std::vector<std::string> files;  ///< of the lecturer's, compiled with the program
  cuda::Stated expected;           ///< empty text: no result is stated
  std::vector<AssignedRun> runs;   ///< at least one
  std::vector<Requirement> requirements;
  std::map<std::string, double> points;  ///< of what is always asked, by its id
  /// Whether the wrong line is asked for before it is repaired.
  bool is_puzzle() const { return !lines.empty(); }
};

/// What is always asked, by id: program, whole, result, kernels, hazards, findings; given where the start is
/// guarded.
const std::vector<std::string>& always_asked();

/// Reads an assignment. Throws BadFile, one sentence with the line.
Assignment read_assignment(const std::filesystem::path&);

/// Those that come with the program: assets/assignments/NAME/assignment.json, and those of a series,
/// assets/assignments/SERIES/NN-NAME/assignment.json.
struct KnownAssignment {
  std::string name;    ///< of its folder, without the number
  std::string series;  ///< empty: it stands alone
  std::filesystem::path file;
};
/// Those that stand alone by name, then each series in its order.
std::vector<KnownAssignment> known_assignments();
/// The file that is meant: a path, or the name of one that comes with the program. Throws UsageError where a
/// name is neither, which lists them.
std::filesystem::path assignment_file(const std::string& path_or_name);

}  // namespace bscope
