// What the parent process wants of the run: run.json in its folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/cuda/machine/machine.hpp"
#include "engine/cuda/run_files/run_settings.hpp"

namespace bscope::cuda {

/// Where the parent process has put run.json, and where it looks for what is left of the run: the variable
/// BARRIERSCOPE_RUN (run_folder.cpp), or in a page a fixed folder (web/run_folder.cpp). Throws
/// std::runtime_error: there is no parent process.
std::filesystem::path run_folder();

struct RuntimeSettings {
  std::filesystem::path folder;
  std::string name = "program";
  std::vector<std::filesystem::path>
      devices;                              ///< the modules' code, in the order that host objects name them
  std::vector<std::string> our_folders;     ///< lines of files in these are not the student's
  std::vector<std::string> ours_on_device;  ///< the same for device code
  std::vector<UserSource> sources;
  Schedule schedule{Schedule::to_barrier};
  Limits limits;
  /// Where to ask for native code, and where the answers are; empty: there is no service.
  std::filesystem::path native_asks, native_answers;
  double seconds = 0;   ///< of the processor; after these the program is stopped; 0: never
  double patience = 0;  ///< the same of the clock on the wall, for one that sleeps

  /// Throws std::runtime_error: there is no parent process, or what it wrote cannot be used.
  static RuntimeSettings read();
  /// The student's file of that path in the debug information; nullptr: it is none of theirs.
  const UserSource* source(const std::string& file) const;
};

}  // namespace bscope::cuda
