// Every control of the Atomics tab.
#include <algorithm>

#include "app/tabs/atomics/atomics_state.hpp"
#include "app/tabs/atomics/runs.hpp"
#include "app/tabs/atomics/steps.hpp"
#include "engine/analysis/run.hpp"
#include "tests/places.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

LoadedState& state() { return app().state; }
const AtomicsState& atomics() { return state().of<AtomicsState>(); }
const AtomicsModel& model() { return state().results.of<AtomicsQueues>().runs->model; }

void open_tab(ImGuiTestContext* ctx) {
  RunSpec r;
  r.kernel = "histogram/racy";
  r.preset = "queue-7x20";
  restart(r);
  ctx->SetRef("//app");
  ctx->ItemClick("Atomics");
  ctx->Yield(3);
}

void tests(ImGuiTestEngine* e) {
  add_test(e, "atomics", "the_open_histograms_keys", [](ImGuiTestContext* ctx) {
    open_tab(ctx);
    IM_CHECK_EQ(model().sides[0].total, 140);
    IM_CHECK_EQ(model().sides[1].shared_longest, 20);
    IM_CHECK_EQ(model().sides[1].global_longest, 7);
    IM_CHECK_GT(model().racy->lost, 0);
  });
  add_test(e, "atomics", "bins_and_time_by_mouse", [](ImGuiTestContext* ctx) {
    open_tab(ctx);
    click(ctx, place_of(ctx, "atomics", HitRegion::bin, 6));
    ctx->Yield();
    IM_CHECK_EQ(atomics().bin, 6);
    IM_CHECK_EQ(model().bin, 6);
    slide(ctx, "atomics", "time", 0.1f);
    IM_CHECK_GE(atomics().t, 0);
    slide(ctx, "atomics time", "turn", 0.99f);
    IM_CHECK_EQ(atomics().t, model().end);
  });
  add_test(e, "atomics", "sliders_trace_anew", [](ImGuiTestContext* ctx) {
    open_tab(ctx);
    slide(ctx, "atomics", "skew", 0.99f);
    IM_CHECK_EQ(state().error.english(), std::string());
    IM_CHECK_GT(model().sides[0].total, 200);
    const int n = model().n;
    slide(ctx, "atomics", "blocks", 0.3f);
    IM_CHECK_GT(model().n, n);
    slide(ctx, "atomics", "threads", 0.5f);
    IM_CHECK_EQ(state().error.english(), std::string());
    IM_CHECK_GT(model().sides[0].block, 32);
    choose(ctx, "right/##kernel", "histogram\\/coarsened/Coarsened");
    const int grid = model().sides[1].grid;
    slide(ctx, "atomics", "items", 0.99f);
    IM_CHECK_LT(model().sides[1].grid, grid);
    IM_CHECK_EQ(state().error.english(), std::string());
    const auto queues = state().results.of<AtomicsQueues>().runs;
    slide(ctx, "atomics", "items", 0.99f);  // where it rests
    IM_CHECK(state().results.of<AtomicsQueues>().runs == queues);
  });
  add_test(e, "atomics", "kernels_and_their_parameters", [](ImGuiTestContext* ctx) {
    open_tab(ctx);
    choose(ctx, "left/##kernel", "histogram\\/privatised/Privatised");
    IM_CHECK_EQ(state().results.of<AtomicsQueues>().runs->left->trace.kernel,
                std::string("histogram/privatised"));
    ctx->ItemClick("left/more##more");
    ctx->Yield(2);
    ctx->SetRef("//$FOCUSED");
    ctx->ItemClick("##copies");
    ctx->SetRef("//$FOCUSED");
    ctx->ItemClick("per-warp");
    ctx->PopupCloseAll();
    ctx->SetRef("//app");
    ctx->Yield(2);
    IM_CHECK_EQ(atomics().left.set, std::string("copies=per-warp"));
    choose(ctx, "right/##kernel", "scan\\/look-back/Decoupled look-back");
    IM_CHECK_EQ(state().error.english(), std::string());
    IM_CHECK_EQ(model().sides[1].place, std::string("ticket[0]"));
    const bool shuffled = atomics().shuffled;
    ctx->ItemClick("###order");
    ctx->Yield(2);
    IM_CHECK(atomics().shuffled != shuffled);
    IM_CHECK_EQ(state().error.english(), std::string());
  });
  add_test(e, "atomics", "lost_keys_one_by_one", [](ImGuiTestContext* ctx) {
    open_tab(ctx);
    IM_CHECK_GT(model().racy->keys.size(), size_t(2));
    click(ctx, place_of(ctx, "atomics", "lost next"));
    IM_CHECK_EQ(atomics().lost, 1);
    click(ctx, place_of(ctx, "atomics", "lost before"));
    IM_CHECK_EQ(atomics().lost, 0);
    ctx->KeyPress(ImGuiKey_Semicolon);
    IM_CHECK_EQ(atomics().lost, int(model().racy->keys.size()) - 1);
    ctx->KeyPress(ImGuiKey_Apostrophe);
    IM_CHECK_EQ(atomics().lost, 0);
  });
  add_test(e, "atomics", "the_transport_moves_time", [](ImGuiTestContext* ctx) {
    open_tab(ctx);
    const Cursor cursor = state().cursor;
    ctx->KeyPress(ImGuiKey_Home);
    ctx->KeyPress(ImGuiKey_RightArrow, 2);
    IM_CHECK_EQ(atomics().t, 2);
    ctx->ItemClick("forward");
    IM_CHECK_EQ(atomics().t, 3);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_RightArrow);
    IM_CHECK_EQ(atomics().t, 20);
    ctx->KeyPress(ImGuiKey_Home);
    for (int k = 0; k < 2; ++k) ctx->KeyPress(ImGuiKey_RightBracket);
    ctx->KeyPress(ImGuiKey_Space);
    IM_CHECK(app().busy());
    for (int k = 0; k < 2000 && state().playing; ++k) ctx->Yield();
    IM_CHECK_EQ(atomics().t, model().end);
    IM_CHECK(state().cursor == cursor);
  });
  add_test(e, "atomics", "every_choice_by_keys", [](ImGuiTestContext* ctx) {
    open_tab(ctx);
    const int bin = model().bin;
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_DownArrow);
    ctx->Yield();
    IM_CHECK_EQ(model().bin, bin + 1);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_UpArrow);
    ctx->Yield();
    IM_CHECK_EQ(model().bin, bin);
    struct Pair {
      ImGuiKey key;
      std::function<double()> value;
    };
    const Pair pairs[] = {{ImGuiKey_S, [] { return std::round(look_of(state()).skew * 100); }},
                          {ImGuiKey_B, [] { return double(look_of(state()).blocks); }},
                          {ImGuiKey_D, [] { return double(look_of(state()).threads); }},
                          {ImGuiKey_I, [] { return double(look_of(state()).items); }}};
    for (const Pair& p : pairs) {
      const double before = p.value();
      ctx->KeyPress(p.key);
      ctx->Yield(2);
      IM_CHECK_GT(p.value(), before);
      ctx->KeyPress(ImGuiMod_Shift | p.key);
      ctx->Yield(2);
      IM_CHECK_EQ(p.value(), before);
    }
    const std::string left = state().results.of<AtomicsQueues>().runs->left->trace.kernel,
                      right = state().results.of<AtomicsQueues>().runs->right->trace.kernel;
    ctx->KeyPress(ImGuiKey_C);
    ctx->KeyPress(ImGuiKey_V);
    ctx->Yield(2);
    IM_CHECK(state().results.of<AtomicsQueues>().runs->left->trace.kernel != left);
    IM_CHECK(state().results.of<AtomicsQueues>().runs->right->trace.kernel != right);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_C);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_V);
    ctx->Yield(2);
    IM_CHECK_EQ(state().results.of<AtomicsQueues>().runs->left->trace.kernel, left);
    IM_CHECK_EQ(state().results.of<AtomicsQueues>().runs->right->trace.kernel, right);
    const bool shuffled = atomics().shuffled;
    ctx->KeyPress(ImGuiKey_R);
    IM_CHECK(atomics().shuffled != shuffled);
  });
  add_test(e, "atomics", "an_image_beside_its_bins", [](ImGuiTestContext* ctx) {
    RunSpec r;
    r.kernel = "histogram/shared-atomics";
    restart(r);
    app().drop(BARRIERSCOPE_ROOT "/assets/inputs/night.png");
    ctx->Yield(2);
    ctx->SetRef("//app");
    ctx->ItemClick("Atomics");
    ctx->Yield(3);
    IM_CHECK(model().image != nullptr);
    IM_CHECK_EQ(model().n, 96 * 72);
    slide(ctx, "atomics", "skew", 0.5f);  // the sliders bring keys of their own
    IM_CHECK(model().image == nullptr);
  });
}
const RegisterControls registered{tests};

}  // namespace
}  // namespace bscope
