// In which order the CPU executor lets threads run, and which barriers it leaves out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bscope {

struct Trace;

/// A barrier of a source that is passed by as if it had not been written, to show what would happen without
/// it.
struct LeftOut {
  std::string file;  ///< its name, without folders: 5_blelloch.cu
  int line = 0;
  template <class Self, class Visit>
  static void fields(Self& o, Visit&& visit) {
    visit("file", o.file);
    visit("line", o.line);
  }
  auto operator<=>(const LeftOut&) const = default;
};

struct Schedule {
  enum Policy {
    automatic,   ///< to_barrier; again in lockstep where the order could matter
    to_barrier,  ///< each thread runs to its next stop: fast
    lockstep,    ///< a warp's lanes advance together, lowest source line first, so that paths reconverge
    shuffled,    ///< lockstep, warps picked in an order drawn from `seed`
  } kind = automatic;
  uint32_t seed = 0;
  int resident_blocks = 8;
  size_t most_events = size_t(16) << 20;  ///< a run with more is called runaway and stopped
  std::vector<LeftOut> without = {};      ///< in order
  friend constexpr Policy last_of(Policy) { return shuffled; }
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("kind", s.kind);
    visit("seed", s.seed);
    visit("resident_blocks", s.resident_blocks);
    visit("most_events", s.most_events);
    visit("without", s.without);
  }
  bool operator==(const Schedule&) const = default;
};

/// auto | to-barrier | lockstep | shuffle:SEED, and behind it what is left out: "lockstep without scan.cu:24
/// scan.cu:31". Throws UsageError with a sentence that lists the spellings.
Schedule parse_schedule(const std::string&);
std::string name_of(const Schedule&);
/// Its order alone.
std::string order_of(const Schedule&);
/// "scan.cu:24", or with the file's folders. Throws UsageError.
LeftOut parse_left_out(const std::string&);
/// Checks that all that the schedule leaves out is a barrier of the run. `whole` is the run with nothing left
/// out. Throws UsageError with a sentence that names the barriers there are.
void need_barriers(const Schedule&, const Trace& whole);
/// The same for a launch whose lines are of this file: what is left out in others is not named.
Schedule within(Schedule, const std::string& path);
/// Leaves the barrier out, or puts it back.
Schedule with_turned(Schedule, const LeftOut&);

}  // namespace bscope
