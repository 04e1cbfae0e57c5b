// Work that would hold up a frame, done in the background.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/run/worker.hpp"
#include "engine/trace/progress.hpp"
#include "engine/trace/scoped_assign.hpp"

namespace bscope {

/// Makes a T in the background (app/run/worker.hpp). Only the last one asked for is handed over; what is not
/// wanted any more is stopped. The maker gets values and gives one: nothing else is shared. It must throw
/// nothing but Cancelled.
template <class T>
class AsyncTask {
 public:
  AsyncTask() = default;
  AsyncTask(const AsyncTask&) = delete;
  AsyncTask& operator=(const AsyncTask&) = delete;
  ~AsyncTask() { forget(); }

  /// `wake` is called from the thread when the T is there; null: it is made now.
  void start(std::function<T()> make, std::function<void()> wake) {
    forget();
    Task& task = *begin();
    if (!wake) {
      task.value = make();
      task.ready = true;
      return;
    }
    task.worker.start([&task, make = std::move(make), wake = std::move(wake)] {
      const ScopedAssign watched(current_progress, &task.progress);
      try {
        task.value = make();
      } catch (const Cancelled&) {  // it is not wanted any more
      }
      task.ready = true;
      wake();
    });
  }
  /// The same, made by another process: `ask` tells it what to make, and is given where to tell how far it
  /// is, and a function that takes the T, once, whenever it comes; nothing where it was stopped.
  template <class Ask>
  void start_elsewhere(Ask ask, std::function<void()> wake) {
    forget();
    const std::shared_ptr<Task> task = begin();
    ask(task->progress, [task, wake = std::move(wake)](std::optional<T> made) {
      task->value = std::move(made);
      task->ready = true;
      wake();
    });
  }
  /// Whether one is running or waiting to be taken.
  bool busy() const { return wanted_; }
  /// Whether it is waiting to be taken.
  bool ready() const { return wanted_ && tasks_.back()->ready; }
  /// How far it is, 0 to 1.
  float share() const { return wanted_ ? tasks_.back()->progress.share() : 0; }
  /// The last one asked for, once, when it is there.
  std::optional<T> take() {
    if (!ready()) return {};
    wanted_ = false;
    return std::exchange(tasks_.back()->value, std::nullopt);
  }
  /// Whether nothing runs any more, whatever is wanted.
  bool ended() const {
    return std::ranges::all_of(tasks_, [](const auto& t) { return t->ready.load(); });
  }
  /// It is not wanted any more.
  void forget() {
    wanted_ = false;
    for (const auto& t : tasks_) t->progress.stop = true;
  }

 private:
  struct Task {
    Progress progress;
    std::atomic<bool> ready = false;
    std::optional<T> value;
    Worker worker;  // ends first
  };
  std::shared_ptr<Task> begin() {
    std::erase_if(tasks_, [](const auto& t) { return t->ready.load(); });
    wanted_ = true;
    return tasks_.emplace_back(std::make_shared<Task>());
  }
  std::vector<std::shared_ptr<Task>> tasks_;
  bool wanted_ = false;
};

}  // namespace bscope
