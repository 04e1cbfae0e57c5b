// What a program's comment says that it computes: `// barrierscope: expect out = inclusive_scan(in)`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/cuda/toolchain/constants.hpp"
#include "engine/cuda/toolchain/diagnostics.hpp"
#include "engine/cuda/toolchain/terms.hpp"
#include "engine/trace/trace.hpp"

namespace bscope::cuda {

/// One such line. `of` is empty where another array's final content is expected.
struct Expectation {
  std::string file;  ///< as the user named it
  int line = 0;
  std::string output, of;
  std::vector<std::string> inputs;  ///< names of arrays
  std::vector<double> sizes;        ///< rows, columns and the like
};

/// All of them in the texts; lines that cannot be understood become diagnostics.
std::vector<Expectation> expectations(const std::vector<NamedText>&, std::vector<Diagnostic>&);

/// The same of one that an assignment states for these texts: `out = inclusive_scan(in)`, in that line of its
/// file.
std::optional<Expectation> expectation(const Stated&, const std::vector<NamedText>&,
                                       std::vector<Diagnostic>&);

/// Works out what is expected from the input as it was when the first kernel was launched, and says it in the
/// trace: property, input, output, expected. What does not fit the trace's arrays becomes a diagnostic.
/// Returns why it cannot be judged, where the trace holds an array in part; else nothing.
Message expect(Trace&, const Expectation&, std::vector<Diagnostic>&);

}  // namespace bscope::cuda
