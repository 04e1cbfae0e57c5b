// A GPU's own record of a launch: each warp's way through it, on which multiprocessor, from the
// stamped form of a kernel (engine/simt/stamps.hpp). And the file that it is kept in:
// barrierscope.timeline/1.
#pragma once

#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/simt/stamps.hpp"
#include "engine/trace/fields.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

inline constexpr const char* names_of_places[] = {"phase", "arrival", "release", "seen",
                                                  "wait",  "tile",    "publish"};
/// Cycles in a file: no run takes more.
inline constexpr double most_cycles = double(1LL << 50);

/// Where a warp came to, in the order of its way.
struct TimelinePlace {
  Stamp::Kind kind = Stamp::phase;
  int line = 0;
  bool operator==(const TimelinePlace&) const = default;
  static constexpr bool as_list = true;
  static Message not_a_list(const std::string& where) {
    return message("\"{}\" is no place: [kind, line]", where);
  }
  template <class Self, class Visit>
  static void fields(Self& p, Visit&& visit) {
    visit("kind", p.kind, Field{.among = {std::begin(names_of_places), std::end(names_of_places)}});
    visit("line", p.line);
  }
};

/// Times are in cycles of the multiprocessors since the launch's first warp began.
struct TimelineWarp {
  long long begin = 0, end = 0;
  int path = 0;                    ///< which of the launch's
  std::vector<long long> at = {};  ///< when it came to each of its path's places
  std::vector<StampedTiles> tiles =
      {};  ///< of those of its path's places that are about tiles, in their order
};
struct TimelineBlock {
  int multiprocessor = 0;
  int number = 0;  ///< in its grid
  std::vector<TimelineWarp> warps = {};
  long long begin() const;
  long long end() const;
};
/// Where the time of a launch's warps goes.
struct TimelineShare {
  std::string phase;    ///< empty: before the first one
  double cycles = 0;    ///< of all warps together, at work
  double waiting = 0;   ///< at its barriers
  double awaiting = 0;  ///< for what other blocks publish, or the copy engine brings
  static constexpr bool as_list = true;
  static Message not_a_list(const std::string& where) {
    return message("\"{}\" is no share: [phase, cycles, waiting, awaiting]", where);
  }
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("phase", s.phase);
    visit("cycles", s.cycles);
    visit("waiting", s.waiting);
    visit("awaiting", s.awaiting);
  }
};
struct TimelineMeasures {
  long long cycles = 0;       ///< from the first warp's begin to the last one's end
  int multiprocessors = 0;    ///< that had a block
  int most_blocks = 0;        ///< on one multiprocessor at a time
  double warps = 0;           ///< on a multiprocessor at a time, on average over the launch
  double waiting_warps = 0;   ///< of them, at a barrier
  double awaiting_warps = 0;  ///< of them, for other blocks or the copy engine
  long long tail = 0;         ///< from when the first multiprocessor had no block left to the end
  std::vector<TimelineShare> phases = {};
  template <class Self, class Visit>
  static void fields(Self& m, Visit&& visit) {
    const Field needed{.required = true};
    const Field cycles{.required = true, .least = -most_cycles, .most = most_cycles};
    visit("cycles", m.cycles, cycles);
    visit("multiprocessors", m.multiprocessors, needed);
    visit("most_blocks", m.most_blocks, needed);
    visit("warps", m.warps, needed);
    visit("waiting_warps", m.waiting_warps, needed);
    visit("awaiting_warps", m.awaiting_warps, needed);
    visit("tail", m.tail, cycles);
    visit("phases", m.phases, needed);
  }
};
/// What a trace of the same kernel counts in a phase.
struct TimelineCount {
  std::string phase;
  long wavefronts = 0, sectors = 0, atomics = 0;
  static constexpr bool as_list = true;
  static Message not_a_list(const std::string& where) {
    return message("\"{}\" is no counts: [phase, wavefronts, sectors, atomics]", where);
  }
  template <class Self, class Visit>
  static void fields(Self& c, Visit&& visit) {
    visit("phase", c.phase);
    visit("wavefronts", c.wavefronts);
    visit("sectors", c.sectors);
    visit("atomics", c.atomics);
  }
};
struct TimelineLaunch {
  std::string name;
  int block = 1;
  int grid = 0;         ///< blocks that ran
  long long since = 0;  ///< cycles from the begin of the run's first warp to that of this launch's
  uint32_t shared_bytes = 0;
  uint32_t padding = 0;  ///< of these, what no array uses: it keeps other blocks away
  int registers = 0, untraced_registers = 0;
  int resident = 0, untraced_resident = 0;  ///< blocks that fit on a multiprocessor
  std::map<int, std::string> phases = {};   ///< names of phases, by their lines
  std::vector<std::vector<TimelinePlace>> paths = {};
  std::vector<TimelineBlock> blocks = {};
  long long dropped = 0;  ///< stamps for which there was no room
  /// Of the whole launch, where the blocks of some multiprocessors alone are kept.
  std::optional<TimelineMeasures> whole = {};
  std::vector<TimelineCount> counted =
      {};  ///< of all its launches' of that name, in a run of Timeline::counted_n
  long long end() const;
  /// All but the blocks, which are lists of times, each relative to the one before.
  template <class Self, class Visit>
  static void fields(Self& l, Visit&& visit) {
    const Field needed{.required = true};
    visit("name", l.name, needed);
    visit("block", l.block, Field{.required = true, .least = 1, .most = 1024});
    visit("grid", l.grid);
    visit("since", l.since, Field{.least = -most_cycles, .most = most_cycles});
    visit("shared_bytes", l.shared_bytes, needed);
    visit("padding", l.padding);
    visit("registers", l.registers, needed);
    visit("untraced_registers", l.untraced_registers, needed);
    visit("resident", l.resident, needed);
    visit("untraced_resident", l.untraced_resident, needed);
    visit("dropped", l.dropped, needed);
    visit("phases", l.phases, needed);
    visit("paths", l.paths, needed);
    visit("counted", l.counted, Field{.omit_empty = true});
    visit("whole", l.whole, Field{.omit_empty = true});
  }
};

/// What a warp is at between two places of its way.
enum class WarpActivity : uint8_t {
  work,
  barrier,  ///< has come to a barrier of its block, and others have not
  tiles,    ///< waits for what other blocks publish
  copy      ///< waits for what the copy engine brings
};
struct TimelineStretch {
  long long begin = 0, end = 0;
  WarpActivity activity = WarpActivity::work;
  int line = 0;             ///< of its phase; 0: before the first one
  StampedTiles tiles = {};  ///< that it waits for
};
/// A warp's way from its begin to its end, without gaps; stretches of no length are left out.
std::vector<TimelineStretch> stretches_of(const TimelineLaunch&, const TimelineWarp&);
/// The name of the phase in this line: "line 12" without a name; empty for line 0.
std::string phase_name(const TimelineLaunch&, int line);

/// One run of a kernel's program.
struct Timeline {
  std::string device = {}, driver = {}, date = {}, kernel = {};
  std::map<std::string, std::string> parameters = {};
  long long n = 0;
  int multiprocessors = 0;
  double clock_mhz = 0;                  ///< of the multiprocessors, in this run
  int limit = 0;                         ///< blocks of a launch let onto a multiprocessor; 0: as many as fit
  double untraced_s = 0, stamped_s = 0;  ///< medians, in turns: what the stamps cost; 0: not measured
  long long counted_n = 0;               ///< elements of the traced run that `counted` is of; 0: none
  std::vector<TimelineLaunch> launches = {};
  /// All but the launches.
  template <class Self, class Visit>
  static void fields(Self& t, Visit&& visit) {
    const Field needed{.required = true};
    visit("device", t.device, needed);
    visit("driver", t.driver, needed);
    visit("date", t.date, needed);
    visit("kernel", t.kernel, needed);
    visit("parameters", t.parameters, needed);
    visit("n", t.n, needed);
    visit("multiprocessors", t.multiprocessors, needed);
    visit("clock_mhz", t.clock_mhz, needed);
    visit("limit", t.limit);
    visit("counted_n", t.counted_n);
    visit("untraced_s", t.untraced_s, needed);
    visit("stamped_s", t.stamped_s, needed);
  }
};

/// Puts the multiprocessors' clocks side by side, by the GPU's own time that each warp read when it began and
/// ended. In a run too short to tell how fast they tick, `clock_mhz` says it.
std::vector<TimelineLaunch> timeline_of(const std::vector<StampedLaunch>&, double& clock_mhz);

/// What cannot be: a warp that goes back in time, a release before the last arrival of its block, a block on
/// two multiprocessors, more blocks on one than fit. A sentence each; empty: it is consistent.
std::vector<std::string> contradictions(const Timeline&);

/// Of the whole launch, whatever is kept of it.
TimelineMeasures measures_of(const Timeline&, const TimelineLaunch&);
/// With every warp of so many multiprocessors, evenly chosen of those that have blocks, and the measures of
/// all.
Timeline thinned(Timeline, int multiprocessors);

std::string to_json(const Timeline&);
/// `name` is said in errors. Trusts nothing: throws BadFile with one sentence.
Timeline read_timeline(std::string_view json, const std::string& name);
/// Whether a file that begins so says that it is one.
bool is_timeline(std::string_view beginning);
/// Throws BadFile.
Timeline load_timeline(const std::filesystem::path&);

}  // namespace bscope
