#include "app/run/run_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <semaphore>
#include <thread>

#include "app/run/target.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/progress.hpp"

namespace bscope {
namespace {

Target blelloch(int n) {
  Target t;
  t.request.kernel = "scan/blelloch";
  t.request.n = n;
  return t;
}

/// A store whose long runs wait until they may end, and that counts what it loads.
struct Slow {
  std::counting_semaphore<> may_end{0}, woken{0};
  std::atomic<int> loaded = 0, cancelled = 0;
  RunPtr run = open_now(blelloch(16)).run;
  RunStore store{[this](const Target& t) -> OpenedRun {
    if (t.request.n && *t.request.n < 20'000) return open_now(t);
    while (!may_end.try_acquire_for(std::chrono::milliseconds(1))) try {
        throw_if_cancelled();
      } catch (const Cancelled&) {
        ++cancelled;
        throw;
      }
    ++loaded;
    return run;
  }};
  Slow() {
    store.wake = [this] { woken.release(); };
  }
};
constexpr int many = 20'000;

TEST(RunStore, LoadsLongRunsInTheBackgroundAndShortOnesAtOnce) {
  Slow slow;
  EXPECT_TRUE(slow.store.find(blelloch(16)));
  const uint64_t before = slow.store.version();
  EXPECT_FALSE(slow.store.find(blelloch(many)));
  EXPECT_TRUE(slow.store.loading(blelloch(many)));
  EXPECT_FALSE(slow.store.loading_beside(nullptr)->is_late);
  slow.store.patience = std::chrono::milliseconds(0);
  EXPECT_TRUE(slow.store.loading(blelloch(many))->is_late);
  slow.may_end.release();
  slow.woken.acquire();
  const auto result = slow.store.find(blelloch(many));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->value().run, slow.run);
  EXPECT_GT(slow.store.version(), before);
  EXPECT_FALSE(slow.store.loading(blelloch(many)));
  EXPECT_TRUE(slow.store.find(blelloch(many)));
  EXPECT_EQ(slow.loaded, 1) << "it is kept";
}

TEST(RunStore, CancelsWhatNobodyAsksForAnyMore) {
  Slow slow;
  EXPECT_FALSE(slow.store.find(blelloch(many)));
  slow.store.end_frame(false);
  EXPECT_FALSE(slow.store.find(blelloch(many)));
  slow.store.end_frame(false);
  EXPECT_EQ(slow.cancelled, 0) << "it was asked for in this frame";
  slow.store.end_frame(false);
  EXPECT_FALSE(slow.store.loading(blelloch(many)));
  slow.woken.acquire();  // its thread has ended
  EXPECT_EQ(slow.cancelled, 1);
}

TEST(RunStore, TellsWhyThereIsNoRun) {
  RunStore store;
  Target t = blelloch(16);
  t.request.kernel = "scan/none";
  const auto result = store.find(t);
  ASSERT_TRUE(result);
  EXPECT_THROW(result->value(), UsageError);
  store.wake = [] {};
  EXPECT_THROW(store.find(t)->value(), UsageError) << "what is refused is refused at once";
}

TEST(RunStore, ForgetsTheLeastRecentlyUsedByBytes) {
  int loaded = 0;
  const RunPtr run = open_now(blelloch(16)).run;
  RunStore store([&](const Target&) { return ++loaded, OpenedRun(run); }, 3 * (bytes_of(*run) + 4096));
  for (const int n : {1, 2, 3}) store.find(blelloch(n));
  store.end_frame(false);
  store.find(blelloch(1));
  store.end_frame(false);
  EXPECT_EQ(loaded, 3);
  store.find(blelloch(4));
  store.end_frame(false);
  store.find(blelloch(1)), store.find(blelloch(3)), store.find(blelloch(4));
  EXPECT_EQ(loaded, 4);
  store.find(blelloch(2));  // was used longest ago
  EXPECT_EQ(loaded, 5);
}

TEST(RunStore, OpensFilesAnew) {
  int loaded = 0;
  RunStore store([&](const Target&) { return ++loaded, OpenedRun(open_now(blelloch(16)).run); });
  Target file;
  file.file = "a.bscope";
  store.end_frame(false);
  for (int frame = 0; frame < 2; ++frame) {
    store.find(file), store.find(file);
    store.end_frame(true);
  }
  EXPECT_EQ(loaded, 1) << "a step waits and comes back for it";
  store.end_frame(false);
  store.find(file);
  EXPECT_EQ(loaded, 2);
}

TEST(RunStore, MakesWhatIsDerivedOnce) {
  RunStore store;
  const RunPtr run = open_now(blelloch(16)).run;
  int made = 0;
  store.end_frame(false);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(*store.derive<int>("seven", {run}, [&] { return ++made + 6; }), 7);
  EXPECT_EQ(*store.derive<int>("eight", {run}, [&] { return 8; }), 8);
  EXPECT_THROW(store.derive<int>("none", {run}, [&]() -> int { throw UsageError(Message::plain("none")); }),
               UsageError);
  EXPECT_EQ(made, 1);
}

}  // namespace
}  // namespace bscope
