#include "app/shell/number_field.hpp"

#include <imgui.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>

namespace bscope {
namespace {

constexpr long long most = 999'999'999'999'999'999;
constexpr int digits = 18;

/// Digits and a sign are letters of a number; separators of thousands may be pasted and are left out.
int only_digits(ImGuiInputTextCallbackData* data) {
  const auto c = data->EventChar;
  return (c >= '0' && c <= '9') || c == '-' ? 0 : 1;
}

}  // namespace

bool input_whole(const char* id, long long& number, long long step, long long far) {
  const long long before = number;
  const ImGuiStyle& style = ImGui::GetStyle();
  const float button = ImGui::GetFrameHeight(), gap = style.ItemInnerSpacing.x;
  char text[digits + 1] = {};
  std::snprintf(text, sizeof text, "%lld", std::clamp(number, -most / 10, most));
  ImGui::BeginGroup();
  ImGui::PushID(id);
  ImGui::SetNextItemWidth(std::max(1.0f, ImGui::CalcItemWidth() - 2 * (button + gap)));
  ImGui::InputText("", text, sizeof text,
                   ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_CallbackCharFilter, only_digits);
  if (ImGui::IsItemDeactivatedAfterEdit()) {
    const char* const end = text + std::strlen(text);
    long long typed = 0;
    const auto [stop, error] = std::from_chars(text, end, typed);
    if (error == std::errc() && stop == end) number = typed;
  }
  ImGui::PushStyleVarX(ImGuiStyleVar_FramePadding, style.FramePadding.y);
  ImGui::PushItemFlag(ImGuiItemFlags_ButtonRepeat, true);
  const auto change = [&](const char* name, long long by) {
    ImGui::SameLine(0, gap);
    if (ImGui::Button(name, {button, button})) number = std::clamp(number + by, -most / 10, most);
  };
  const bool leap = ImGui::GetIO().KeyCtrl;
  change("-", leap ? -far : -step);
  change("+", leap ? far : step);
  ImGui::PopItemFlag();
  ImGui::PopStyleVar();
  ImGui::PopID();
  ImGui::EndGroup();
  return number != before;
}

}  // namespace bscope
