// A program that came from elsewhere is somebody's code: people are asked, once for its folder, before it
// runs.
#include <imgui.h>

#include <filesystem>

#include "app/shell/panel.hpp"
#include "app/shell/widgets.hpp"

namespace bscope {

void show_consent(View& v, Box window) {
  const Theme& t = v.theme;
  constexpr const char* id = "may it run";
  if (v.state.asks_to_run.empty()) return;
  if (!ImGui::IsPopupOpen(id)) ImGui::OpenPopup(id);
  const float width = t.px(t.projector() ? 900 : 520);
  ImGui::SetNextWindowPos({window.centre().x - width / 2, window.y + window.h * 0.3f});
  ImGui::SetNextWindowSize({width, 0});
  if (!begin_popup(t, id, {t.px(18), t.px(16)}, ImGuiWindowFlags_NoMove)) {
    answer_program(v.state, v.kept, false);  // a click beside it closed it
    return;
  }
  const std::filesystem::path file = v.state.asks_to_run;
  ImGui::PushTextWrapPos(0);
  write(say("May {} run?", file.filename().string()), t.ink);
  write(say("It is a program: to show its kernels, it is compiled and run on this computer. It runs "
            "confined, and can write nothing but a folder of its own. You are asked once for its folder, {}.",
            file.parent_path().string()),
        t.ink2);
  ImGui::PopTextWrapPos();
  ImGui::Spacing();
  const bool yes = ImGui::Button((say("Run it") + "###run it").c_str()) ||
                   ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter);
  ImGui::SameLine();
  const bool no =
      ImGui::Button((say("Do not run it") + "###not").c_str()) || ImGui::IsKeyPressed(ImGuiKey_Escape);
  if (yes || no) {
    answer_program(v.state, v.kept, yes);
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace bscope
