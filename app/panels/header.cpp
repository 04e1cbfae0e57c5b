// Logo, tabs, and the facts of the run.
#include <algorithm>

#include "app/panels/panel.hpp"

namespace bscope {
namespace {

/// Three bars on a rule: threads at a barrier. `u` is 1/18 of its width.
void logo(View& v, Point at, float u) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto bar = [&](float x, float top, float bottom, Colour c) {
    list->AddRectFilled({at.x + x * u, at.y + top * u}, {at.x + (x + 4) * u, at.y + bottom * u}, screen(c),
                        u);
  };
  bar(1, 5, 12, v.theme.read);
  bar(7, 0, 12, v.theme.thread);
  bar(13, 3, 12, v.theme.changed);
  list->AddRectFilled({at.x - u, at.y + 14 * u}, {at.x + 19 * u, at.y + 16 * u}, screen(v.theme.barrier));
}

std::string count(int n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

std::string value_of(const Trace& t, const char* name) {
  for (const auto& [key, value] : t.parameters)
    if (key == name) return value;
  return {};
}

std::string input_kind(const Trace& t) {
  return t.input >= 0 && size_t(t.input) < t.arrays.size() ? name_of(t.arrays[size_t(t.input)].kind) : "";
}

/// file | device | block, threads | n, type
std::vector<std::string> facts(const State& s) {
  const Trace& t = s.run->trace;
  std::vector<std::string> out;
  const auto base = [](const std::string& path) { return path.substr(path.find_last_of('/') + 1); };
  if (s.target.is_file())
    out.push_back(base(s.target.file));
  else if (!t.sources.empty())
    out.push_back(base(t.sources[0].path));
  // "cpu to-barrier": the schedule belongs to the parameters, not here
  const std::string device = t.device.substr(0, t.device.find(' '));
  out.push_back(device == "cpu" ? "CPU" : t.device);
  if (size_t(s.cursor.launch) < t.launches.size()) {
    const Launch& l = t.launches[size_t(s.cursor.launch)];
    std::string where;
    if (t.launches.size() > 1) where = "launch " + std::to_string(s.cursor.launch) + ": " + l.name + ", ";
    where += l.grid > 1 ? "block " + std::to_string(s.cursor.block) + " of " + std::to_string(l.grid)
                        : "block " + std::to_string(s.cursor.block);
    out.push_back(where + ", " + count(l.block, "thread"));
  }
  out.push_back("n = " + value_of(t, "n") + ", " + input_kind(t));
  return out;
}

std::string step_title(const View& v) {
  const Step* step = v.model.step(v.state.cursor);
  if (!step) return {};
  std::string phase = step->interval->phase;
  if (!phase.empty() && phase[0] >= 'a' && phase[0] <= 'z') phase[0] = char(phase[0] - 32);
  if (step->phase_count > 1)
    phase += " " + std::to_string(step->phase_number) + " of " + std::to_string(step->phase_count);
  return phase;
}

/// A run that goes wrong says so, beside the tabs: a word and the first sentence; a click opens them all.
void show_troubles(View& v, float x, float right, float middle) {
  const Theme& t = v.theme;
  if (v.kept.judged != v.state.run) {
    v.kept.judged = v.state.run;
    v.kept.troubles = troubles(*v.state.run);
  }
  const Troubles& it = v.kept.troubles;
  if (it.word.empty()) return;
  const float size = t.px(t.projector() ? 22 : t.size_label), pad = t.px(10), height = size * 2;
  const std::string word(1, char(it.word[0] - 32));
  const std::string name = word + it.word.substr(1);
  const float named = v.width(name, size, Font::text_bold);
  if (right - x < named + 2 * pad) return;
  Picture measure;
  const float room = right - x - named - 3 * pad;
  const std::string more =
      room > t.px(120) ? Pen(measure, v.metrics).fitted(it.sentences[0], room, size) : std::string();
  const float width = named + 2 * pad + (more.empty() ? 0 : pad + v.width(more, size));
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::SetCursorScreenPos({x, middle - height / 2});
  if (ImGui::InvisibleButton("troubles", {width, height})) ImGui::OpenPopup("all troubles");
  if (ImGui::IsItemHovered()) {
    list->AddRectFilled({x, middle - height / 2}, {x + width, middle + height / 2}, screen(t.cell), t.px(4));
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  list->AddRect({x, middle - height / 2}, {x + width, middle + height / 2}, screen(t.race), t.px(4),
                t.px(1.5f));
  v.text({x + pad, middle}, name, size, t.race, Font::text_bold);
  if (!more.empty()) v.text({x + 2 * pad + named, middle}, more, size, t.ink);

  ImGui::SetNextWindowPos({x, middle + height / 2 + t.px(6)});
  if (ImGui::BeginPopup("all troubles")) {
    if (ImGui::IsKeyPressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
    ImGui::PushTextWrapPos(t.px(t.projector() ? 900 : 620));
    for (const std::string& s : it.sentences) {
      ImGui::TextUnformatted(s.c_str());
      ImGui::Spacing();
    }
    if (!it.mend.empty()) {
      ImGui::Separator();
      ImGui::PushStyleColor(ImGuiCol_Text, screen(t.thread));
      ImGui::TextUnformatted("The mend");
      ImGui::PopStyleColor();
      ImGui::TextUnformatted(it.mend.c_str());
    }
    ImGui::PopTextWrapPos();
    ImGui::EndPopup();
  }
}

}  // namespace

void show_header(View& v, Box b) {
  const Theme& t = v.theme;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float middle = b.centre().y;
  if (!v.on_panels) v.painter.fill(list, {b.x, b.y}, {b.right(), b.bottom()}, t.panel, 0);
  list->AddRectFilled({b.x, b.bottom() - 1}, {b.right(), b.bottom()}, screen(t.line));
  const float u = t.px(t.projector() ? 1.5f : 1);
  logo(v, {b.x + t.px(15), middle - 8 * u}, u);

  const float title = t.px(t.projector() ? 26 : 17);
  float x = b.x + t.px(t.projector() ? 70 : 46);
  if (t.projector()) {
    // The last row needs the algorithm's name and the step, not the tabs (keys 1 to 5 change them).
    std::string name = v.state.run->trace.kernel;
    for (const Algorithm* a : catalog())
      if (a->name == name) name = a->title + " " + a->family();
    v.text({x, middle}, name, title, t.ink, Font::text_bold);
    x += v.width(name, title, Font::text_bold) + t.px(36);
    const std::string n = "n = " + value_of(v.state.run->trace, "n");
    v.text({x, middle}, n, title, t.ink2, Font::mono);
    x += v.width(n, title, Font::mono) + t.px(36);
    float right = b.right() - t.px(16);
    if (v.state.tab == Tab::watch || v.state.tab == Tab::banks || v.state.tab == Tab::memory) {
      v.text({right, middle}, step_title(v), title, t.ink, Font::text_bold, Align::right);
      right -= v.width(step_title(v), title, Font::text_bold) + t.px(24);
    }
    show_troubles(v, x, right, middle);
    return;
  }
  v.text({x, middle}, "Barrierscope", title, t.ink, Font::text_bold);
  x += v.width("Barrierscope", title, Font::text_bold) + t.px(28);

  auto tabs = tab_panels();
  std::sort(tabs.begin(), tabs.end(), [](const TabPanel& l, const TabPanel& r) { return l.tab < r.tab; });
  const float size = t.px(t.size_label), pad = t.px(13), height = t.px(28);
  for (const TabPanel& tab : tabs) {
    const bool on = tab.tab == v.state.tab;
    const Font font = on ? Font::text_bold : Font::text;
    const std::string title(say(tab.title));
    const float w = v.width(title, size, Font::text_bold) + 2 * pad;
    ImGui::SetCursorScreenPos({x, middle - height / 2});
    if (ImGui::InvisibleButton(tab.title.c_str(), {w, height})) v.state.tab = tab.tab;
    const bool hovered = ImGui::IsItemHovered();
    if (on || hovered)
      list->AddRectFilled({x, middle - height / 2}, {x + w, middle + height / 2},
                          screen(on ? t.selected : t.cell), t.px(4));
    v.text({x + w / 2, middle}, title, size, on ? t.ink : t.ink2, font, Align::centre);
    x += w + t.px(4);
  }

  // beside every tab: the lessons
  list->AddRectFilled({x + t.px(6), middle - t.px(9)}, {x + t.px(6) + 1, middle + t.px(9)}, screen(t.line));
  x += t.px(12);
  {
    const std::string words(say("Lessons"));
    const bool on = v.state.lesson.open;
    const float w = v.width(words, size, Font::text_bold) + 2 * pad;
    ImGui::SetCursorScreenPos({x, middle - height / 2});
    if (ImGui::InvisibleButton("lessons", {w, height})) v.state.lesson.open = !on;
    ImGui::SetItemTooltip("%s",
                          std::string(say("Lessons that lead through the app, step by step (L).")).c_str());
    if (on || ImGui::IsItemHovered())
      list->AddRectFilled({x, middle - height / 2}, {x + w, middle + height / 2},
                          screen(on ? t.selected : t.cell), t.px(4));
    v.text({x + w / 2, middle}, words, size, on ? t.ink : t.ink2, on ? Font::text_bold : Font::text,
           Align::centre);
    x += w + t.px(4);
  }

  // Facts from the right; those that have no room are left out, the file's name first of all.
  float right = b.right() - t.px(16);
  auto all = facts(v.state);
  for (auto fact = all.rbegin(); fact != all.rend(); ++fact) {
    const float w = v.width(*fact, size);
    if (right - w < x + t.px(16)) break;
    v.text({right, middle}, *fact, size, t.ink2, Font::text, Align::right);
    right -= w + t.px(13);
    if (fact + 1 != all.rend())
      list->AddRectFilled({right, middle - t.px(9)}, {right + 1, middle + t.px(9)}, screen(t.line));
    right -= t.px(13);
  }
  show_troubles(v, x + t.px(12), right, middle);
}

}  // namespace bscope
