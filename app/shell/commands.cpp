#include "app/shell/commands.hpp"

#include <algorithm>
#include <map>

#include "app/session/control.hpp"
#include "app/session/tab.hpp"
#include "app/shell/embedded.hpp"
#include "app/shell/header.hpp"
#include "app/shell/lesson.hpp"
#include "app/shell/ui_state.hpp"
#include "engine/analysis/work.hpp"

namespace bscope {
namespace {

/// Exactly these modifiers: Shift+Right is not Right.
bool pressed(ImGuiKeyChord chord, bool repeat) {
  const int modifiers = chord & ImGuiMod_Mask_;
  return ImGui::GetIO().KeyMods == modifiers &&
         ImGui::IsKeyPressed(ImGuiKey(chord & ~ImGuiMod_Mask_), repeat);
}

bool is_one_of(ImGuiKeyChord chord, std::initializer_list<int> keys) {
  return std::ranges::find(keys, chord & ~ImGuiMod_Mask_) != keys.end();
}
/// Whether the key writes a character of a number. Where one is asked for, it is typed and no command's.
bool writes_a_number(ImGuiKeyChord chord) {
  if (chord & (ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiMod_Super)) return false;
  const int key = chord & ~ImGuiMod_Mask_;
  return (key >= ImGuiKey_0 && key <= ImGuiKey_9) || (key >= ImGuiKey_Keypad0 && key <= ImGuiKey_Keypad9) ||
         is_one_of(chord, {ImGuiKey_Minus, ImGuiKey_Period, ImGuiKey_Comma, ImGuiKey_KeypadSubtract,
                           ImGuiKey_KeypadDecimal});
}
/// The same for a guess, which may be a map like 3y+1 or a quotient.
bool writes_a_guess(ImGuiKeyChord chord) {
  if (chord & (ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiMod_Super)) return false;
  return writes_a_number(chord) || is_one_of(chord, {ImGuiKey_Equal, ImGuiKey_Slash, ImGuiKey_E, ImGuiKey_Y,
                                                     ImGuiKey_KeypadAdd, ImGuiKey_KeypadDivide});
}

std::vector<Command>& registered_commands() {
  static std::vector<Command> all;
  return all;
}

/// Every key under the name that it is printed with; of several (Enter, and the keypad's), the keypad's last.
const std::multimap<std::string, ImGuiKeyChord>& named_keys() {
  static const std::multimap<std::string, ImGuiKeyChord> keys = [] {
    std::multimap<std::string, ImGuiKeyChord> all;
    for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_NamedKey_END; ++key)
      for (const int modifiers : {0, int(ImGuiMod_Shift), int(ImGuiMod_Ctrl), int(ImGuiMod_Alt),
                                  ImGuiMod_Ctrl | ImGuiMod_Shift, ImGuiMod_Alt | ImGuiMod_Shift})
        all.emplace(key_name(modifiers | key), modifiers | key);
    return all;
  }();
  return keys;
}

std::vector<ImGuiKeyChord> keys_named(const std::vector<std::string>& names) {
  std::vector<ImGuiKeyChord> keys;
  for (const std::string& name : names) {
    const auto [first, last] = named_keys().equal_range(name);
    for (auto key = first; key != last; ++key) keys.push_back(key->second);
  }
  return keys;
}

/// Shows the tab; sets each of its controls; does what else it can.
void add_commands_of(const Tab& tab, std::vector<Command>& all) {
  if (tab.key)
    all.push_back({.id = "tab." + tab.name,
                   .group = tr_noop("View"),
                   .title = tab.looks,
                   .keys = keys_named({std::string(1, tab.key)}),
                   .run = [&tab](LoadedState& s, UiState&) { s.tab = tab.name; }});
  for (const TabCommand& c : tab.commands) {
    all.push_back({.id = tab.name + "." + c.id,
                   .group = tab.title,
                   .title = c.title,
                   .keys = keys_named(c.keys),
                   .run = [&c](LoadedState& s, UiState& ui) { c.run(s, ui.services); },
                   .repeats = c.repeats,
                   .tab = tab.name});
    if (c.can)
      all.back().can = [&c](const LoadedState& s, const UiState& ui) { return c.can(s, ui.services); };
  }
  const auto move = [&](const Control& c, const char* id, const char* title, const std::string& key, int by) {
    all.push_back({.id = tab.name + "." + c.name + id,
                   .group = tab.title,
                   .title = title,
                   .keys = keys_named({key}),
                   .run = [&c, by](LoadedState& s, UiState&) { move_control(c, s, by); },
                   .repeats = *c.down != 0,
                   .tab = tab.name});
    if (c.can) all.back().can = [&c](const LoadedState& s, const UiState&) { return c.can(s); };
  };
  for (const Control& c : tab.controls) {
    move(c, *c.down ? ".more" : "", c.up, c.up_key, 1);
    if (*c.down) move(c, ".less", c.down, c.down_key, -1);
  }
}

}  // namespace

RegisterCommands::RegisterCommands(std::initializer_list<Command> more) {
  auto& all = registered_commands();
  all.insert(all.end(), more);
}

const std::vector<Command>& commands() {
  static const std::vector<Command> all = [] {
    std::vector<Command> found = registered_commands();
    for (const Tab* tab : tabs()) add_commands_of(*tab, found);
    return found;
  }();
  return all;
}

std::vector<const Command*> listed_commands(const std::string& tab_here) {
  constexpr std::string_view first[] = {"Steps", "Selection"},
                             last[] = {"View", "Why", "Predict", "Lessons", "File", "App"};
  /// A tab's own group stands between those.
  const auto rank = [&](const Command& c) {
    const auto* early = std::ranges::find(first, c.group);
    if (early != std::end(first)) return int(early - std::begin(first));
    const auto* late = std::ranges::find(last, c.group);
    return late == std::end(last) ? 2 : 3 + int(late - std::begin(last));
  };
  std::vector<const Command*> all;
  for (const Command& c : commands()) all.push_back(&c);
  std::ranges::stable_sort(all, [&](const Command* l, const Command* r) {
    const auto key = [&](const Command& c) {
      return std::pair(!c.tab.empty() && c.tab != tab_here, rank(c));
    };
    return key(*l) < key(*r);
  });
  return all;
}

int turn_of(const Command& c) { return c.first ? 0 : !c.tab.empty() ? 1 : c.can ? 2 : 3; }

void run_pressed_commands(LoadedState& state, UiState& ui) {
  if (ImGui::GetIO().WantTextInput) return;
  if (ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup) &&
      (!ui.of<TroublesPanel>().is_open ||
       ImGui::IsKeyPressed(ImGuiKey_Escape)))  // which closes that box, and no more
    return;
  // a control that keys move: a slider of the parameters
  if (ImGui::IsAnyItemActive() && !ImGui::IsAnyMouseDown()) return;
  const std::string tab = state.tab;  // a command that changes the tab does not make the next one's key work
  const Prediction* prediction = prediction_on(state);
  const bool guessing = prediction && prediction->hides(), answering = answer_is_typed(state, ui);
  std::vector<ImGuiKeyChord> taken;
  for (const int turn : {0, 1, 2, 3})
    for (const Command& c : commands()) {
      if (turn_of(c) != turn || (!c.tab.empty() && c.tab != tab)) continue;
      if (!ui.of<EmbeddedView>().name.empty() && !works_embedded(c, state)) continue;
      for (const ImGuiKeyChord key : c.keys) {
        if (!pressed(key, c.repeats) || (guessing && writes_a_guess(key)) ||
            (answering && writes_a_number(key)))
          continue;
        if (std::ranges::find(taken, key) != taken.end()) continue;
        if (c.can && !c.can(state, ui)) break;
        ui.dispatcher.dispatch(state, [&ui, run = c.run](LoadedState& s) { run(s, ui); });
        taken.push_back(key);
        break;
      }
    }
}

std::string key_name(ImGuiKeyChord chord) {
  std::string name;
  if (chord & ImGuiMod_Ctrl) name += "Ctrl+";
  if (chord & ImGuiMod_Alt) name += "Alt+";
  if (chord & ImGuiMod_Shift) name += "Shift+";
  switch (chord & ~ImGuiMod_Mask_) {
    case ImGuiKey_LeftArrow: return name + "Left";
    case ImGuiKey_RightArrow: return name + "Right";
    case ImGuiKey_UpArrow: return name + "Up";
    case ImGuiKey_DownArrow: return name + "Down";
    case ImGuiKey_PageUp: return name + "Page Up";
    case ImGuiKey_PageDown: return name + "Page Down";
    case ImGuiKey_LeftBracket: return name + "[";
    case ImGuiKey_RightBracket: return name + "]";
    case ImGuiKey_Equal: return name == "Shift+" ? "+" : name + "+";
    case ImGuiKey_KeypadAdd: return name + "+";
    case ImGuiKey_Minus:
    case ImGuiKey_KeypadSubtract: return name + "-";
    case ImGuiKey_Escape: return name + "Esc";
    case ImGuiKey_Slash: return name == "Shift+" ? "?" : name + "/";
    case ImGuiKey_Comma: return name + ",";
    case ImGuiKey_Semicolon: return name + ";";
    case ImGuiKey_Apostrophe: return name + "'";
    case ImGuiKey_Period: return name + ".";
    case ImGuiKey_KeypadEnter: return name + "Enter";
    case ImGuiKey_Keypad0: return name + "0";
    default: return name + ImGui::GetKeyName(ImGuiKey(chord & ~ImGuiMod_Mask_));
  }
}

std::vector<std::string> key_names(const Command& c) {
  std::vector<std::string> names;
  for (const ImGuiKeyChord key : c.keys)
    if (const std::string name = key_name(key);
        !(is_browsers && is_browsers(key)) && std::ranges::find(names, name) == names.end())
      names.push_back(name);
  return names;
}

}  // namespace bscope
