// A tab with a second run, in one file: it names the run, and draws it, its progress, or why there is none.
#include <gtest/gtest.h>

#include <semaphore>

#include "app/draw/layout.hpp"
#include "app/run/run_store.hpp"
#include "app/run/target.hpp"
#include "app/session/state.hpp"
#include "app/session/tab.hpp"
#include "app/session/tab_services.hpp"
#include "engine/analysis/run_queries.hpp"
#include "tests/tabs/layout_support.hpp"

namespace bscope {
namespace {

/// The run that the tab shows: the open kernel at twice the length.
Target twice(Target t) {
  t.request.n = 2 * *t.request.n;
  return t;
}

Picture picture(const TabScene& scene, float w, float h) {
  RunStore& runs = scene.services.of<RunStore>();
  const Target target = twice(scene.state.target);
  const auto result = runs.find(target);
  std::string words = "there is none";
  if (!result) words = "loading: " + std::to_string(int(100 * runs.loading(target)->share)) + "%";
  if (result && !result->error) words = std::to_string(steps(*result->opened.run)) + " steps";
  return picture_of(text({{words, scene.theme.ink}}, {}), scene.theme, scene.metrics, w, h);
}
const Tab tab{.name = "twice", .title = "Twice", .picture = picture};

TEST(ATabWithASecondRun, ShowsTheRunItsProgressOrWhyThereIsNone) {
  LoadedState s;
  s.target.request = {.kernel = "scan/blelloch", .n = 8};
  s.run = open_now(s.target).run;
  const Theme t = theme(ThemeName::dark, 900);
  const Metrics m = fixed_metrics();
  const RunQueries model(s.run);
  TabServices services;
  const auto shows = [&](const std::string& words) {
    return says(tab.picture({s, model, t, m, services}, 800, 400), words);
  };
  const auto counted = [&] { return std::to_string(steps(*open_now(twice(s.target)).run)) + " steps"; };
  EXPECT_TRUE(shows(counted()));
  std::binary_semaphore woken(0);
  services.of<RunStore>().wake = [&] { woken.release(); };
  s.target.request.n = 9'000;
  EXPECT_TRUE(shows("loading: 0%"));
  woken.acquire();
  EXPECT_TRUE(shows(counted()));
  s.target.request.n = 1LL << 40;
  if (!shows("there is none")) woken.acquire();
  EXPECT_TRUE(shows("there is none"));
}

}  // namespace
}  // namespace bscope
