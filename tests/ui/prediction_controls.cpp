// Predict, then reveal, by keys and by mouse.
#include <algorithm>

#include "engine/analysis/run.hpp"
#include "engine/cuda/toolchain/diagnostics.hpp"
#include "engine/trace/trace.hpp"
#include "tests/at_once.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

const Prediction& asked() { return app().state.prediction; }
int step() { return step_of(*app().state.run, app().state.cursor); }

/// What the cell of a box really holds after the step.
std::string truth(int box) {
  return text_of(kind_of(*app().state.run, asked()),
                 *bits_after(*app().state.run, asked().step, asked().place(box)));
}
void to(ImGuiTestContext* ctx, int step) {
  app().state = to_step(app().state, step);
  ctx->Yield(2);
}

void tests(ImGuiTestEngine* e) {
  add_test(e, "prediction", "typed_revealed_and_scored", [](ImGuiTestContext* ctx) {
    to(ctx, 7);
    ctx->KeyPress(ImGuiKey_P);
    IM_CHECK(prediction_on(app().state) != nullptr);
    IM_CHECK_EQ(asked().cells.size(), size_t(4));
    for (int k = 0; k < 4; ++k) {
      IM_CHECK_EQ(asked().box, k);
      // digits are typed: they change no tab and no zoom
      ctx->KeyChars((k == 2 ? std::string("-5") : truth(k)).c_str());
      IM_CHECK_EQ(asked().guesses[size_t(k)], k == 2 ? std::string("-5") : truth(k));
      ctx->KeyPress(ImGuiKey_Tab);
    }
    IM_CHECK(app().state.tab == "watch");
    IM_CHECK_EQ(app().state.cursor.zoom, 1.0f);
    IM_CHECK_EQ(asked().filled(), 4);
    ctx->KeyPress(ImGuiKey_Enter);
    IM_CHECK(asked().revealed);
    IM_CHECK_EQ(asked().right, 3);
    IM_CHECK_EQ(asked().asked, 4);
    // the next step is asked, the score goes on
    ctx->KeyPress(ImGuiKey_Enter);
    IM_CHECK_EQ(step(), 8);
    IM_CHECK(asked().hides());
    IM_CHECK_EQ(asked().asked, 4);
    ctx->KeyPress(ImGuiKey_Escape);
    IM_CHECK(!asked().on);
    IM_CHECK_EQ(asked().right, 3);
  });
  add_test(e, "prediction", "keys_of_numbers_are_typed_and_taken_back", [](ImGuiTestContext* ctx) {
    to(ctx, 3);
    ctx->KeyPress(ImGuiKey_P);
    ctx->KeyPress(ImGuiKey_2);  // the key alone is no command while guessing
    ctx->KeyPress(ImGuiKey_Minus);
    IM_CHECK(app().state.tab == "watch");
    IM_CHECK_EQ(app().state.cursor.zoom, 1.0f);
    ctx->KeyChars("12x");
    IM_CHECK_EQ(asked().guesses[0], std::string("12"));
    ctx->KeyPress(ImGuiKey_Backspace);
    IM_CHECK_EQ(asked().guesses[0], std::string("1"));
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_Tab);
    IM_CHECK_EQ(asked().box, int(asked().cells.size()) - 1);
    ctx->KeyPress(ImGuiKey_P);  // stops it
    IM_CHECK(!asked().on);
    ctx->KeyPress(ImGuiKey_2);
    IM_CHECK(app().state.tab == "banks");
  });
  add_test(e, "prediction", "hints_come_one_by_one", [](ImGuiTestContext* ctx) {
    to(ctx, 3);
    ctx->KeyPress(ImGuiKey_A);
    ctx->KeyPress(ImGuiKey_P);
    IM_CHECK(!app().state.cursor.arrows);
    ctx->KeyPress(ImGuiKey_H);
    IM_CHECK_EQ(asked().hints, 1);
    IM_CHECK(app().state.cursor.arrows);
    ctx->KeyPress(ImGuiKey_H, 2);
    IM_CHECK_EQ(asked().hints, 2);
    ctx->KeyPress(ImGuiKey_Tab);
    IM_CHECK_EQ(asked().hints, 0);
  });
  add_test(e, "prediction", "stepping_on_leaves_it", [](ImGuiTestContext* ctx) {
    to(ctx, 3);
    ctx->KeyPress(ImGuiKey_P);
    ctx->KeyPress(ImGuiKey_RightArrow);
    ctx->Yield(2);
    IM_CHECK(!asked().on);
    ctx->KeyPress(ImGuiKey_LeftArrow);
    ctx->Yield(2);
    IM_CHECK(!asked().on);
    ctx->KeyPress(ImGuiKey_P);
    ctx->KeyPress(ImGuiKey_Space);
    for (int i = 0; i < 100 && asked().on; ++i) ctx->Yield();
    IM_CHECK(!asked().on);
  });
  add_test(e, "prediction", "buttons_and_boxes", [](ImGuiTestContext* ctx) {
    to(ctx, 7);
    ctx->KeyPress(ImGuiKey_P);
    ctx->Yield(2);
    click(ctx, place_of(ctx, "array", HitRegion::cell, asked().array, asked().cells[2]));
    IM_CHECK_EQ(asked().box, 2);
    click(ctx, place_of(ctx, "whole run", "run:guess:" + std::to_string(asked().cells[1])));
    IM_CHECK_EQ(asked().box, 1);
    click(ctx, place_of(ctx, "prediction", "predict:hint"));
    IM_CHECK_EQ(asked().hints, 1);
    click(ctx, place_of(ctx, "prediction", "predict:reveal"));
    IM_CHECK(asked().revealed);
    IM_CHECK_EQ(asked().right, 0);
    ctx->Yield(2);
    click(ctx, place_of(ctx, "prediction", "predict:next"));
    IM_CHECK_EQ(step(), 8);
    ctx->Yield(2);
    click(ctx, place_of(ctx, "prediction", "predict:skip"));
    IM_CHECK(!asked().on);
    // the button of the transport starts it
    ctx->ItemClick("predict");
    IM_CHECK(asked().hides());
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(2);
    click(ctx, place_of(ctx, "prediction", "predict:done"));
    IM_CHECK(!asked().on);
  });
  add_test(e, "prediction", "another_run_ends_it", [](ImGuiTestContext* ctx) {
    to(ctx, 3);
    ctx->KeyPress(ImGuiKey_P);
    Target target = app().state.target;
    target.request.n = 4;
    app().state = opened(app().state, target, Where::parameters);
    ctx->Yield(2);
    IM_CHECK(!asked().on);
  });
}

const RegisterControls prediction{tests};

}  // namespace
}  // namespace bscope
