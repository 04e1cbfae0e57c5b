// The runs that the CPU and the GPU are compared on, and their names in recorded files.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/catalog/catalog.hpp"
#include "engine/trace/trace.hpp"

namespace bscope::tests {

/// One run. Its key: "scan/kogge-stone n=33 block=32 seed=1 type=int32", then what differs from the defaults:
/// "pattern=sine", and other parameters.
struct Case {
  std::string kernel;
  int n = 1, block = 1;
  uint32_t seed = 1;
  std::string pattern = "random", preset;  ///< with a preset, n, block, seed and pattern are its own
  std::vector<std::pair<std::string, std::string>> set;  ///< parameters; "type" among them where there is one

  std::string key() const;
  const Algorithm& algorithm() const { return find(kernel); }
  Problem problem() const;
};
/// Throws std::invalid_argument for a text that key() never makes.
Case parse_case(const std::string& key);

/// Block sizes from 1 to 1024, lengths around the tile's, seeds, patterns, types, operators and other
/// parameters of a kernel.
std::vector<Case> cases_of(const Algorithm&);
/// Those of every kernel but the mistakes.
std::vector<Case> all_cases();
/// The values of a parameter that runs are made for: all but the default; of a range its least and one above
/// the default.
std::vector<std::string> other_values(const Parameter&);
/// Every legal block size of a kernel, with a length that leaves a tail; 32 of them together, since their
/// digests are recorded as one.
std::vector<std::vector<Case>> every_block(const Algorithm&);

/// How much of a trace two executors must agree on.
enum class Agreement {
  exact,    ///< byte for byte
  atomics,  ///< all but the old values that atomics returned, which nothing used
  places,   ///< lines, operations, arrays, indices, counts: the values depend on the order
  output,  ///< the output: what a thread does depends on the order (it waits, or an atomic's old value steers
           ///< it)
};
Agreement agreement(const Trace&);
/// The digest of that part of the trace. Lines are replaced by their rank among the launch's lines, so that
/// an edited comment does not change it.
uint64_t comparable_digest(const Trace&, Agreement);
std::string hex(uint64_t);
/// Whether the output of a run on integers is the serial result, bit for bit.
bool is_right(const Trace&);
/// Where two traces first differ, as a sentence; empty if nowhere.
std::string first_difference(const Trace&, const Trace&, Agreement);

}  // namespace bscope::tests
