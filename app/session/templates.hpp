// Programs to begin with: a short whole one for each family, and one without an algorithm.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bscope {

struct ProgramTemplate {
  std::string name;   ///< scan
  std::string title;  ///< its first comment, for people
  std::string text;
};
/// Those of assets/templates, by name.
std::vector<ProgramTemplate> program_templates();

/// A file of that name that is not there yet, where people find it: in the folder `barrierscope` of their
/// home, or the folder at hand.
std::filesystem::path new_program_file(const std::string& name);

}  // namespace bscope
