// What the tabs Banks and Memory run beside the open kernel: its padded twin, and a free access pattern.
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "app/parts/pattern.hpp"
#include "app/parts/requests.hpp"
#include "app/run/cursor.hpp"
#include "app/run/target.hpp"
#include "engine/analysis/moment.hpp"
#include "engine/analysis/request_choice.hpp"

namespace bscope {

struct Caption;
struct LoadedState;
struct Run;
class RunQueries;
class RunStore;

/// One algorithm without and with padding, on the same input.
struct Twins {
  Target plain, padded;
  bool open_is_padded = false;  ///< which of them the target is
};
/// By name: a kernel and the same name with "-padded" behind it, or two values of a parameter that are named
/// so, or a parameter `pad`.
std::optional<Twins> padded_twins(const Target&, const Run&);

/// The kernel that runs the pattern, on one warp. Values out of range are put into it.
Target pattern_target(PatternState, bool shared);

/// The pattern at every stride: how often the memory must answer what the warp reads.
struct StrideSweep {
  static constexpr int strides = 65;
  std::array<int, strides> answers{};  ///< wavefronts or sectors; 0: not run yet
  int done = 0;
  bool whole() const { return done == strides; }
};
/// Runs strides that are not there yet until the time is up, at least one.
void go_on(StrideSweep&, PatternState, bool shared, std::chrono::milliseconds);
/// The read of a run of the pattern, all of whose lanes ask at once; null only if it could not run.
const WarpAccess* pattern_read(const Run&, bool shared);

/// The open run beside its twin.
struct TwinRuns {
  std::shared_ptr<const Run> plain, padded;  ///< null: there is no twin, or it is loading
  bool open_is_padded = false;
  bool is_loading = false;
};
/// The padded twin of the open run, or that which it is the twin of.
TwinRuns twin_runs(const LoadedState&, RunStore&);

/// The pattern's runs: side by side (without padding, coalesced), and as it is; null where that is the same.
struct PatternRuns {
  std::shared_ptr<const Run> plain, other;
};
PatternRuns pattern_runs(const PatternState&, bool shared, RunStore&);
/// How often memory answers the pattern at every stride, as far as the strides have been run.
struct PatternSweeps {
  std::optional<PatternState> pattern = {};  ///< whose they are, whatever its stride
  StrideSweep plain = {}, other = {};  ///< without padding and with it; in global memory as it is, and none
  bool is_unfinished = false;          ///< strides are left to run
};
/// The default time for which strides may be run at once.
constexpr std::chrono::milliseconds enough{2000};

// What the tabs' scenes are made with.
/// Runs as many strides of the pattern as there is time for.
void go_on(PatternSweeps&, const PatternState&, bool shared, std::chrono::milliseconds);
/// The request of the warp instruction under the cursor (Moment::substep); null if it is none of this memory.
const WarpAccess* request_of_substep(const RunQueries&, const Moment&, MemorySpace);
/// A run of the pattern, looked at where it reads.
Looked at_read(const std::shared_ptr<const Run>&, bool shared);
/// The followed thread, and whether it was asked for.
void follow(RequestScene&, const RunQueries&, const Cursor&);
/// The sums over the whole runs, as far as they are there.
void count_whole(RequestScene&, RunStore&);

/// What a window keeps of these from frame to frame.
struct RequestTabData {
  PatternSweeps sweeps;
  RequestScene scene;  ///< of this moment
};

/// The request after or before the one looked at, of the interval under the cursor.
int next_request(const Run&, const Cursor&, MemorySpace, int now, int by, bool by_cost = false);

/// Where a pattern is played with, the open kernel is not what is shown.
Caption pattern_caption(const PatternState&, bool shared);

}  // namespace bscope
