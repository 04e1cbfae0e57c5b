// Values that users type, paste and drop.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/state.hpp"

namespace bscope {

class RunStore;

/// Numbers as they come from a list, a spreadsheet or a program: separated by white space, commas or
/// semicolons; brackets and quotes around them are left out, # starts a comment. Throws UsageError that names
/// the first word that is not a number, and where it stands.
std::vector<double> numbers_in(std::string_view text);

/// The state with these values as input of the open kernel (of the catalog's first histogram or scan if a
/// recorded run is open). If they are refused, only the error changes.
LoadedState with_values(LoadedState, std::vector<double>, Where, RunStore&);

/// A file that was dropped, chosen or typed, opened as what it is.
struct Opening {
  LoadedState state;
  std::string notice;          ///< what was done beyond the expected, said; may be empty
  std::string recording = {};  ///< a file of times, for the tab that reads what begins so (Tab::reads)
  std::string beginning = {};
  std::string course = {};  ///< a folder that holds a course, whole: the window lists its lessons
};
/// A folder is a course, or the program of its build file; a file by what its name ends in: .bscope a session
/// or a trace; .cu an own program, which asks first where the user has not allowed it or nothing here
/// compiles it (State::asks_to_run); .json a recording; an image the input of a histogram; all else numbers.
/// If it is refused, only the error changes.
Opening opened_path(LoadedState, const std::string& path, RunStore&);

/// The name of a file of this kernel's run, without folder and ending: "blelloch". A trace's kernel is
/// untrusted text, and no path.
std::string file_name_of(std::string_view kernel);

/// ~ and ~/x as the shell has them.
std::string home_expanded(const std::string& path);

}  // namespace bscope
