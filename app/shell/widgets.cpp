#include "app/shell/widgets.hpp"

#include <imgui.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "app/run/run.hpp"
#include "app/shell/painter.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/catalog.hpp"

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

void write(const std::string& words, Colour c) {
  ImGui::PushStyleColor(ImGuiCol_Text, screen(c));
  ImGui::TextWrapped("%s", words.c_str());
  ImGui::PopStyleColor();
}

bool radio(const std::string& words, const std::string& id, bool on) {
  return ImGui::RadioButton((words + "###" + id).c_str(), on) && !on;
}

bool choice(const char* id, std::string& chosen, const std::vector<std::string>& values) {
  if (!ImGui::BeginCombo(id, tr(chosen).c_str(), ImGuiComboFlags_HeightLarge)) return false;
  const std::string now = chosen;
  bool changed = false;
  for (const std::string& value : values) {
    if (ImGui::Selectable((tr(value) + "###" + value).c_str(), value == now)) {
      chosen = value;
      changed = true;
    }
    if (value == now) ImGui::SetItemDefaultFocus();
  }
  ImGui::EndCombo();
  return changed;
}

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

bool input_parameter(const Parameter& p, std::string& value) {
  if (value.empty()) value = p.initial.text;
  const std::string id = "##" + p.name;
  if (!p.values.empty()) {
    std::vector<std::string> values;
    for (const Choice& c : p.values) values.push_back(c.text);
    return choice(id.c_str(), value, values);
  }
  long long number = as_whole(value).value_or(0);
  if (!input_whole(id.c_str(), number)) return false;
  value = std::to_string(std::clamp<long long>(number, p.least, p.most));
  return true;
}

bool choose_block(const Algorithm& a, std::optional<long long>& block, const std::string& used) {
  std::vector<std::string> blocks{"auto"};
  for (const int b : legal_blocks(a))
    if (std::has_single_bit(unsigned(b))) blocks.push_back(std::to_string(b));
  std::string chosen = block ? std::to_string(*block) : tr("auto: {}", used);
  if (!choice("##block", chosen, blocks)) return false;
  block = as_whole(chosen);  // auto is not a number
  return true;
}

}  // namespace bscope
