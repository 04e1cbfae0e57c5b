// A question keeps its answers: no picture says what the step will leave, and all can be read.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/session/state.hpp"
#include "app/tabs/watch/array/view.hpp"
#include "app/tabs/watch/prediction_panel.hpp"
#include "app/tabs/watch/source/panel.hpp"
#include "app/tabs/watch/timeline/timeline.hpp"
#include "app/tabs/watch/whole_run/whole_run.hpp"
#include "engine/analysis/block_steps.hpp"
#include "tests/draw/screens.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope {
namespace {

struct Asked {
  LoadedState state;
  RunQueries model;
};
Asked asked(const RunSpec& request, int step) {
  LoadedState s;
  s.target.request = request;
  s.run = traced_run(request);
  s = predict(to_step(std::move(s), step));
  RunQueries model(s.run);
  return {std::move(s), std::move(model)};
}
RunSpec run_spec_of(const std::string& kernel) {
  RunSpec r;
  r.kernel = kernel;
  return r;
}

std::vector<Picture> pictures(const Asked& a, const Theme& t, float w, float h) {
  const LoadedState& s = a.state;
  const Metrics m = fixed_metrics();
  const Prediction* p = prediction_on(s);
  const float k = w / 1600;
  return {array_view(a.model, s.cursor, t, m, 956 * k, 340 * k, p),
          whole_run(a.model, s.cursor, t, m, 956 * k, 362 * k, {}, p),
          source_panel(a.model, s.cursor, t, m, 380 * k, 516 * k, {}, p),
          prediction_panel(a.model, s.cursor, *p, t, m, (t.projector() ? 508 : 380) * k,
                           (t.projector() ? 368 : 186) * k),
          timeline(a.model, s.cursor, t, m, 1354 * k, 120 * k)};
  (void)h;
}

/// Every number that stands in a text or in a tip.
bool mentions(const Picture& p, const std::string& number) {
  const auto in = [&](const std::string& words) {
    for (size_t at = words.find(number); at != std::string::npos; at = words.find(number, at + 1)) {
      const auto digit = [&](size_t k) {
        return k < words.size() && std::isdigit(static_cast<unsigned char>(words[k]));
      };
      if ((at == 0 || !digit(at - 1)) && !digit(at + number.size())) return true;
    }
    return false;
  };
  return std::any_of(p.shapes.begin(), p.shapes.end(), [&](const Shape& s) { return in(s.words); }) ||
         std::any_of(p.hits.begin(), p.hits.end(), [&](const HitRegion& h) { return in(h.tip); });
}

TEST(PredictionView, NoPictureSaysTheAnswer) {
  // powers of a prime: every sum is a number of its own
  for (const char* kernel :
       {"scan/blelloch", "scan/kogge-stone", "scan/hillis-steele", "reduce/shared", "scan/brent-kung"}) {
    RunSpec r = run_spec_of(kernel);
    r.values = {10007, 10019, 10567, 11903, 14009, 17011, 23003, 37003};
    const int all = steps(*traced_run(r));
    int looked = 0;
    for (int step = 0; step < all; ++step) {
      Asked a = asked(r, step);
      if (!prediction_on(a.state)) continue;
      const Step& here = *a.model.step(a.state.cursor);
      for (const int cell : a.state.prediction.cells) {
        const auto bits = bits_after(*a.state.run, step, {a.state.prediction.array, cell});
        const std::string answer = text_of(ElementType::i32, *bits);
        if (answer.size() < 5) continue;
        // what a row of the past or an operand says already is no secret
        bool known = false;
        for (int k = 0; k <= step && !known; ++k) {
          const Step& s = *a.model.step(at_step(*a.state.run, {}, k));
          for (int id : s.interval->nodes) {
            const Node& n = a.model.flow().nodes[size_t(id)];
            if (k < step || !writes(n.op)) known |= text_of(ElementType(n.kind), n.bits) == answer;
          }
        }
        if (known || here.interval->launch > 0) continue;
        ++looked;
        for (const Picture& p : pictures(a, theme(ThemeName::dark, 900), 1600, 900))
          EXPECT_FALSE(mentions(p, answer)) << kernel << " step " << step << ": " << answer;
        // revealed it is there
        LoadedState shown = reveal(a.state);
        EXPECT_TRUE(mentions(array_view(a.model, shown.cursor, theme(ThemeName::dark, 900), fixed_metrics(),
                                        956, 340, prediction_on(shown)),
                             answer));
      }
    }
    EXPECT_GT(looked, 2) << kernel;
  }
}

TEST(PredictionView, ArrowsFromCellsCarryNoValuesWhileTheyAreAskedFor) {
  const auto carried = [](const Asked& a) {
    const Picture p = array_view(a.model, a.state.cursor, theme(ThemeName::dark, 900), fixed_metrics(), 956,
                                 340, prediction_on(a.state));
    return std::ranges::count_if(
        p.hits, [](const HitRegion& h) { return h.name.starts_with("carries:") && h.b >= 0; });
  };
  for (const char* kernel : {"reduce/tree-mask", "scan/hillis-steele", "scan/blelloch"}) {
    Asked a = asked(run_spec_of(kernel), 2);
    ASSERT_TRUE(prediction_on(a.state)) << kernel;
    EXPECT_EQ(carried(a), 0) << kernel;
    a.state = reveal(a.state);
    EXPECT_GT(carried(a), 0) << kernel;
  }
}

class PredictionLayout : public testing::TestWithParam<std::string> {};

TEST_P(PredictionLayout, NoTextIsClippedOrCovered) {
  for (const Language language : {Language::en, Language::zh}) {
    speak(language);
    const int all = steps(*traced_run(run_spec_of(GetParam())));
    for (int step = 0; step < all; step += std::max(1, all / 6)) {
      Asked a = asked(run_spec_of(GetParam()), step);
      if (!prediction_on(a.state)) continue;
      for (const int stage : {0, 1, 2, 3}) {
        if (stage == 1)
          for (auto& g : a.state.prediction.guesses) g = "-123456";
        if (stage == 2) a.state = hint(hint(a.state));
        if (stage == 3) a.state = reveal(a.state);
        for (const ThemeName name : test::themes)
          for (const auto& [w, h] : test::screens) {
            int k = 0;
            for (const Picture& p : pictures(a, theme(name, h), w, h))
              EXPECT_EQ(misplaced_text(p, false), "")
                  << GetParam() << " step " << step << " stage " << stage << ", " << name_of(name)
                  << " picture " << k++ << " width " << w;
          }
        if (HasFailure()) {
          speak(Language::en);
          return;
        }
      }
    }
  }
  speak(Language::en);
}

std::vector<std::string> kernels() {
  std::vector<std::string> all;
  for (const Algorithm* a : catalog()) all.push_back(a->name);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Kernels, PredictionLayout, testing::ValuesIn(kernels()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

}  // namespace
}  // namespace bscope
