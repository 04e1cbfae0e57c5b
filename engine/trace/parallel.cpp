#include "engine/trace/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/trace/progress.hpp"
#include "engine/trace/scoped_assign.hpp"

namespace bscope {
namespace {

std::atomic<size_t> most_workers{0};

/// What the threads of one call share.
struct Shared {
  const std::function<void(size_t)>& f;
  const size_t n;
  std::atomic<size_t> next{0};
  std::mutex mutex = {};
  Progress* const watched_by = current_progress;
  size_t failed;  ///< the lowest task that threw; n: none
  std::exception_ptr why = nullptr;

  Shared(const std::function<void(size_t)>& task, size_t count) : f(task), n(count), failed(count) {}
  void work() {
    const ScopedAssign watched(current_progress, watched_by);
    for (size_t k; (k = next.fetch_add(1, std::memory_order_relaxed)) < n;) try {
        throw_if_cancelled();
        f(k);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (k < failed) failed = k, why = std::current_exception();
        next = n;  // lower ones have begun
      }
  }
};

}  // namespace

size_t workers() {
  static const size_t processors = std::clamp<size_t>(std::thread::hardware_concurrency(), 1, 16);
  const size_t most = most_workers;
  return most ? std::min(most, processors) : processors;
}
void limit_workers(size_t most) { most_workers = most; }

void parallel(size_t n, const std::function<void(size_t)>& f) {
  Shared shared(f, n);
  std::vector<std::jthread> others;
  const size_t threads = std::min(workers(), n);
  try {
    others.reserve(threads);
    while (others.size() + 1 < threads) others.emplace_back([&] { shared.work(); });
  } catch (const std::exception&) {
    // no more threads to be had, or no memory for them: those that there are do it all
  }
  shared.work();
  for (std::jthread& t : others) t.join();
  if (shared.why) std::rethrow_exception(shared.why);
}

}  // namespace bscope
