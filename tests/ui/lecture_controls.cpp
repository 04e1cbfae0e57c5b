// What a lecturer does in front of a class: other kernels on the same values, the projector, stepping with
// the mouse left lying, opening what comes with the program.
#include <imgui_internal.h>

#include <algorithm>

#include "app/session/examples.hpp"
#include "app/shell/header.hpp"
#include "app/shell/notices.hpp"
#include "app/shell/palette.hpp"
#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/compare/picture.hpp"
#include "app/tabs/compare/steps.hpp"
#include "engine/analysis/run.hpp"
#include "tests/ui/harness.hpp"
#include "tests/ui/seen.hpp"

namespace bscope {
namespace {

LoadedState& state() { return app().state; }

ImGuiID child(ImGuiTestContext* ctx, const char* name) {
  ImGuiTestItemInfo info = ctx->WindowInfo((std::string("//app/") + name).c_str());
  return info.Window ? info.Window->ID : 0;
}
bool a_tip_is_open() {
  const auto& windows = ImGui::GetCurrentContext()->Windows;
  return std::any_of(windows.begin(), windows.end(), [](const ImGuiWindow* w) {
    return (w->Flags & ImGuiWindowFlags_Tooltip) && w->Active && !w->Hidden;
  });
}
std::vector<std::string> texts(ImGuiTestContext* ctx, float above) {
  Seen& seen = seen_now();
  seen = {};
  seen.wanted = true;
  ctx->Yield();
  std::vector<std::string> all;
  for (const SeenText& t : seen.texts)
    if (t.box.Max.y < above) all.push_back(t.words);
  seen = {};
  return all;
}

void tests(ImGuiTestEngine* e) {
  add_test(e, "lecture", "the_list_of_kernels_stays_under_the_mouse", [](ImGuiTestContext* ctx) {
    ctx->Yield(3);
    int opened = 0, told = 0;
    for (const float share : {0.0f, 0.5f, 1.0f}) {
      ctx->SetRef(child(ctx, "kernels"));
      ImGuiWindow* list = ImGui::FindWindowByID(child(ctx, "kernels"));
      IM_CHECK(list != nullptr);
      for (int at = 0; at < 4; ++at) {
        ImGui::SetScrollY(list, share * list->ScrollMax.y);
        ctx->Yield(2);
        // a row that is in sight, whichever lies there
        const ImVec2 place{list->InnerRect.GetCenter().x,
                           list->InnerRect.Min.y + list->InnerRect.GetHeight() * (0.15f + 0.2f * float(at))};
        ctx->MouseMoveToPos(place);
        ctx->Yield(2);
        const float scroll = list->Scroll.y;
        const std::string before = state().run->trace.kernel;
        ctx->MouseClick();
        ctx->Yield(4);
        if (state().run->trace.kernel == before) continue;  // a heading, or the open one
        IM_CHECK_EQ(list->Scroll.y, scroll);
        const auto row = ctx->ItemInfo([&] {
          std::string path = state().run->trace.kernel;
          path.insert(path.find('/'), "\\");
          return path + "/kernel";
        }()
                                           .c_str());
        IM_CHECK(row.RectFull.Contains(place));
        ++opened;
        told += app().ui.of<TroublesPanel>().height > 0;
      }
      ctx->SetRef("//app");
    }
    IM_CHECK_GE(opened, 6);
    IM_CHECK_GE(told, 1);  // what a mistake has done takes room above: not of the list
  });
  add_test(e, "lecture", "no_tip_covers_the_cells_while_stepping", [](ImGuiTestContext* ctx) {
    const ImVec2 cell = place_of(ctx, "array", HitRegion::cell, first_shared, 5);
    ctx->MouseMoveToPos(cell);
    ctx->SleepNoSkip(0.5f, 0.05f);
    IM_CHECK(a_tip_is_open());
    for (const ImGuiKey key : {ImGuiKey_RightArrow, ImGuiKey_End, ImGuiKey_LeftArrow, ImGuiKey_Home}) {
      ctx->KeyPress(key);
      ctx->SleepNoSkip(0.7f, 0.05f);
      IM_CHECK(!a_tip_is_open());
    }
    ctx->MouseMoveToPos({cell.x + 3, cell.y});
    ctx->SleepNoSkip(0.5f, 0.05f);
    IM_CHECK(a_tip_is_open());
  });
  add_test(e, "lecture", "the_projector_keeps_tab_launch_and_block", [](ImGuiTestContext* ctx) {
    restart(RunSpec{.kernel = "scan/hierarchical", .n = 64});
    ctx->Yield(2);
    state() = to_block(to_step(state(), steps(*state().run) / 2), 1);
    const Cursor before = state().cursor;
    for (const char* tab : {"Watch", "Banks", "Memory"}) {
      ctx->ItemClick(tab);
      ctx->KeyPress(ImGuiKey_F5);
      ctx->Yield(2);
      IM_CHECK(state().cursor == before);
      const auto words = texts(ctx, 60);
      IM_CHECK(std::ranges::count(words, tab) == 1);
      IM_CHECK(std::ranges::any_of(words, [&](const std::string& w) {
        return w.find("launch") != std::string::npos && w.find("block") != std::string::npos;
      }));
      ctx->ItemClick("fact place");  // and there they are changed
      ctx->Yield(2);
      IM_CHECK(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
      ctx->KeyPress(ImGuiKey_Escape);
      ctx->KeyPress(ImGuiKey_F5);
      ctx->Yield(2);
      IM_CHECK(state().cursor == before);
    }
  });
  add_test(e, "lecture", "open_offers_what_comes_with_the_program", [](ImGuiTestContext* ctx) {
    IM_CHECK_GE(int(examples().size()), 3);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
    ctx->Yield(2);
    const auto& palette = app().ui.of<Palette>();
    for (const Example& one : examples())
      IM_CHECK_NO_RET(
          std::ranges::any_of(palette.items, [&](const PaletteItem& i) { return i.also == one.path; }));
    ctx->KeyChars("night");
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK_EQ(state().target.request.input_name, std::string("night.png"));
    IM_CHECK_EQ(state().error.english(), std::string());
  });
  add_test(e, "lecture", "compare_opens_where_the_two_differ", [](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_5);
    ctx->Yield(3);
    IM_CHECK(state().results.of<CompareRuns>().comparison != nullptr);
    IM_CHECK(!counts_alike(*state().results.of<CompareRuns>().comparison));
    IM_CHECK(!app().ui.of<Notices>().all.empty());
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    ctx->Yield(2);
    IM_CHECK(state().target.request == RunSpec{.kernel = "scan/blelloch"});
    // values of one's own are left alone, and a button offers the length
    restart(RunSpec{.kernel = "scan/blelloch", .values = {{3, 1, 7, 0}}});
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_5);
    ctx->Yield(3);
    IM_CHECK_EQ(state().run->report.input.size(), size_t(4));
    IM_CHECK(counts_alike(*state().results.of<CompareRuns>().comparison));
    ctx->ItemClick("###offer");
    ctx->Yield(2);
    IM_CHECK(!counts_alike(*state().results.of<CompareRuns>().comparison));
    IM_CHECK(!ctx->ItemExists("###offer"));
  });
}

const RegisterControls registered{tests};

}  // namespace
}  // namespace bscope
