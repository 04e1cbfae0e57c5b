// A user's CUDA program, as the command line names it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/cuda/toolchain/constants.hpp"
#include "engine/trace/message.hpp"

namespace bscope::cuda {

/// A user's program.
struct Program {
  std::vector<std::string> files = {};     ///< .cu, .cpp and .c; the first gives it its name
  std::vector<std::string> includes = {};  ///< folders
  std::vector<std::string> defines = {};   ///< NAME or NAME=VALUE
  std::string standard = "c++17";
  bool standard_given = false;              ///< the user has chosen it: no build file changes it
  std::string device_model = {};            ///< that is played, "sm_90"; empty: a fictitious one
  std::vector<Setting> constants = {};      ///< changed in a copy
  std::vector<std::string> arguments = {};  ///< of its main
  double seconds = 20;                      ///< that its run may take
  bool named_only = false;  ///< it is judged for others: it reads the files that it names, headers and the
                            ///< system's
  bool alone = false;       ///< no build file is read for what its files lack
  bool inside_libraries = false;  ///< kernels of Thrust and CUB are traced as its own
  /// What a build file (engine/cuda/toolchain/project) or `barrierscope nvcc` has said of it.
  std::vector<std::string> cuda = {};       ///< files of it that are CUDA whatever their names say
  std::vector<std::string> link_with = {};  ///< objects, archives, -lNAME and -LFOLDER
  std::string architecture = {};            ///< that -arch names, "sm_80"; empty: none
  std::string name = {};                    ///< of the program; empty: that of its first file
  std::string folder = {};                  ///< where it runs; empty: where its first file lies
  std::string source_folder = {};           ///< whose files it finds from there, too; empty: none
  std::vector<Message> read = {};           ///< what was read, a sentence each
  template <class Self, class Visit>
  static void fields(Self& p, Visit&& visit) {
    visit("files", p.files);
    visit("includes", p.includes);
    visit("defines", p.defines);
    visit("standard", p.standard);
    visit("standard_given", p.standard_given);
    visit("device_model", p.device_model);
    visit("constants", p.constants);
    visit("arguments", p.arguments);
    visit("seconds", p.seconds);
    visit("named_only", p.named_only);
    visit("alone", p.alone);
    visit("inside_libraries", p.inside_libraries);
    visit("cuda", p.cuda);
    visit("link_with", p.link_with);
    visit("architecture", p.architecture);
    visit("name", p.name);
    visit("folder", p.folder);
    visit("source_folder", p.source_folder);
    visit("read", p.read);
  }
  bool operator==(const Program&) const = default;
};

/// What Program::device_model can be.
std::vector<std::string> device_model_names();
/// Whether this name looks like that of a CUDA file, .cu.
bool is_cuda_source(const std::string& file);
/// Or like that of any file that can be compiled as a part of a program, .cpp, .cc, .cxx, .c.
bool is_program(const std::string& file);
/// The folder that the program's relative paths begin at.
std::filesystem::path folder_of(const Program&);
/// The command that would start the program once it is compiled: "./homework" of homework.cu and others. It
/// is the program's argv[0] on the CPU and on a GPU, because many programs print it.
std::string command_name(const Program&);

/// Folders whose programs the user has allowed to run. On a command line naming a file is consent; what was
/// opened otherwise asks once for its folder.
bool is_allowed(const std::string& file, const std::vector<std::string>& allowed_folders);

}  // namespace bscope::cuda
