// Predictions against the trace: every kernel, every step.
#include "app/session/prediction.hpp"

#include <gtest/gtest.h>

#include <set>

#include "app/session/state.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/simt/algorithm.hpp"
#include "tests/at_once.hpp"

namespace bscope {
namespace {

LoadedState state_of(const std::string& kernel, std::vector<std::pair<std::string, std::string>> set = {},
                     long long n = 0, long long block = 0) {
  LoadedState s;
  s.target.request.kernel = kernel;
  for (auto& one : set) s.target.request.set.push_back(one);
  if (n) s.target.request.n = n;
  if (block) s.target.request.block = block;
  s.run = open_now(s.target).run;
  return s;
}

TEST(Prediction, AsksWhatTheStepChangesAndKnowsTheAnswer) {
  for (const Algorithm* a : catalog()) {
    LoadedState s = state_of(a->name);
    const RunQueries model(s.run);
    for (int step = 0; step < steps(*s.run); ++step) {
      s = to_step(leave_prediction(s), step);
      const Step& here = *model.step(s.cursor);
      LoadedState p = predict(s);
      EXPECT_EQ(p.prediction.on, !here.wrote.empty()) << a->name << " step " << step;
      EXPECT_EQ(can_predict(s), p.prediction.on);
      if (!p.prediction.on) continue;
      EXPECT_EQ(p.prediction.array, here.to()) << a->name << " step " << step;
      const auto written = here.written_in(here.to(), 0, 1 << 30);
      EXPECT_EQ(p.prediction.changed, int(written.size()));
      ASSERT_FALSE(p.prediction.cells.empty());
      EXPECT_LE(p.prediction.cells.size(), size_t(most_asked));
      // the snapshot says what is right
      const StatePtr after = model.after(here, p.prediction.array);
      if (after->kind == ElementType::other) continue;
      for (size_t k = 0; k < p.prediction.cells.size(); ++k) {
        EXPECT_NE(here.writes_of(p.prediction.place(int(k))), nullptr);
        EXPECT_EQ(p.prediction.box, int(k));
        std::string text = after->text(p.prediction.cells[k]);
        if (after->kind == ElementType::counted) text = text.substr(0, text.find(' '));
        for (const char c : text) p = type_guess(p, char32_t(c));
        EXPECT_EQ(p.prediction.guesses[k], text) << a->name;
        EXPECT_TRUE(is_right(*p.run, p.prediction, int(k)))
            << a->name << " step " << step << " cell " << p.prediction.cells[k] << ": " << text;
        p = next_box(p, 1);
      }
      const int n = int(p.prediction.cells.size());
      p = reveal(p);
      EXPECT_EQ(p.prediction.right, n);
      EXPECT_EQ(p.prediction.asked, n);
      // nothing may be typed afterwards, nor counted twice
      const Prediction done = p.prediction;
      p = reveal(erase_guess(type_guess(p, '7')));
      EXPECT_EQ(p.prediction, done);
    }
  }
}

TEST(Prediction, AWrongGuessIsWrong) {
  LoadedState s = predict(to_step(state_of("scan/blelloch"), 3));
  const StatePtr after = RunQueries(s.run).after(*RunQueries(s.run).step(s.cursor), s.prediction.array);
  for (size_t k = 0; k < s.prediction.cells.size(); ++k) {
    s.prediction.guesses[k] = std::to_string(int(after->value(s.prediction.cells[k])) + 1);
    EXPECT_FALSE(is_right(*s.run, s.prediction, int(k)));
    s.prediction.guesses[k] = "";
    EXPECT_FALSE(is_right(*s.run, s.prediction, int(k)));
  }
  s.prediction.guesses[0] = "-1";
  s = reveal(s);
  EXPECT_EQ(s.prediction.right, 0);
  EXPECT_EQ(s.prediction.asked, 1);  // the others were left empty
}

TEST(Prediction, WhatIsLeftEmptyIsSkipped) {
  LoadedState s = predict(to_step(state_of("scan/blelloch"), 3));
  const LoadedState nothing = reveal(s);
  EXPECT_TRUE(nothing.prediction.revealed);
  EXPECT_EQ(nothing.prediction.asked, 0);
  EXPECT_EQ(nothing.prediction.right, 0);
  const StatePtr after = RunQueries(s.run).after(*RunQueries(s.run).step(s.cursor), s.prediction.array);
  s.prediction.guesses[1] = after->text(s.prediction.cells[1]);
  s = reveal(s);
  EXPECT_EQ(s.prediction.asked, 1);
  EXPECT_EQ(s.prediction.right, 1);
}

TEST(Prediction, ValuesAsPeopleWriteThem) {
  EXPECT_EQ(parse_guess(ElementType::i32, "-7"), uint32_t(-7));
  EXPECT_EQ(parse_guess(ElementType::i32, "12"), 12u);
  EXPECT_FALSE(parse_guess(ElementType::i32, ""));
  EXPECT_FALSE(parse_guess(ElementType::i32, "-"));
  EXPECT_FALSE(parse_guess(ElementType::i32, "1-2"));
  EXPECT_FALSE(parse_guess(ElementType::i32, "99999999999999999999999"));
  EXPECT_FALSE(parse_guess(ElementType::i32, "4294967301"));  // not the 5 that it would wrap to
  EXPECT_EQ(text_of(ElementType::f32, *parse_guess(ElementType::f32, "-2.5e1")), "-25");
  EXPECT_FALSE(parse_guess(ElementType::f32, "2.5.1"));
  for (const char* map : {"3y+1", "-2y+5", "0y+7", "1y-4"})
    EXPECT_EQ(text_of(ElementType::affine, *parse_guess(ElementType::affine, map)).substr(0, 2),
              std::string(map).substr(0, 2));
  EXPECT_EQ(parse_guess(ElementType::affine, "y"), parse_guess(ElementType::affine, "1y+0"));
  EXPECT_EQ(parse_guess(ElementType::affine, "-y"), parse_guess(ElementType::affine, "-1y"));
  EXPECT_EQ(parse_guess(ElementType::affine, "7"), parse_guess(ElementType::affine, "0y+7"));
  EXPECT_FALSE(parse_guess(ElementType::affine, "y7"));
  EXPECT_FALSE(parse_guess(ElementType::affine, "3y+"));
}

TEST(Prediction, MapsAndFloatsAreTypedInTheirOwnLetters) {
  LoadedState maps = predict(to_step(state_of("scan/blelloch", {{"operator", "affine"}}), 2));
  for (const char c : std::string("3y+1.x")) maps = type_guess(maps, char32_t(c));
  EXPECT_EQ(maps.prediction.guesses[0], "3y+1");
  LoadedState floats = predict(to_step(state_of("scan/blelloch", {{"type", "float"}}), 2));
  for (const char c : std::string("-3.5y")) floats = type_guess(floats, char32_t(c));
  EXPECT_EQ(floats.prediction.guesses[0], "-3.5");
  LoadedState whole = predict(to_step(state_of("scan/blelloch"), 2));
  for (const char c : std::string("-3.5")) whole = type_guess(whole, char32_t(c));
  EXPECT_EQ(whole.prediction.guesses[0], "-35");
}

TEST(Prediction, ManyChangedCellsAreSampled) {
  const LoadedState s = predict(to_step(state_of("scan/kogge-stone", {}, 200, 256), 2));
  EXPECT_EQ(s.prediction.cells.size(), size_t(sample_asked));
  EXPECT_GT(s.prediction.changed, 200);
  EXPECT_EQ(std::set<int>(s.prediction.cells.begin(), s.prediction.cells.end()).size(), size_t(sample_asked));
}

TEST(Prediction, LeavesWithItsStepAndItsRun) {
  LoadedState s = predict(to_step(state_of("scan/blelloch"), 3));
  ASSERT_TRUE(prediction_on(s));
  EXPECT_FALSE(prediction_on(forward(s)));
  EXPECT_FALSE(settle_prediction(forward(s)).prediction.on);
  EXPECT_TRUE(settle_prediction(s).prediction.on);
  Target other = s.target;
  other.request.n = 8;
  EXPECT_FALSE(opened(s, other, Where::parameters).prediction.on);
  // whatever a session file holds
  LoadedState bad = s;
  bad.prediction.cells.back() = 1 << 20;
  EXPECT_FALSE(prediction_on(bad));
  bad = s;
  bad.prediction.guesses.clear();
  EXPECT_FALSE(prediction_on(bad));
  bad = s;
  bad.prediction.array = 77;
  EXPECT_FALSE(prediction_on(bad));
  bad.prediction.box = -4;
  bad.prediction.fit(*bad.run);
  EXPECT_FALSE(bad.prediction.on);
  LoadedState good = s;
  good.prediction.fit(*good.run);
  EXPECT_EQ(good.prediction, s.prediction);
  EXPECT_EQ(type_guess(bad, '1').prediction, bad.prediction);
}

TEST(Prediction, TheNextStepAsksAgain) {
  LoadedState s = reveal(predict(to_step(state_of("scan/kogge-stone"), 2)));
  const int before = step_of(*s.run, s.cursor);
  s = predict_next(s);
  EXPECT_TRUE(s.prediction.hides());
  EXPECT_EQ(step_of(*s.run, s.cursor), before + 2);  // the step between only reads
  s = predict_next(reveal(predict(last(s))));
  EXPECT_FALSE(s.prediction.on);
}

}  // namespace
}  // namespace bscope
