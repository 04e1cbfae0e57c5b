// Every control of the Schedule tab, by mouse and by keys.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/run/assets.hpp"
#include "app/session/session_file.hpp"
#include "app/tabs/schedule/schedule_state.hpp"
#include "engine/analysis/run.hpp"
#include "engine/simt/parameter.hpp"
#include "engine/timing/timeline.hpp"
#include "tests/at_once.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

ScheduleState& look() { return app().state.of<ScheduleState>(); }

void begin(ImGuiTestContext* ctx, const char* kernel) {
  restart(kernel);
  app().state.tab = "schedule";
  ctx->Yield(2);
}

void tests(ImGuiTestEngine* e) {
  add_test(e, "schedule", "sliders", [](ImGuiTestContext* ctx) {
    begin(ctx, "scan/look-back");
    slide(ctx, "schedule", "zoom", 0.999f);
    IM_CHECK_EQ(look().zoom, ScheduleState::most_zoom);
    slide(ctx, "schedule", "moment", 0.001f);
    IM_CHECK_LT(look().moment, 100);
    slide(ctx, "schedule", "rows", 0.5f);
    IM_CHECK_EQ(look().rows_zoom, 4);
    slide(ctx, "schedule", "first", 0.999f);
    IM_CHECK_GT(look().first, 990);
  });
  add_test(e, "schedule", "keys", [](ImGuiTestContext* ctx) {
    begin(ctx, "scan/look-back");
    ctx->KeyPress(ImGuiKey_Period);
    IM_CHECK_EQ(look().zoom, 2);
    ctx->KeyPress(ImGuiKey_RightArrow);
    IM_CHECK_EQ(look().moment, 5100);
    ctx->KeyPress(ImGuiKey_LeftArrow);
    ctx->KeyPress(ImGuiKey_Comma);
    IM_CHECK_EQ(look().moment, 5000);
    IM_CHECK_EQ(look().zoom, 0);
    ctx->KeyPress(ImGuiKey_V);
    IM_CHECK_EQ(look().rows_zoom, 1);
    ctx->KeyPress(ImGuiKey_DownArrow);
    IM_CHECK_EQ(look().first, 50);
    ctx->KeyPress(ImGuiKey_UpArrow);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_V);
    IM_CHECK_EQ(look().first, 0);
    IM_CHECK_EQ(look().rows_zoom, 0);
  });
  add_test(e, "schedule", "blocks_and_runs_by_mouse", [](ImGuiTestContext* ctx) {
    begin(ctx, "reduce/warp-shuffle");
    click(ctx, place_of(ctx, "schedule", "resident:2"));
    ctx->Yield(2);
    IM_CHECK_EQ(look().resident, 2);
    const auto& hits = app().ui.pictures.at("schedule").picture.hits;
    const auto bar = std::ranges::find_if(hits, [](const HitRegion& h) {
      return h.name.starts_with("block 0:") && h.box.w > 20 && h.box.h > 6;
    });
    IM_CHECK(bar != hits.end());
    const ImVec2 at = place_of(ctx, "schedule", bar->name);
    click(ctx, at);
    ctx->Yield(2);
    IM_CHECK_GE(look().block, 0);
    ctx->MouseMoveToPos(at);
    ctx->MouseWheelY(1);
    ctx->Yield(2);
    IM_CHECK_EQ(look().zoom, 2);
    ctx->MouseWheelY(-1);
    ctx->Yield(2);
    IM_CHECK_EQ(look().zoom, 0);
  });
  add_test(e, "schedule", "a_dropped_timeline_is_shown", [](ImGuiTestContext* ctx) {
    const std::string file = (assets_folder() / "timelines/scan-look-back.json").string();
    restart("reduce/shared");
    app().drop(file);
    ctx->Yield(3);
    IM_CHECK_EQ(app().state.tab, "schedule");
    IM_CHECK_EQ(app().state.run->trace.kernel, "scan/look-back");
    IM_CHECK_EQ(look().resident, load_timeline(file).limit);
    const std::string broken = std::filesystem::temp_directory_path() / "broken-timeline.json";
    std::ofstream(broken) << R"({"format":"barrierscope.timeline/1","device":7})";
    app().drop(broken);
    ctx->Yield(2);
    IM_CHECK(app().state.error_at == Where::file);
    IM_CHECK_EQ(app().state.run->trace.kernel, "scan/look-back");
    std::filesystem::remove(broken);
  });
  add_test(e, "schedule", "a_session_keeps_the_tab", [](ImGuiTestContext* ctx) {
    begin(ctx, "scan/look-back");
    look().zoom = 12;
    look().block = 7;
    const std::string text = session_text(app().state);
    restart();
    app().state = with_session(app().state, text);
    ctx->Yield(2);
    IM_CHECK(app().state.tab == "schedule");
    IM_CHECK_EQ(look().zoom, 12);
    IM_CHECK_EQ(look().block, 7);
  });
}

const RegisterControls schedule_controls{tests};

}  // namespace
}  // namespace bscope
