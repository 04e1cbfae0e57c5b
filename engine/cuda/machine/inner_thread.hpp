// A thread for what cannot run on its caller's, because an executor is in the middle of a block there.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace bscope::cuda {

/// Does one piece of work at a time while its caller waits. It stays between them, and so do the stacks that
/// its executor has (Executor::here()).
class InnerThread {
 public:
  /// Throws std::system_error where there are no threads.
  InnerThread() : thread_([this] { work(); }) {}
  InnerThread(const InnerThread&) = delete;
  ~InnerThread() {
    give({});
    thread_.join();
  }
  /// Returns when `work` has. It must not throw.
  void run(const std::function<void()>& work) {
    give(&work);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !is_given_; });
  }

 private:
  void give(const std::function<void()>* work) {
    const std::scoped_lock lock(mutex_);
    work_ = work;
    is_given_ = true;
    changed_.notify_all();
  }
  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return is_given_; });
      if (!work_) return;
      lock.unlock();
      (*work_)();
      lock.lock();
      is_given_ = false;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* work_ = nullptr;  ///< nullptr: it ends
  bool is_given_ = false;
  std::thread thread_;  // the last: it uses the others
};

}  // namespace bscope::cuda
