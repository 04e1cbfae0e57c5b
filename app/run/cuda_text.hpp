// The CUDA programs of the catalog's kernels (kernels/*/cuda), and which line of a program does what which
// line of the dialect does (kernels/cuda_lines.json, which tools/cuda_lines.py makes from equal traces).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/trace/message.hpp"

namespace bscope {

struct DataflowGraph;
struct LeftOut;
struct OtherOrder;
struct Trace;

/// One kernel's.
struct CudaText {
  std::string kernel;          ///< scan/blelloch
  std::string path;            ///< of the program: kernels/scan/cuda/5_blelloch.cu
  std::string_view text = {};  ///< of the program
  /// Which constant of the program is which part of a request: "n" is "N".
  std::map<std::string, std::string> constants = {};
  /// Numbers that words of a request stand for: {"width", "auto"} is "4".
  std::map<std::pair<std::string, std::string>, std::string> words = {};
  /// What the program is written for, where no constant changes it: "operator" is "add".
  std::map<std::string, std::string> settings = {};
  /// By the dialect's file and line.
  std::map<std::pair<std::string, int>, std::vector<int>> lines = {};

  /// The line of the program; of one that is not known what the nearest line above it is, or below. 0: the
  /// file is not known.
  int line_of(const std::string& path, int line) const;
  /// A line of the dialect for one of the program, if possible of this file; 0: there is none.
  int dialect_line(int line, const std::string& path) const;
  /// The dialect's barriers that this line of the program stands for, as schedules name them.
  std::vector<LeftOut> barriers_at(int line) const;
};

/// Of a kernel by its name; null: the catalog has no CUDA program of it.
const CudaText* cuda_text_of(std::string_view kernel);
/// Every kernel that has one.
const std::vector<CudaText>& cuda_texts();

/// Names and values of a run's parameters, as Trace::parameters has them.
using ParameterValues = std::vector<std::pair<std::string, std::string>>;

/// Why no CUDA program has these values, a clause; empty: the kernel's program has them.
Message why_no_program(const CudaText&, const ParameterValues&);
/// The text of the kernel's program, its constants as these parameters say.
std::string program_with(const CudaText&, const ParameterValues&);

/// Why this run of a kernel is shown in the dialect, though its kernel has a CUDA program; empty: its program
/// is written for this run.
Message why_not_in_cuda(const Trace&);
/// Gives the trace of a catalog's kernel, and what was found in it, the lines and the text of its CUDA
/// program. What has none stays.
void take_cuda_lines(Trace&, DataflowGraph&, OtherOrder&);

}  // namespace bscope
