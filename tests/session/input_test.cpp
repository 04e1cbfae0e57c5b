// The input is one value of the session: whatever is done to it, what its field shows, what the request says
// and what was run agree, and no kernel that takes it loses it.
#include "app/session/input.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "app/run/run.hpp"
#include "app/session/history.hpp"
#include "app/session/session_file.hpp"
#include "app/session/typed.hpp"
#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/compare/steps.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/simt/problem.hpp"
#include "tests/at_once.hpp"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>

namespace bscope {
namespace {

namespace fs = std::filesystem;
using Numbers = std::vector<double>;
using testing::HasSubstr;

LoadedState opened_input(RunSpec r) {
  LoadedState s;
  Target t;
  t.request = std::move(r);
  return opened(std::move(s), t, Where::nowhere);
}

/// A folder of its own, with a small picture in it.
struct Files {
  fs::path folder = fs::temp_directory_path() / ("barrierscope-input-" + std::to_string(getpid()));
  std::string picture = (folder / "dots.png").string(), session = (folder / "s.bscope").string();
  GreyImage image{5, 4, {}, 5, 4};
  Files() {
    fs::create_directories(folder);
    for (int k = 0; k < 20; ++k) image.levels.push_back(uint8_t(13 * k));
    stbi_write_png(picture.c_str(), 5, 4, 1, image.levels.data(), 5);
  }
  ~Files() { fs::remove_all(folder); }
};

/// Whether the kernel's array holds the input as it was given. A mistake reads keys as signed bytes, and the
/// access patterns fill more memory with it.
bool holds_as_given(const std::string& kernel) {
  return kernel != "mistakes/signed-char" && !kernel.starts_with("patterns/");
}

/// What must hold whatever was done.
void agrees(const LoadedState& s) {
  ASSERT_EQ(s.error.english(), "");
  ASSERT_FALSE(s.target.is_file());
  const RunSpec& r = s.target.request;
  const Problem p = make_problem(find(r.kernel), r);
  EXPECT_EQ(s.run->trace.kernel, r.kernel);
  if (!holds_as_given(r.kernel)) return;
  EXPECT_EQ(s.run->report.input, p.data);
  EXPECT_EQ(parameter_of(s.run->trace, "n"), std::to_string(p.data.size()));
  EXPECT_EQ(numbers_in(typed_text(r)), r.values ? s.run->report.input : Numbers{});
  EXPECT_TRUE(r.input_file.empty());
  EXPECT_THAT(first_values(*s.run, p.data.size()), testing::Eq(typed_text({.values = p.data})));
}

/// What a person would say the input is. Kept apart from the state, in the plainest way.
struct Wanted {
  std::string kernel = {};
  std::optional<Numbers> values = {};
  bool picture = false;
  long long n = 0;  ///< of the picture or the pattern; 0: not said
  std::string pattern = {};
};
constexpr int bins = 256;
bool counts(const Wanted& w) { return w.kernel.starts_with("histogram/"); }
bool is_taken(const Wanted& w) {
  if (w.picture) return counts(w);
  if (!w.values || !counts(w)) return true;
  return std::ranges::all_of(*w.values, [](double v) { return v >= 0 && v < bins; });
}
void is_wanted(const LoadedState& s, const Wanted& w, const Files& files) {
  const RunSpec& r = s.target.request;
  EXPECT_EQ(r.kernel, w.kernel);
  ASSERT_EQ(s.set_aside.has_value(), !is_taken(w));
  const RunSpec& holds = s.set_aside ? s.set_aside->request : r;
  EXPECT_EQ(holds.values, w.values);
  EXPECT_EQ(holds.image.has_value(), w.picture);
  if (w.picture) { EXPECT_EQ(*holds.image, files.image); }
  if (!w.values && w.n) { EXPECT_EQ(holds.n, w.n); }
  if (!w.values && !w.picture) { EXPECT_EQ(holds.pattern, w.pattern); }
  if (s.set_aside) {
    EXPECT_TRUE(!r.values && !r.image);
    EXPECT_THAT(waiting(*s.set_aside), HasSubstr(w.picture ? "dots.png" : "typed"));
  }
}

TEST(Input, AgreesAfterEverySequenceOfChanges) {
  const Files files;
  const std::vector<std::string> kernels{"scan/blelloch", "scan/kogge-stone", "reduce/shared",
                                         "histogram/shared-atomics", "histogram/racy"};
  int aside = 0, changes = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](int n) { return int(random() % unsigned(n)); };
    Wanted w{.kernel = kernels[size_t(below(5))]};
    LoadedState s = opened_input({.kernel = w.kernel});
    History history;
    history.observe(s, false);
    std::vector<Wanted> past{w};
    size_t at = 0;
    std::string did;
    for (int k = 0; k < 16; ++k) {
      const Wanted before = w;
      // only what the kernel takes: what it refuses is another test's
      const auto numbers = [&] {
        Numbers v(size_t(1 + below(9)));
        for (double& x : v) x = counts(w) ? below(bins) : below(40) - 20;
        return v;
      };
      int what = below(9);
      if (what == 0 || what == 1) {  // typed, and pasted
        Numbers v = numbers();
        w = {.kernel = w.kernel, .values = v};
        Target t = s.target;
        t.request = with_numbers(t, *s.run, v);
        s = what == 0 ? opened(std::move(s), t, Where::parameters)
                      : with_values(std::move(s), v, Where::file);
        did += what == 0 ? " type" : " paste";
      } else if (what == 2) {
        s = opened_path(std::move(s), files.picture).state;
        w = {.kernel = counts(w) ? w.kernel : "histogram/shared-atomics", .picture = true};
        did += " picture";
      } else if (what == 3 || what == 4) {
        w.kernel = kernels[size_t(below(5))];
        s = with_kernel(std::move(s), w.kernel, Where::parameters);
        did += " " + w.kernel;
      } else if (what == 5) {
        const int n = 1 + below(12);
        if (!is_taken(w)) w = {.kernel = w.kernel};
        if (w.values) {
          const Numbers v = *w.values;
          w.values->resize(size_t(n));
          for (size_t i = 0; i < size_t(n); ++i) (*w.values)[i] = v[i % v.size()];
        } else {
          w.n = n;
        }
        Target t = s.target;
        t.request = with_length(t, *s.run, n);
        s = opened(std::move(s), t, Where::parameters);
        did += " n=" + std::to_string(n);
      } else if (what == 6) {
        w = {.kernel = w.kernel, .pattern = below(2) ? "ones" : "ramp"};
        Target t = s.target;
        t.request = with_pattern(t, *s.run, w.pattern);
        s = opened(std::move(s), t, Where::parameters);
        did += " " + w.pattern;
      } else if (what == 7) {
        const bool redoes = below(2);
        if (redoes ? at + 1 >= past.size() : at == 0) continue;
        at += redoes ? 1 : size_t(-1);
        w = past[at];
        s = redoes ? history.redo(std::move(s), runs_at_once()) : history.undo(std::move(s), runs_at_once());
        did += redoes ? " redo" : " undo";
      } else {
        save_session(s, files.session);
        s = load_session({}, files.session);
        did += " save+open";
      }
      SCOPED_TRACE("seed " + std::to_string(seed) + ":" + did);
      if (what != 7) {
        history.observe(s, false);
        past.resize(at + 1);
        past.push_back(w);
        ++at;
      }
      agrees(s);
      is_wanted(s, w, files);
      aside += s.set_aside.has_value();
      ++changes;
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(aside, 20);
  EXPECT_GT(changes, 500);
}

// The fields of a run that came from a preset or from flags: whatever is changed next is taken.
TEST(Input, EveryKindOfInputGivesWayToEveryOther) {
  const Files files;
  const std::vector<RunSpec> kinds{
      {.kernel = "histogram/racy"},
      {.kernel = "histogram/racy", .n = 40},
      {.kernel = "histogram/racy", .values = {{1, 2, 3}}},
      {.kernel = "histogram/racy", .input_file = files.picture},
      {.kernel = "histogram/racy", .n = 30, .pattern = "ones"},
      {.kernel = "histogram/racy", .n = 30, .skew = 0.5},
      {.kernel = "histogram/racy", .n = 30, .entropy = 0.337},
      {.kernel = "histogram/racy", .preset = "queue-7x20"},
      {.kernel = "reduce/grid-stride", .preset = "two-blocks"},
      {.kernel = "scan/blelloch", .pattern = "skewed"},
      {.kernel = "scan/blelloch", .values = {{0.5}}, .set = {{"type", "float"}}}};
  for (const RunSpec& kind : kinds) {
    SCOPED_TRACE(kind.kernel + ", " + input_called(kind));
    const LoadedState s = opened_input(kind);
    agrees(s);
    const Target& t = s.target;
    for (const RunSpec& next :
         {with_pattern(t, *s.run, "ramp"), with_length(t, *s.run, 7), with_numbers(t, *s.run, {2, 1}),
          with_numbers(t, *s.run, {}), with_own_input(t, *s.run)}) {
      SCOPED_TRACE(input_called(next));
      Target other = t;
      other.request = next;
      const LoadedState after = opened(s, other, Where::parameters);
      agrees(after);
      EXPECT_EQ(after.run->trace.kernel, kind.kernel);
      for (const char* name : {"bins", "type"})  // what is no input stays as it was
        EXPECT_EQ(parameter_of(after.run->trace, name), parameter_of(s.run->trace, name));
    }
    for (const Algorithm* a : catalog()) {
      SCOPED_TRACE(a->name);
      agrees(with_kernel(s, a->name, Where::parameters));
    }
  }
}

TEST(Input, GoesAlongToAnotherKernelWithTheParametersThatItHasToo) {
  const LoadedState s =
      opened_input({.kernel = "scan/blelloch", .values = {{0.5, -2}}, .set = {{"type", "float"}}});
  LoadedState next = with_kernel(s, "reduce/shared", Where::parameters);
  EXPECT_EQ(next.target.request.values, (Numbers{0.5, -2}));
  EXPECT_EQ(parameter_of(next.run->trace, "type"), "float");
  // keys are no such numbers: they wait, and are there again
  next = with_kernel(next, "histogram/racy", Where::parameters);
  EXPECT_EQ(next.error.english(), "");
  ASSERT_TRUE(next.set_aside);
  EXPECT_THAT(next.set_aside->why.english(), HasSubstr("0.5 (number 1 of the input) falls in none of"));
  next = with_kernel(next, "histogram/privatised", Where::parameters);
  EXPECT_TRUE(next.set_aside);
  next = with_kernel(next, "scan/kogge-stone", Where::parameters);
  EXPECT_FALSE(next.set_aside);
  EXPECT_EQ(next.run->report.input, (Numbers{0.5, -2}));
  // another input forgets the one that waits
  next = with_kernel(next, "histogram/racy", Where::parameters);
  next = with_values(next, {1, 1}, Where::parameters);
  EXPECT_FALSE(next.set_aside);
  EXPECT_EQ(with_kernel(next, "scan/blelloch", Where::parameters).run->report.input, (Numbers{1, 1}));
}

TEST(Input, ARunFromAFileHandsItsValuesOn) {
  const Files files;
  LoadedState s = opened_input({.kernel = "scan/blelloch", .n = 5, .seed = 3});
  const Numbers input = s.run->report.input;
  s.target = {};
  s.target.file = "/somewhere/lecture.bscope";  // as a plain trace that was opened
  const LoadedState next = with_kernel(s, "scan/kogge-stone", Where::parameters);
  EXPECT_EQ(next.run->report.input, input);
  EXPECT_EQ(input_called(next.target.request), "lecture.bscope");
  EXPECT_EQ(with_other(s, "scan/kogge-stone").results.of<CompareRuns>().other->report.input, input);
}

TEST(Input, ALargeImageIsScaledAndKnowsItsSize) {
  const Files files;
  const std::string large = (files.folder / "large.png").string();
  const std::vector<uint8_t> grey(1000 * 600, 7);
  stbi_write_png(large.c_str(), 1000, 600, 1, grey.data(), 1000);
  const Opening o = opened_path(opened_input({.kernel = "histogram/racy"}), large);
  ASSERT_EQ(o.state.error.english(), "");
  EXPECT_LE(o.state.run->report.input.size(), size_t(handy_pixels));
  EXPECT_EQ(o.state.target.request.image->full_width, 1000);
}

// A session's image is untrusted.
TEST(Input, ASessionsImageIsWhatItSays) {
  const Files files;
  const LoadedState s = opened_path(opened_input({.kernel = "histogram/racy"}), files.picture).state;
  const std::string good = session_text(s);
  ASSERT_EQ(with_session(LoadedState{}, good).error.english(), "");
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const size_t where = text.find(from);
    ASSERT_NE(where, std::string::npos) << from;
    text.replace(where, from.size(), to);
    EXPECT_THAT(with_session(s, text).error.english(), HasSubstr("\"target.request.image\" is no image"))
        << to;
  };
  refused("\"width\": 5", "\"width\": 6");
  refused("\"width\": 5", "\"width\": -5");
  refused("\"height\": 4", "\"height\": 2000000000");
  refused("\"full_width\": 5", "\"full_width\": 4");
  refused("\"000d1a", "\"00xd1a");
  refused("\"000d1a", "\"0d1a");
}

}  // namespace
}  // namespace bscope
