// Variables, conditions and expressions of CMake.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda/toolchain/project/cmake_text.hpp"
#include "engine/cuda/toolchain/project/project_files.hpp"

namespace bscope::cuda {

/// The variables of one folder or function; those around it are copied into it, as in CMake.
class CmakeValues {
 public:
  explicit CmakeValues(ProjectFiles& files) : files_(&files) {}

  const std::string& get(const std::string& name) const;
  void set(const std::string& name, std::string value);
  void unset(const std::string& name) { all_.erase(name); }
  bool is_set(const std::string& name) const { return all_.contains(name); }

  /// The text with ${NAME} replaced.
  std::string replaced(std::string_view text) const { return replaced(text, 0); }
  /// A command's arguments: variables replaced, lists taken apart.
  std::vector<std::string> arguments(const std::vector<CmakeArgument>&) const;
  /// Whether the arguments of if() hold. `exists`: of targets.
  bool holds(const std::vector<CmakeArgument>&,
             const std::function<bool(const std::string&)>& is_target) const;

 private:
  std::string replaced(std::string_view text, int depth) const;

  ProjectFiles* files_;
  std::map<std::string, std::string> all_;
};

/// The elements of a list, "a;b".
std::vector<std::string> cmake_list(std::string_view text);
std::string cmake_list_text(const std::vector<std::string>& elements);
/// A value of a build: generator expressions $<...> decided for CUDA, where that is possible; else nothing.
std::string without_expressions(std::string_view text, int depth = 0);

}  // namespace bscope::cuda
