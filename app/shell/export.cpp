// Export: what is shown, into a picture or a video. A small window beside the work, never in its way.
#ifdef BARRIERSCOPE_PICTURES
#include "app/export/export.hpp"

#include <imgui.h>
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "app/measure/measurement_store.hpp"
#include "app/session/motion.hpp"
#include "app/session/tab.hpp"
#include "app/session/typed.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/files.hpp"
#include "app/shell/painter.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/ui_state.hpp"
#include "app/shell/widgets.hpp"
#include "app/words/counting.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"

namespace bscope {

struct ExportPanel {
  enum ExportSubject { view, run, range };
  enum Size { slide, four_k, window };
  bool open = false, appears = false;
  ExportSubject what = view;
  const std::vector<std::string> pictures = picture_formats();
  int picture = 0, video = 0;  ///< the format, of each kind
  Size size = slide;
  int from = 0, to = 0;         ///< steps of the cursor's block
  const Run* ranged = nullptr;  ///< the run and block that the range is of
  int launch = 0, block = 0;
  std::string file;
  bool named = false;  ///< by hand
  bool told = false;   ///< there is an export whose end is worth telling
  Exporter exporter;
};

namespace {

namespace fs = std::filesystem;

constexpr const char* videos[] = {"mp4", "webp"};

ExportPanel& panel_of(UiState& ui) {
  if (!ui.of<std::shared_ptr<ExportPanel>>())
    ui.of<std::shared_ptr<ExportPanel>>() = std::make_shared<ExportPanel>();
  return *ui.of<std::shared_ptr<ExportPanel>>();
}

std::string format(const ExportPanel& p) {
  return p.what == ExportPanel::range ? videos[p.video] : p.pictures[size_t(p.picture)];
}

/// Where pictures (or videos) go: the folder of that name at home, else home, else here.
fs::path folder(bool video) {
  const char* home = std::getenv("HOME");
  std::error_code ignored;
  if (!home || !*home) return fs::current_path(ignored);
  const fs::path wanted = fs::path(home) / (video ? "Videos" : "Pictures");
  return fs::is_directory(wanted, ignored) ? wanted : fs::path(home);
}

/// blelloch-watch-step-4.png: of what is shown, and not there yet.
std::string proposed_file(const ExportPanel& p, const LoadedState& s, const std::string& downloads) {
  std::string name = file_name_of(s.run->trace.kernel);
  if (p.what == ExportPanel::run)
    name += "-whole-run";
  else
    name += "-" + s.tab;
  if (p.what == ExportPanel::range)
    name += "-steps-" + std::to_string(step_number(p.from)) + "-" + std::to_string(step_number(p.to));
  else if (p.what == ExportPanel::view && tab_of(s).plays && !tab_of(s).time_unit)
    name += "-step-" + std::to_string(step_number(s.cursor.interval));
  const fs::path at = downloads.empty() ? folder(p.what == ExportPanel::range) : fs::path(downloads);
  std::error_code ignored;
  for (int n = 1;; ++n) {
    const fs::path file = at / (name + (n > 1 ? "-" + std::to_string(n) : std::string()) + "." + format(p));
    if (n > 99 || !fs::exists(file, ignored))
      return downloads.empty() ? file.string() : file.filename().string();
  }
}

/// One of several, all in sight.
template <class T>
void choice_buttons(const char* id, T& chosen, const std::vector<std::string>& names) {
  ImGui::PushID(id);
  for (int i = 0; i < int(names.size()); ++i) {
    if (i > 0) ImGui::SameLine();
    if (radio(names[size_t(i)], std::to_string(i), int(chosen) == i)) chosen = T(i);
  }
  ImGui::PopID();
}

/// Stands before what it names: a column of its own.
void label_of_row(View& v, const std::string& words) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(screen(v.theme.ink2)), "%s", words.c_str());
  ImGui::SameLine(v.theme.px(v.theme.projector() ? 140 : 90));
}

void begin(View& v, ExportPanel& p, int width, int height) {
  const auto block = v.state.run->report.flow.of_block(v.state.cursor.launch, v.state.cursor.block);
  Export e;
  e.state = v.state;
  e.state.playing = false;
  e.state.cursor.phase = 1;
  e.state.error = {};
  if (p.what == ExportPanel::run) e.state.only_run = true;
  e.width = width;
  e.height = height;
  if (p.what == ExportPanel::range && !block.empty()) {
    Cursor first = v.state.cursor;
    first.interval = 0;
    const int start = step_of(*v.state.run, first);
    e.first = start + p.from;
    e.last = start + p.to;
  }
  e.live = v.ui.services.of<MeasurementStore>().measurer.progress().live;
  e.file = p.file;
  if (!v.ui.of<FileDialogs>().downloads.empty())
    e.file = fs::path(v.ui.of<FileDialogs>().downloads) / e.file.filename();
  if (e.file.extension().empty()) e.file += std::string(".") + format(p);
  p.told = true;
  p.exporter.start(std::move(e), v.ui.wake);
}

/// How it went, or how far it is.
void show_progress(View& v, ExportPanel& p, const Exporter::Status& now) {
  if (!p.told) return;
  ImGui::Spacing();
  if (now.running) {
    const float share = now.all > 0 ? float(now.done) / float(now.all) : 0;
    const std::string words = now.all > 0 ? tr("Frame {} of {}", now.done, now.all) : tr("Drawing ...");
    ImGui::ProgressBar(share, {-1, 0}, words.c_str());
    return;
  }
  ImGui::PushTextWrapPos(0);
  if (!now.error.empty()) {
    write(tr("Not exported:"), v.theme.race);
    ImGui::TextUnformatted(tr(now.error).c_str());
  } else if (now.stopped) {
    ImGui::TextUnformatted(tr("Stopped. No file was left.").c_str());
  } else {
    write(tr("Written:"), v.theme.thread);
    const bool in_browser = !v.ui.of<FileDialogs>().downloads.empty();
    ImGui::TextUnformatted(in_browser ? fs::path(now.file).filename().c_str() : now.file.c_str());
  }
  ImGui::PopTextWrapPos();
}

void show_window(View& v, ExportPanel& p) {
  const Theme& t = v.theme;
  LoadedState& s = v.state;
  const auto steps = s.run->report.flow.of_block(s.cursor.launch, s.cursor.block);
  const int last = std::max(0, int(steps.size()) - 1);
  if (p.ranged != s.run.get() || p.launch != s.cursor.launch || p.block != s.cursor.block) {
    p.ranged = s.run.get();
    p.launch = s.cursor.launch;
    p.block = s.cursor.block;
    p.from = 0;
    p.to = last;
  }
  const ImVec2 window = ImGui::GetMainViewport()->Size;

  label_of_row(v, tr("What"));
  std::vector<std::string> whats{tr("This view"), tr("Whole run")};
  const bool has_steps = tab_of(s).plays && last > 0;
  const bool in_browser = !v.ui.of<FileDialogs>().downloads.empty();
  if (has_steps && !in_browser) whats.emplace_back(tr("Steps as a video"));
  if (int(p.what) >= int(whats.size())) p.what = ExportPanel::view;
  choice_buttons("what", p.what, whats);
  if (p.what == ExportPanel::range) {
    int from = p.from + 1, to = p.to + 1;
    label_of_row(v, tr("Steps"));
    ImGui::SetNextItemWidth(t.px(t.projector() ? 190 : 130));
    if (ImGui::InputInt("##from", &from, 1, 4)) p.from = std::clamp(from - 1, 0, p.to);
    ImGui::SameLine();
    ImGui::TextUnformatted(tr("to").c_str());
    ImGui::SameLine();
    ImGui::SetNextItemWidth(t.px(t.projector() ? 190 : 130));
    if (ImGui::InputInt("##to", &to, 1, 4)) p.to = std::clamp(to - 1, p.from, last);
    ImGui::SameLine();
    const float seconds = float(p.to - p.from + 1) * (step_ms + hold_ms) / 1000 / s.speed;
    ImGui::TextUnformatted(tr("of {}: {:.0f} s", last + 1, seconds).c_str());
  }

  label_of_row(v, tr("Format"));
  if (p.what == ExportPanel::range) {
    choice_buttons("video", p.video, {"MP4", tr("animated WebP")});
  } else {
    std::vector<std::string> names = p.pictures;
    for (std::string& name : names)
      std::ranges::transform(name, name.begin(), [](char c) { return char(std::toupper(c)); });
    choice_buttons("picture", p.picture, names);
  }

  label_of_row(v, tr("Size"));
  choice_buttons(
      "size", p.size,
      {tr("Slide 1920 x 1080"), "4K 3840 x 2160", tr("Window {} x {}", int(window.x), int(window.y))});

  label_of_row(v, tr("File"));
  if (!p.named) p.file = proposed_file(p, s, v.ui.of<FileDialogs>().downloads);
  ImGui::SetNextItemWidth(t.px(t.projector() ? 900 : 560));
  if (ImGui::InputText("##file", &p.file)) p.named = !p.file.empty();
  const fs::path wanted = p.file;
  if (p.named && wanted.has_extension() && wanted.extension() != std::string(".") + format(p)) {
    // another format was chosen: its ending follows
    const std::string ending = wanted.extension().string().substr(1);
    const bool ours = std::ranges::find(p.pictures, ending) != p.pictures.end() ||
                      std::ranges::find(videos, ending) != std::end(videos);
    if (ours && !ImGui::IsItemActive()) p.file = fs::path(wanted).replace_extension(format(p)).string();
  }

  const Exporter::Status now = p.exporter.status();
  ImGui::Spacing();
  label_of_row(v, {});
  std::error_code ignored;
  const bool there = !in_browser && fs::is_regular_file(p.file, ignored);
  const bool entered =  // the Enter that opened it from the palette is not for it
      !ImGui::IsWindowAppearing() && ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) &&
      (ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false));
  if (now.running) {
    if (ImGui::Button((tr("Stop") + "###go").c_str())) p.exporter.stop();
  } else {
    const std::string label = std::string(there ? tr("Replace the file") : tr("Export")) + "###go";
    ImGui::PushStyleColor(ImGuiCol_Button, screen(t.thread));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, screen(mix(t.thread, t.ink, 0.85f)));
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, screen(mix(t.thread, t.ink, 0.75f)));
    ImGui::PushStyleColor(ImGuiCol_Text, screen(t.on(t.thread)));
    const bool pressed = ImGui::Button(label.c_str());
    ImGui::PopStyleColor(4);
    if (pressed || (entered && !ImGui::IsAnyItemActive())) {
      constexpr int widths[] = {1920, 3840}, heights[] = {1080, 2160};
      const bool fixed = p.size != ExportPanel::window;
      begin(v, p, fixed ? widths[p.size] : int(window.x), fixed ? heights[p.size] : int(window.y));
    }
  }
  ImGui::SameLine();
  if (ImGui::Button((tr("Close") + "###close").c_str())) p.open = false;
  show_progress(v, p, p.exporter.status());
}

void toggle(LoadedState&, UiState& ui) {
  ExportPanel& p = panel_of(ui);
  p.open = !p.open;
  p.appears = p.open;
}

const RegisterCommands export_command{
    CommandGroup{tr_noop("File")}("export", tr_noop("Export what is shown as a picture or a video"),
                                  {ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_E}, toggle)};

}  // namespace

void show_export(View& v) {
  if (!v.ui.of<std::shared_ptr<ExportPanel>>() || !v.ui.of<std::shared_ptr<ExportPanel>>()->open) return;
  ExportPanel& p = *v.ui.of<std::shared_ptr<ExportPanel>>();
  const Theme& t = v.theme;
  const ImGuiViewport& screen_of = *ImGui::GetMainViewport();
  ImGui::SetNextWindowPos({screen_of.Pos.x + screen_of.Size.x - t.px(16), screen_of.Pos.y + t.px(60)},
                          ImGuiCond_Appearing, {1, 0});
  if (p.appears) ImGui::SetNextWindowFocus();
  p.appears = false;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(std::round(t.px(16)), std::round(t.px(12))));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, t.px(6));
  for (const ImGuiCol title : {ImGuiCol_TitleBg, ImGuiCol_TitleBgActive, ImGuiCol_TitleBgCollapsed})
    ImGui::PushStyleColor(title, screen(t.selected));
  ImGui::PushStyleColor(ImGuiCol_Border, screen(t.ink3));
  constexpr auto flags =
      ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse;
  const std::string title = tr("Export") + "###export";
  // whole pixels, as in begin_popup: the title's height is of this
  const ImVec2 frame = ImGui::GetStyle().FramePadding;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(std::round(frame.x), std::round(frame.y)));
  const bool shown = ImGui::Begin(title.c_str(), &p.open, flags);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();  // the fields in it have their own
  if (shown) {
    show_window(v, p);
    // it grew, or the window shrank: all of it stays in sight
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const float right = screen_of.Pos.x + screen_of.Size.x - t.px(16);
    if (at.x + size.x > right) ImGui::SetWindowPos({std::max(screen_of.Pos.x, right - size.x), at.y});
    if (ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) &&
        ImGui::IsKeyPressed(ImGuiKey_Escape, false))
      p.open = false;
  }
  ImGui::End();
  ImGui::PopStyleColor(3);
  ImGui::PopStyleVar(3);
}

}  // namespace bscope
#else
#include "app/shell/panel.hpp"

namespace bscope {
void show_export(View&) {}
}  // namespace bscope
#endif
