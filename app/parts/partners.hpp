// What the tabs Banks and Memory run beside the open kernel: its padded twin, and a free access pattern.
#pragma once

#include <array>
#include <chrono>
#include <list>
#include <memory>
#include <optional>
#include <utility>

#include "app/parts/pattern.hpp"
#include "app/parts/requests.hpp"
#include "app/run/async_task.hpp"
#include "app/session/tab.hpp"
#include "engine/analysis/run_queries.hpp"

namespace bscope {

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

/// Runs that are shown beside the open one or instead of it; kept, and made again when it or the pattern
/// changes.
struct Partner {
  std::shared_ptr<const Run> of;        ///< made for this run, or
  std::optional<PatternState> pattern;  ///< for this pattern
  std::shared_ptr<const Run> plain;     ///< without padding; the pattern side by side. Null: there is none
  std::shared_ptr<const Run> other;     ///< padded; the pattern as it is. Null: there is none
  bool open_is_other = false;
  StrideSweep sweep, other_sweep;
  /// whether strides are left to run
  bool unfinished = false;
};
/// What takes longer than a frame where runs are large: the padded twin's run, and the sums of a whole run.
class BesideFrames {
 public:
  std::function<void()> wake;  ///< called from another thread when something has come; null: nothing waits
  /// Null while they are being counted.
  const RequestSums* sums_of(const std::shared_ptr<const Run>&);

  struct Counted {
    std::shared_ptr<const Run> run;  ///< null: it could not be run
    RequestSums sums;
  };
  /// Runs a twin of `like` and counts it: `take` it from `twin`.
  void run_twin(const Target&, const Run& like);
  AsyncTask<Counted> twin;
  void keep(const Counted&);
  /// Goes up whenever something has come.
  uint64_t version() const { return version_; }

 private:
  AsyncTask<Counted> count_;
  std::weak_ptr<const Run> counting_;
  struct Known {
    std::weak_ptr<const Run> run;
    RequestSums sums;
  };
  std::list<Known> known_;  ///< the latest first
  uint64_t version_ = 0;
};
/// The default time for which strides may be run at once.
constexpr std::chrono::milliseconds enough{2000};

// What the tabs' scenes are made with.
/// Runs the padded twin of the open run, or that which it is the twin of; kept until another is open.
void find_twins(Partner&, const State&, BesideFrames&);
/// Runs the pattern, plain and as it is, and as many of its strides as there is time for.
void run_pattern(Partner&, const PatternState&, bool shared, std::chrono::milliseconds);
/// The request of the warp instruction under the cursor (Moment::substep); null if it is none of this memory.
const WarpAccess* request_of_substep(const RunQueries&, const Moment&, Space);
/// A run of the pattern, looked at where it reads.
Looked at_read(const std::shared_ptr<const Run>&, bool shared);
/// The followed thread, and whether it was asked for.
void follow(RequestScene&, const RunQueries&, const Cursor&);
/// The sums over the whole runs, as far as they are there.
void count_whole(RequestScene&, BesideFrames&);

/// What a window keeps of these from frame to frame.
struct RequestKit {
  Partner twins, pattern;
  RequestScene scene;  ///< of this moment
};
/// What is put off, shared by both tabs; null where nothing may be.
BesideFrames* beside_frames(const TabScene&);

/// The request after or before the one looked at, of the interval under the cursor.
int next_request(const Run&, const Cursor&, Space, int now, int by);

/// Where a pattern is played with, the open kernel is not what is shown.
Caption pattern_caption(const PatternState&, bool shared);

}  // namespace bscope
