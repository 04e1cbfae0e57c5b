// A program that came from elsewhere is foreign code: the user is asked, once for its folder, before it
// runs. A page cannot compile it, and says what does.
#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>

#include "app/draw/theme.hpp"
#include "app/run/own_program.hpp"
#include "app/session/state.hpp"
#include "app/shell/files.hpp"
#include "app/shell/notices.hpp"
#include "app/shell/painter.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/popups.hpp"
#include "app/shell/widgets.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

bool is_pressed(const char* words, const char* id, std::initializer_list<ImGuiKey> keys) {
  bool pressed = ImGui::Button((tr(words) + "###" + id).c_str());
  for (const ImGuiKey key : keys) pressed |= ImGui::IsKeyPressed(key);
  return pressed;
}

/// True: it is answered.
bool ask_whether_it_may_run(View& v, const std::filesystem::path& file) {
  write(tr("May {} run?", file.filename().string()), v.theme.ink);
  write(tr("It is a program: to show its kernels, it is compiled and run on this computer. It runs "
           "confined, and can write nothing but a folder of its own. You are asked once for its folder, {}.",
           file.parent_path().string()),
        v.theme.ink2);
  ImGui::Spacing();
  const bool yes = is_pressed(tr_noop("Run it"), "run it", {ImGuiKey_Enter, ImGuiKey_KeypadEnter});
  ImGui::SameLine();
  const bool no = is_pressed(tr_noop("Do not run it"), "not", {ImGuiKey_Escape});
  if (yes || no) answer_program(v.state, v.ui, yes);
  return yes || no;
}

/// True: it is read.
bool tell_how_to_trace(View& v, const std::filesystem::path& file) {
  const std::string command = trace_command(file.string());
  write(tr("This page cannot compile CUDA"), v.theme.ink);
  write(
      tr("{} is a CUDA program. On a computer with Barrierscope this command makes a trace of it. Drop that "
         "trace here, and all of it is shown.",
         file.filename().string()),
      v.theme.ink2);
  ImGui::Spacing();
  ImGui::PushFont(v.painter.fonts()[Font::mono], drawn_size(v.theme.code()));
  write(command, v.theme.ink);
  ImGui::PopFont();
  ImGui::Spacing();
  if (is_pressed(tr_noop("Copy the command"), "copy command", {ImGuiKey_Enter, ImGuiKey_KeypadEnter})) {
    ImGui::SetClipboardText(command.c_str());
    notify(v.ui, tr("The command is copied"));
  }
  ImGui::SameLine();
  const bool read = is_pressed(tr_noop("Close"), "not", {ImGuiKey_Escape});
  if (read) answer_program(v.state, v.ui, false);
  return read;
}

}  // namespace

void show_consent(View& v, Box window) {
  const Theme& t = v.theme;
  constexpr const char* id = "may it run";
  const bool asks = !v.state.asks_to_run.empty();
  if (asks && !ImGui::IsPopupOpen(id)) ImGui::OpenPopup(id);
  const float width = std::min(t.px(t.projector() ? 900 : 520), window.w - t.px(24));
  ImGui::SetNextWindowPos({window.centre().x - width / 2, window.y + window.h * 0.3f});
  ImGui::SetNextWindowSize({width, 0});
  if (!begin_popup(t, id, {t.px(18), t.px(16)}, ImGuiWindowFlags_NoMove)) {
    if (asks) answer_program(v.state, v.ui, false);  // a click beside it closed it
    return;
  }
  const std::filesystem::path file = v.state.asks_to_run;
  ImGui::PushTextWrapPos(0);
  // another file was opened meanwhile: nothing asks any more
  if (!asks || (runs_programs ? ask_whether_it_may_run : tell_how_to_trace)(v, file))
    ImGui::CloseCurrentPopup();
  ImGui::PopTextWrapPos();
  ImGui::EndPopup();
}

}  // namespace bscope
