// What `check` asks of a run, and whether it passes.
#pragma once

#include <string>
#include <vector>

#include "engine/analysis/proof.hpp"
#include "engine/analysis/unread.hpp"
#include "engine/trace/finding.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct Run;

namespace cuda {
struct ProgramRun;
}  // namespace cuda

struct Verdict {
  bool judged = false;  ///< an expected result is stated
  bool correct = false, snapshots_match = false;
  bool ordered = false;           ///< no hazards
  bool well_behaved = false;      ///< no findings of the executor but of its limits, no faults of the replay
  std::vector<Finding> findings;  ///< both
  std::vector<Barrier> barriers;  ///< needed or redundant; redundant ones are no failure
  bool proof_failed = false;      ///< a scan or reduction whose dataflow is not the one it promises
  Coverage coverage;              ///< of inputs and outputs; inputs that no thread reads are a failure
  std::vector<Message> program;   ///< what is wrong with a user's own program beside its kernels
  Message stopped;  ///< which limit of ours ended the program or a launch: then the result is not judged
  bool may_go_on =
      false;       ///< a limit that more time or a smaller run lifts; else its sentence says where to look
  Message unseen;  ///< which of a program's kernels ran and are in no shown launch, so are not judged; empty:
                   ///< none
  std::string fix;  ///< of a kernel of the gallery of mistakes; else empty
  /// Whether something is wrong, however the run would have gone on.
  bool failed() const {
    const bool result = stopped.empty() && ((judged && !correct) || proof_failed || !coverage.whole());
    return result || !snapshots_match || !ordered || !well_behaved || !program.empty();
  }
  bool passed() const { return stopped.empty() && unseen.empty() && !failed(); }
};
/// What the executor has found, and the faults of the replay.
std::vector<Finding> findings_of(const Run&);
/// "out[0] is 253, expected 0; 1024 of 1024 differ"; empty where the result is right, or none is
/// stated.
Message first_difference(const Run&);
/// Which limit of ours ended the program or a launch; empty: none did.
Message stopped_by(const Run&, const cuda::ProgramRun* program);
/// "no launch of scale, add is shown: make the input smaller": kernels that ran and are in no launch of the
/// trace, so they are not judged. Empty: none.
Message unseen_kernels(const cuda::ProgramRun&);
/// `program`: the outcome of a user's own program, if the run is of one.
Verdict check(const Run&, const cuda::ProgramRun* program = nullptr);

}  // namespace bscope
