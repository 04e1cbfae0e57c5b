// Every control of the Compare tab.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "app/run/run.hpp"
#include "app/session/tab.hpp"
#include "app/session/tab_time.hpp"
#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/compare/picture.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

LoadedState& state() { return app().state; }
const CompareState& compare() { return state().of<CompareState>(); }

void open_tab(ImGuiTestContext* ctx) {
  ctx->ItemClick("Compare");
  ctx->Yield(3);
}

/// A choice of a list in the popup that "more..." opens.
void choose_more(ImGuiTestContext* ctx, const char* more, const char* list, const char* value) {
  ctx->SetRef("//app");
  ctx->ItemClick(more);
  ctx->Yield(2);
  ctx->SetRef("//$FOCUSED");
  ctx->ItemClick(list);
  ctx->SetRef("//$FOCUSED");
  ctx->ItemClick(value);
  ctx->Yield(2);
  ctx->PopupCloseAll();
  ctx->SetRef("//app");
  ctx->Yield(2);
}

void tests(ImGuiTestEngine* e) {
  add_test(e, "compare", "a_large_run_comes_when_it_is_there", [](ImGuiTestContext* ctx) {
    app().ui.wake = [] {};
    state().of<CompareState>().right = {.kernel = "scan/kogge-stone", .n = 8192};
    open_tab(ctx);
    for (int k = 0; k < 2000 && !state().results.of<CompareRuns>().comparison; ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      ctx->Yield();
    }
    IM_CHECK(state().results.of<CompareRuns>().comparison != nullptr);
    IM_CHECK_EQ(state().results.of<CompareRuns>().other->report.input.size(), size_t(8192));
    app().ui.wake = nullptr;
  });
  add_test(e, "compare", "opens_with_the_next_rung_by_one_key", [](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_5);
    ctx->Yield(3);
    IM_CHECK(state().tab == "compare");
    IM_CHECK_EQ(state().results.of<CompareRuns>().other->trace.kernel, std::string("scan/blelloch-padded"));
  });
  add_test(e, "compare", "kernels_of_both_sides", [](ImGuiTestContext* ctx) {
    open_tab(ctx);
    choose(ctx, "right/##kernel", "scan\\/kogge-stone/Kogge-Stone");
    IM_CHECK_EQ(state().results.of<CompareRuns>().other->trace.kernel, std::string("scan/kogge-stone"));
    choose(ctx, "left/##kernel", "histogram\\/shared-atomics/Shared atomics");
    IM_CHECK_EQ(state().run->trace.kernel, std::string("histogram/shared-atomics"));
    IM_CHECK_EQ(state().results.of<CompareRuns>().other->trace.kernel, std::string("scan/kogge-stone"));
    IM_CHECK_EQ(state().error.english(), std::string());
  });
  add_test(e, "compare", "sizes_of_both_sides", [](ImGuiTestContext* ctx) {
    open_tab(ctx);
    ctx->ItemInputValue("left/##n", 24);
    ctx->Yield(2);
    IM_CHECK_EQ(state().run->report.input.size(), size_t(24));
    IM_CHECK_EQ(state().results.of<CompareRuns>().other->report.input.size(), size_t(24));  // shared
    ctx->ItemInputValue("right/##n", 40);
    ctx->Yield(2);
    IM_CHECK_EQ(state().run->report.input.size(), size_t(24));
    IM_CHECK_EQ(state().results.of<CompareRuns>().other->report.input.size(), size_t(40));
    choose(ctx, "right/##block", "8");
    IM_CHECK_EQ(state().results.of<CompareRuns>().other->trace.launches[0].block, 8);
    choose(ctx, "left/##block", "4");
    IM_CHECK_EQ(state().run->trace.launches[0].block, 4);
    IM_CHECK_EQ(state().results.of<CompareRuns>().other->trace.launches[0].block, 8);
    choose(ctx, "right/##block", "auto");
    IM_CHECK_EQ(compare().right.block, 0);
  });
  add_test(e, "compare", "parameters_and_files", [](ImGuiTestContext* ctx) {
    open_tab(ctx);
    choose_more(ctx, "right/more##more", "##type", "float");
    IM_CHECK_EQ(parameter_of(state().results.of<CompareRuns>().other->trace, "type"), std::string("float"));
    IM_CHECK_EQ(parameter_of(state().run->trace, "type"), std::string("int32"));
    choose_more(ctx, "left/more##more", "##type", "double");
    IM_CHECK_EQ(parameter_of(state().run->trace, "type"), std::string("double"));
    ctx->ItemClick("right/more##more");
    ctx->Yield(2);
    ctx->SetRef("//$FOCUSED");
    ctx->ItemInputValue("##file", "no such.bscope");
    ctx->PopupCloseAll();
    ctx->Yield(2);
    IM_CHECK(state().error_at == Where::compare);
    IM_CHECK(!state().results.of<CompareRuns>().comparison);
    ctx->KeyPress(ImGuiKey_V);  // from an error to the next kernel
    ctx->Yield(2);
    IM_CHECK(state().results.of<CompareRuns>().comparison != nullptr);
    IM_CHECK_EQ(state().error.english(), std::string());
  });
  add_test(e, "compare", "rows_positions_and_choices_by_mouse", [](ImGuiTestContext* ctx) {
    open_tab(ctx);
    click(ctx, place_of(ctx, "compare", "left 4"));
    IM_CHECK_EQ(compare().position, 4);
    IM_CHECK_EQ(state().cursor.interval, 4);
    click(ctx, place_of(ctx, "compare", "right 2"));
    IM_CHECK_EQ(compare().position, 2);
    click(ctx, place_of(ctx, "compare time", "sync by phase"));
    IM_CHECK(compare().sync == SyncBy::phase);
    click(ctx, place_of(ctx, "compare time", "sync by work"));
    IM_CHECK(compare().sync == SyncBy::work);
    click(ctx, place_of(ctx, "compare time", "sync by interval"));
    for (const std::string& scale : state().results.of<CompareRuns>().comparison->scales()) {
      click(ctx, place_of(ctx, "compare time", "scale " + scale));
      IM_CHECK_EQ(compare().scale, scale);
    }
    const int length = own_time(state())->length;
    click(ctx, place_of(ctx, "compare time", "position"));
    IM_CHECK(std::abs(compare().position - (length - 1) / 2) <= 1);
  });
  add_test(e, "compare", "one_transport_and_its_keys", [](ImGuiTestContext* ctx) {
    open_tab(ctx);
    ctx->KeyPress(ImGuiKey_RightArrow, 3);
    IM_CHECK_EQ(compare().position, 3);
    ctx->KeyPress(ImGuiKey_LeftArrow);
    IM_CHECK_EQ(compare().position, 2);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_RightArrow);
    IM_CHECK_GT(compare().position, 2);
    ctx->ItemClick("last");
    IM_CHECK_EQ(compare().position, own_time(state())->length - 1);
    ctx->KeyPress(ImGuiKey_Home);
    IM_CHECK_EQ(compare().position, 0);
    for (int k = 0; k < 2; ++k) ctx->KeyPress(ImGuiKey_RightBracket);
    ctx->KeyPress(ImGuiKey_Space);
    for (int k = 0; k < 2000 && state().playing; ++k) ctx->Yield();
    IM_CHECK_EQ(compare().position, own_time(state())->length - 1);
    IM_CHECK(!app().busy());
  });
  add_test(e, "compare", "every_choice_by_keys", [](ImGuiTestContext* ctx) {
    open_tab(ctx);
    ctx->KeyPress(ImGuiKey_M);
    IM_CHECK(compare().sync == SyncBy::phase);
    ctx->KeyPress(ImGuiKey_W);
    IM_CHECK(compare().scale == "wavefronts");
    const std::string left = state().run->trace.kernel,
                      right = state().results.of<CompareRuns>().other->trace.kernel;
    ctx->KeyPress(ImGuiKey_X);
    ctx->Yield(2);
    IM_CHECK_EQ(state().run->trace.kernel, right);
    IM_CHECK_EQ(state().results.of<CompareRuns>().other->trace.kernel, left);
    ctx->KeyPress(ImGuiKey_X);
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_V);
    ctx->Yield(2);
    IM_CHECK(state().results.of<CompareRuns>().other->trace.kernel != right);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_V);
    ctx->Yield(2);
    IM_CHECK_EQ(state().results.of<CompareRuns>().other->trace.kernel, right);
    ctx->KeyPress(ImGuiKey_C);
    ctx->Yield(2);
    IM_CHECK(state().run->trace.kernel != left);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_C);
    ctx->Yield(2);
    IM_CHECK_EQ(state().run->trace.kernel, left);
  });
  add_test(e, "compare", "any_kernel_beside_any", [](ImGuiTestContext* ctx) {
    open_tab(ctx);
    for (size_t k = 0; k < catalog().size(); ++k) {
      ctx->KeyPress(ImGuiKey_V);
      ctx->Yield(2);
      IM_CHECK_EQ(state().error.english(), std::string());
      IM_CHECK(state().results.of<CompareRuns>().comparison != nullptr);
    }
  });
}
const RegisterControls registered{tests};

}  // namespace
}  // namespace bscope
