// Input events from the page (app/web/site/page.js) to Dear ImGui.
#include <imgui.h>

#include <string_view>

#include "app/web/browser.hpp"

namespace bscope {
namespace {

struct Named {
  std::string_view code;
  ImGuiKey key;
};
// KeyboardEvent.code
constexpr Named keys[] = {
    {"Tab", ImGuiKey_Tab},
    {"ArrowLeft", ImGuiKey_LeftArrow},
    {"ArrowRight", ImGuiKey_RightArrow},
    {"ArrowUp", ImGuiKey_UpArrow},
    {"ArrowDown", ImGuiKey_DownArrow},
    {"PageUp", ImGuiKey_PageUp},
    {"PageDown", ImGuiKey_PageDown},
    {"Home", ImGuiKey_Home},
    {"End", ImGuiKey_End},
    {"Insert", ImGuiKey_Insert},
    {"Delete", ImGuiKey_Delete},
    {"Backspace", ImGuiKey_Backspace},
    {"Space", ImGuiKey_Space},
    {"Enter", ImGuiKey_Enter},
    {"Escape", ImGuiKey_Escape},
    {"Quote", ImGuiKey_Apostrophe},
    {"Comma", ImGuiKey_Comma},
    {"Minus", ImGuiKey_Minus},
    {"Period", ImGuiKey_Period},
    {"Slash", ImGuiKey_Slash},
    {"Semicolon", ImGuiKey_Semicolon},
    {"Equal", ImGuiKey_Equal},
    {"BracketLeft", ImGuiKey_LeftBracket},
    {"BracketRight", ImGuiKey_RightBracket},
    {"Backslash", ImGuiKey_Backslash},
    {"Backquote", ImGuiKey_GraveAccent},
    {"CapsLock", ImGuiKey_CapsLock},
    {"NumpadEnter", ImGuiKey_KeypadEnter},
    {"NumpadAdd", ImGuiKey_KeypadAdd},
    {"NumpadSubtract", ImGuiKey_KeypadSubtract},
    {"NumpadMultiply", ImGuiKey_KeypadMultiply},
    {"NumpadDivide", ImGuiKey_KeypadDivide},
    {"NumpadDecimal", ImGuiKey_KeypadDecimal},
    {"ShiftLeft", ImGuiKey_LeftShift},
    {"ShiftRight", ImGuiKey_RightShift},
    {"ControlLeft", ImGuiKey_LeftCtrl},
    {"ControlRight", ImGuiKey_RightCtrl},
    {"AltLeft", ImGuiKey_LeftAlt},
    {"AltRight", ImGuiKey_RightAlt},
    {"MetaLeft", ImGuiKey_LeftSuper},
    {"MetaRight", ImGuiKey_RightSuper},
    {"ContextMenu", ImGuiKey_Menu},
};

/// A letter or digit is the one on the key, wherever the layout has put it; else the place decides.
ImGuiKey key_of(std::string_view label, std::string_view code) {
  const auto one_of = [](char c, char first, char last, ImGuiKey key) {
    return c >= first && c <= last ? ImGuiKey(key + (c - first)) : ImGuiKey_None;
  };
  if (label.size() == 1) {
    const char c = label[0];
    for (const ImGuiKey k : {one_of(c, 'a', 'z', ImGuiKey_A), one_of(c, 'A', 'Z', ImGuiKey_A),
                             code.starts_with("Numpad") ? one_of(c, '0', '9', ImGuiKey_Keypad0)
                                                        : one_of(c, '0', '9', ImGuiKey_0)})
      if (k != ImGuiKey_None) return k;
  }
  for (const Named& k : keys)
    if (k.code == code) return k.key;
  if (code.starts_with("Key") && code.size() == 4) return one_of(code[3], 'A', 'Z', ImGuiKey_A);
  if (code.starts_with("Digit") && code.size() == 6) return one_of(code[5], '0', '9', ImGuiKey_0);
  if (code.size() == 2 && code[0] == 'F') return one_of(code[1], '1', '9', ImGuiKey_F1);
  if (code.size() == 3 && code.starts_with("F1")) return one_of(code[2], '0', '2', ImGuiKey_F10);
  return ImGuiKey_None;
}

}  // namespace
}  // namespace bscope

extern "C" {
[[gnu::used]] void page_mouse(double x, double y) { ImGui::GetIO().AddMousePosEvent(float(x), float(y)); }
/// Of the browser's buttons 1 is the middle one, 2 the right one.
[[gnu::used]] void page_button(int button, bool down) {
  constexpr int of_imgui[] = {0, 2, 1};
  if (button >= 0 && button < 3) ImGui::GetIO().AddMouseButtonEvent(of_imgui[button], down);
}
/// In notches of a wheel.
[[gnu::used]] void page_wheel(double x, double y) { ImGui::GetIO().AddMouseWheelEvent(float(x), float(y)); }
/// `modifiers`: 1 control, 2 shift, 4 alt, 8 meta.
[[gnu::used]] void page_key(const char* label, const char* code, bool down, int modifiers) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, modifiers & 1);
  io.AddKeyEvent(ImGuiMod_Shift, modifiers & 2);
  io.AddKeyEvent(ImGuiMod_Alt, modifiers & 4);
  io.AddKeyEvent(ImGuiMod_Super, modifiers & 8);
  if (const ImGuiKey key = bscope::key_of(label, code); key != ImGuiKey_None) io.AddKeyEvent(key, down);
}
[[gnu::used]] void page_text(const char* utf8) { ImGui::GetIO().AddInputCharactersUTF8(utf8); }
[[gnu::used]] void page_focus(bool has) { ImGui::GetIO().AddFocusEvent(has); }
}
