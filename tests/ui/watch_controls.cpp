// The array view's own controls: sub-steps, launches, blocks, arrays, lanes, words; by mouse and by key.
#include <algorithm>

#include "app/shell/zoom_shown.hpp"
#include "app/tabs/watch/array/view.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/analysis/substeps.hpp"
#include "engine/trace/source_line.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

const Cursor& cursor() { return app().state.cursor; }
const Run& run() { return *app().state.run; }
bool shown(const std::string& hit) {
  const auto& hits = app().ui.pictures.at("array").picture.hits;
  return std::any_of(hits.begin(), hits.end(), [&](const HitRegion& h) { return h.name == hit; });
}
bool says(const std::string& words) {
  const auto& shapes = app().ui.pictures.at("array").picture.shapes;
  return std::any_of(shapes.begin(), shapes.end(), [&](const Shape& s) {
    return s.type == Shape::text && s.words.find(words) != std::string::npos;
  });
}
void open(ImGuiTestContext* ctx, const char* kernel, long long n, long long block) {
  RunSpec r;
  r.kernel = kernel;
  r.n = n;
  r.block = block;
  restart(r);
  ctx->Yield(2);
}

void tests(ImGuiTestEngine* e) {
  add_test(e, "watch", "substeps_by_key_and_by_mouse", [](ImGuiTestContext* ctx) {
    app().state = to_step(app().state, 2);
    ctx->Yield(2);
    IM_CHECK(!shown("substep:next"));
    ctx->KeyPress(ImGuiKey_Period);
    IM_CHECK_EQ(cursor().substep, 0);
    IM_CHECK(says("Request 1 of 3"));
    ctx->KeyPress(ImGuiKey_Period);
    IM_CHECK_EQ(cursor().substep, 1);
    ctx->KeyPress(ImGuiKey_Comma);
    IM_CHECK_EQ(cursor().substep, 0);
    click(ctx, place_of(ctx, "array", "substep:next"));
    IM_CHECK_EQ(cursor().substep, 1);
    click(ctx, place_of(ctx, "array", "substep:previous"));
    IM_CHECK_EQ(cursor().substep, 0);
    click(ctx, place_of(ctx, "array", "substep:leave"));
    IM_CHECK_EQ(cursor().substep, -1);
    ctx->KeyPress(ImGuiKey_Period);
    ctx->KeyPress(ImGuiKey_Escape);
    IM_CHECK_EQ(cursor().substep, -1);
    ctx->KeyPress(ImGuiKey_Period);
    ctx->KeyPress(ImGuiKey_RightArrow);
    IM_CHECK_EQ(cursor().substep, -1);
    IM_CHECK_EQ(cursor().interval, 3);
  });
  add_test(e, "watch", "zoom_keeps_the_cell_and_fades", [](ImGuiTestContext* ctx) {
    open(ctx, "scan/kogge-stone", 256, 256);
    app().state = to_step(app().state, 6);
    app().state.cursor.cell = CellRef{first_shared, 100};
    app().state.cursor.phase = 1;
    app().state.reduced_motion = false;
    ctx->Yield(2);
    IM_CHECK(!shown("position"));
    int fades = 0;
    const auto level = [] { return app().ui.of<ZoomShown>().level; };
    IM_CHECK(level().has_value() && *level() != Zoom::full);
    for (Zoom before = *level(); *level() != Zoom::full; before = *level()) {
      ctx->KeyPress(ImGuiKey_Equal);
      IM_CHECK_LT(cursor().zoom, 256.0f);
      IM_CHECK(shown("after:sum[100]") || shown("all:sum[100]"));  // whatever the size of cells
      if (*level() == before) continue;
      ++fades;
      IM_CHECK_GT(app().ui.of<ZoomShown>().fade, 0.0f);
      IM_CHECK(app().busy());
      for (int frame = 0; frame < 60 && app().ui.of<ZoomShown>().fade > 0; ++frame) ctx->Yield();
      IM_CHECK_EQ(app().ui.of<ZoomShown>().fade, 0.0f);
      IM_CHECK(!app().busy());
    }
    IM_CHECK_GE(fades, 2);  // values appear, then pills and ghosts
    // all the way along by the slider, and back by its keys
    const float held = cursor().scroll;
    const Picture& picture = app().ui.pictures.at("array").picture;
    const auto slider = std::find_if(picture.hits.begin(), picture.hits.end(),
                                     [](const HitRegion& h) { return h.name == "position"; });
    IM_CHECK(slider != picture.hits.end());
    const int last = slider->b;
    const ImVec2 middle = place_of(ctx, "array", "position");
    const float end = middle.x + slider->box.w / 2 - 1;
    ctx->MouseMoveToPos(middle);
    ctx->MouseDown(0);
    ctx->MouseMoveToPos({end, middle.y});
    ctx->MouseUp(0);
    IM_CHECK_GT(cursor().scroll, held);
    IM_CHECK_GE(int(cursor().scroll), last - 2);
    IM_CHECK(shown("after:sum[255]"));
    // without motion nothing fades
    app().state.reduced_motion = true;
    ctx->KeyPress(ImGuiKey_0);
    IM_CHECK(*level() != Zoom::full);
    IM_CHECK_EQ(app().ui.of<ZoomShown>().fade, 0.0f);
    IM_CHECK_EQ(cursor().scroll, 0.0f);
  });
  add_test(e, "watch", "the_wheel_finds_the_cell_in_a_strip", [](ImGuiTestContext* ctx) {
    open(ctx, "reduce/serial-in-block", 8192, 256);
    app().state.cursor.array = 0;
    ctx->Yield(2);
    IM_CHECK(app().ui.of<ZoomShown>().level == Zoom::strip);
    const Picture& picture = app().ui.pictures.at("array").picture;
    const auto quarter = std::find_if(picture.hits.begin(), picture.hits.end(), [](const HitRegion& h) {
      return h.name.starts_with("all:") && h.b >= 6000;
    });
    IM_CHECK(quarter != picture.hits.end());
    const int cell = quarter->b;
    ctx->MouseMoveToPos(place_of(ctx, "array", quarter->name));
    for (int turn = 0; turn < 20; ++turn) ctx->MouseWheelY(1);
    const Columns now = columns(RunQueries(app().state.run), cursor(), theme(ThemeName::dark, 900), 956);
    IM_CHECK_LT(now.visible, 200);
    IM_CHECK_LE(now.first, cell + 40);
    IM_CHECK_GE(now.first + now.visible, cell - 40);
  });
  add_test(e, "watch", "launches_and_blocks", [](ImGuiTestContext* ctx) {
    open(ctx, "scan/hierarchical", 64, 8);
    IM_CHECK_GT(run().trace.launches.size(), size_t(1));
    click(ctx, place_of(ctx, "array", "launch:1"));
    IM_CHECK_EQ(cursor().launch, 1);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_PageUp);
    IM_CHECK_EQ(cursor().launch, 0);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_PageDown);
    IM_CHECK_EQ(cursor().launch, 1);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_PageUp);
    click(ctx, place_of(ctx, "array", "block:next"));
    IM_CHECK_EQ(cursor().block, 1);
    click(ctx, place_of(ctx, "array", "block:previous"));
    IM_CHECK_EQ(cursor().block, 0);
  });
  add_test(e, "watch", "all_blocks_small", [](ImGuiTestContext* ctx) {
    open(ctx, "scan/blelloch", 64, 4);
    IM_CHECK(!shown("block:3"));
    ctx->KeyPress(ImGuiKey_B);
    IM_CHECK(app().state.of<WatchState>().all_blocks);
    for (int b = 0; b < 8; ++b) IM_CHECK(shown("block:" + std::to_string(b)));
    ctx->KeyPress(ImGuiKey_RightArrow);  // steps go on
    IM_CHECK_EQ(cursor().interval, 1);
    click(ctx, place_of(ctx, "array", "block:5"));
    IM_CHECK_EQ(cursor().block, 5);
    IM_CHECK(!app().state.of<WatchState>().all_blocks);
    click(ctx, place_of(ctx, "array", "blocks:all"));
    IM_CHECK(app().state.of<WatchState>().all_blocks);
    click(ctx, place_of(ctx, "array", "blocks:all"));
    IM_CHECK(!app().state.of<WatchState>().all_blocks);
  });
  add_test(e, "watch", "all_arrays_small", [](ImGuiTestContext* ctx) {
    open(ctx, "scan/blelloch", 16, 8);
    IM_CHECK(!shown("small:sum[3]"));
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_G);
    IM_CHECK(app().state.of<WatchState>().all_arrays);
    for (const char* cell : {"small:sum[3]", "small:data[15]", "small:totals[0]"}) IM_CHECK(shown(cell));
    ctx->KeyPress(ImGuiKey_RightArrow);  // steps go on
    IM_CHECK_EQ(cursor().interval, 1);
    IM_CHECK(shown("small:sum[3]"));
    click(ctx, place_of(ctx, "array", "small:sum[3]"));
    IM_CHECK(cursor().cell == (CellRef{first_shared, 3}));
    click(ctx, place_of(ctx, "array", "array:data"));
    IM_CHECK_EQ(cursor().array, 0);
    IM_CHECK(!app().state.of<WatchState>().all_arrays);
    click(ctx, place_of(ctx, "array", "arrays:all"));
    IM_CHECK(app().state.of<WatchState>().all_arrays);
    ctx->KeyPress(ImGuiKey_G);  // one after the other again
    IM_CHECK(!app().state.of<WatchState>().all_arrays);
  });
  add_test(e, "watch", "arrays_and_lanes", [](ImGuiTestContext* ctx) {
    open(ctx, "reduce/warp-shuffle", 32, 32);
    IM_CHECK(shown("lane:0:5"));
    click(ctx, place_of(ctx, "array", "array:data"));
    IM_CHECK_GE(cursor().array, 0);
    IM_CHECK(!shown("lane:0:5"));
    IM_CHECK(shown("after:data[5]"));
    click(ctx, place_of(ctx, "array", "array:lanes"));
    IM_CHECK_EQ(cursor().array, -1);
    click(ctx, place_of(ctx, "array", "lane:0:7"));
    IM_CHECK_EQ(cursor().thread, 7);
    click(ctx, place_of(ctx, "array", "exchange:0"));
    IM_CHECK(source_line(app().state.run->trace, 0, cursor().line).find("__shfl_xor_sync") !=
             std::string::npos);
    ctx->KeyPress(ImGuiKey_G);
    IM_CHECK_EQ(cursor().array, first_shared);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_G);
    IM_CHECK_EQ(cursor().array, -1);
  });
  add_test(e, "watch", "words_in_cells", [](ImGuiTestContext* ctx) {
    app().state = to_step(app().state, 2);
    ctx->KeyPress(ImGuiKey_C);
    IM_CHECK(app().state.of<WatchState>().words);
    ctx->Yield();
    IM_CHECK(says("0-3") || says("x0..x3"));
    ctx->KeyPress(ImGuiKey_C);
    ctx->Yield();
    IM_CHECK(!app().state.of<WatchState>().words);
    IM_CHECK(!says("0-3"));
  });
}

const RegisterControls watch{tests};

}  // namespace
}  // namespace bscope
