// The commands of a CMakeLists.txt, before their variables are replaced.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bscope::cuda {

struct CmakeArgument {
  std::string text;
  bool quoted = false;   ///< "...": one argument, whatever it holds
  bool bracket = false;  ///< [[...]]: no variable is replaced
};
struct CmakeCommand {
  std::string name;  ///< in small letters
  std::vector<CmakeArgument> arguments;
};

/// All of them in order. Any bytes give commands.
std::vector<CmakeCommand> cmake_commands(std::string_view text);

}  // namespace bscope::cuda
