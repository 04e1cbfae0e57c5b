// Letters on everything that can be pressed: hits of the pictures on screen and ImGui's own items. Typing the
// letters presses it; a slider is then moved by Left and Right.
#include "app/shell/labels.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/draw/theme.hpp"
#include "app/shell/painter.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/ui_state.hpp"
#include "app/words/words.hpp"

namespace {

struct LabelledItem {
  ImGuiID id;
  bscope::Box box;
};
/// Items of this frame; filled by ImGui's hook while labels want them.
struct {
  bool wanted = false;
  std::vector<LabelledItem> all;
} seen;

}  // namespace

/// Called by ImGui's hook for each item (third_party/test_hooks_stub.cpp; in tests, tests/ui/item_hook.cpp).
void bscope_item_seen(ImGuiContext*, ImGuiID, const ImRect&);
void bscope_item_seen(ImGuiContext* context, ImGuiID id, const ImRect& box) {
  if (!seen.wanted) return;
  ImGuiWindow* window = context->CurrentWindow;
  if (window->IDStack.empty()) return;  // the window itself: it has no names yet
  if (id == ImGui::GetWindowScrollbarID(window, ImGuiAxis_X) ||
      id == ImGui::GetWindowScrollbarID(window, ImGuiAxis_Y))
    return;
  ImRect visible = box;
  visible.ClipWith(window->ClipRect);
  // half hidden is not there
  if (visible.GetHeight() * 2 < box.GetHeight() || visible.GetWidth() * 2 < box.GetWidth()) return;
  seen.all.push_back({id, {visible.Min.x, visible.Min.y, visible.GetWidth(), visible.GetHeight()}});
}

namespace bscope {
namespace {

constexpr std::string_view alphabet = "ASDFGHJKLQWERTYUIOPZXCVBNM";

/// `n` words of one or two letters, none the beginning of another.
std::vector<std::string> words_for(size_t n) {
  const size_t a = alphabet.size();
  // each letter that begins pairs gives up its own place for `a` of them
  const size_t pairs = n <= a ? 0 : (n - a + a - 2) / (a - 1);
  std::vector<std::string> out;
  for (size_t i = 0; i < a - pairs; ++i) out.emplace_back(1, alphabet[i]);
  for (size_t i = a - pairs; i < a; ++i)
    for (const char second : alphabet) out.push_back({alphabet[i], second});
  out.resize(n);
  return out;
}
constexpr size_t most_labels = 26 * 26;

/// Where the letters of a place stand: at its left top, inside.
Box tag_of(const View& v, const Box& place, size_t letters, float size) {
  const float w = v.width(std::string(letters, 'W'), size, Font::mono_bold) + v.theme.px(6), h = size * 1.25f;
  const float x = place.w >= w + v.theme.px(30) ? place.x + v.theme.px(2) : place.centre().x - w / 2;
  const float y = place.h >= h * 2.4f ? place.y + v.theme.px(2) : place.centre().y - h / 2;
  return {x, y, w, h};
}

float letter_size(const Theme& t) { return t.px(t.projector() ? 22 : 12); }

/// Everything that can be pressed now, controls first, without those whose letters would lie on others'.
void assign(View& v) {
  auto& labels = v.ui.of<Labels>();
  std::vector<Label> all;
  const int frame = ImGui::GetFrameCount();
  for (const LabelledItem& item : seen.all) {
    const bool picture = std::any_of(v.ui.pictures.begin(), v.ui.pictures.end(), [&](const auto& s) {
      return s.second.frame == frame && s.second.id == item.id;
    });
    if (!picture) all.push_back({item.box, {}, item.id, {}, {}});
  }
  const auto hits = [&](bool cells) {
    for (const auto& [name, shown] : v.ui.pictures) {
      if (shown.frame != frame) continue;
      for (const HitRegion& h : shown.picture.hits) {
        const bool many = h.what == HitRegion::cell || h.what == HitRegion::bin;
        if (many == cells && !h.name.empty())
          all.push_back(
              {{shown.area.x + h.box.x, shown.area.y + h.box.y, h.box.w, h.box.h}, {}, 0, name, h.name});
      }
    }
  };
  hits(false);
  hits(true);
  const float size = letter_size(v.theme);
  std::vector<Box> taken;
  labels.all.clear();
  const size_t before = all.size();
  for (Label& l : all) {
    if (labels.all.size() == most_labels) break;
    const Box tag = tag_of(v, l.box, 2, size);
    if (std::any_of(taken.begin(), taken.end(), [&](const Box& b) { return overlap(b, tag); })) continue;
    taken.push_back(tag);
    labels.all.push_back(std::move(l));
  }
  labels.left_out = before - labels.all.size();
  const auto words = words_for(labels.all.size());
  for (size_t i = 0; i < words.size(); ++i) labels.all[i].letters = words[i];
}

void press(UiState& ui, const Label& label) {
  if (label.item) {
    ImGui::ActivateItemByID(label.item);
    return;
  }
  const auto shown = ui.pictures.find(label.picture);
  if (shown == ui.pictures.end()) return;
  for (const HitRegion& h : shown->second.picture.hits)
    if (h.name == label.hit && h.now >= 0) {  // a slider: keys move it from here
      ui.of<KeyedSlider>() = {label.picture, label.hit};
      return;
    }
  ui.of<PressedHit>() = {label.picture, label.hit, 0.5f};
}

/// Left and Right by one, with Shift by a tenth; any other key lets go. Returns whether the keys were taken.
bool move_slider(UiState& ui) {
  if (!ui.of<KeyedSlider>().any()) return false;
  const auto shown = ui.pictures.find(ui.of<KeyedSlider>().picture);
  const HitRegion* hit = nullptr;
  if (shown != ui.pictures.end() && shown->second.frame >= ImGui::GetFrameCount() - 2)
    for (const HitRegion& h : shown->second.picture.hits)
      if (h.name == ui.of<KeyedSlider>().hit) hit = &h;
  if (!hit) {
    ui.of<KeyedSlider>() = {};
    return false;
  }
  const float range = float(hit->b - hit->a);
  const float by = ImGui::GetIO().KeyShift ? std::max(1.0f, std::round(range / 10)) : 1;
  const float to = ImGui::IsKeyPressed(ImGuiKey_RightArrow)  ? hit->now + by
                   : ImGui::IsKeyPressed(ImGuiKey_LeftArrow) ? hit->now - by
                   : ImGui::IsKeyPressed(ImGuiKey_Home)      ? float(hit->a)
                   : ImGui::IsKeyPressed(ImGuiKey_End)       ? float(hit->b)
                                                             : -1;
  if (to >= 0 || ImGui::IsKeyPressed(ImGuiKey_LeftArrow)) {
    const float value = std::clamp(to, float(hit->a), float(hit->b));
    ui.of<PressedHit>() = {ui.of<KeyedSlider>().picture, ui.of<KeyedSlider>().hit,
                           range > 0 ? (value - float(hit->a)) / range : 0};
    return true;
  }
  for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_ReservedForModCtrl; ++key) {
    const bool modifier = key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper;
    const bool button = key >= ImGuiKey_GamepadStart && key < ImGuiKey_ReservedForModCtrl;
    if (modifier || (button && key < ImGuiKey_MouseLeft) || !ImGui::IsKeyPressed(ImGuiKey(key), false))
      continue;
    ui.of<KeyedSlider>() = {};
    // Esc and Enter only let go; any other key does what it does
    return key == ImGuiKey_Escape || key == ImGuiKey_Enter;
  }
  return false;
}

}  // namespace

bool take_label_keys(LoadedState&, UiState& ui) {
  auto& labels = ui.of<Labels>();
  if (!labels.on) return move_slider(ui);
  if (ImGui::IsAnyMouseDown() || ImGui::IsKeyPressed(ImGuiKey_Escape)) {
    labels = {};
    return true;
  }
  if (ImGui::IsKeyPressed(ImGuiKey_Backspace) && !labels.typed.empty()) labels.typed.pop_back();
  for (int k = 0; k < 26; ++k)
    if (ImGui::IsKeyPressed(ImGuiKey(ImGuiKey_A + k), false) && labels.frames > 1)
      labels.typed += char('A' + k);
  bool any = false;
  for (const Label& l : labels.all) {
    any |= l.letters.starts_with(labels.typed);
    if (l.letters != labels.typed) continue;
    const Label chosen = l;
    labels = {};
    press(ui, chosen);
    return true;
  }
  if (!any && labels.frames > 1) labels = {};  // letters that stand nowhere
  return true;
}

void begin_labels(UiState& ui) {
  auto& labels = ui.of<Labels>();
  seen.all.clear();
  seen.wanted = labels.on && labels.frames == 0;
  // the engine of the tests has them on already
  if (seen.wanted) ImGui::GetCurrentContext()->TestEngineHookItems = true;
}

void show_labels(View& v) {
  const Theme& t = v.theme;
  auto& labels = v.ui.of<Labels>();
  ImDrawList* list = ImGui::GetForegroundDrawList();
  if (v.ui.of<KeyedSlider>().any()) {
    const auto shown = v.ui.pictures.find(v.ui.of<KeyedSlider>().picture);
    if (shown != v.ui.pictures.end())
      for (const HitRegion& h : shown->second.picture.hits)
        if (h.name == v.ui.of<KeyedSlider>().hit) {
          const ImVec2 a{shown->second.area.x + h.box.x - t.px(10), shown->second.area.y + h.box.y - t.px(3)},
              b{shown->second.area.x + h.box.right() + t.px(10),
                shown->second.area.y + h.box.bottom() + t.px(3)};
          list->AddRect(a, b, screen(t.changed), t.px(6), t.px(3));
        }
  }
  if (!labels.on) return;
  if (labels.frames++ == 0) {
    assign(v);
    seen.wanted = false;
    if (!ImGui::GetCurrentContext()->TestEngine) ImGui::GetCurrentContext()->TestEngineHookItems = false;
  }
  const float size = letter_size(t);
  const Colour paper = t.changed, ink = t.on(paper);
  for (const Label& l : labels.all) {
    if (!l.letters.starts_with(labels.typed)) continue;
    const Box place = tag_of(v, l.box, l.letters.size(), size);
    list->AddRectFilled({place.x, place.y}, {place.right(), place.bottom()}, screen(paper), t.px(3));
    list->AddRect({place.x, place.y}, {place.right(), place.bottom()}, screen(t.dark() ? t.window : t.ink),
                  t.px(3), 1);
    const float typed = v.width(labels.typed, size, Font::mono_bold),
                whole = v.width(l.letters, size, Font::mono_bold);
    const float x = place.centre().x - whole / 2;
    // what is typed already is paler, so that the eye reads on
    v.painter.text(list, {x, place.centre().y}, labels.typed, size, mix(ink, paper, 0.55f), Font::mono_bold);
    v.painter.text(list, {x + typed, place.centre().y}, l.letters.substr(labels.typed.size()), size, ink,
                   Font::mono_bold);
  }
  const std::string how =
      labels.left_out
          ? tr("Type the letters of what you want to press; {} more are too small: zoom in. Esc leaves.",
               labels.left_out)
          : tr("Type the letters of what you want to press. Esc leaves.");
  const ImGuiViewport* port = ImGui::GetMainViewport();
  const float words = t.px(t.projector() ? 22 : t.size_label), w = v.width(how, words) + t.px(28),
              h = words * 2.2f;
  const float x = port->Pos.x + (port->Size.x - w) / 2, y = port->Pos.y + t.px(t.projector() ? 60 : 50);
  list->AddRectFilled({x, y}, {x + w, y + h}, screen(t.dark() ? t.selected : t.panel), t.px(6));
  list->AddRect({x, y}, {x + w, y + h}, screen(t.changed), t.px(6), t.px(2));
  v.painter.text(list, {x + w / 2, y + h / 2}, how, words, t.ink, Font::text, Align::centre);
}

}  // namespace bscope
