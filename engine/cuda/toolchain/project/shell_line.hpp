// A line of a recipe as a shell would take it apart, without running anything.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bscope::cuda {

/// A command: its words, and the folder in which it would run.
struct ShellCommand {
  std::vector<std::string> words;
  std::filesystem::path folder;
};

/// The words of a command line, without quotes; patterns of files stand for the files in the folder.
std::vector<std::string> shell_words(std::string_view line, const std::filesystem::path& folder);

/// The commands of a line, one behind the other: those behind `cd FOLDER &&` run in that folder. Loops and
/// branches of the shell are taken as if each command ran once.
std::vector<ShellCommand> shell_commands(std::string_view line, const std::filesystem::path& folder);

}  // namespace bscope::cuda
