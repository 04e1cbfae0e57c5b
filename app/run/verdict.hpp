// What `check` asks of a run, and whether it passes.
#pragma once
#include "app/run/run.hpp"
#include "engine/analysis/unread.hpp"
namespace bscope {

struct Verdict {
  bool correct = false, snapshots_match = false;
  bool ordered = false;           ///< no hazards
  bool well_behaved = false;      ///< no findings of the executor, no faults of the replay
  std::vector<Finding> findings;  ///< both
  std::vector<Barrier> barriers;  ///< needed or redundant; redundant ones are no failure
  bool proof_failed = false;      ///< a scan or reduction whose dataflow is not the one it promises
  Coverage coverage;              ///< of inputs and outputs; inputs that nobody reads are a failure
  std::string fix;                ///< of a kernel of the gallery of mistakes; else empty
  bool passed() const {
    return correct && snapshots_match && ordered && well_behaved && !proof_failed && coverage.whole();
  }
};
Verdict check(const Run&);

}  // namespace bscope
