// In which order the CPU executor lets threads run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace bscope {

struct Schedule {
  enum Kind {
    automatic,   ///< to_barrier; again in lockstep where the order could matter
    to_barrier,  ///< each thread runs to its next stop: fast
    lockstep,    ///< a warp's lanes advance together, lowest source line first, so that paths reconverge
    shuffled,    ///< lockstep, warps picked in an order drawn from `seed`
  } kind = automatic;
  uint32_t seed = 0;
  int resident_blocks = 8;
  size_t most_events = size_t(16) << 20;  ///< a run with more is called runaway and stopped
  bool operator==(const Schedule&) const = default;
};

/// auto | to-barrier | lockstep | shuffle:SEED. Throws
/// std::invalid_argument with a sentence that lists the spellings.
Schedule parse_schedule(const std::string&);
std::string name_of(const Schedule&);

}  // namespace bscope
