// Work that would hold up a frame, done beside the frames.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <optional>
#include <thread>
#include <utility>

namespace bscope {

/// Makes a T in a thread of its own. Only the last one asked for is handed over; what is not wanted any more
/// ends by itself. The maker's exceptions are its own: it must not throw.
template <class T>
class Meanwhile {
 public:
  /// `wake` is called from the thread when the T is there; null: it is made now.
  void start(std::function<T()> make, std::function<void()> wake) {
    std::erase_if(tasks_, [](Task& t) { return t.ready.load(); });
    Task& task = tasks_.emplace_back();
    wanted_ = true;
    if (!wake) {
      task.value = make();
      task.ready = true;
      return;
    }
    task.thread = std::thread([&task, make = std::move(make), wake = std::move(wake)] {
      task.value = make();
      task.ready = true;
      wake();
    });
  }
  /// Is one under way or waiting to be taken?
  bool busy() const { return wanted_; }
  /// The last one asked for, once, when it is there.
  std::optional<T> take() {
    if (!wanted_ || !tasks_.back().ready) return {};
    wanted_ = false;
    return std::exchange(tasks_.back().value, std::nullopt);
  }
  void forget() { wanted_ = false; }

 private:
  struct Task {
    std::atomic<bool> ready = false;
    std::optional<T> value;
    std::thread thread;
    ~Task() {
      if (thread.joinable()) thread.join();
    }
  };
  std::list<Task> tasks_;
  bool wanted_ = false;
};

}  // namespace bscope
