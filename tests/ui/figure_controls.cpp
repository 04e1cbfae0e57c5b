// The whole run, the source and the tree of why, by keys and by mouse.
#include <algorithm>

#include "app/session/session_file.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "engine/analysis/run.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

const WatchState& watch() { return app().state.of<WatchState>(); }
int step() { return step_of(*app().state.run, app().state.cursor); }
bool shown(const char* picture, const std::string& hit) {
  const auto& hits = app().ui.pictures.at(picture).picture.hits;
  return std::any_of(hits.begin(), hits.end(), [&](const HitRegion& h) { return h.name == hit; });
}
void to(ImGuiTestContext* ctx, int step) {
  app().state.of<WatchState>() = {};
  app().state = to_step(app().state, step);
  ctx->Yield(2);
}

void tests(ImGuiTestEngine* e) {
  add_test(e, "why", "unfolds_and_folds_by_keys", [](ImGuiTestContext* ctx) {
    to(ctx, 4);
    IM_CHECK(!shown("why", "why:row:0"));
    ctx->KeyPress(ImGuiKey_W);
    ctx->Yield(2);
    IM_CHECK(shown("why", "why:row:0"));
    ctx->KeyPress(ImGuiKey_W);
    IM_CHECK_EQ(watch().why_levels, 2);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_W, 2);
    IM_CHECK_EQ(watch().why_levels, 0);
    ctx->Yield(2);
    IM_CHECK(!shown("why", "why:row:0"));
  });
  add_test(e, "why", "rows_by_keys", [](ImGuiTestContext* ctx) {
    to(ctx, 4);
    ctx->KeyPress(ImGuiKey_W);
    ctx->Yield(2);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_DownArrow);
    IM_CHECK_EQ(watch().why_row, 0);
    ctx->Yield(2);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_RightArrow);
    IM_CHECK_EQ(watch().why_turned.size(), size_t(1));
    ctx->Yield(2);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_DownArrow);
    IM_CHECK_EQ(watch().why_row, 1);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_UpArrow);
    ctx->Yield(2);
    const int before = step();
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    IM_CHECK_LT(step(), before);
    IM_CHECK(app().state.cursor.cell.has_value());
  });
  add_test(e, "why", "rows_by_mouse", [](ImGuiTestContext* ctx) {
    to(ctx, 4);
    click(ctx, place_of(ctx, "why", "why:unfold"));
    ctx->Yield(2);
    IM_CHECK_EQ(watch().why_levels, 1);
    click(ctx, place_of(ctx, "why", "why:fold:0"));
    IM_CHECK_EQ(watch().why_turned.size(), size_t(1));
    ctx->Yield(2);
    ctx->MouseWheelY(-2);
    IM_CHECK_GT(watch().why_scroll, 0);
    ctx->MouseWheelY(9);
    IM_CHECK_EQ(watch().why_scroll, 0);
    ctx->Yield(2);
    const int before = step();
    click(ctx, place_of(ctx, "why", "why:row:0"));
    IM_CHECK_LT(step(), before);
  });
  add_test(e, "why", "takes_the_sources_place_and_gives_it_back", [](ImGuiTestContext* ctx) {
    to(ctx, 4);
    ctx->Yield(2);
    const float before = app().ui.pictures.at("why").area.h;
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_W);
    ctx->Yield(2);
    IM_CHECK_GT(app().ui.pictures.at("why").area.h, before * 2);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    IM_CHECK_EQ(app().ui.pictures.at("why").area.h, before);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_W);
    ctx->Yield(2);
    click(ctx, place_of(ctx, "why", "why:tall"));
    IM_CHECK(!watch().why_tall);
  });
  add_test(e, "figure", "relatives", [](ImGuiTestContext* ctx) {
    to(ctx, 4);
    ctx->KeyPress(ImGuiKey_D);
    IM_CHECK(watch().relatives == Relatives::descendants);
    ctx->Yield(2);
    click(ctx, place_of(ctx, "whole run", "run:relatives"));
    IM_CHECK(watch().relatives == Relatives::both);
    ctx->KeyPress(ImGuiKey_D);
    IM_CHECK(watch().relatives == Relatives::ancestors);
  });
  add_test(e, "figure", "source_profile_and_scroll", [](ImGuiTestContext* ctx) {
    to(ctx, 4);
    click(ctx, place_of(ctx, "source", "source:profile"));
    IM_CHECK(watch().profile == Profile::step);
    ctx->Yield(2);
    IM_CHECK(shown("source", "source:columns"));
    ctx->KeyPress(ImGuiKey_V);
    IM_CHECK(watch().profile == Profile::run);
    ctx->KeyPress(ImGuiKey_V);
    IM_CHECK(watch().profile == Profile::values);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_RightArrow);
    IM_CHECK_EQ(watch().source_shift, 8);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_LeftArrow);
    IM_CHECK_EQ(watch().source_shift, 0);
    ctx->Yield(2);
    ctx->MouseMoveToPos(place_of(ctx, "source", "source:profile"));
    ctx->MouseWheelX(-1);
    IM_CHECK_EQ(watch().source_shift, 4);
    ctx->MouseWheelX(1);
    // down and up again, as far as there are lines
    IM_CHECK_EQ(watch().source_scroll, 0);
    ctx->MouseWheelY(-1);
    IM_CHECK_EQ(watch().source_scroll, 3);
    for (int k = 0; k < 40; ++k) ctx->MouseWheelY(-1);
    const int most = watch().source_scroll;
    IM_CHECK_GT(most, 3);
    ctx->MouseWheelY(-1);
    IM_CHECK_EQ(watch().source_scroll, most);
    ctx->MouseWheelY(1);
    IM_CHECK_EQ(watch().source_scroll, most - 3);
    ctx->Yield(2);
    // the dialect's registration is at the end; it unfolds and folds
    click(ctx, place_of(ctx, "source", "source:dialect"));
    ctx->Yield(4);
    for (int k = 0; k < 40; ++k) ctx->MouseWheelY(-1);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_R);
    IM_CHECK(watch().registration);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_R);
    ctx->Yield(2);
    click(ctx, place_of(ctx, "source", "source:registration"));
    IM_CHECK(watch().registration);
    click(ctx, place_of(ctx, "source", "source:cuda"));
    ctx->Yield(4);
  });
  add_test(e, "figure", "a_lines_machine_code_unfolds", [](ImGuiTestContext* ctx) {
    to(ctx, 4);
    IM_CHECK(!shown("source", "source:occupancy"));
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_M);
    ctx->Yield(2);
    IM_CHECK(watch().machine_code);
    IM_CHECK(shown("source", "source:occupancy"));
    const std::string& text = app().state.run->trace.sources[0].text;
    const int add = 1 + int(std::count(text.begin(), text.begin() + long(text.find("sum[right] = ")), '\n'));
    click(ctx, place_of(ctx, "source", "source:unfold:" + std::to_string(add)));
    ctx->Yield(2);
    IM_CHECK_EQ(watch().code_line, add);
    const auto& hits = app().ui.pictures.at("source").picture.hits;
    IM_CHECK(std::any_of(hits.begin(), hits.end(),
                         [](const HitRegion& h) { return h.name.starts_with("source:code:"); }));
    // it is part of what a session keeps
    const std::string kept = session_text(app().state);
    IM_CHECK(kept.find("\"code_line\"") != std::string::npos);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_I);
    IM_CHECK_EQ(watch().code_line, 0);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_M);
    ctx->Yield(2);
    IM_CHECK(!shown("source", "source:occupancy"));
  });
  add_test(e, "figure", "a_long_run_scrolls", [](ImGuiTestContext* ctx) {
    RunSpec r;
    r.kernel = "scan/hierarchical";
    restart(r);
    app().state.of<WatchState>() = {};
    ctx->Yield(2);
    IM_CHECK(shown("whole run", "run:scroll"));
    IM_CHECK(shown("whole run", "run:launch:0"));
    ctx->MouseMoveToPos(place_of(ctx, "whole run", "run:scroll"));
    ctx->MouseWheelY(-5);
    ctx->Yield(2);
    const int wheeled = watch().run_scroll;
    IM_CHECK_GT(wheeled, 0);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_DownArrow, 3);
    IM_CHECK_EQ(watch().run_scroll, wheeled + 3);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_UpArrow);
    IM_CHECK_EQ(watch().run_scroll, wheeled + 2);
    ctx->Yield(2);
    IM_CHECK(!shown("whole run", "run:launch:0"));
    click(ctx, place_of(ctx, "timeline", "timeline:launch:2"));
    IM_CHECK_EQ(app().state.cursor.launch, 2);
  });
}

const RegisterControls figure{tests};

}  // namespace
}  // namespace bscope
