// Changes of a program's text that may fix a finding. Each is only a candidate: a run with it decides.
#pragma once

#include <string>
#include <vector>

#include "engine/analysis/cure.hpp"
#include "engine/cuda/toolchain/line_edits.hpp"
#include "engine/trace/finding.hpp"
#include "engine/trace/message.hpp"

namespace bscope::cuda {

/// What is known of a finding when a change is looked for.
struct FixTarget {
  enum Subject : unsigned char { race, finding, unread_input } kind = finding;
  FindingKind finding_kind = FindingKind::other;
  Cure cure = {};            ///< of a race
  std::string file = {};     ///< of its line, as messages name it
  int line = 0;              ///< 0: unknown
  std::string array = {};    ///< whose cells it is about; empty: none
  std::string element = {};  ///< the C++ type of its cells; empty: unknown
  /// The int expression of an index that overflows: "row * 100000000"; empty: none.
  std::string overflow = {};
};

/// A change, and what it is in words: "Put __syncthreads() before line 18."
struct FixCandidate {
  std::vector<LineEdit> edits;
  Message help;
};

/// The smallest changes first, at most a handful; none where the text has no place for one that is known.
/// `text`: of the finding's file.
std::vector<FixCandidate> fix_candidates(const FixTarget&, const std::string& text);

}  // namespace bscope::cuda
