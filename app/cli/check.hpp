// What `check` asks of a run, and whether it passes.
#pragma once
#include "app/session.hpp"
namespace bscope {

struct Verdict {
  bool correct = false, snapshots_match = false;
  bool ordered = false;           ///< no hazards
  bool well_behaved = false;      ///< no findings of the executor, no faults of the replay
  std::vector<Finding> findings;  ///< both
  std::vector<Barrier> barriers;  ///< needed or redundant; redundant ones are no failure
  bool proof_failed = false;      ///< a scan or reduction whose dataflow is not the one it promises
  bool passed() const { return correct && snapshots_match && ordered && well_behaved && !proof_failed; }
};
Verdict check(const Run&);

}  // namespace bscope
