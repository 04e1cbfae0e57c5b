// What is found wrong with a run: by the executor, or by the replay.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/trace/cell_ref.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

/// What sort of mistake a finding is.
enum class FindingKind : uint8_t {
  other,
  out_of_bounds,
  uninitialised_read,
  missed_barrier,   ///< not all threads of a block meet at a barrier
  deadlock,         ///< no thread of a block can go on
  endless_loop,     ///< a thread goes round loops too often
  too_many_events,  ///< a launch makes more events than it may
  last = too_many_events
};
constexpr FindingKind last_of(FindingKind) { return FindingKind::last; }

/// Something that is wrong with a run, and where.
struct Finding {
  int launch = 0, block = 0, thread = 0;  ///< `thread`: of its block
  int line = 0;                           ///< 0: unknown
  Message message = {};                   ///< what happened, and where: one sentence
  FindingKind kind = FindingKind::other;
  std::vector<CellRef> cells = {};  ///< touched, or awaited by threads that cannot go on
  Message help = {};                ///< what to change in the source; empty where nothing is known that works
  int more = 0;                     ///< further ones like it in this launch and line, which are not listed
  /// What happened, and what to change.
  Message sentences() const { return followed_by(message, help); }
  std::string text() const { return sentences().english(); }
  template <class Self, class Visit>
  static void fields(Self& f, Visit&& visit) {
    visit("launch", f.launch);
    visit("block", f.block);
    visit("thread", f.thread);
    visit("line", f.line);
    visit("message", f.message);
    visit("kind", f.kind);
    visit("cells", f.cells);
    visit("help", f.help);
    visit("more", f.more);
  }
  bool operator==(const Finding&) const = default;
};

/// Whether a limit ended the launch, because it seemed to have no end.
inline bool is_endless(const Finding& f) {
  return f.kind == FindingKind::endless_loop || f.kind == FindingKind::too_many_events;
}

}  // namespace bscope
