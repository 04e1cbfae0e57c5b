// Links into the window and out of it.
#include <imgui.h>

#include <random>

#include "app/links/link.hpp"
#include "app/session/session_file.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/notices.hpp"
#include "app/shell/settings_file.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/simt/algorithm.hpp"
#include "tests/at_once.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

LoadedState& state() { return app().state; }

void type_into_palette(ImGuiTestContext* ctx, const std::string& text) {
  ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
  ctx->Yield(2);
  ctx->KeyChars(text.c_str());
  ctx->Yield(2);
  ctx->KeyPress(ImGuiKey_Enter);
  ctx->Yield(3);
}

std::string copied() {
  const char* text = ImGui::GetClipboardText();
  return text ? text : "";
}

/// Somewhere that only a link would find.
void go_somewhere(ImGuiTestContext* ctx) {
  restart({.kernel = "scan/kogge-stone", .n = 32});
  ctx->Yield(2);
  for (const ImGuiKey key : {ImGuiKey_RightArrow, ImGuiKey_RightArrow, ImGuiKey_DownArrow, ImGuiKey_2}) {
    ctx->KeyPress(key);
    ctx->Yield(40);
  }
  state() = to_theme(std::move(state()), ThemeName::light);
  state().of<WatchState>().words = true;
  ctx->Yield(2);
}

const RegisterControls more{[](ImGuiTestEngine* e) {
  add_test(e, "link", "is_copied_by_the_palette_and_opens_the_same_in_a_fresh_app",
           [](ImGuiTestContext* ctx) {
             for (const bool by_key : {false, true}) {
               go_somewhere(ctx);
               const std::string before = session_text(state());
               ImGui::SetClipboardText("");
               if (by_key)
                 ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_C);
               else
                 type_into_palette(ctx, "copy a link");
               ctx->Yield(2);
               const std::string link = copied();
               IM_CHECK(link.starts_with("barrierscope:?kernel=scan/kogge-stone&n=32&step=2"));
               IM_CHECK(!app().ui.of<Notices>().all.empty());
               restart();
               ctx->Yield(2);
               ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
               ctx->Yield(3);
               IM_CHECK(state().error.empty());
               IM_CHECK(state().tab == "banks");
               LoadedState back = state();
               back.desk_theme = ThemeName::light;
               IM_CHECK_STR_EQ(session_text(back).c_str(), before.c_str());
             }
           });
  add_test(e, "link", "changes_no_setting", [](ImGuiTestContext* ctx) {
    app().drop("https://example.org/scope/?kernel=reduce/shared&n=64&theme=light&language=zh");
    ctx->Yield(3);
    IM_CHECK(state().theme == ThemeName::light);
    IM_CHECK(state().language == Language::zh);
    const Settings& settings = app().ui.of<SettingsFile>().settings;
    IM_CHECK(settings.theme == ThemeName::dark);
    IM_CHECK(settings.language == Language::en);
    ctx->KeyPress(ImGuiKey_T);  // the reader's own choice
    ctx->Yield(3);
    IM_CHECK(settings.theme == state().theme);
    IM_CHECK(settings.language == Language::en);
    state().language = Language::en;
    ctx->Yield(2);
  });
  add_test(e, "link", "opens_dropped_and_typed", [](ImGuiTestContext* ctx) {
    app().drop("https://example.org/scope/?kernel=reduce/shared&n=64&step=1&tab=memory");
    ctx->Yield(3);
    IM_CHECK_EQ(state().run->trace.kernel, std::string("reduce/shared"));
    IM_CHECK(state().tab == "memory");
    type_into_palette(ctx, "barrierscope:?lesson=blelloch:3");
    IM_CHECK(state().lesson.open);
    IM_CHECK_EQ(state().lesson.lesson, std::string("blelloch"));
    IM_CHECK_EQ(state().lesson.step, 2);
    // and undone like any change
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    ctx->Yield(3);
    IM_CHECK_EQ(state().run->trace.kernel, std::string("reduce/shared"));
  });
  add_test(e, "link", "that_means_nothing_is_told_and_changes_nothing", [](ImGuiTestContext* ctx) {
    const auto run = state().run;
    for (const char* bad : {"barrierscope:?kernl=x", "?n=many", "https://example.org/?tab=clouds",
                            "barrierscope:?n=1000000000000"}) {
      app().drop(bad);
      ctx->Yield(3);
      IM_CHECK(state().error.english().starts_with("This link cannot be opened: "));
      IM_CHECK(state().run == run);
      ctx->KeyPress(ImGuiKey_Escape);
      ctx->Yield(2);
      IM_CHECK(state().error.empty());
    }
  });
  add_test(e, "link", "begins_where_the_page_is", [](ImGuiTestContext* ctx) {
    app().ui.of<SettingsFile>().settings.link_base = "https://example.org/scope/";
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_C);
    ctx->Yield(2);
    IM_CHECK_STR_EQ(copied().c_str(), "https://example.org/scope/?");
  });
  add_test(e, "link", "comes_back_from_wherever_commands_lead", [](ImGuiTestContext* ctx) {
    std::mt19937 random(3);
    const auto& all = commands();
    int links = 0;
    for (int k = 0; k < 300; ++k) {
      const Command& c = all[random() % all.size()];
      // what asks the user, takes long or writes files
      if (c.group == "File" || c.group == "App" || c.id.find("measure") != std::string::npos ||
          c.id == "time.json" || c.id == "time.csv" || c.id.find("export") != std::string::npos ||
          (c.can && !c.can(state(), app().ui)))
        continue;
      if (!c.tab.empty()) state().tab = c.tab;
      app().ui.dispatcher.dispatch(state(), [&c](LoadedState& s) { c.run(s, app().ui); });
      if (random() % 8 == 0) {
        const Algorithm& a = *catalog()[random() % catalog().size()];
        state() = with_kernel(std::move(state()), a.name, Where::nowhere);
      }
      ctx->Yield(3);
      forgive(state());
      state().playing = false;
      state().cursor.phase = 1;
      ctx->Yield(1);
      const std::string link = link_of(state());
      const LoadedState back = with_link(LoadedState{}, link);
      if (!back.error.empty()) ctx->LogError("%s: %s", link.c_str(), back.error.english().c_str());
      IM_CHECK(back.error.empty());
      const std::string again = link_of(back);
      if (again != link) ctx->LogError("after %s:\n%s\n%s", c.id.c_str(), link.c_str(), again.c_str());
      IM_CHECK_STR_EQ(again.c_str(), link.c_str());
      IM_CHECK_EQ(step_of(*back.run, back.cursor), step_of(*state().run, state().cursor));
      ++links;
    }
    IM_CHECK_GT(links, 100);
  });
}};

}  // namespace
}  // namespace bscope
