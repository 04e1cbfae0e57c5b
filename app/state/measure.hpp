// Measuring in the background, for the Time tab: one sweep at a time, stopped when asked.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/catalog/catalog.hpp"
#include "engine/timing/recording.hpp"

namespace bscope {

class Measurer {
 public:
  /// What has been measured in this session, and what is being measured.
  struct Progress {
    std::vector<Recording> live;  ///< one a device; the last sweep's records of a family replace older ones
    bool measuring = false;
    int done = 0, all = 0;
    std::string doing, error;
  };

  ~Measurer() { stop(); }
  /// Measures the kernel's family: on the GPU if there is one, else the CPU's baselines. `changed` is called
  /// from another thread whenever there is something new to show. Does nothing while measuring.
  void start(const Algorithm&, int block, std::function<void()> changed);
  /// Ends the sweep; what was measured stays. Waits for the sample in hand.
  void stop();
  Progress progress() const;
  /// Goes up whenever progress() has changed.
  uint64_t version() const { return version_; }

 private:
  void sweep(const Algorithm&, int block);
  bool tell(const Recording&, const std::string& family, const std::string& doing, int done, int all);

  mutable std::mutex mutex_;
  Progress progress_;
  std::atomic<uint64_t> version_ = 0;
  std::atomic<bool> stop_ = false;
  std::function<void()> changed_;
  std::thread thread_;
};

}  // namespace bscope
