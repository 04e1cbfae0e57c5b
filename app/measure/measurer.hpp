// Measuring in the background, for the Time tab: one sweep at a time, stopped when asked. And counting, also
// in the background: how much work and traffic a kernel makes of an element.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "app/run/worker.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/timing/recording.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct MeasureProgress;

/// Whether anything can be measured here. Not in a page: frames would wait for it.
bool measures_here();

/// What a sweep measures.
struct MeasurePlan {
  std::string family;                ///< the CPU's baselines
  std::vector<std::string> kernels;  ///< on a GPU: these, beside CUB; empty: the whole family
  RunSpec request;                   ///< block, skew and parameters; each kernel takes what it declares
  std::vector<long long> sizes;
  Patience patience{.seconds = 0.25};
};

class Measurer {
 public:
  /// What has been measured in this session, and what is being measured.
  struct SweepProgress {
    std::vector<Recording> live;  ///< one a device; a point that is measured again replaces the older one
    bool measuring = false;
    int done = 0, all = 0;     ///< points
    double seconds_left = -1;  ///< judged by the points so far; -1: not known yet
    std::string doing;         ///< "scan, N = 2^20"
    Message error;             ///< why the last sweep ended early
  };

  ~Measurer() { stop(); }
  /// Measures on the GPU if there is one, then the CPU's baselines. `changed` is called from another thread
  /// whenever there is something new to show. Does nothing while measuring.
  void start(MeasurePlan, std::function<void()> changed);
  /// Ends the sweep; what was measured stays. Waits for the sample in hand.
  void stop();
  /// Drops what was measured on this device.
  void forget(const std::string& device);
  SweepProgress progress() const;
  /// Goes up whenever progress() has changed.
  uint64_t version() const { return version_; }

 private:
  void sweep(const MeasurePlan&);
  void tell(const MeasureProgress&, double share_done);

  mutable std::mutex mutex_;
  SweepProgress progress_;
  std::atomic<uint64_t> version_ = 0;
  std::atomic<bool> stop_ = false;
  std::function<void()> changed_;
  std::chrono::steady_clock::time_point began_;
  Worker worker_;
};

/// What a kernel does with one element of a long input: counted in a trace, not taken from a textbook.
struct CountedWork {
  double operations = 0;  ///< adds, or atomic adds where it counts with those
  double bytes = 0;       ///< of global memory: sectors of 32 bytes that its requests touch
  long long n = 0;        ///< elements of the trace that was counted; 0: no trace
  bool known() const { return operations > 0 && bytes > 0; }
};
/// Traces a few tiles of the kernel at its full-size block, with the parameters of a record. Nothing known
/// where that fails.
CountedWork count_work(const std::string& kernel, const std::map<std::string, std::string>& parameters);

/// Counts in the background, each kernel and its parameters once.
class WorkCounter {
 public:
  using Key = std::pair<std::string, std::map<std::string, std::string>>;
  ~WorkCounter();
  /// Asks for those that are not known yet; without `changed`, counts them now.
  void want(const std::vector<Key>&, std::function<void()> changed);
  std::map<Key, CountedWork> known() const;
  uint64_t version() const { return version_; }

 private:
  mutable std::mutex mutex_;
  std::map<Key, CountedWork> known_;
  std::atomic<uint64_t> version_ = 0;
  std::atomic<bool> stop_ = false;
  std::atomic<bool> working_ = false;
  Worker worker_;
};

}  // namespace bscope
