// Threads whose result does not depend on when they run: the same output natively and in a page, where they
// run in turn.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <vector>

int main() {
  std::mutex mutex;
  std::vector<std::thread> threads;
  std::atomic<long> atomic{0};
  int sum = 0;
  for (int k = 0; k < 8; ++k)
    threads.emplace_back([&, k] {
      for (int i = 0; i < 1000; ++i) {
        const std::lock_guard<std::mutex> guard(mutex);
        sum += k;
      }
      atomic += k;
    });
  for (auto& thread : threads) thread.join();
  printf("%d %ld\n", sum, atomic.load());

  auto future = std::async(std::launch::async, [] { return 42; });
  auto failing = std::async(std::launch::async, []() -> int { throw std::runtime_error("in a thread"); });
  auto deferred = std::async(std::launch::deferred, [&] { return 1; });
  printf("%d %d\n", future.get(), deferred.get());
  try {
    failing.get();
  } catch (const std::exception& e) { printf("%s\n", e.what()); }

  std::promise<int> promise;
  std::thread sets([&] { promise.set_value(5); });
  printf("%d\n", promise.get_future().get());
  sets.join();

  std::condition_variable condition;
  bool is_ready = false;
  std::thread signals([&] {
    const std::lock_guard<std::mutex> guard(mutex);
    is_ready = true;
    condition.notify_one();
  });
  std::unique_lock<std::mutex> lock(mutex, std::defer_lock);
  signals.join();
  lock.lock();
  condition.wait(lock, [&] { return is_ready; });
  printf("%d\n", condition.wait_for(lock, std::chrono::milliseconds(5), [] { return false; }));

  std::once_flag once;
  int calls = 0;
  for (int k = 0; k < 3; ++k) std::call_once(once, [&] { ++calls; });
  std::recursive_mutex recursive;
  const std::lock_guard<std::recursive_mutex> one(recursive), two(recursive);
  std::shared_mutex shared;
  const std::shared_lock<std::shared_mutex> reads(shared), reads_too(shared);
  printf("%d %d %d\n", calls, shared.try_lock(), std::this_thread::get_id() != std::thread::id());
  std::latch latch(3);
  for (int k = 0; k < 3; ++k) std::thread([&] { latch.count_down(); }).detach();
  latch.wait();
  std::counting_semaphore<4> semaphore(0);
  std::thread releases([&] { semaphore.release(2); });
  semaphore.acquire();
  semaphore.acquire();
  releases.join();
  std::atomic<int> flag{0};
  std::thread raises([&] {
    flag = 1;
    flag.notify_all();
  });
  flag.wait(0);
  raises.join();
  printf("%d %d\n", flag.load(), semaphore.try_acquire());
}
