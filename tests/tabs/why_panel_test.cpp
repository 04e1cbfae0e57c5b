// The tree of a value on screen.
#include "app/tabs/watch/why_panel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/tabs/watch/watch_state.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/run.hpp"
#include "engine/simt/program.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope {
namespace {

WatchState levels(int n) {
  WatchState s;
  s.why_levels = n;
  return s;
}

/// What the panel says of out[0], as one thread computes it of these values, on a panel of that width.
template <class Kernel>
std::string why_of_first(Kernel kernel, const std::vector<int>& values, float width) {
  Gpu gpu({.kind = Schedule::to_barrier});
  auto in = gpu.array("in", values);
  auto out = gpu.array<int>("out", 1);
  gpu.launch("kernel", {1, 1}, kernel, read_only(in), out);
  auto run = std::make_shared<bscope::Run>();
  run->trace = std::move(gpu.trace);
  run->trace.output = 1;
  run->trace.parameters = {{"block", "1"}, {"n", std::to_string(values.size())}};
  run->report = analyse(run->trace);
  const RunQueries model(run);
  Cursor c = at_step(model.run(), {}, 0);
  c.cell = CellRef{1, 0};
  const Picture p = why_panel(model, c, theme(ThemeName::dark, 900), fixed_metrics(), width, 186, {});
  std::string all;
  for (const std::string& words : texts(p)) all += words + " ";
  return all;
}

struct Difference {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> in, Array<T> out) const {
    const T less = in[0] - in[1];
    out[t.rank()] = T(0) + (T(0) + less);
  }
};

// A value that a register held, and nothing was added to: the sum, not "-2 = -2".
TEST(WhyPanel, NoValueExplainsItself) {
  const std::string all = why_of_first(Difference{}, {3, 5}, 380);
  EXPECT_NE(all.find("out[0] = 0 + -2 = -2"), std::string::npos) << all;
}

struct SumOfBoth {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> in, Array<T> out) const {
    const T first = in[0] + T(0), second = in[1] * in[2];
    out[t.rank()] = first - second;
  }
};

// Also a cell whose value reached the result through a register that something was added to.
TEST(WhyPanel, EachCellThatWasReadIsNamed) {
  const std::string all = why_of_first(SumOfBoth{}, {3, 5, 7}, 600);
  for (const char* cell : {"in[0]", "in[1]", "in[2]"})
    EXPECT_NE(all.find(cell), std::string::npos) << cell << " in " << all;
}

struct CompensatedSum {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> in, Array<T> out) const {
    T sum(0), excess(0);
    for (int k = 0; k < 12; ++k) {
      const T x = in[k] - excess, next = sum + x;
      excess = (next - sum) - x;
      sum = next;
    }
    out[t.rank()] = sum;
  }
};

// A value whose terms use each other again and again has a tree without end, but no more cells than were
// read.
TEST(WhyPanel, CountsAllCellsOfAValueOfManyTerms) {
  const std::string all = why_of_first(CompensatedSum{}, {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, 600);
  for (const char* words : {"in[0]", "in[3]", "8 more"})
    EXPECT_NE(all.find(words), std::string::npos) << words << " in " << all;
}

TEST(WhyPanel, IsCleanHoweverFarItIsUnfolded) {
  for (const char* kernel : {"scan/blelloch", "scan/hierarchical", "reduce/warp-shuffle",
                             "histogram/shared-atomics", "scan/look-back", "scan/three-phase"}) {
    const RunQueries model = model_of(kernel);
    for (const Language language : {Language::en, Language::zh}) {
      speak(language);
      for (const ThemeName name : {ThemeName::dark, ThemeName::projector})
        for (const float k : {0.8f, 1.0f, 2.4f})
          for (const int n : {1, 2, 5, 30})
            for (const bool tall : {false, true}) {
              WatchState state = levels(n);
              state.why_tall = tall;
              state.why_row = n;
              state.why_scroll = n * 3;
              const Theme t = theme(name, 900 * k);
              const int last = steps(model.run()) - 1;
              const Picture p = why_panel(model, at_step(model.run(), {}, last), t, fixed_metrics(),
                                          (t.projector() ? 508 : 380) * k,
                                          (tall            ? 712
                                           : t.projector() ? 368
                                                           : 186) *
                                              k,
                                          state);
              EXPECT_EQ(misplaced_text(p), "")
                  << kernel << " " << n << (tall ? " tall " : " ") << name_of(name) << " " << int(language);
              std::set<std::string> names;
              for (const HitRegion& h : p.hits)
                EXPECT_TRUE(!h.name.starts_with("why:r") || names.insert(h.name).second) << h.name;
            }
    }
    speak(Language::en);
  }
}

}  // namespace
}  // namespace bscope
