#include "app/shell/compact.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/draw/theme.hpp"
#include "app/draw/upright.hpp"
#include "app/run/run.hpp"
#include "app/run/titles.hpp"
#include "app/session/state.hpp"
#include "app/session/tab.hpp"
#include "app/shell/header.hpp"
#include "app/shell/painter.hpp"
#include "app/shell/palette.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/popups.hpp"
#include "app/shell/ui_state.hpp"
#include "app/shell/watch/figure_panels.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"

namespace bscope {
namespace {

constexpr float finger = 44;  // what a finger hits, in pixels of the page, whatever the scale
constexpr float gap = 6;

/// A panel of Watch, by the word that chooses it.
struct WatchPart {
  const char* words;
  void (*show)(View&, Box);
};
constexpr int part_of_whole_run = 1;
const Prediction* asked(const View& v) { return prediction_on(v.state); }
constexpr WatchPart parts_of_watch[] = {
    {tr_noop("Cells"), [](View& v, Box area) { panel_of(v.tab).alone(v, area); }},
    {tr_noop("Whole run"),
     [](View& v, Box area) {
       v.state.only_run ? show_only_run(v, area) : show_whole_run(v, area, asked(v));
     }},
    {tr_noop("Source"), [](View& v, Box area) { show_source(v, area, asked(v)); }},
    {tr_noop("Why"), [](View& v, Box area) { asked(v) ? show_prediction(v, area) : show_why(v, area); }},
};

/// Words on a ground, in the middle of the box.
bool button(View& v, const char* id, const std::string& words, Box b, bool on) {
  const Theme& t = v.theme;
  ImGui::SetCursorScreenPos({b.x, b.y});
  const bool pressed = ImGui::InvisibleButton(id, {b.w, b.h});
  ImGui::GetWindowDrawList()->AddRectFilled({b.x, b.y}, {b.right(), b.bottom()},
                                            screen(on ? t.selected : t.panel), t.px(4));
  Picture unused;
  const float size = t.px(t.size_label);
  v.text(b.centre(), Pen(unused, v.metrics).fitted(words, b.w - t.px(8), size), size, on ? t.ink : t.ink2,
         on ? Font::text_bold : Font::text, Align::centre);
  return pressed;
}

void menu_glyph(View& v, Box b) {
  for (int i = -1; i <= 1; ++i)
    v.painter.fill(ImGui::GetWindowDrawList(), {b.centre().x - 9, b.centre().y + float(i) * 6 - 1},
                   {b.centre().x + 9, b.centre().y + float(i) * 6 + 1}, v.theme.ink2, 0);
}

/// Tabs and lessons, below the box, each as high as a finger.
void show_views(View& v, Box below) {
  const Theme& t = v.theme;
  ImGui::SetNextWindowPos({below.right(), below.bottom() + gap}, ImGuiCond_Always, {1, 0});
  if (!begin_popup(t, "views", {gap, gap}, 0)) return;
  const auto row = [&](const std::string& words, const char* id, bool on) {
    ImGui::PushStyleVar(ImGuiStyleVar_SelectableTextAlign, ImVec2(0.1f, 0.5f));
    const bool pressed = ImGui::Selectable((words + "###" + id).c_str(), on, 0, {190, finger});
    ImGui::PopStyleVar();
    return pressed;
  };
  bool& lesson = v.state.lesson.open;
  for (const Tab* tab : tabs())
    if (row(tr(tab->title), tab->title, tab->name == v.state.tab && !lesson)) {
      v.state.tab = tab->name;
      v.state.only_run = lesson = false;
    }
  ImGui::Separator();
  if (row(tr("Lessons"), "lessons", lesson)) lesson = true;
  if (row(tr("Language, looks and motion"), "options", false)) v.ui.of<Popups>().after = Popup::options;
  ImGui::EndPopup();
}

/// The menu, the kernel, the view. Returns what is left between kernel and view.
void show_bar(View& v, Box b) {
  const Theme& t = v.theme;
  const Box menu{b.x, b.y, finger, finger};
  if (button(v, "menu", "", menu, false)) {
    v.ui.of<Palette>().asks = Asks::anything;
    v.ui.of<Palette>().typed.clear();
    v.ui.of<Popups>().wants = Popup::palette;
  }
  menu_glyph(v, menu);
  const float size = t.px(t.size_label);
  const std::string view = v.state.lesson.open ? tr("Lessons") : tr(v.tab.title);
  const float wide = std::max(v.width(view, size, Font::text_bold) + 28, 84.0f);
  const Box views{b.right() - wide, b.y, wide, finger},
      kernel{menu.right() + gap, b.y, views.x - menu.right() - 2 * gap, finger};
  for (Box& a : v.ui.of<Popups>().anchors) a = kernel;
  v.ui.of<Popups>().anchors[size_t(Popup::options)] = views;
  const std::string n = parameter_of(v.state.run->trace, "n");
  if (button(v, "fact kernel", full_title(v.state.run->trace.kernel) + (n.empty() ? "" : "  n = " + n),
             kernel, false))
    v.ui.of<Popups>().wants = Popup::kernel;
  if (button(v, "views", view, views, true)) ImGui::OpenPopup("views");
  show_views(v, views);
}

/// Which panel of Watch; and the lesson's, while one is open.
void show_parts(View& v, Box row) {
  std::vector<std::string> words;
  for (const WatchPart& p : parts_of_watch) words.push_back(tr(p.words));
  if (v.state.lesson.open) words.push_back(tr("Lesson"));
  int& part = v.ui.of<CompactView>().part;
  float spare = row.w - gap * float(words.size() - 1);  // each gets its words' width, and as much more as all
  const auto wide = [&](const std::string& w) {
    return v.width(w, v.theme.px(v.theme.size_label), Font::text_bold);
  };
  for (const std::string& w : words) spare -= wide(w);
  float x = row.x;
  for (int k = 0; k < int(words.size()); ++k) {
    const float w = wide(words[size_t(k)]) + spare / float(words.size());
    if (button(v, ("part " + std::to_string(k)).c_str(), words[size_t(k)], {x, row.y, w, row.h}, part == k))
      part = k;
    x += w + gap;
  }
}

/// A tab whose picture is made for a phone: one part below the other, and a finger moves them.
void show_narrow(View& v, Box area) {
  ImGui::SetCursorScreenPos({area.x, area.y});
  if (ImGui::BeginChild("narrow", {area.w, area.h})) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float bar = ImGui::GetStyle().ScrollbarSize;
    show_narrow_tab(v, {at.x, at.y, area.w - bar - gap, area.h});
  }
  ImGui::EndChild();
}

/// A tab whose picture needs more room than there is: it lies behind the panel, and a finger moves it.
void show_larger(View& v, Box area) {
  const Theme& t = v.theme;
  const float w = std::max(area.w, t.px(940)), h = std::max(area.h, t.px(540));
  ImGui::SetCursorScreenPos({area.x, area.y});
  if (ImGui::BeginChild("larger", {area.w, area.h}, 0, ImGuiWindowFlags_HorizontalScrollbar)) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float bar = ImGui::GetStyle().ScrollbarSize;
    panel_of(v.tab).show(v, {at.x, at.y, w - (w > area.w ? 0 : bar), h - (h > area.h ? 0 : bar)});
  }
  ImGui::EndChild();
}

/// The words of a lesson's step: below the picture, or at its right where the window is wide. Returns what is
/// left.
Box show_lesson_beside(View& v, Box area) {
  Box words = area;
  if (area.w > area.h) {
    words.w = std::round(area.w * 0.46f);
    words.x = area.right() - words.w;
    area.w -= words.w + gap;
  } else {
    words.h = std::round(area.h * 0.46f);
    words.y = area.bottom() - words.h;
    area.h -= words.h + gap;
  }
  show_lesson_alone(v, words);
  return area;
}

/// A lesson that begins shows its picture beside its words; the list of lessons has the whole window, and so
/// has the whole run where that is asked for.
void choose_part(View& v, int lesson_part) {
  CompactView& c = v.ui.of<CompactView>();
  const LessonState& l = v.state.lesson;
  const std::string now = !l.open ? "" : l.lesson.empty() ? "all" : l.lesson;
  if (now != c.lesson && l.open) c.part = now == "all" ? lesson_part : 0;
  c.lesson = now;
  if (!l.open && c.part >= lesson_part) c.part = 0;
  if (v.state.only_run && !c.was_only_run) c.part = part_of_whole_run;
  if (c.part != part_of_whole_run) v.state.only_run = false;
  c.was_only_run = v.state.only_run;
}

}  // namespace

bool is_compact(Box window, bool coarse) {
  if (window.w < 960 || window.h < 540) return true;  // the whole app's letters would be too small to read
  return coarse && std::min(window.h, window.w * 9 / 16) < 900;  // below, a finger misses controls
}

Theme compact_theme(const State& s) { return theme(s.theme, s.theme == ThemeName::projector ? 540 : 900); }

void show_compact(View& v, Box window) {
  const bool watch = v.tab.name == main_tab, lesson = v.state.lesson.open, low = window.h < 480;
  const bool narrow = v.tab.narrow_height > 0 && window.w < window.h &&
                      is_upright(v.theme, window.w, v.theme.px(v.tab.narrow_height));
  Box area{window.x + gap, window.y + gap, window.w - 2 * gap, window.h - 2 * gap};
  Box bar{area.x, area.y, low ? area.w * 0.5f - gap : area.w, finger};
  show_bar(v, bar);
  if (watch || lesson) {
    const Box row = low ? Box{bar.right() + gap, area.y, area.right() - bar.right() - gap, finger}
                        : Box{area.x, bar.bottom() + gap, area.w, finger};
    show_parts(v, row);
    if (!low) bar.h += finger + gap;
  }
  area.y += bar.h + gap, area.h -= bar.h + gap;
  v.ui.of<TroublesPanel>().height = 0;  // there is no list beside it
  const float told = show_troubles(v, {}, area, low ? 1 : 3);
  area.y += told, area.h -= told;
  const int lesson_part = int(std::size(parts_of_watch));
  choose_part(v, lesson_part);
  const bool steps =
      v.state.only_run || watch || (v.tab.plays && (!v.tab.transport || v.tab.transport(v.state)));
  const Box row{area.x, area.bottom() - finger, area.w, finger};
  if ((watch || narrow) && steps) area.h -= finger + gap;
  const bool lesson_alone = lesson && v.ui.of<CompactView>().part == lesson_part;
  if (lesson && !lesson_alone) area = show_lesson_beside(v, area);
  if (lesson_alone)
    show_lesson_alone(v, area);
  else if (watch)
    parts_of_watch[v.ui.of<CompactView>().part].show(v, area);
  else if (narrow)
    show_narrow(v, area);
  else
    show_larger(v, area);
  if ((watch || narrow) && steps) show_small_transport(v, row);
}

}  // namespace bscope
