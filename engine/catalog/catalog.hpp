// The list of algorithms. Each kernel file registers itself here, once from the C++ compiler (CPU) and once
// from nvcc (GPU); nobody else writes to it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/simt/problem.hpp"
#include "engine/simt/schedule.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

/// A named set-up of an algorithm or of a whole family, e.g. queue-7x20.
struct Preset {
  std::string name, what;
  std::function<void(Problem&)> apply;  ///< fills in data, block and set
};

/// A full-size run on a GPU, ready to be timed: created once (memory taken, input copied), then run often.
class TimedRun {
 public:
  virtual ~TimedRun() = default;
  virtual void
  restore() = 0;  ///< puts the input back and clears the outputs, outside any clock (asynchronous)
  virtual void launch() = 0;  ///< every launch of the program, asynchronous on the default stream
  virtual std::vector<double> output() = 0;  ///< waits, copies the output back
};

/// One algorithm with its parameters, inputs and expected results, and the ways to run it.
struct Algorithm {
  std::string name;    ///< family/rung: scan/blelloch
  std::string title;   ///< for people: "Blelloch"
  std::string lesson;  ///< one line: what it must show
  std::string source;  ///< kernels/scan/5_blelloch.cu
  std::vector<Parameter> parameters;
  std::vector<Preset> presets;
  int default_n = 16;
  int full_block = 256;  ///< threads a block at full size; the largest default
  int most_block = 1024;
  bool power_of_two_block = false;  ///< legal blocks are powers of two only

  std::function<int(const Problem&)> tile;  ///< elements that one block takes
  std::function<Promise(const Problem&)> promise;
  std::function<std::vector<double>(const Problem&)> expected;   ///< by a plain serial run
  std::function<std::vector<Formula>(const Problem&)> formulas;  ///< textbook counts; may be empty

  std::function<Trace(const Problem&, const Schedule&)> cpu;
  std::function<Trace(const Problem&)> gpu;                        ///< empty: built without CUDA
  std::function<std::unique_ptr<TimedRun>(const Problem&)> timed;  ///< empty: built without CUDA

  std::string family() const { return name.substr(0, name.find('/')); }
};

/// All algorithms, by family in the order reduce, scan, histogram, then others, and by source file within.
const std::vector<const Algorithm*>& catalog();
/// By name. Throws UsageError that names the nearest spellings.
const Algorithm& find(std::string_view name);
/// The text of a kernel source file as compiled in; empty if unknown.
std::string_view source_text(std::string_view path);

/// What a user asked for, before defaults.
struct Request {
  std::string kernel;
  std::optional<long long> n;
  std::optional<std::vector<double>> values;
  std::string input_file;  ///< numbers separated by white space or commas; # starts a comment
  std::string pattern;     ///< ones|ramp|random|sine|skewed; empty: random
  uint32_t seed = 1;
  std::optional<double> skew;  ///< 0 uniform .. 1 one key (histograms); share of the favourite
  std::optional<long long> block;
  std::vector<std::pair<std::string, std::string>> set;
  std::string preset;
};
/// Checks the request against the algorithm and fills in every default (design 5). Throws UsageError.
Problem make_problem(const Algorithm&, const Request&);
/// Numbers of an input file. Throws UsageError: missing, empty, binary, too large, or not a number (line
/// named).
std::vector<double> read_numbers(const std::string& path);
/// The legal block sizes of an algorithm, smallest first: 1..most_block or the powers of two.
std::vector<int> legal_blocks(const Algorithm&);

enum class Device { cpu, gpu };
/// Runs the algorithm traced and fills in everything a Trace holds: kernel, parameters, sources, promise,
/// expected, formulas. With Schedule::automatic the CPU runs to_barrier first and, if `order_matters` says so
/// of that trace (analysis: order_matters), again in lockstep. Throws NoDevice, UsageError.
Trace run(const Algorithm&, const Problem&, Device, const Schedule& = {},
          const std::function<bool(const Trace&)>& order_matters = {});

/// There is no GPU, or the program was built without CUDA: a clear sentence. Exit code 1.
struct NoDevice : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct GpuInfo {
  std::string name, driver;
  int multiprocessors = 0;
  double memory_bytes = 0, peak_gb_per_s = 0;
};
/// The first GPU, or nothing; `why` then says whether the build or the machine lacks it.
std::optional<GpuInfo> gpu(std::string* why = nullptr);

}  // namespace bscope
