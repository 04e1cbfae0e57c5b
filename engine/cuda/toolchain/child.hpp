// A program run as a child: its output is caught, it is ended when its time is over, when its result is not
// wanted any more (engine/trace/progress.hpp), or when this program ends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bscope::cuda {

class Cage;

/// A limit of a cage that the kernel does not enforce.
enum class Exceeded : uint8_t { nothing, disk, threads, memory };

struct ProcessCommand {
  std::vector<std::string> words = {};  ///< the program's path, then its arguments
  std::string called = {};              ///< its argv[0]; empty: its path
  std::filesystem::path where = "/";    ///< it stands in
  bool reads_input = false;  ///< our standard input is its own, from the beginning, where that is a file
  std::vector<std::string> environment = {};  ///< NAME=VALUE, beside those of ours that it may know
  double seconds = 60;                        ///< it may take
  size_t most_output = size_t(1) << 20;  ///< bytes of its output that are kept; the rest is read and dropped
  const Cage* cage = nullptr;            ///< what it may do; null: what we may
};

struct Ended {
  int exit = -1;                          ///< its exit code, if it returned
  int signal = 0;                         ///< that ended it; 0: none
  bool out_of_time = false;               ///< it was ended because its time was over
  Exceeded exceeded = Exceeded::nothing;  ///< the limit of its cage that it was ended for
  bool cut = false;                       ///< there was more output
  std::string output;                     ///< stdout and stderr as they came
  bool good() const { return exit == 0; }
};
/// "Segmentation fault"; empty: it has no name here.
std::string name_of_signal(int signal);
/// Waits for its end. Throws SystemError where it cannot be started, Cancelled when it is not wanted
/// any more.
Ended run(const ProcessCommand&);

}  // namespace bscope::cuda
