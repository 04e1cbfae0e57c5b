// The palette: everything that can be done or opened, found by a few letters. Keyboard only if you like.
#include "app/shell/palette.hpp"

#include <imgui.h>
#include <imgui_internal.h>
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/draw/layout.hpp"
#include "app/draw/letters.hpp"
#include "app/lessons/picture.hpp"
#include "app/links/link.hpp"
#include "app/run/assets.hpp"
#include "app/run/run.hpp"
#include "app/run/titles.hpp"
#include "app/session/examples.hpp"
#include "app/session/typed.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/files.hpp"
#include "app/shell/fonts.hpp"
#include "app/shell/lesson.hpp"
#include "app/shell/notices.hpp"
#include "app/shell/painter.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/popups.hpp"
#include "app/shell/settings_file.hpp"
#include "app/shell/ui_state.hpp"
#include "app/words/glossary.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/cuda/toolchain/program.hpp"
#include "engine/cuda/toolchain/project/project.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;

std::vector<PaletteItem> command_items(const LoadedState& s, UiState& ui) {
  std::vector<PaletteItem> out;
  for (const Command* command : listed_commands(s.tab)) {
    const Command& c = *command;
    if (c.id == "palette" || (c.can && !c.can(s, ui))) continue;
    out.push_back({tr(c.group),
                   tr(c.title),
                   c.title + " " + c.group + " " + c.id,
                   {},
                   key_names(c),
                   [&c](LoadedState& state, UiState& k) {
                     if (!c.tab.empty()) state.tab = c.tab;
                     c.run(state, k);
                   }});
  }
  return out;
}

std::vector<PaletteItem> kernel_items(const LoadedState&, UiState&) {
  std::vector<PaletteItem> out;
  for (const Algorithm* a : catalog())
    out.push_back({family_name(a->family()),
                   tr(a->title),
                   a->name + " " + a->title,
                   tr(a->lesson),
                   {},
                   [a](LoadedState& s, UiState& k) {
                     s = with_kernel(std::move(s), a->name, Where::nowhere, k.runs);
                   }});
  return out;
}

std::vector<PaletteItem> preset_items(const LoadedState& s, UiState&) {
  std::vector<PaletteItem> out;
  if (const Algorithm* a = algorithm_of(s.run->trace.kernel))
    for (const Preset& p : a->presets)
      out.push_back(
          {tr("Presets"), p.name, p.name, tr(p.what), {}, [a, name = p.name](LoadedState& state, UiState& k) {
             Target target;
             target.request.kernel = a->name;
             target.request.preset = name;
             state = opened(std::move(state), target, Where::nowhere, k.runs);
           }});
  return out;
}

std::vector<PaletteItem> lesson_items(const LoadedState& s, UiState& ui) {
  if (ui.of<Palette>().fresh) look_for_lessons(ui);  // files are looked for when the palette opens
  std::vector<PaletteItem> out;
  for (const LessonEntry& l : lesson_entries(s, ui))
    out.push_back({l.heading.empty() ? tr("Lessons") : l.heading,
                   l.title,
                   l.id,
                   l.about,
                   {},
                   [id = l.id](LoadedState& state, UiState& k) { start_lesson(state, k, id); }});
  return out;
}

std::vector<PaletteItem> recent_items(const LoadedState&, UiState& ui) {
  std::vector<PaletteItem> out;
  for (const std::string& path : ui.of<SettingsFile>().settings.recent)
    out.push_back({tr("Recent files"),
                   fs::path(path).filename().string(),
                   path,
                   path,
                   {},
                   [path](LoadedState& s, UiState& k) { open_path(s, k, path); }});
  return out;
}

std::vector<PaletteItem> example_items(const LoadedState&, UiState&) {
  std::vector<PaletteItem> out;
  if (offered_assets() != AssetState::here) return out;
  for (const Example& example : examples())
    out.push_back({tr("Examples"),
                   fs::path(example.path).filename().string(),
                   example.path,
                   tr(example.what),
                   {},
                   [path = example.path](LoadedState& s, UiState& k) { open_path(s, k, path); }});
  return out;
}

std::vector<PaletteItem> term_items(const LoadedState&, UiState&) {
  std::vector<PaletteItem> out;
  for (const Term& t : glossary())
    out.push_back(
        {tr("Terms"), tr(t.word), t.word, tr(t.meaning), {}, [word = t.word](LoadedState&, UiState& k) {
           notify(k, definition(word));
         }});
  return out;
}

const RegisterPalette recent_source{recent_items}, command_source{command_items}, kernel_source{kernel_items},
    lesson_source{lesson_items}, preset_source{preset_items}, term_source{term_items},
    example_source{example_items};

/// What can be opened without knowing where it is.
std::vector<PaletteItem> open_items(const LoadedState& s, UiState& ui) {
  std::vector<PaletteItem> out;
  if (ui.of<FileDialogs>().ask_desktop)
    out.push_back({tr("File"), tr("Choose a file ..."), "browse", {}, {}, [](LoadedState& state, UiState& k) {
                     browse(state, k, Asks::open);
                   }});
  for (const PaletteSource source : {recent_items, example_items, lesson_items}) {
    auto more = source(s, ui);
    out.insert(out.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  return out;
}

bool is_path(const Palette& p) {
  const std::string& typed = p.typed;
  if (p.asks != Asks::save && is_link(typed)) return false;
  return p.asks == Asks::save || typed.starts_with('/') || typed.starts_with("./") ||
         typed.starts_with("../") || typed.starts_with('~') ||
         (p.asks == Asks::open && typed.find('/') != std::string::npos);
}

/// Whether a folder looks like a course or a project, by what lies in it: choosing it may open it.
bool may_be_opened(const fs::path& folder) {
  std::error_code failed;
  for (fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, failed), end;
       !failed && it != end; it.increment(failed)) {
    const fs::path& file = it->path();
    if (cuda::is_cuda_source(file.string()) || cuda::is_build_file(file)) return true;
    if (file.extension() == ".md" && file.filename() != "README.md") return true;
    for (const char* of_course : {"lessons", "programs", "assignments", "en", "zh"})
      if (file.filename() == of_course && it->is_directory(failed)) return true;
  }
  return false;
}

/// The file that is being typed, and what its folder holds that begins so.
std::vector<PaletteItem> path_items(const Palette& palette) {
  const std::string typed = palette.typed;
  const bool saves = palette.asks == Asks::save;
  std::vector<PaletteItem> out;
  std::error_code failed;
  const std::string whole = home_expanded(typed);
  const size_t slash = typed.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : typed.substr(0, slash + 1),
                    begun = typed.substr(folder.size());
  const std::string saved = whole.ends_with(".bscope") ? whole : whole + ".bscope";
  if (saves && !begun.empty())
    out.push_back({tr("File"),
                   fs::exists(saved, failed) ? tr("Replace {}", typed) : tr("Save as {}", typed),
                   "",
                   {},
                   {},
                   [whole](LoadedState& s, UiState& k) { save_path(s, k, whole); }});
  else if (!typed.empty() && fs::is_regular_file(whole, failed))
    out.push_back({tr("File"), tr("Open {}", typed), "", {}, {}, [whole](LoadedState& s, UiState& k) {
                     open_path(s, k, whole);
                   }});
  else if (!saves && begun.empty() && !folder.empty() && may_be_opened(home_expanded(folder)))
    out.push_back({tr("Folder"), tr("Open {}", typed), "", {}, {}, [whole](LoadedState& s, UiState& k) {
                     open_path(s, k, whole);
                   }});
  const fs::path where = folder.empty() ? fs::path(".") : fs::path(home_expanded(folder));
  std::vector<PaletteItem> found;
  for (fs::directory_iterator it(where, fs::directory_options::skip_permission_denied, failed), end;
       !failed && it != end && found.size() < 4096; it.increment(failed)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(begun) || (name[0] == '.' && begun.empty())) continue;
    std::error_code ignored;
    const bool is_folder = it->is_directory(ignored);
    // nothing to run: choosing it types it
    found.push_back({std::string(is_folder ? tr("Folder") : tr("File")),
                     folder + name + (is_folder ? "/" : ""),
                     "",
                     {},
                     {},
                     {}});
  }
  std::ranges::sort(found, [](const PaletteItem& l, const PaletteItem& r) { return l.title < r.title; });
  out.insert(out.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  return out;
}

/// The title, the letters that were typed in bold.
void draw_title(View& v, Point at, const std::string& title, const std::vector<int>& bytes, float size,
                float room, bool on) {
  const Theme& t = v.theme;
  Picture unused;
  const std::string shown = Pen(unused, v.metrics).fitted(title, room, size, Font::text_bold);
  float x = at.x;
  size_t from = 0;
  const auto piece = [&](size_t to, bool typed) {
    if (to <= from) return;
    const std::string words = shown.substr(from, to - from);
    const Font font = typed ? Font::text_bold : Font::text;
    v.text({x, at.y}, words, size, typed && !bytes.empty() ? (on ? t.ink : t.thread) : t.ink, font);
    x += v.width(words, size, font);
    from = to;
  };
  for (const int b : bytes) {
    if (size_t(b) >= shown.size()) break;
    piece(size_t(b), false);
    piece(letter_at(shown, size_t(b)).end, true);
  }
  piece(shown.size(), false);
}

/// Keys as caps, from the right; returns where they begin.
float draw_caps(View& v, float right, float middle, const std::vector<std::string>& keys, float size) {
  const Theme& t = v.theme;
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (size_t i = std::min<size_t>(keys.size(), 2); i-- > 0;) {
    const float w = v.width(keys[i], size, Font::text_bold) + t.px(14), h = size * 1.6f;
    list->AddRectFilled({right - w, middle - h / 2}, {right, middle + h / 2}, screen(t.cell), t.px(4));
    list->AddRect({right - w, middle - h / 2}, {right, middle + h / 2}, screen(t.ink3), t.px(4), 1);
    v.text({right - w / 2, middle}, keys[i], size, t.ink, Font::text_bold, Align::centre);
    right -= w + t.px(6);
  }
  return right;
}

/// Types the path in the place of what is there.
void retype(View& v, ImGuiID field, const std::string& path) {
  v.ui.of<Palette>().typed = path;
  if (ImGuiInputTextState* state = ImGui::GetInputTextState(field)) state->ReloadUserBufAndMoveToEnd();
  search_palette(v.state, v.ui);
}

}  // namespace

std::vector<PaletteSource>& palette_sources() {
  static std::vector<PaletteSource> all;
  return all;
}

void search_palette(const LoadedState& s, UiState& ui) {
  auto& p = ui.of<Palette>();
  p.found.clear();
  p.chosen = 0;
  if (p.asks != Asks::save && is_link(p.typed)) {
    p.items = {
        {tr("File"), tr("Open this link"), "", {}, {}, [link = p.typed](LoadedState& state, UiState& k) {
           open_link(state, k, link);
         }}};
    p.found = {{0, {}}};
    return;
  }
  if (is_path(ui.of<Palette>())) {
    p.items = path_items(ui.of<Palette>());
    for (size_t i = 0; i < p.items.size(); ++i) p.found.push_back({i, {}});
    return;
  }
  p.items.clear();
  p.lacks_assets = offered_assets() != AssetState::here;
  if (p.asks == Asks::open)
    p.items = open_items(s, ui);
  else
    for (const PaletteSource source : palette_sources()) {
      auto more = source(s, ui);
      p.items.insert(p.items.end(), std::make_move_iterator(more.begin()),
                     std::make_move_iterator(more.end()));
    }
  for (size_t i = 0; i < p.items.size(); ++i) {
    const PaletteItem& item = p.items[i];
    if (auto title = fuzzy(p.typed, item.title))
      p.found.push_back({i, {title->score + 6, title->bytes}});
    else if (const auto also = fuzzy(p.typed, item.also + " " + item.group))
      p.found.push_back({i, {also->score, {}}});
  }
  // a few letters find much: what fits badly is left out
  int best = -1000000;
  for (const auto& f : p.found) best = std::max(best, f.match.score);
  const int letters = int(p.typed.size());
  if (letters > 2) std::erase_if(p.found, [&](const auto& f) { return f.match.score < best - 5 * letters; });
  std::ranges::stable_sort(p.found,
                           [](const auto& l, const auto& r) { return l.match.score > r.match.score; });
  if (p.asks != Asks::open || p.typed.empty()) return;
  // a name in the folder that the program was started in
  for (PaletteItem& file : path_items(ui.of<Palette>())) {
    p.found.push_back({p.items.size(), {}});
    p.items.push_back(std::move(file));
  }
}

namespace {

/// Sizes of the palette's popup.
struct PaletteLayout {
  PaletteLayout(const Theme& t, Box window)
      : size(t.px(t.projector() ? 24 : 14)),
        small(t.px(t.projector() ? 22 : 12)),
        row(size * 2.2f),
        pad(t.px(14)),
        width(std::min(t.px(t.projector() ? 1150 : 820), window.w - t.px(40)) - 2 * pad),
        rows(t.projector() ? 10 : 14) {}
  float size, small, row, pad;
  float width;  ///< of what stands between the pads
  int rows;     ///< that are in view
};

/// What stands in the empty field: the longest that fits.
std::string palette_hint(const View& v, Asks asks, const PaletteLayout& l) {
  std::string hint = asks == Asks::open ? tr("Files, examples and lessons; a path opens any other file")
                     : asks == Asks::save
                         ? tr("The path of the file to save")
                         : tr("Commands, kernels, lessons, files, terms; a path opens a file");
  const auto fits = [&] { return v.width(hint, l.size) < l.width - 2 * ImGui::GetStyle().FramePadding.x; };
  if (!fits()) hint = asks == Asks::anything ? tr("Commands, kernels, lessons, terms") : std::string();
  return fits() ? hint : std::string();
}

/// Arrows, pages and Tab, which completes a path.
void choose_by_keys(View& v, ImGuiID field, int rows) {
  auto& p = v.ui.of<Palette>();
  const int count = int(p.found.size());
  const auto step = [&](ImGuiKey key, int by) {
    if (count > 0 && ImGui::IsKeyPressed(key)) p.chosen = (p.chosen + by + count) % count;
  };
  step(ImGuiKey_DownArrow, 1);
  step(ImGuiKey_UpArrow, -1);
  if (ImGui::IsKeyPressed(ImGuiKey_PageDown)) p.chosen = std::min(count - 1, p.chosen + rows);
  if (ImGui::IsKeyPressed(ImGuiKey_PageUp)) p.chosen = std::max(0, p.chosen - rows);
  p.chosen = std::clamp(p.chosen, 0, std::max(0, count - 1));
  if (!ImGui::IsKeyPressed(ImGuiKey_Tab) || count == 0) return;
  const PaletteItem& item = p.items[p.found[size_t(p.chosen)].item];
  if (!item.run) retype(v, field, std::string(item.title));  // which searches again
  p.chosen = std::clamp(p.chosen, 0, std::max(0, int(p.found.size()) - 1));
}

/// Whether it is pressed.
bool palette_row(View& v, int i, const PaletteLayout& l) {
  const Theme& t = v.theme;
  const auto& p = v.ui.of<Palette>();
  const auto& f = p.found[size_t(i)];
  const PaletteItem& item = p.items[f.item];
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(i);
  const bool pressed = ImGui::InvisibleButton("row", {l.width, l.row});
  ImGui::PopID();
  const bool on = i == p.chosen;
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (on || ImGui::IsItemHovered())
    list->AddRectFilled(at, {at.x + l.width, at.y + l.row}, screen(on ? t.selected : t.cell), t.px(4));
  if (on) list->AddRectFilled(at, {at.x + t.px(3), at.y + l.row}, screen(t.thread));
  const float middle = at.y + l.row / 2;
  float right = draw_caps(v, at.x + l.width - t.px(8), middle, item.keys, l.small);
  if (!item.group.empty()) {
    v.text({right - t.px(4), middle}, item.group, l.small, on ? t.ink2 : t.ink3, Font::text, Align::right);
    right -= v.width(item.group, l.small) + t.px(16);
  }
  const float left = at.x + t.px(12), wide = v.width(item.title, l.size, Font::text_bold);
  draw_title(v, {left, middle}, item.title, f.match.bytes, l.size, right - left, on);
  if (!item.detail.empty() && left + wide + t.px(120) < right) {
    Picture unused;
    const float x = left + wide + t.px(14);
    v.text({x, middle}, Pen(unused, v.metrics).fitted(item.detail, right - x, l.small), l.small, t.ink2);
  }
  ImGui::SetCursorScreenPos({at.x, at.y + l.row});
  return pressed;
}

/// The rows around the chosen one. Returns the one that is pressed, or -1.
int palette_rows(View& v, const PaletteLayout& l) {
  const Theme& t = v.theme;
  const auto& p = v.ui.of<Palette>();
  const int count = int(p.found.size());
  const int first = std::clamp(p.chosen - l.rows / 2, 0, std::max(0, count - l.rows));
  int pressed = -1;
  for (int i = first; i < std::min(count, first + l.rows); ++i)
    if (palette_row(v, i, l)) pressed = i;
  if (count == 0) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    v.text({at.x + t.px(12), at.y + l.row / 2}, tr("Nothing has that name."), l.size, t.ink2);
    ImGui::Dummy({l.width, l.row});
  }
  return pressed;
}

/// The keys, and which row of how many is chosen.
void palette_footer(View& v, const PaletteLayout& l) {
  const Theme& t = v.theme;
  const auto& p = v.ui.of<Palette>();
  const int count = int(p.found.size());
  const std::string foot = is_path(v.ui.of<Palette>()) ? tr("Tab completes   Enter does it   Esc closes")
                                                       : tr("Up, Down choose   Enter does it   Esc closes");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({l.width, l.small * 2});
  const std::string row_of = count > l.rows ? tr("row {} of {}", p.chosen + 1, count) : std::string();
  const float right = at.x + l.width - t.px(8);
  if (at.x + t.px(24) + v.width(foot, l.small) + v.width(row_of, l.small) < right)  // else fingers choose
    v.text({at.x + t.px(12), at.y + l.small}, foot, l.small, t.ink3);
  if (!row_of.empty()) v.text({right, at.y + l.small}, row_of, l.small, t.ink3, Font::text, Align::right);
}

void run_item(View& v, ImGuiID field, int row) {
  const auto& p = v.ui.of<Palette>();
  const PaletteItem item = p.items[p.found[size_t(row)].item];
  if (!item.run) return retype(v, field, item.title);
  ImGui::CloseCurrentPopup();
  v.ui.of<Popups>().wants = Popup::none;
  v.ui.dispatcher.dispatch(v.state, [&ui = v.ui, run = item.run](LoadedState& s) { run(s, ui); });
  v.ui.of<Popups>().after = std::exchange(v.ui.of<Popups>().wants, Popup::none);
}

}  // namespace

void show_palette(View& v, Box window) {
  const Theme& t = v.theme;
  auto& p = v.ui.of<Palette>();
  if (v.ui.of<Popups>().wants == Popup::palette) {
    ImGui::OpenPopup("palette");
    p.fresh = true;
    search_palette(v.state, v.ui);
  }
  const PaletteLayout l(t, window);
  ImGui::SetNextWindowPos({window.x + window.w / 2, window.y + t.px(64)}, ImGuiCond_Always, {0.5f, 0});
  if (!begin_popup(t, "palette", {l.pad, l.pad}, ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoMove)) return;
  ImGui::PushFont(nullptr, drawn_size(l.size));
  if (p.fresh) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(l.width);
  const bool entered = ImGui::InputTextWithHint("##typed", palette_hint(v, p.asks, l).c_str(), &p.typed,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  const ImGuiID field = ImGui::GetItemID();
  if (ImGui::IsItemEdited() || (p.lacks_assets && offered_assets() == AssetState::here))
    search_palette(v.state, v.ui);
  p.fresh = false;
  choose_by_keys(v, field, l.rows);

  const int by_enter = entered && !p.found.empty() ? p.chosen : -1, pressed = palette_rows(v, l);
  palette_footer(v, l);
  if (const int run = pressed >= 0 ? pressed : by_enter; run >= 0) run_item(v, field, run);
  if (entered) p.fresh = true;  // Enter took the keyboard away
  if (ImGui::IsKeyPressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
  ImGui::PopFont();
  ImGui::EndPopup();
}

}  // namespace bscope
