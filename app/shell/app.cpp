#include "app/shell/app.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/draw/sorted.hpp"
#include "app/run/own_program.hpp"
#include "app/run/run_store.hpp"
#include "app/session/history.hpp"
#include "app/session/input.hpp"
#include "app/session/tab.hpp"
#include "app/session/tab_time.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/compact.hpp"
#include "app/shell/embedded.hpp"
#include "app/shell/files.hpp"
#include "app/shell/header.hpp"
#include "app/shell/kernel_list.hpp"
#include "app/shell/labels.hpp"
#include "app/shell/notices.hpp"
#include "app/shell/palette.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/popups.hpp"
#include "app/shell/settings_file.hpp"
#include "app/shell/shell.hpp"
#include "app/shell/touch_input.hpp"
#include "app/shell/watch/editor.hpp"
#include "app/shell/widgets.hpp"
#include "app/shell/zoom_shown.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/tabs/watch/whole_run/whole_run.hpp"
#include "app/words/glossary.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/fields.hpp"

namespace bscope {
namespace {

ImVec4 colour(Colour c) { return ImGui::ColorConvertU32ToFloat4(screen(c)); }

/// ImGui's own widgets in the theme's colours and sizes.
void dress(const Theme& t, bool for_fingers) {
  ImGuiStyle& s = ImGui::GetStyle();
  const float px = t.scale;
  s = ImGuiStyle();
  s.WindowPadding = {std::round(8 * px),
                     std::round(6 * px)};  // of tooltips and lists; the app's window has none
  s.WindowBorderSize = 0;
  s.FramePadding = {8 * px, 4 * px};
  if (for_fingers) s.FramePadding = {10 * px, 12 * px};
  s.FrameRounding = s.PopupRounding = s.GrabRounding = s.ScrollbarRounding = 4 * px;
  s.FrameBorderSize = s.PopupBorderSize = 1;
  s.ItemSpacing = {8 * px, 6 * px};
  s.ItemInnerSpacing = {6 * px, 4 * px};
  s.ScrollbarSize = 10 * px;
  s.GrabMinSize = 14 * px;
  s.DisabledAlpha = 1;  // translucent text would fall below 4.5:1
  s.FontSizeBase = drawn_size(t.px(t.size_label));
  const auto set = [&](ImGuiCol which, Colour c) { s.Colors[which] = colour(c); };
  set(ImGuiCol_Text, t.ink);
  set(ImGuiCol_TextDisabled, t.ink3);
  set(ImGuiCol_WindowBg, t.panel);
  set(ImGuiCol_ChildBg, 0);  // panels are filled already
  set(ImGuiCol_PopupBg, t.panel);
  set(ImGuiCol_Border, t.line);
  set(ImGuiCol_FrameBg, t.cell);
  set(ImGuiCol_FrameBgHovered, t.selected);
  set(ImGuiCol_FrameBgActive, t.selected);
  set(ImGuiCol_Button, t.selected);
  set(ImGuiCol_ButtonHovered, mix(t.selected, t.ink3, 0.8f));
  set(ImGuiCol_ButtonActive, mix(t.selected, t.ink3, 0.7f));
  set(ImGuiCol_Header, t.selected);
  set(ImGuiCol_HeaderHovered, mix(t.selected, t.panel, 0.6f));
  set(ImGuiCol_HeaderActive, t.selected);
  // a slider's value is written across its knob
  set(ImGuiCol_SliderGrab, mix(t.ink3, t.cell, 0.5f));
  set(ImGuiCol_SliderGrabActive, mix(t.ink3, t.cell, 0.6f));
  set(ImGuiCol_CheckMark, t.thread);
  set(ImGuiCol_CheckboxSelectedBg, t.cell);
  set(ImGuiCol_InputTextCursor, t.ink);
  set(ImGuiCol_NavCursor, t.read);
  set(ImGuiCol_PlotHistogram, mix(t.thread, t.cell, 0.35f));  // progress; its words lie across
  for (const ImGuiCol grip : {ImGuiCol_ResizeGrip, ImGuiCol_ResizeGripHovered, ImGuiCol_ResizeGripActive})
    set(grip, t.line);
  set(ImGuiCol_ScrollbarBg, t.panel);
  set(ImGuiCol_ScrollbarGrab, t.line);
  set(ImGuiCol_ScrollbarGrabHovered, t.ink3);
  set(ImGuiCol_ScrollbarGrabActive, t.ink3);
  set(ImGuiCol_Separator, t.line);
  set(ImGuiCol_TextSelectedBg, mix(t.read, t.panel, 0.4f));
}

/// What a click on a hit means, the same in every picture.
LoadedState chosen(LoadedState s, const HitRegion& hit, UiState& ui) {
  switch (hit.what) {
    case HitRegion::cell:
      s.cursor.cell = CellRef{hit.a, hit.b};
      // select the thread that wrote the cell here, too, so that arrows, line and sentence agree
      s.cursor.thread = -1;
      s = to_box(std::move(s), {hit.a, hit.b});
      break;
    case HitRegion::thread:
      // and a thread brings its cell along
      s.cursor.thread = s.cursor.thread == hit.a ? -1 : hit.a;
      s.cursor.cell.reset();
      break;
    case HitRegion::line: {
      if (hit.name.starts_with("request ")) break;  // a line of a list, not of the source
      AtLine at = to_line(std::move(s), hit.a);
      s = std::move(at.state);
      if (!at.note.empty()) notify(ui, at.note);
      break;
    }
    case HitRegion::interval: s = scrub(std::move(s), hit.a, 1); break;
    case HitRegion::step: s.cursor = at_step(*s.run, s.cursor, hit.a); break;
    default: break;
  }
  return s;
}

}  // namespace

View::View(LoadedState& s, const Theme& t, Painter& p, const Metrics& m, const RunQueries& w, UiState& k)
    : state(s), theme(t), painter(p), metrics(m), model(w), ui(k), tab(tab_of(s)) {}

void View::panels(Box area, const std::vector<Box>& boxes) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float r = std::ceil(theme.px(6));
  struct Edges {
    float left, top, right, bottom;
  };
  std::vector<Edges> all;
  std::vector<float> rows{std::round(area.y), std::round(area.bottom())};
  for (const Box& b : boxes) {
    all.push_back({std::round(b.x), std::round(b.y), std::round(b.right()), std::round(b.bottom())});
    rows.insert(rows.end(), {all.back().top, all.back().bottom});
  }
  std::sort(rows.begin(), rows.end());
  std::sort(all.begin(), all.end(), [](const Edges& a, const Edges& b) { return a.left < b.left; });
  // from row edge to row edge, what no panel covers
  for (size_t i = 0; i + 1 < rows.size(); ++i) {
    const float top = rows[i], bottom = rows[i + 1];
    if (top == bottom) continue;
    float x = std::round(area.x);
    const auto gap_to = [&](float right) {
      if (right > x) painter.fill(list, {x, top}, {right, bottom}, theme.window, 0);
    };
    for (const Edges& e : all) {
      if (e.top > top || e.bottom < bottom) continue;
      gap_to(e.left);
      x = std::max(x, e.right);
    }
    gap_to(std::round(area.right()));
  }
  const ImU32 between = screen(theme.window), edge = screen(theme.line);
  for (const Edges& e : all) {
    // outside of a rounded corner: from its point to the arc
    const auto corner = [&](float x, float y, float dx, float dy) {
      const auto arc = [&](int i) {
        const float a = 1.5707963f * float(i) / 4;
        return ImVec2{x + dx * r * (1 - std::sin(a)), y + dy * r * (1 - std::cos(a))};
      };
      for (int i = 0; i < 4; ++i) list->AddTriangleFilled({x, y}, arc(i), arc(i + 1), between);
    };
    corner(e.left, e.top, 1, 1);
    corner(e.right, e.top, -1, 1);
    corner(e.right, e.bottom, -1, -1);
    corner(e.left, e.bottom, 1, -1);
    list->AddRect({e.left, e.top}, {e.right, e.bottom}, edge, theme.px(6), 1);
  }
  panels_drawn_ = true;
}

void View::frame(Box b) {
  if (panels_drawn_) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 from{std::round(b.x), std::round(b.y)}, to{std::round(b.right()), std::round(b.bottom())};
  painter.fill(list, from, to, theme.panel, theme.px(6));
  list->AddRect(from, to, screen(theme.line), theme.px(6), 1);
}

namespace {
/// What lies over panels has their colour: its edge tells it apart. As long as this lives.
struct Outlined {
  explicit Outlined(const Theme& t) {
    ImGui::PushStyleColor(ImGuiCol_Border, screen(t.ink3));
    ImGui::PushStyleVar(ImGuiStyleVar_PopupBorderSize, std::max(1.0f, t.px(1.25f)));
  }
  ~Outlined() {
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
  }
  Outlined(const Outlined&) = delete;
  Outlined& operator=(const Outlined&) = delete;
};

/// ImGui opens a tip when the mouse has been over an item for so long.
constexpr float tip_delay = 0.15f, never = 1e9f;
void let_tips_rest(bool rest) { ImGui::GetStyle().HoverDelayShort = rest ? never : tip_delay; }
bool tips_rest() { return ImGui::GetStyle().HoverDelayShort == never; }

/// The open tooltip's words, and paler what `also` says below; closes it.
void tell(const Theme& t, const std::string& words, const std::string& also = {}) {
  ImGui::PushTextWrapPos(t.px(t.projector() ? 760 : 440));
  ImGui::TextUnformatted(words.c_str());
  if (!also.empty()) write(also, t.ink2);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}
}  // namespace

bool begin_popup(const Theme& t, const char* id, ImVec2 padding, int flags) {
  const Outlined outlined(t);
  // parts of pixels would be room that is missing: a scroll bar with nothing to scroll
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {std::round(padding.x), std::round(padding.y)});
  const bool open = ImGui::BeginPopup(id, flags);
  ImGui::PopStyleVar();
  return open;
}

void tip_of_item(const Theme& t, const std::string& words) {
  const Outlined outlined(t);
  if (!words.empty() && ImGui::BeginItemTooltip()) tell(t, words);
}

void tip_over(const Theme& t, Box b, const std::string& words) {
  const Outlined outlined(t);
  if (words.empty() || tips_rest() || !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) ||
      !ImGui::IsMouseHoveringRect({b.x, b.y}, {b.right(), b.bottom()}) || !ImGui::BeginTooltip())
    return;
  tell(t, words);
}

void View::text(Point p, const std::string& words, float size, Colour c, Font f, Align align) {
  painter.text(ImGui::GetWindowDrawList(), {p.x, p.y}, words, size, c, f, align);
}

void View::touch(const HitRegion& hit, Point at, bool pressed) {
  const float share = std::clamp((at.x - hit.box.x) / std::max(1.0f, hit.box.w), 0.0f, 1.0f);
  if (pressed && hit.press)
    hit.press(state, share);
  else if (pressed)
    state = chosen(std::move(state), hit, ui);
  if (hit.drag && ImGui::IsItemActive()) hit.drag(state, share);
}

View::PointerInput View::pressed_by_letters(const CachedPicture& shown) {
  auto& pressed = ui.of<PressedHit>();
  PointerInput touched;
  for (const HitRegion& h : shown.picture.hits) {
    if (h.name != pressed.hit) continue;
    touched.hovered = touched.clicked = touched.dragged = &h;
    touched.at = {h.box.x + h.box.w * pressed.at, h.box.centre().y};
    touch(h, touched.at, true);
    if (h.drag) h.drag(state, pressed.at);
    if (h.what == HitRegion::other && !h.tip.empty() && h.now < 0) notify(ui, h.tip);
    break;
  }
  pressed = {};
  return touched;
}

View::PointerInput View::picture(const std::string& name, Box area, const Make& make,
                                 const PictureOptions& options) {
  if (options.framed) frame(area);
  CachedPicture key{state.run, state.cursor, theme.name, state.language, area, options.extra, {}, 0};
  Cursor& shows = key.cursor;
  if (!options.placed) shows = {};
  if (!options.zooms) shows.zoom = 1, shows.scroll = 0;
  if (options.motion == PictureOptions::rests) shows.phase = 1;
  if (options.motion == PictureOptions::lands) shows.phase = shows.phase >= landing ? 1 : 0;
  CachedPicture& shown = ui.pictures[name];
  // A panel drawn before this one may have opened another run: the model is the old run's until the next
  // frame.
  const bool of_this_run = &model.run() == state.run.get();
  if (of_this_run && (shown.made == 0 || !shown.same(key))) {
    key.made = shown.made + 1;
    key.picture = make(area.w, area.h);
    shown = std::move(key);
  }
  shown.area = area;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect({area.x, area.y}, {area.right(), area.bottom()}, true);
  if (!shown.sorted) shown.sorted = std::make_shared<Sorted>();
  painter.draw(shown.picture, {area.x, area.y}, list, 1, shown.sorted.get());
  list->PopClipRect();

  PointerInput touched;
  ImGui::SetCursorScreenPos({area.x, area.y});
  ImGui::SetNextItemAllowOverlap();
  ImGui::InvisibleButton(name.c_str(), {std::max(1.0f, area.w), std::max(1.0f, area.h)});
  shown.frame = ImGui::GetFrameCount();
  shown.turns = options.turns;
  shown.id = ImGui::GetItemID();
  if (ui.of<PressedHit>().picture == name) return pressed_by_letters(shown);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  touched.at = {mouse.x - area.x, mouse.y - area.y};
  touched.over = ImGui::IsItemHovered();
  touched.held = ImGui::IsItemActive();
  if (!touched.over && !touched.held) return touched;
  if (touched.over) touched.wheel = ImGui::GetIO().MouseWheel;
  // what was drawn last lies on top
  const auto& hits = shown.picture.hits;
  const auto found = std::find_if(hits.rbegin(), hits.rend(),
                                  [&](const HitRegion& h) { return h.box.contains(touched.at); });
  if (found == hits.rend()) return touched;
  const HitRegion* hit = &*found;
  if (touched.over) {
    touched.hovered = hit;
    const Outlined outlined(theme);
    if (!touched.held && !hit->tip.empty() && ImGui::BeginItemTooltip()) {
      const Term* term = term_in(hit->tip);
      tell(theme, hit->tip, term ? definition(term->word) : std::string());
    }
    if (hit->what != HitRegion::other) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  if (touched.held) touched.dragged = hit;
  if (ImGui::IsItemActivated()) touched.clicked = hit;
  touch(*hit, touched.at, touched.clicked);
  if (touched.wheel != 0 && hit->wheel) hit->wheel(state, touched.wheel);
  return touched;
}

void View::fading(const Picture& picture, Box area, float alpha) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect({area.x, area.y}, {area.right(), area.bottom()}, true);
  painter.draw(picture, {area.x, area.y}, list, alpha);
  list->PopClipRect();
}

void show_only_run(View& v, Box area) {
  v.picture("only run", area,
            [&](float w, float h) {
              return whole_run(v.model, v.state.cursor, v.theme, v.metrics, w, h, v.state.of<WatchState>(),
                               prediction_on(v.state), !v.state.lesson.hides_future());
            },
            {.extra = fingerprint(v.state.of<WatchState>()) ^ fingerprint(v.state.prediction) ^
                      uint64_t(v.state.lesson.hides_future())});
}

namespace {
/// Header, lesson and tab.
void show_whole(View& v, Box window) {
  const Theme& t = v.theme;
  const TabPanel& shown = panel_of(v.tab);
  const float header = t.px(t.projector() ? 54 : 45), gap = t.px(8);
  Box area{window.x + gap, window.y + header + gap, window.w - 2 * gap, window.h - header - 2 * gap};
  const float beside = kernels_width(v);
  const Box below{area.x + beside, area.y, area.w - beside, area.h};
  const float taken = show_header(v, {window.x, window.y, window.w, header}, below);
  v.ui.of<TroublesPanel>().height = taken;
  area.y += taken, area.h -= taken;
  if (v.state.lesson.open && !v.state.only_run) area = show_lesson(v, area);
  if (v.state.only_run)
    show_only_run(v, area);
  else
    shown.show(v, area);
}
}  // namespace

App::App(LoadedState s) : state(std::move(s)), painter_(load_fonts()) {
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigInputTextCursorBlink = false;  // a blinking caret would draw frames for ever
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  // within popovers; the app's own window and its panels leave the arrows to the steps
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  ImGui::GetCurrentContext()->ConfigNavWindowingKeyNext = 0;
  ImGui::GetCurrentContext()->ConfigNavWindowingKeyPrev = 0;
  ui.runs.retain({state.run, state.program});  // undo goes back to what the app began with
  ui.services.choose_file = [this](LoadedState& s) { browse(s, ui, Asks::open); };
}

App::~App() = default;

bool App::busy() const {
  // one frame finds out what can be pressed, the next draws its letters
  const bool soon = ui.of<Popups>().wants != Popup::none || ui.of<PressedHit>().any() ||
                    (ui.of<Labels>().on && ui.of<Labels>().frames < 3);
  const bool another_run = !model_ || &model_->run() != state.run.get();  // opened by the last frame
  return moves(state) || ui.of<ZoomShown>().fade > 0 || soon || another_run ||
         (summaries_left_ && state.theme != ThemeName::projector && ui.of<EmbeddedView>().name.empty());
}

bool App::has_events() const { return !ImGui::GetCurrentContext()->InputEventsQueue.empty(); }

std::optional<double> App::due() const {
  std::optional<double> in;
  const auto sooner = [&](double seconds) { in = std::max(0.02, std::min(in.value_or(seconds), seconds)); };
  for (const Notice& n : ui.of<Notices>().all) sooner(n.until - ImGui::GetTime());
  if (ui.of<FileDialogs>().dialog || ui.dispatcher.waits() || loading_tab(ui)) sooner(0.1);
  // its file may be changed, but not in a page
  if (state.target.is_program() && !programs_in_page) sooner(0.5);
  return in;
}

void App::drop(const std::string& path) { open_path(state, ui, path); }

void App::keep_settings(const Settings& settings, const std::string& file) {
  ui.of<SettingsFile>().settings = ui.of<SettingsFile>().written = settings;
  ui.of<SettingsFile>().path = file;
  for (const std::string& folder : settings.programs) allow_programs_in(folder);
}

void App::write_settings_now() {
  if (ui.of<SettingsFile>().path.empty() || ui.of<SettingsFile>().settings == ui.of<SettingsFile>().written)
    return;
  ui.of<SettingsFile>().written = ui.of<SettingsFile>().settings;  // report a full disk only once
  try {
    write_settings(ui.of<SettingsFile>().settings, ui.of<SettingsFile>().path);
  } catch (const std::exception& e) { notify(ui, tr(message_of(e))); }
}

void App::end() {
  leave_editor(ui);
  write_settings_now();
}

void App::frame() {
  ui.runs.wake = ui.services.wake = ui.wake;
  watch_program(state, ui);
  if (state.wanted)
    ui.dispatcher.dispatch(state,
                           [target = *std::exchange(state.wanted, {}), &runs = ui.runs](LoadedState& s) {
                             s = opened(std::move(s), target, Where::parameters, runs);
                           });
  ui.dispatcher.resume(state);
  // A user who steps looks at the cells, and one who has clicked at what the click shows: a mouse that rests
  // over them shows no tip until it moves again.
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0) stepping_ = false;
  const Cursor& c = state.cursor;
  const auto time = own_time(state);
  const std::array<int, 5> place{c.launch, c.block, c.interval, c.substep, time ? time->now : -1};
  if (moves(state) || (place != stepped_ && state.tab == ui.tab)) stepping_ = true;
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && io.MouseSource == ImGuiMouseSource_Mouse)
    stepping_ = true;
  stepped_ = place;
  let_tips_rest(stepping_);
  // After a pause the first frame's time is the pause itself: no motion may jump by it.
  const float passed = std::min(50.0f, ImGui::GetIO().DeltaTime * 1000);  // ms
  state = advanced(std::move(state), passed);
  ui.of<ZoomShown>().fade = std::max(0.0f, ui.of<ZoomShown>().fade - passed);
  speak(state.language);
  if (!take_label_keys(state, ui)) run_pressed_commands(state, ui);
  if (state.language == Language::zh && !painter_.draws_chinese()) {
    state.language = Language::en;
    refuse(state, painter_.fonts().no_chinese, Where::file);
  }
  speak(state.language);
  poll_dialog(state, ui);
  const std::string tab_shown = state.tab;
  begin_labels(ui);

  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const Box window{viewport->Pos.x, viewport->Pos.y, viewport->Size.x, viewport->Size.y};
  // A narrow window scales by its width, so that nothing is squeezed.
  const bool embedded = !ui.of<EmbeddedView>().name.empty();
  const bool compact = !embedded && is_compact(window, ui.of<TouchInput>().coarse);
  Theme now = embedded  ? embedded_theme(state, window)
              : compact ? compact_theme(state)
                        : theme(state.theme, std::min(window.h, window.w * 9 / 16));
  now.touch = ui.of<TouchInput>().coarse;
  const bool dressed = theme_.size_label > 0;
  if (!dressed || now.scale != theme_.scale || now.name != theme_.name || compact != compact_)
    dress(now, compact);
  theme_ = now;
  compact_ = compact;
  if (!model_ || &model_->run() != state.run.get()) model_ = std::make_unique<RunQueries>(state.run);

  ImGui::PushFont(painter_.fonts()[Font::text], drawn_size(theme_.px(theme_.size_label)));
  ImGui::SetNextWindowPos({window.x, window.y});
  ImGui::SetNextWindowSize({window.w, window.h});
  constexpr auto flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground |
                         ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                         ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  const bool open = ImGui::Begin("app", nullptr, flags);
  ImGui::PopStyleVar();
  if (open) {
    const Metrics widths = metrics(painter_.fonts());
    View view(state, theme_, painter_, widths, *model_, ui);
    // What the header changes is shown in the next frame: the background is settled here.
    view.on_panels = !embedded && !compact && !state.only_run && panel_of(view.tab).on_panels;
    background_ = view.on_panels ? theme_.panel : theme_.window;
    (embedded ? show_embedded : compact ? show_compact : show_whole)(view, window);
    const std::string aside = state.set_aside ? waiting(*state.set_aside) : std::string();
    if (aside != said_aside_ && !aside.empty()) notify(ui, aside);
    said_aside_ = aside;
    show_shell(view, window);
  }
  ImGui::End();
  {
    const Metrics widths = metrics(painter_.fonts());
    View over(state, theme_, painter_, widths, *model_, ui);
    show_export(over);
    show_labels(over);
  }
  ImGui::PopFont();
  // a drag, a key that is held and what is being typed are one change when they end
  ui.of<History>().observe(state, ImGui::IsAnyMouseDown() || ImGui::IsAnyItemActive());
  keep_choices(state, ui.of<SettingsFile>().settings);
  if (!ImGui::IsAnyMouseDown()) write_settings_now();
  ui.of<TouchInput>().pinch = {};
  ui.runs.end_frame(ui.dispatcher.waits());
  painter_.end_frame();
  ui.tab = tab_shown;
  // The list's bars come one kernel a frame, after the first frame, while nothing moves.
  if (!moves(state) && ImGui::GetFrameCount() > 1 && !embedded)
    summaries_left_ = summarise_next(ui.of<KernelList>().summaries);
}

}  // namespace bscope
