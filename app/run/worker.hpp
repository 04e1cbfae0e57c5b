// Work in the background: in a thread, or where a page has none, between two frames.
#pragma once

#include <functional>
#include <memory>
#include <thread>
#include <utility>

namespace bscope {

/// Set where there are no threads: takes work, and does it once a frame that announces it was shown.
inline std::function<void(std::function<void()>)> post_idle;

/// One piece of work at a time.
class Worker {
 public:
  Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() { join(); }

  /// Begins when the one before has ended. Throws SystemError where no thread can be had.
  void start(std::function<void()> work) {
    join();
    if (!post_idle) {
      thread_ = std::thread(std::move(work));
      return;
    }
    wanted_ = std::make_shared<std::function<void()>>(std::move(work));
    post_idle([wanted = std::weak_ptr(wanted_)] {
      if (const auto still = wanted.lock()) (*still)();
    });
  }
  /// Waits for its end. What waits for a frame is never begun.
  void join() {
    wanted_.reset();
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::thread thread_;
  std::shared_ptr<std::function<void()>> wanted_;
};

}  // namespace bscope
