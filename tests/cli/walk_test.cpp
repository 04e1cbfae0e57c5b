// The walk in the terminal, and what opens instead of a window.
#include <gmock/gmock.h>

#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/simt/algorithm.hpp"
#include "engine/trace/file.hpp"
#include "tests/cli/run_support.hpp"
#include "tests/places.hpp"

namespace bscope {
namespace {

using test::barrierscope;
using test::expect_approved;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string example = std::string(BARRIERSCOPE_ROOT) + "/tests/cli/blelloch.bscope";

Window a_window(std::vector<WindowOptions>& opened) {
  Window w;
  w.open = [&opened](const WindowOptions& o) {
    opened.push_back(o);
    return 0;
  };
  return w;
}

TEST(Walk, WithoutADisplayTellsTheRunAndHowToGetTheWindow) {
  std::vector<WindowOptions> opened;
  const auto r = barrierscope({}, a_window(opened));
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(opened.empty());
  EXPECT_THAT(r.out, HasSubstr("scan/blelloch"));
  EXPECT_THAT(r.out, HasSubstr("n 16"));
  EXPECT_THAT(r.out, HasSubstr("There is no display here"));
  EXPECT_THAT(r.out, Not(HasSubstr("\x1b"))) << "colours without a terminal";
}

TEST(Walk, WithADisplayOpensTheWindow) {
  std::vector<WindowOptions> opened;
  auto with_display = [](Console& c) { c.display = true; };
  EXPECT_EQ(barrierscope({}, a_window(opened), with_display).code, 0);
  EXPECT_EQ(
      barrierscope({"scan/kogge-stone", "--n", "8", "--theme", "light"}, a_window(opened), with_display).code,
      0);
  EXPECT_EQ(barrierscope({example}, a_window(opened), with_display).code, 0);
  ASSERT_EQ(opened.size(), 3u);
  EXPECT_EQ(opened[0].target.request.kernel, "scan/blelloch");
  EXPECT_EQ(opened[1].target.request.n, 8);
  EXPECT_EQ(opened[1].theme, "light");
  EXPECT_EQ(opened[2].target.file, example);
}

TEST(Walk, AWindowThatCannotOpenIsAWalk) {
  Window w;
  w.open = [](const WindowOptions&) -> int {
    throw NoWindow(Message::plain("the display :9 does not answer"));
  };
  const auto r = barrierscope({example}, w, [](Console& c) { c.display = true; });
  EXPECT_EQ(r.code, 0);
  EXPECT_THAT(r.out, HasSubstr("The window cannot be opened: the display :9 does not answer"));
}

TEST(Walk, GoesByKeys) {
  std::vector<ConsoleKey> keys = {ConsoleKey::next,  ConsoleKey::back, ConsoleKey::last,
                                  ConsoleKey::first, ConsoleKey::next, ConsoleKey::quit};
  size_t pressed = 0;
  const auto r = barrierscope({example}, {}, [&](Console& c) {
    c.colours = true;
    c.key = [&] { return keys.at(pressed++); };
  });
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(pressed, keys.size());
  size_t screens = 0;
  for (size_t at = 0; (at = r.out.find("\x1b[2J", at)) != std::string::npos; ++at) ++screens;
  EXPECT_EQ(screens, keys.size());
  EXPECT_THAT(r.out, HasSubstr("built without its window"));
}

TEST(Walk, EndsAfterTheLastStep) {
  size_t pressed = 0;
  const auto r = barrierscope({example}, {}, [&](Console& c) {
    c.key = [&] {
      ++pressed;
      return ConsoleKey::next;
    };
  });
  EXPECT_EQ(r.code, 0);
  EXPECT_GT(pressed, 5u);
  EXPECT_LT(pressed, 50u);
}

// From a saved trace, so that a new line in a kernel changes none of them. The file also keeps version 1 of
// the format readable.
TEST(Approved, TextsOfASavedTrace) {
  expect_approved("show.txt", barrierscope({"show", example}).out);
  expect_approved("show.json", barrierscope({"show", example, "--json"}).out);
  expect_approved("check.txt", barrierscope({"check", example}).out);
  expect_approved("check.json", barrierscope({"check", example, "--json"}).out);
  expect_approved("walk.txt", barrierscope({example}).out);
  const auto colours = barrierscope({"show", example}, {}, [](Console& c) { c.colours = true; });
  expect_approved("show-colours.txt", colours.out);
}

TEST(Approved, Help) {
  const auto r = barrierscope({"--help"});
  EXPECT_EQ(r.code, 0);
  expect_approved("help.txt", r.out);
  EXPECT_THAT(barrierscope({"show", "--help"}).out, HasSubstr("--json"));
  EXPECT_THAT(barrierscope({"--version"}).out, HasSubstr("barrierscope "));
}

// What the executor makes is a valid trace, and a file returns it whole.
TEST(TraceVerb, FilesHoldEveryKernelsTrace) {
  for (const Algorithm* a : catalog())
    for (const long long n : {1, 7, 100})
      for (const auto kind : {Schedule::to_barrier, Schedule::lockstep, Schedule::shuffled}) {
        RunSpec r;
        r.kernel = a->name;
        r.n = n;
        Schedule s;
        s.kind = kind;
        s.seed = 3;
        const Trace t = run(*a, make_problem(*a, r), Device::cpu, s);
        EXPECT_NO_THROW(validate(t)) << a->name;
        EXPECT_EQ(read_trace(write_trace(t)), t) << a->name << " n " << n;
      }
}

}  // namespace
}  // namespace bscope
