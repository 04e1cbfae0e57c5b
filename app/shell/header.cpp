// Logo, tabs, and the facts of the run.
#include "app/shell/header.hpp"

#include <algorithm>

#include "app/draw/chart.hpp"
#include "app/draw/theme.hpp"
#include "app/run/run.hpp"
#include "app/run/titles.hpp"
#include "app/run/troubles.hpp"
#include "app/run/values.hpp"
#include "app/session/state.hpp"
#include "app/session/tab.hpp"
#include "app/shell/assignment.hpp"
#include "app/shell/findings.hpp"
#include "app/shell/lesson.hpp"
#include "app/shell/painter.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/popups.hpp"
#include "app/shell/ui_state.hpp"
#include "app/shell/widgets.hpp"
#include "app/words/counting.hpp"
#include "app/words/glossary.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/run_queries.hpp"

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

std::string input_kind(const Trace& t) {
  return t.input >= 0 && size_t(t.input) < t.arrays.size() ? name_of(t.arrays[size_t(t.input)].kind) : "";
}

/// A fact of the run, and the popover that changes it.
struct HeaderFact {
  std::string words, shorter, tip;
  Popup opens;
  const char* id;
};

/// The last part of a path.
std::string name_in_path(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

/// file | device | block, threads | n, type
std::vector<HeaderFact> facts(const LoadedState& s) {
  const Trace& t = s.run->trace;
  std::vector<HeaderFact> out;
  std::string file = s.target.is_file()  ? name_in_path(s.target.file)
                     : t.sources.empty() ? t.kernel
                                         : name_in_path(t.sources[0].path);
  out.push_back(
      {file, {}, tr("{}: choose kernel and parameters (K)", t.kernel), Popup::kernel, "fact kernel"});
  // "cpu to-barrier": the schedule belongs to the parameters, not here
  const std::string device = t.device.substr(0, t.device.find(' '));
  out.push_back({device == "cpu" ? "CPU" : t.device,
                 {},
                 tr("Where this run was traced, and in which order its threads ran."),
                 Popup::device,
                 "fact device"});
  if (size_t(s.cursor.launch) < t.launches.size()) {
    const Launch& l = t.launches[size_t(s.cursor.launch)];
    const std::string threads = tr_count(l.block, "{} thread", "{} threads");
    const std::string block =
        l.grid > 1 ? tr("block {} of {}", s.cursor.block, l.grid) : tr("block {}", s.cursor.block);
    std::string where = tr("{}, {}", block, threads), shorter = where;
    if (is_between_launches(l)) {
      where = shorter = launch_title(t, l);
    } else if (t.launches.size() > 1) {
      where = tr("launch {}: {}, ", launch_number(t, s.cursor.launch), launch_title(t, l)) + where;
      shorter = tr("launch {}, ", launch_number(t, s.cursor.launch)) + block;
    }
    out.push_back(
        {where, shorter,
         definition("block") + "\n" + tr("Choose launch and block here, or with Page Up and Page Down."),
         Popup::place, "fact place"});
  }
  // beside other lengths: this one was traced, not timed
  const std::string n = tab_of(s).has_own_lengths ? tr("traced: n = {}", grouped(parameter_of(t, "n")))
                                                  : "n = " + grouped(parameter_of(t, "n"));
  out.push_back({tr("{}, {}", n, input_kind(t)), n,
                 tr("How many elements the input has, and their type. Change them here."), Popup::kernel,
                 "fact input"});
  return out;
}

std::string step_title(const View& v) {
  const Step* step = v.model.step(v.state.cursor);
  if (!step) return {};
  return step_of_phase(phase_title(v.state.run->trace, *step->interval), step->phase_number - 1,
                       step->phase_count, !v.state.lesson.hides_future());
}

}  // namespace

float show_troubles(View& v, Box header, Box below, size_t most_lines) {
  const Theme& t = v.theme;
  TroublesPanel& panel = v.ui.of<TroublesPanel>();
  panel.is_open = false;
  std::vector<Message> why = wrong_by_assignment(v);
  if (panel.judged != v.state.run || panel.why != why) {
    panel.judged = v.state.run;
    panel.why = std::move(why);
    panel.groups = finding_groups(*v.state.run, v.state.program.get(), panel.why);
    panel.troubles = troubles_of(*v.state.run, v.state.program.get(), panel.groups);
    panel.at = -1;
    panel.unfolded.clear();
  }
  const Troubles& it = panel.troubles;
  if (it.word.empty() || v.state.lesson.line_asked || answer_is_held_back(v.state, v.ui)) return 0;
  const float size = t.px(t.projector() ? 22 : t.size_label), pad = t.px(10), line = size * 1.35f;
  const FindingGroup* shown = finding_shown(v.ui);
  const char* word = shown && panel.at >= 0 ? word_of(*shown) : it.word.c_str();
  const std::string name = capitalised(tr(heading_of_finding(word, panel.at, panel.groups.size())));
  const size_t all = panel.groups.size();
  const float named = v.width(name, size, Font::text_bold);
  const std::string sentence = shown                 ? capitalised(tr(shown->sentences()))
                               : it.messages.empty() ? std::string()
                                                     : capitalised(tr(it.messages[0]));
  float wide = named + 2 * pad + (sentence.empty() ? 0 : pad + v.width(sentence, size));
  Box box{header.x, header.centre().y - size, wide, size * 2};
  std::vector<std::string> lines{sentence};
  const bool own = wide > header.w;
  bool cut = false;
  if (own) {
    Picture unused;
    const Pen pen(unused, v.metrics);
    const float room = below.w - named - 3 * pad;
    lines = in_lines(pen, sentence, room, size);
    cut = lines.size() > most_lines;
    if (cut) {
      lines[most_lines - 1] = pen.fitted(lines[most_lines - 1] + " " + lines[most_lines], room, size);
      lines.resize(most_lines);
    }
    box = {below.x, below.y, below.w, line * float(lines.size()) + t.px(10)};
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::SetCursorScreenPos({box.x, box.y});
  const bool more = it.messages.size() > 1 || !it.fix.empty() || cut;
  if (ImGui::InvisibleButton("troubles", {box.w, box.h})) {
    if (all > 0) go_to_finding(v.state, v.ui, size_t(std::max(0, panel.at)));
    if (more) ImGui::OpenPopup("all troubles");
  }
  const bool hovered = ImGui::IsItemHovered();
  if (own || hovered)
    list->AddRectFilled({box.x, box.y}, {box.right(), box.bottom()}, screen(hovered ? t.cell : t.panel),
                        t.px(4));
  if (hovered && (more || all > 0)) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const Colour frame = all > 0 ? t.race : t.ink2;  // what is not judged is no fault
  list->AddRect({box.x, box.y}, {box.right(), box.bottom()}, screen(frame), t.px(4), t.px(1.5f));
  std::string tip = definition(word);
  if (all > 0)
    tip += "\n" + tr("Click to go there; F8 goes to the next finding, Shift+F8 to the one before.");
  tip_of_item(t, tip);
  float y = own ? box.y + t.px(5) + line / 2 : box.centre().y;
  v.text({box.x + pad, y}, name, size, frame, Font::text_bold);
  for (const std::string& words : lines) {
    v.text({box.x + 2 * pad + named, y}, words, size, t.ink);
    y += line;
  }
  list_findings(v, {box.x, box.bottom() + t.px(6)}, !cut);
  return own ? box.h + t.px(8) : 0;
}

namespace {

/// Words that open a popover: ink on nothing, a ground when the mouse is there or the popover hangs from it.
bool control(View& v, const char* id, Box b, const std::string& tip) {
  ImGui::SetCursorScreenPos({b.x, b.y});
  const bool pressed = ImGui::InvisibleButton(id, {b.w, b.h});
  if (ImGui::IsItemHovered()) {
    ImGui::GetWindowDrawList()->AddRectFilled({b.x, b.y}, {b.right(), b.bottom()}, screen(v.theme.cell),
                                              v.theme.px(4));
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  tip_of_item(v.theme, tip);
  return pressed;
}

/// A small triangle that says: there is a list here.
void opens_down(View& v, Point at, float u, Colour c) {
  Picture picture;
  Pen(picture, v.metrics)
      .polygon({{at.x - u, at.y - u * 0.6f}, {at.x + u, at.y - u * 0.6f}, {at.x, at.y + u * 0.7f}}, c);
  v.painter.draw(picture, {0, 0}, ImGui::GetWindowDrawList());
}

/// Three short rules with knobs: options.
void draw_options(View& v, Point c, float u, Colour colour) {
  Picture picture;
  Pen pen(picture, v.metrics);
  const float knobs[] = {-2.5f, 3, -0.5f};
  for (int i = 0; i < 3; ++i) {
    const float y = c.y + float(i - 1) * 5 * u;
    pen.rect({c.x - 7 * u, y - 0.75f * u, 14 * u, 1.5f * u}, colour);
    pen.rect({c.x + knobs[i] * u - 1.5f * u, y - 2.2f * u, 3 * u, 4.4f * u}, colour);
  }
  v.painter.draw(picture, {0, 0}, ImGui::GetWindowDrawList());
}

/// Language, keys and options, at the right edge; returns where they begin.
float show_app_controls(View& v, float right, float middle, float size) {
  const Theme& t = v.theme;
  const float height = size * 2.15f, side = height;
  const auto place = [&](float w) {
    right -= w;
    return Box{right, middle - height / 2, w, height};
  };
  Box b = place(side);
  v.ui.of<Popups>().anchors[size_t(Popup::options)] = b;
  if (control(v, "options", b, tr("Language, looks and motion"))) v.ui.of<Popups>().wants = Popup::options;
  draw_options(v, b.centre(), size / 13, t.ink2);
  b = place(side);
  if (control(v, "keys", b, tr("All keys (?)"))) v.ui.of<Popups>().wants = Popup::keys;
  v.text({b.centre().x, middle}, "?", size * 1.08f, t.ink2, Font::text_bold, Align::centre);
  // the language that it switches to, in its own words
  const std::string other = v.state.language == Language::en ? "\u4e2d\u6587" : "EN";
  b = place(v.width(other, size) + t.px(16));
  if (control(v, "language", b, tr("Switch between English and Chinese (Ctrl+L)")))
    v.state.language = v.state.language == Language::en ? Language::zh : Language::en;
  v.text({b.centre().x, middle}, other, size, t.ink2, Font::text, Align::centre);
  return right;
}

/// Tab, launch and block, where there is more than one: the projector has no room for the tabs themselves.
/// Returns where they end.
float show_where(View& v, float x, float right, float middle, float size) {
  const Theme& t = v.theme;
  const std::string tab = tr(tab_of(v.state).title);
  v.text({x, middle}, tab, size, t.ink, Font::text_bold);
  x += v.width(tab, size, Font::text_bold) + t.px(36);
  const auto& launches = v.state.run->trace.launches;
  const bool several = launches.size() > 1 || (size_t(v.state.cursor.launch) < launches.size() &&
                                               launches[size_t(v.state.cursor.launch)].grid > 1);
  const bool has_place = shows_step(v.tab);
  const float step = has_place ? v.width(step_title(v), size, Font::text_bold) + t.px(24) : 0;
  for (const HeaderFact& f : facts(v.state)) {
    if (f.opens != Popup::place || !several || !has_place) continue;
    Picture unused;
    const float room = right - step - x - t.px(24);
    const std::string words =
        v.width(f.shorter, size) <= room ? f.shorter : Pen(unused, v.metrics).fitted(f.shorter, room, size);
    if (room < t.px(80)) break;
    const Box place{x - t.px(10), middle - size * 0.85f, v.width(words, size) + t.px(46), size * 1.7f};
    v.ui.of<Popups>().anchors[size_t(Popup::place)] = place;
    if (control(v, f.id, place, f.tip)) v.ui.of<Popups>().wants = f.opens;
    v.text({x, middle}, words, size, t.ink2);
    opens_down(v, {place.right() - t.px(18), middle}, t.px(7), t.ink2);
    x = place.right() + t.px(26);
  }
  return x;
}

/// The algorithm's name and the step, which the last row needs, in the place of tabs (keys 1 to 6 change
/// them). Returns where there is room for what has gone wrong.
Box show_title(View& v, Box b, float x, float title) {
  const Theme& t = v.theme;
  const float middle = b.centre().y;
  auto& anchors = v.ui.of<Popups>().anchors;
  const Target& target = v.state.target;
  const std::string name =
      target.is_program() ? name_in_path(target.file) : full_title(v.state.run->trace.kernel);
  const float wide = v.width(name, title, Font::text_bold);
  const Box whole{x - t.px(10), middle - title * 0.85f, wide + t.px(46), title * 1.7f};
  for (const Popup which : {Popup::kernel, Popup::place, Popup::device}) anchors[size_t(which)] = whole;
  anchors[size_t(Popup::options)] = {b.right() - t.px(16), middle, 0, b.h / 2};
  if (control(v, "fact kernel", whole, tr("Choose kernel and parameters (K)")))
    v.ui.of<Popups>().wants = Popup::kernel;
  v.text({x, middle}, name, title, t.ink, Font::text_bold);
  opens_down(v, {x + wide + t.px(18), middle}, t.px(7), t.ink2);
  x += wide + t.px(52);
  std::string n = "n = " + grouped(parameter_of(v.state.run->trace, "n"));
  if (v.tab.has_own_lengths) n.clear();  // it is timed at other lengths, which the sliders say
  v.text({x, middle}, n, title, t.ink2, Font::mono);
  x += v.width(n, title, Font::mono) + t.px(36);
  float right = b.right() - t.px(16);
  x = show_where(v, x, right, middle, title);
  if (shows_step(v.tab)) {
    v.text({right, middle}, step_title(v), title, t.ink, Font::text_bold, Align::right);
    right -= v.width(step_title(v), title, Font::text_bold) + t.px(24);
  }
  return {x, b.y, right - x, b.h};
}

/// A tab of the bar, at x; returns whether it was pressed.
bool tab_button(View& v, const char* id, const std::string& words, bool on, float& x, float middle,
                const std::string& tip = {}) {
  const Theme& t = v.theme;
  const float size = t.px(t.size_label), height = t.px(28);
  const Box b{x, middle - height / 2, v.width(words, size, Font::text_bold) + t.px(26), height};
  ImGui::SetCursorScreenPos({b.x, b.y});
  const bool pressed = ImGui::InvisibleButton(id, {b.w, b.h});
  tip_of_item(t, tip);
  if (on || ImGui::IsItemHovered())
    ImGui::GetWindowDrawList()->AddRectFilled({b.x, b.y}, {b.right(), b.bottom()},
                                              screen(on ? t.selected : t.cell), t.px(4));
  v.text(b.centre(), words, size, on ? t.ink : t.ink2, on ? Font::text_bold : Font::text, Align::centre);
  x += b.w + t.px(4);
  return pressed;
}

void divider(View& v, float x, float middle) {
  const float half = v.theme.px(9);
  ImGui::GetWindowDrawList()->AddRectFilled({x, middle - half}, {x + 1, middle + half}, screen(v.theme.line));
}

/// The tabs, and beside them the lessons. Returns where they end.
float show_tabs(View& v, float x, float middle) {
  for (const Tab* tab : tabs())
    if (tab_button(v, tab->title, tr(tab->title), tab->name == v.state.tab, x, middle))
      v.state.tab = tab->name;
  divider(v, x + v.theme.px(6), middle);
  x += v.theme.px(12);
  if (bool& open = v.state.lesson.open;
      tab_button(v, "lessons", tr("Lessons"), open, x, middle,
                 tr("Lessons that lead through the app, step by step (L).")))
    open = !open;
  return x;
}

/// The facts that have room. The longer spellings go first, then the device, the input, the place; the kernel
/// always stays, and its tip tells the rest.
std::vector<HeaderFact> fitting_facts(const View& v, float room, float size, float between) {
  auto all = facts(v.state);
  const auto wide = [&] {
    float w = 0;
    for (const HeaderFact& f : all) w += v.width(f.words, size) + between;
    return w;
  };
  std::string left_out;
  if (wide() > room)
    for (HeaderFact& f : all)
      if (!f.shorter.empty()) f.words = f.shorter;
  for (const std::string id : {"fact device", "fact input", "fact place"}) {
    if (wide() <= room) break;
    const auto found = std::ranges::find_if(all, [&](const HeaderFact& f) { return f.id == id; });
    if (found == all.end()) continue;
    left_out = "\n" + found->words + left_out;
    all.erase(found);
  }
  if (all.size() == 1 && wide() > room) {
    Picture unused;
    left_out = "\n" + all[0].words + left_out;
    all[0].words = Pen(unused, v.metrics).fitted(all[0].words, room - between, size);
  }
  all[0].tip += left_out;
  return all;
}

/// The facts of the run, from the right up to `least`. Returns where they begin.
float show_facts(View& v, float least, float right, float middle) {
  const Theme& t = v.theme;
  const float size = t.px(t.size_label), arrow = t.px(16), between = t.px(20), height = t.px(28);
  const auto all = fitting_facts(v, right - least - arrow, size, between);
  for (auto fact = all.rbegin(); fact != all.rend(); ++fact) {
    const bool first = fact + 1 == all.rend();
    const float w = v.width(fact->words, size) + (first ? arrow : 0);
    const Box place{right - w - between * 0.5f, middle - height / 2, w + between - t.px(2), height};
    v.ui.of<Popups>().anchors[size_t(fact->opens)] = place;
    if (control(v, fact->id, place, fact->tip)) v.ui.of<Popups>().wants = fact->opens;
    v.text({right - w, middle}, fact->words, size, t.ink2);
    if (first) opens_down(v, {right - t.px(4), middle}, t.px(4), t.ink2);
    right -= w + between / 2;
    if (!first) divider(v, right, middle);
    right -= between / 2;
  }
  return right;
}

}  // namespace

float show_header(View& v, Box b, Box below) {
  const Theme& t = v.theme;
  const float middle = b.centre().y;
  if (!v.on_panels)
    v.painter.fill(ImGui::GetWindowDrawList(), {b.x, b.y}, {b.right(), b.bottom()}, t.panel, 0);
  ImGui::GetWindowDrawList()->AddRectFilled({b.x, b.bottom() - 1}, {b.right(), b.bottom()}, screen(t.line));
  const float u = t.px(t.projector() ? 1.5f : 1);
  logo(v, {b.x + t.px(15), middle - 8 * u}, u);
  const float title = t.px(t.projector() ? 26 : 17);
  float x = b.x + t.px(t.projector() ? 70 : 46);
  if (t.projector()) return show_troubles(v, show_title(v, b, x, title), below);

  v.text({x, middle}, "Barrierscope", title, t.ink, Font::text_bold);
  x = show_tabs(v, x + v.width("Barrierscope", title, Font::text_bold) + t.px(28), middle);
  float right = show_app_controls(v, b.right() - t.px(10), middle, t.px(t.size_label)) - t.px(6);
  right = show_facts(v, x + t.px(16), right, middle);
  x += t.px(12);
  return show_troubles(v, {x, b.y, right - x, b.h}, below);
}

}  // namespace bscope
