// Cures that were tried: the program runs with each change, and only what helped is proposed.
#pragma once

#include <string>
#include <vector>

#include "app/run/finding_groups.hpp"

namespace bscope {

struct OpenedRun;
struct Target;

/// The change that fixes what could be fixed.
struct TriedFixes {
  std::string
      patch;      ///< of the program's files, as `patch -p0` takes it; empty: nothing that was tried helps
  int fixed = 0;  ///< how many groups are gone with it
};

/// Tries changes for the groups of a user's own program, a few for each of the first errors, for at most so
/// many seconds in all. A group whose change helped says so (`tried`, and in `help` what was changed); where
/// nothing that was tried helps, the group proposes nothing any more. `opened` is the program's run, and
/// `groups` are its groups. Throws Cancelled.
TriedFixes try_fixes(const Target&, const OpenedRun& opened, std::vector<FindingGroup>& groups,
                     double seconds = 10);

}  // namespace bscope
