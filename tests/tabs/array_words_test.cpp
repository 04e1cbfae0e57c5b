// What the array's picture says around its cells: launches, what cells hold, what is written elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/tabs/watch/array/view.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "tests/draw/screens.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope {
namespace {

Picture array_at(const RunQueries& m, int step, ThemeName theme_name = ThemeName::dark, float width = 870) {
  Cursor c = at_step(m.run(), {}, step);
  if (const Step* s = m.step(c); s && !s->wrote.empty())
    c.cell = m.flow().nodes[size_t(s->wrote.back().node)].place;
  return array_view(m, c, theme(theme_name, 900), fixed_metrics(), width, 400);
}

// A caption that has no room for a clause leaves it out whole: "also totals[2]" alone tells of no value.
TEST(ArrayWords, NoClauseIsCut) {
  int clauses = 0;
  for (const char* kernel : {"scan/look-back", "scan/hierarchical", "scan/three-phase"}) {
    const RunQueries m = model_of(kernel, 96, 4);
    for (int k = 0; k < steps(m.run()); ++k)
      for (const float width : {600.0f, 780.0f, 870.0f, 956.0f}) {
        std::string all;
        for (const std::string& words : texts(array_at(m, k, ThemeName::dark, width))) all += words + " ";
        for (size_t at = all.find("also "); at != std::string::npos; at = all.find("also ", at + 1)) {
          const std::string clause = all.substr(at, all.find(';', at) - at);
          EXPECT_NE(clause.find(" = "), std::string::npos) << kernel << " step " << k << ": " << clause;
          ++clauses;
        }
      }
  }
  EXPECT_GT(clauses, 100);
}

// Zeros are the operator's identity where sums of inputs stand besides them, not in a ticket or in counters.
TEST(ArrayWords, OnlyArraysOfInputsHoldTheIdentity) {
  const auto says_identity = [](const RunQueries& m) {
    for (int k = 0; k < steps(m.run()); ++k)
      for (const std::string& words : texts(array_at(m, k)))
        if (words.find("identity") != std::string::npos) return true;
    return false;
  };
  EXPECT_TRUE(says_identity(model_of("scan/blelloch", 8, 4)));
  EXPECT_FALSE(says_identity(model_of("histogram/shared-atomics", 64, 32)));
  const RunQueries m = model_of("scan/look-back", 96, 4);
  for (const std::string& words : texts(array_at(m, 0)))  // a block draws its tile
    EXPECT_EQ(words.find("identity"), std::string::npos) << words;
}

// What a question keeps back: "why is this border red" often is the question.
TEST(ArrayWords, RacesAreKeptBackWhereThatIsAskedFor) {
  const RunQueries m = model_of("mistakes/in-place", 16, 16);
  const Cursor c = at_step(m.run(), {}, 1);
  const Theme t = theme(ThemeName::light, 900);
  for (const bool races : {true, false}) {
    const Picture p = array_view(m, c, t, fixed_metrics(), 870, 400, nullptr, {}, nullptr, true, races);
    EXPECT_EQ(says(p, "red border"), races);
    EXPECT_EQ(std::ranges::count(p.shapes, t.race, &Shape::stroke) > 0, races);
  }
}

// The one that is shown stays; those farthest from it go first.
TEST(ArrayWords, LaunchesStandInARowAsFarAsThereIsRoom) {
  const RunQueries m = model_of("scan/hierarchical", 30, 4);
  const int last = steps(m.run()) - 1;
  size_t before = 0;
  for (float width = 420; width <= 1200; width += 60) {
    std::vector<std::string> launches;
    for (const HitRegion& h : array_at(m, last, ThemeName::dark, width).hits)
      if (h.name.starts_with("launch:")) launches.push_back(h.name);
    EXPECT_GE(launches.size(), before) << width;
    for (size_t k = 0; k < launches.size(); ++k)
      EXPECT_EQ(launches[k], "launch:" + std::to_string(5 - launches.size() + k)) << width;
    before = launches.size();
  }
  EXPECT_EQ(before, 5u);
}

}  // namespace
}  // namespace bscope
