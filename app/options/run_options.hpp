// Options that say what to run: of verbs and of links.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/catalog/run_spec.hpp"
#include "engine/cuda/toolchain/program.hpp"

namespace bscope {

class Options;
struct Target;

/// What to run, as options say it.
struct RunOptions {
  RunSpec request;  ///< without its kernel
  std::optional<Device> device;
  std::optional<Schedule> schedule;
  bool given = false;         ///< any of them
  std::string input_given;    ///< one that says what a kernel of ours is run on, by its name
  cuda::Program program;      ///< without its files
  std::string program_given;  ///< an option of users' own programs, by its name
  std::string chosen;         ///< the program of several that a build file builds; empty: not said
};
/// --n, --block and --set alone.
void size_options(Options&, RunOptions&);
/// Input, parameters and device.
void input_options(Options&, RunOptions&);
/// The same, and those of a trace alone. What --max-memory says holds at once.
void trace_options(Options&, RunOptions&);
/// How users' own programs are compiled and run.
void program_options(Options&, RunOptions&);
/// The same without --seconds.
void compile_options(Options&, RunOptions&);
/// The first option that only users' own programs have; empty: none was given.
std::string given_for_program(const RunOptions&);
/// Declares what to run: a kernel, a file, or the files of a program.
void run_words(Options&, const char* help, size_t most, std::vector<std::string>& into);
/// Whether a word names a user's own program: a source file, a folder or a build file, or what `nvcc` linked.
bool names_program(const std::string& word);
/// A kernel of the catalog with these options, a .bscope file, or a program. Throws UsageError for none of
/// them, and beside options of another.
Target target_of(const RunOptions&, const std::string& word);
/// The first of these, of which `verb` needs one.
Target target_of(const RunOptions&, const std::vector<std::string>& words, const std::string& verb);

}  // namespace bscope
