// One view alone, as frames of pages show it.
#include <utility>

#include "app/links/link.hpp"
#include "app/session/tab_time.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/embedded.hpp"
#include "app/shell/header.hpp"
#include "app/shell/touch_input.hpp"
#include "engine/analysis/run.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {

struct ExportPanel;
namespace {

LoadedState& state() { return app().state; }

void embed(ImGuiTestContext* ctx, const std::string& view, const std::string& kernel = "scan/blelloch") {
  restart(kernel);
  state() = to_view(std::move(state()), view);
  app().ui.of<EmbeddedView>().name = view;
  ctx->Yield(3);
}

const RegisterControls more{[](ImGuiTestEngine* e) {
  add_test(e, "embedded", "view_is_stepped_by_buttons_and_keys", [](ImGuiTestContext* ctx) {
    ctx->SetRef("//app");
    for (const char* view : {"watch", "run", "banks"}) {
      embed(ctx, view);
      ctx->ItemClick("forward");
      ctx->Yield(60);
      IM_CHECK_EQ(step_of(*state().run, state().cursor), 1);
      ctx->KeyPress(ImGuiKey_RightArrow);
      ctx->Yield(60);
      IM_CHECK_EQ(step_of(*state().run, state().cursor), 2);
      ctx->ItemClick("back");
      ctx->Yield(2);
      IM_CHECK_EQ(step_of(*state().run, state().cursor), 1);
      ctx->ItemClick("play");
      ctx->Yield(2);
      IM_CHECK(state().playing);
      ctx->KeyPress(ImGuiKey_Space);
      ctx->Yield(2);
      IM_CHECK(!state().playing);
    }
  });
  add_test(e, "embedded", "atomics_move_their_own_time", [](ImGuiTestContext* ctx) {
    embed(ctx, "atomics", "histogram/global-atomics");
    const int before = own_time(state())->now;
    ctx->SetRef("//app");
    ctx->ItemClick("back");
    ctx->Yield(2);
    IM_CHECK_EQ(own_time(state())->now, before - 1);
  });
  add_test(e, "embedded", "keys_lead_to_no_other_view_and_open_nothing", [](ImGuiTestContext* ctx) {
    embed(ctx, "watch");
    const std::string link = link_of(state());
    for (const ImGuiKeyChord key :
         {ImGuiKeyChord(ImGuiKey_2), ImGuiKeyChord(ImGuiKey_K), ImGuiMod_Ctrl | ImGuiKey_K,
          ImGuiMod_Ctrl | ImGuiKey_O, ImGuiMod_Ctrl | ImGuiKey_S, ImGuiMod_Ctrl | ImGuiKey_E,
          ImGuiMod_Ctrl | ImGuiKey_V, ImGuiKeyChord(ImGuiKey_F), ImGuiKeyChord(ImGuiKey_F5),
          ImGuiKeyChord(ImGuiKey_T), ImGuiMod_Ctrl | ImGuiKey_L}) {
      ctx->KeyPress(key);
      ctx->Yield(2);
      IM_CHECK(!ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
      IM_CHECK(!app().ui.of<std::shared_ptr<ExportPanel>>());
      IM_CHECK_STR_EQ(link_of(state()).c_str(), link.c_str());
    }
  });
  add_test(e, "embedded", "link_leads_to_the_whole_app_on_the_same_step", [](ImGuiTestContext* ctx) {
    embed(ctx, "banks");
    ctx->KeyPress(ImGuiKey_RightArrow);
    ctx->Yield(60);
    IM_CHECK(app().ui.of<EmbeddedView>().whole_app.w > 0);
    ctx->SetRef("//app");
    ctx->ItemClick("whole app");
    ctx->Yield(3);
    IM_CHECK(app().ui.of<EmbeddedView>().name.empty());
    IM_CHECK(state().tab == "banks");
    IM_CHECK_EQ(step_of(*state().run, state().cursor), 1);
    ctx->ItemClick("Watch");
    ctx->Yield(2);
    IM_CHECK(state().tab == "watch");
  });
  add_test(e, "embedded", "race_is_told_in_a_frame_and_on_a_phone", [](ImGuiTestContext* ctx) {
    ctx->SetRef("//app");
    for (const bool phone : {false, true})
      for (const char* view : {"watch", "banks"}) {
        if (phone) {
          restart("histogram/racy");
          app().state = to_view(std::move(app().state), view);
          app().ui.of<TouchInput>().coarse = true;
          ctx->Yield(3);
        } else {
          embed(ctx, view, "histogram/racy");
        }
        IM_CHECK_STR_EQ(app().ui.of<TroublesPanel>().troubles.word.c_str(), "race");
        ctx->ItemClick("troubles");
        ctx->Yield(2);
        IM_CHECK(app().ui.of<TroublesPanel>().is_open);
        ctx->KeyPress(ImGuiKey_Escape);
        ctx->Yield(2);
        IM_CHECK(!app().ui.of<TroublesPanel>().is_open);
      }
    embed(ctx, "watch");
    IM_CHECK(!ctx->ItemExists("troubles"));  // nothing is wrong with this run
  });
  add_test(e, "embedded", "view_rests_when_nothing_moves", [](ImGuiTestContext* ctx) {
    embed(ctx, "watch");
    ctx->Yield(3);
    IM_CHECK(!app().busy());
  });
}};

}  // namespace
}  // namespace bscope
