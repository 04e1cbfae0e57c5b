// Every control of the tabs Banks and Memory.
#include <algorithm>

#include "app/tabs/banks/banks_state.hpp"
#include "app/tabs/banks/picture.hpp"
#include "app/tabs/banks/scene.hpp"
#include "app/tabs/memory/memory_state.hpp"
#include "app/tabs/memory/picture.hpp"
#include "app/tabs/memory/scene.hpp"
#include "engine/analysis/run.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

int step() { return step_of(*app().state.run, app().state.cursor); }
LoadedState& state() { return app().state; }

bool shows(const std::string& picture, const std::string& hit) {
  const auto& hits = app().ui.pictures.at(picture).picture.hits;
  return std::any_of(hits.begin(), hits.end(), [&](const HitRegion& h) { return h.name == hit; });
}
/// Wavefronts or sectors of the pattern's read, as it was really run.
int answers_now(bool shared) {
  const PatternState& pattern = shared ? state().of<BanksState>().pattern : state().of<MemoryState>().pattern;
  const PatternRuns p = pattern_runs(pattern, shared, app().ui.runs);
  const WarpAccess* q = pattern_read(p.other ? *p.other : *p.plain, shared);
  return q ? answers(*q) : -1;
}

void banks(ImGuiTestEngine* e) {
  add_test(e, "banks", "keys_choose_the_request_and_follow_nobody", [](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_2);
    ctx->KeyPress(ImGuiKey_RightArrow, 2);
    ctx->Yield(60);
    const auto all =
        numbers_at(*twin_runs(state(), app().ui.runs).plain, state().cursor, MemorySpace::shared);
    IM_CHECK_GE(int(all.size()), 3);
    ctx->KeyPress(ImGuiKey_DownArrow);
    const int second = state().of<BanksState>().request;
    IM_CHECK(std::find(all.begin(), all.end(), second) != all.end());
    ctx->KeyPress(ImGuiKey_DownArrow);
    IM_CHECK(state().of<BanksState>().request != second);
    ctx->KeyPress(ImGuiKey_UpArrow);
    IM_CHECK_EQ(state().of<BanksState>().request, second);
    IM_CHECK_EQ(state().cursor.thread, -1);  // in Watch these keys follow a thread
    ctx->KeyPress(ImGuiKey_1);
    ctx->KeyPress(ImGuiKey_DownArrow);
    IM_CHECK_GE(state().cursor.thread, 0);
  });
  add_test(e, "banks", "a_lane_is_followed", [](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_2);
    click(ctx, place_of(ctx, "banks", "lane 3"));
    IM_CHECK_EQ(state().cursor.thread, 3);
    click(ctx, place_of(ctx, "banks", "lane 3"));
    IM_CHECK_EQ(state().cursor.thread, -1);
  });
  add_test(e, "banks", "the_padded_twin_stands_beside", [](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_2);
    ctx->Yield(2);
    IM_CHECK(twin_runs(state(), app().ui.runs).padded != nullptr);
    IM_CHECK_EQ(twin_runs(state(), app().ui.runs).padded->trace.kernel, std::string("scan/blelloch-padded"));
    IM_CHECK(shows("banks", "padded lane 0"));
    click(ctx, place_of(ctx, "banks", "beside"));
    ctx->Yield(2);
    IM_CHECK(!shows("banks", "padded lane 0"));
    ctx->KeyPress(ImGuiKey_B);
    ctx->Yield(2);
    IM_CHECK(shows("banks", "padded lane 0"));
    restart("scan/kogge-stone");
    ctx->KeyPress(ImGuiKey_2);
    ctx->Yield(2);
    IM_CHECK(!shows("banks", "padded lane 0"));
    IM_CHECK(!shows("banks", "beside"));
  });
  add_test(e, "banks", "the_pattern_is_really_run", [](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_2);
    click(ctx, place_of(ctx, "banks", "pattern"));
    IM_CHECK(state().of<BanksState>().playing);
    ctx->Yield(2);
    IM_CHECK_EQ(answers_now(true), 2);  // stride 2
    slide(ctx, "banks", "stride", 0.5f);
    IM_CHECK_EQ(state().of<BanksState>().pattern.stride, 32);
    IM_CHECK_EQ(answers_now(true), 32);
    slide(ctx, "banks", "pad", 0.25f);
    IM_CHECK_EQ(state().of<BanksState>().pattern.pad, 1);
    IM_CHECK_EQ(answers_now(true), 1);
    IM_CHECK(shows("banks", "padded lane 31"));
    slide(ctx, "banks", "width", 0.99f);
    IM_CHECK_EQ(state().of<BanksState>().pattern.width, 16);
    slide(ctx, "banks", "offset", 0.99f);
    IM_CHECK_EQ(state().of<BanksState>().pattern.offset, 31);
    click(ctx, place_of(ctx, "banks", "stride 5"));
    IM_CHECK_EQ(state().of<BanksState>().pattern.stride, 5);
    const int before = step();
    IM_CHECK_EQ(step(), before);
    click(ctx, place_of(ctx, "banks", "kernel"));
    IM_CHECK(!state().of<BanksState>().playing);
  });
  add_test(e, "banks", "keys_play_with_the_pattern", [](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_2);
    ctx->KeyPress(ImGuiKey_Period);  // no pattern, nothing changes
    IM_CHECK_EQ(state().of<BanksState>().pattern.stride, 2);
    ctx->KeyPress(ImGuiKey_C);
    IM_CHECK(state().of<BanksState>().playing);
    ctx->KeyPress(ImGuiKey_Period, 2);
    IM_CHECK_EQ(state().of<BanksState>().pattern.stride, 4);
    ctx->KeyPress(ImGuiKey_Comma);
    IM_CHECK_EQ(state().of<BanksState>().pattern.stride, 3);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_Period);
    IM_CHECK_EQ(state().of<BanksState>().pattern.offset, 1);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_Comma, 2);
    IM_CHECK_EQ(state().of<BanksState>().pattern.offset, 0);
    ctx->KeyPress(ImGuiKey_Apostrophe);
    IM_CHECK_EQ(state().of<BanksState>().pattern.pad, 1);
    ctx->KeyPress(ImGuiKey_Semicolon);
    IM_CHECK_EQ(state().of<BanksState>().pattern.pad, 0);
    ctx->KeyPress(ImGuiKey_W);
    IM_CHECK_EQ(state().of<BanksState>().pattern.width, 8);
    ctx->KeyPress(ImGuiKey_C);
    IM_CHECK(!state().of<BanksState>().playing);
  });
}

void memory(ImGuiTestEngine* e) {
  add_test(e, "memory", "requests_bars_and_lanes", [](ImGuiTestContext* ctx) {
    restart("reduce/interleaved-global");
    ctx->ItemClick("Memory");
    ctx->KeyPress(ImGuiKey_End);
    ctx->Yield(60);
    const auto all = numbers_at(*state().run, state().cursor, MemorySpace::global);
    IM_CHECK_GE(int(all.size()), 2);
    click(ctx, place_of(ctx, "memory", HitRegion::line, all[1]));
    IM_CHECK_EQ(state().of<MemoryState>().request, all[1]);
    ctx->KeyPress(ImGuiKey_UpArrow);
    IM_CHECK_EQ(state().of<MemoryState>().request, all[0]);
    ctx->KeyPress(ImGuiKey_DownArrow);
    IM_CHECK_EQ(state().of<MemoryState>().request, all[1]);
    click(ctx, place_of(ctx, "memory", HitRegion::interval, 1));
    IM_CHECK_EQ(step(), 1);
    click(ctx, place_of(ctx, "memory", "lane 0"));
    IM_CHECK_EQ(state().cursor.thread, 0);
  });
  add_test(e, "memory", "bulk_copies_can_be_chosen", [](ImGuiTestContext* ctx) {
    restart("reduce/bulk-copy");
    ctx->ItemClick("Memory");
    ctx->Yield(2);
    const auto copies = engine_copies(*state().run, interval_at(*state().run, state().cursor));
    IM_CHECK(!copies.empty());
    click(ctx, place_of(ctx, "memory", "request " + std::to_string(copies.back().node)));
    IM_CHECK_EQ(state().of<MemoryState>().request, copies.back().node);
  });
  add_test(e, "memory", "the_pattern_is_really_run", [](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_3);
    click(ctx, place_of(ctx, "memory", "pattern"));
    IM_CHECK(state().of<MemoryState>().playing);
    ctx->Yield(2);
    IM_CHECK_EQ(answers_now(false), 8);  // every other number
    slide(ctx, "memory", "stride", 0.5f);
    IM_CHECK_EQ(state().of<MemoryState>().pattern.stride, 32);
    IM_CHECK_EQ(answers_now(false), 32);
    slide(ctx, "memory", "width", 0.5f);
    IM_CHECK_EQ(state().of<MemoryState>().pattern.width, 8);
    slide(ctx, "memory", "offset", 0.5f);
    slide(ctx, "memory", "pad", 0.5f);
    IM_CHECK_EQ(state().of<MemoryState>().pattern.pad, 2);
    click(ctx, place_of(ctx, "memory", "stride 1"));
    IM_CHECK_EQ(state().of<MemoryState>().pattern.stride, 1);
    ctx->KeyPress(ImGuiKey_Period);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_Comma);
    ctx->KeyPress(ImGuiKey_Semicolon);
    ctx->KeyPress(ImGuiKey_W);
    IM_CHECK_EQ(state().of<MemoryState>().pattern.stride, 2);
    IM_CHECK_EQ(state().of<MemoryState>().pattern.pad, 1);
    IM_CHECK_EQ(state().of<MemoryState>().pattern.width, 16);
    click(ctx, place_of(ctx, "memory", "kernel"));
    IM_CHECK(!state().of<MemoryState>().playing);
  });
}

const RegisterControls of_banks{banks};
const RegisterControls of_memory{memory};

}  // namespace
}  // namespace bscope
