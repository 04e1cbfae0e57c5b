// Programs to begin with: a short whole one for each family, and one without an algorithm.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bscope {

struct ProgramTemplate {
  std::string name;   ///< scan
  std::string title;  ///< its first comment, as a title
  std::string text;
};
/// Those of assets/templates, by name.
std::vector<ProgramTemplate> program_templates();

/// A file of that name that is not there yet, in a visible place: in the folder `barrierscope` of the user's
/// home, or the folder at hand.
std::filesystem::path new_program_file(const std::string& name);
/// The same, or such a file that holds exactly this text already.
std::filesystem::path file_of_program(const std::string& name, const std::string& text);

}  // namespace bscope
