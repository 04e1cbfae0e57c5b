#include "app/shell/watch/editor.hpp"

#include <TextEditor.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "app/run/assets.hpp"
#include "app/run/cuda_text.hpp"
#include "app/run/marked_lines.hpp"
#include "app/run/own_program.hpp"
#include "app/run/run_store.hpp"
#include "app/run/verdict.hpp"
#include "app/session/drafts.hpp"
#include "app/session/templates.hpp"
#include "app/session/typed.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/files.hpp"
#include "app/shell/findings.hpp"
#include "app/shell/fonts.hpp"
#include "app/shell/lesson.hpp"
#include "app/shell/notices.hpp"
#include "app/shell/painter.hpp"
#include "app/shell/palette.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/settings_file.hpp"
#include "app/shell/ui_state.hpp"
#include "app/shell/widgets.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run.hpp"
#include "engine/cuda/toolchain/diagnostics.hpp"
#include "engine/cuda/toolchain/own_program.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/trace.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope {

namespace fs = std::filesystem;

/// The text that is edited, and the open program's file as it was seen last.
struct SourceEditor {
  TextEditor text;
  bool shown = false;
  int opened_in = 0;  ///< the frame, whose key press opened it and is no more
  std::string file;   ///< whose text it is
  std::string saved;  ///< what the file held when it was read or written last
  ThemeName theme{};
  bool dressed = false;
  struct Marked {
    std::shared_ptr<const cuda::ProgramRun> by;  ///< null: none
    ThemeName theme{};
    bool names_faults = true;
    bool operator==(const Marked&) const = default;
  };
  std::optional<Marked> marked;  ///< whose words stand at the lines
  /// What programs were made from, as the editor would return it.
  std::map<std::shared_ptr<const cuda::ProgramRun>, std::string> made_from;

  std::string watched;  ///< the open program's file
  fs::file_time_type changed{};
  double next_look = 0;
};

namespace {

constexpr size_t largest = 1 << 22;    // bytes of a file written by hand
constexpr double between_looks = 0.5;  // seconds
constexpr size_t errors_told = 4;

SourceEditor& editor_of(UiState& ui) {
  if (!ui.of<std::shared_ptr<SourceEditor>>())
    ui.of<std::shared_ptr<SourceEditor>>() = std::make_shared<SourceEditor>();
  return *ui.of<std::shared_ptr<SourceEditor>>();
}

fs::file_time_type time_of(const std::string& file) {
  std::error_code none;
  const auto time = fs::last_write_time(file, none);
  return none ? fs::file_time_type{} : time;
}

/// A run of this program, as the open one was compiled if it is of the same file.
Target target_of(const State& s, const std::string& file) {
  if (s.target.file == file) return s.target;
  Target t;
  t.file = file;
  return t;
}

/// Compiles and runs it in the background. A run that is being made is of an older text and is not waited
/// for.
void run_program(LoadedState& s, UiState& ui, const std::string& file) {
  ui.dispatcher.cancel();
  ui.runs.forget_file(file);
  ui.dispatcher.dispatch(s, [target = target_of(s, file), &runs = ui.runs](LoadedState& now) {
    now = opened(std::move(now), target, Where::file, runs);
  });
}

TextEditor::Palette palette_of(const Theme& t) {
  TextEditor::Palette p = t.dark() ? TextEditor::GetDarkPalette() : TextEditor::GetLightPalette();
  using C = TextEditor::Color;
  const auto set = [&](C which, Colour c) { p[size_t(which)] = screen(c); };
  for (const C plain : {C::text, C::identifier, C::knownIdentifier, C::punctuation, C::number, C::string})
    set(plain, t.ink);
  for (const C word : {C::keyword, C::declaration, C::preprocessor}) set(word, t.read);
  set(C::comment, t.ink3);
  set(C::background, t.panel);
  set(C::cursor, t.ink);
  set(C::selection, mix(t.read, t.panel, 0.4f));
  set(C::lineNumber, t.ink3);
  set(C::currentLineNumber, t.ink);
  return p;
}

/// What stands at the lines: the compiler's words, or of what was run the races and findings.
struct LineMark {
  int line = 0;
  std::string words;
  Colour colour{};
};
std::vector<LineMark> marks_of(const LoadedState& s, const std::shared_ptr<const cuda::ProgramRun>& by,
                               const std::string& file, const Theme& t) {
  std::vector<LineMark> marks;
  const std::string name = fs::path(file).filename().string();
  if (!by) return marks;
  if (by == s.unbuilt) {
    for (const cuda::Diagnostic& d : by->diagnostics)
      if (fs::path(d.file).filename().string() == name)
        marks.push_back({d.line, tr(d.text), d.severity == cuda::Diagnostic::error ? t.race : t.barrier});
    return marks;
  }
  if (s.lesson.line_asked) return marks;
  const auto& sources = s.run->trace.sources;
  for (size_t k = 0; k < sources.size(); ++k)
    if (fs::path(sources[k].path).filename().string() == name)
      for (const auto& [line, words] : marked_lines(*s.run, int(k)))
        marks.push_back({line, tr(words), t.race});
  return marks;
}

/// The text that a program was made from, with the editor's line ends.
const std::string& text_of(SourceEditor& e, const std::shared_ptr<const cuda::ProgramRun>& p) {
  const auto [at, fresh] = e.made_from.try_emplace(p);
  if (fresh) {
    TextEditor same;
    same.SetText(p->text);
    at->second = same.GetText();
  }
  return at->second;
}
/// Whether this is what did not compile last, or what nothing was shown of.
bool is_unbuilt(SourceEditor& e, const LoadedState& s, const std::string& text) {
  return s.unbuilt && text_of(e, s.unbuilt) == text;
}
/// Whether the run that is shown was made from exactly this text of the file.
bool is_shown(SourceEditor& e, const LoadedState& s, const std::string& text) {
  return s.program && s.target.file == e.file && text_of(e, s.program) == text;
}

/// The compiler's errors that name a line of the file, from its top down.
std::vector<cuda::Diagnostic> errors_of(const LoadedState& s, const std::string& file) {
  std::vector<cuda::Diagnostic> all;
  for (const cuda::Diagnostic& d : s.unbuilt->diagnostics)
    if (d.severity == cuda::Diagnostic::error && d.line > 0 &&
        fs::path(d.file).filename() == fs::path(file).filename())
      all.push_back(d);
  std::ranges::stable_sort(all, {}, &cuda::Diagnostic::line);
  return all;
}

/// Messages stand at the lines of the text that they are about. While the user types on they go with their
/// lines.
void mark(SourceEditor& e, const LoadedState& s, const Theme& t, const std::string& text) {
  std::erase_if(e.made_from, [&](const auto& p) { return p.first != s.unbuilt && p.first != s.program; });
  SourceEditor::Marked now{nullptr, t.name, !s.lesson.line_asked};
  if (is_unbuilt(e, s, text))
    now.by = s.unbuilt;
  else if (is_shown(e, s, text))
    now.by = s.program;
  else if (e.marked && (e.marked->by == s.unbuilt || e.marked->by == s.program))
    now.by = e.marked->by;
  if (e.marked == now) return;
  e.marked = now;
  e.text.ClearMarkers();
  std::set<int> lines;
  for (const LineMark& m : marks_of(s, now.by, e.file, t)) {
    if (m.line < 1 || !lines.insert(m.line).second) continue;  // the first is the worst
    const ImU32 colour = screen(mix(m.colour, t.panel, 0.35f));
    e.text.AddMarker(size_t(m.line - 1), colour, colour, m.words, m.words);
  }
}

void put_cursor(SourceEditor& e, int line, int column) {
  e.text.SetCursor({size_t(line - 1), size_t(std::max(0, column - 1))});
}

/// What the compiler says, a line each: a click goes there.
void list_errors(View& v, SourceEditor& e) {
  size_t told = 0, errors = 0;
  for (const cuda::Diagnostic& d : v.state.unbuilt->diagnostics) {
    if (d.severity != cuda::Diagnostic::error) continue;
    if (++errors > errors_told) continue;
    const std::string words = (d.line > 0 ? std::to_string(d.line) + ": " : std::string()) + tr(d.text);
    ImGui::PushID(int(told++));
    ImGui::PushStyleColor(ImGuiCol_Text, screen(v.theme.race));
    const bool pressed = ImGui::Selectable(words.c_str());
    ImGui::PopStyleColor();
    if (pressed && d.line > 0) {
      put_cursor(e, d.line, d.column);
      e.text.SetFocus();
    }
    ImGui::PopID();
    tip_of_item(v.theme, tr(d.text));
  }
  if (errors > errors_told) write(tr("and {} more", errors - errors_told), v.theme.ink2);
}

/// What was typed and not saved is kept; a draft of what was saved goes.
void keep_draft(UiState& ui) {
  if (!ui.of<std::shared_ptr<SourceEditor>>() || ui.of<std::shared_ptr<SourceEditor>>()->file.empty()) return;
  const SourceEditor& e = *ui.of<std::shared_ptr<SourceEditor>>();
  std::optional<std::string> typed = e.text.GetText();
  if (*typed == e.saved) typed.reset();
  try {
    write_draft(ui.of<SettingsFile>().path, e.file, typed);
  } catch (const std::exception& bad) { notify(ui, tr(message_of(bad))); }
}

/// How many lines show_state() takes, so that the text keeps the rest.
size_t lines_of_state(SourceEditor& e, const LoadedState& s, const std::string& text) {
  if (!is_unbuilt(e, s, e.saved) || s.unbuilt->compiled)
    return s.error_at == Where::file && !s.error.empty() ? 2 : 1;
  const auto errors = size_t(
      std::ranges::count(s.unbuilt->diagnostics, cuda::Diagnostic::error, &cuda::Diagnostic::severity));
  return 1 + std::min(errors, errors_told + 1) + size_t(text != e.saved);
}

/// How it stands: being compiled, not compiled, and what the views are of.
void show_state(View& v, SourceEditor& e, const std::string& text) {
  const LoadedState& s = v.state;
  const Target* const waits = v.ui.dispatcher.awaited();
  if (waits && waits->file == e.file) return write(tr("Compiling and running ..."), v.theme.ink2);
  const bool typed = text != e.saved;
  if (is_unbuilt(e, s, e.saved) && !s.unbuilt->compiled) {
    if (typed) write(tr("Of the text that was saved:"), v.theme.ink2);
    list_errors(v, e);
  } else if (s.error_at == Where::file && !s.error.empty()) {
    write(tr(s.error), v.theme.race);
  }
  if (s.target.file != e.file)
    write(tr("The views show another run: Ctrl+S runs this file"), v.theme.ink2);
  else if (!is_shown(e, s, text))
    write(typed ? tr("The views show an earlier version: Ctrl+S saves and runs this one")
                : tr("The views show an earlier version"),
          v.theme.ink2);
  else if (typed)
    write(tr("The views show this version: Ctrl+S saves it"), v.theme.ink2);
  else
    write(tr("The views show this version"), v.theme.thread);
}

void show_buttons_of_editor(View& v, SourceEditor& e, bool typed) {
  if (ImGui::Button((tr("Save and run") + "###save program").c_str())) save_program(v.state, v.ui);
  tip_of_item(v.theme, tr("Writes the file, compiles it and runs it (Ctrl+S)."));
  ImGui::SameLine();
  if (ImGui::Button((tr("Close") + "###close program").c_str())) leave_editor(v.ui);
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  write(fs::path(e.file).filename().string() + (typed ? " *" : ""), v.theme.ink);
  tip_of_item(v.theme, e.file);
}

/// While text is typed no key is a command, but for these. Escape: the next keys are commands again.
void keys_of_editor(View& v) {
  if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows)) return;
  if (ImGui::GetFrameCount() == editor_of(v.ui).opened_in) return;
  if (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_S)) save_program(v.state, v.ui);
  if (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_E)) leave_editor(v.ui);
  if (ImGui::IsKeyChordPressed(ImGuiKey_F8)) go_to_next_finding(v.state, v.ui, 1);
  if (ImGui::IsKeyChordPressed(ImGuiMod_Shift | ImGuiKey_F8)) go_to_next_finding(v.state, v.ui, -1);
  if (ImGui::IsKeyChordPressed(ImGuiKey_Escape)) ImGui::SetWindowFocus(nullptr);
}

}  // namespace

bool edits_program(const UiState& ui) {
  return ui.of<std::shared_ptr<SourceEditor>>() && ui.of<std::shared_ptr<SourceEditor>>()->shown;
}

/// The chosen line, or the first one where something is wrong, or where the kernel begins to work.
static int line_to_show(const LoadedState& s, const std::string& file) {
  if (s.target.file != file || !s.run) return 0;
  if (s.cursor.line > 0) return s.cursor.line;
  if (s.lesson.line_asked) return 0;
  if (!s.run->report.flow.hazards.empty()) return s.run->report.flow.hazards[0].lines[0];
  for (const Finding& f : findings_of(*s.run))
    if (f.line > 0) return f.line;
  for (const Interval& i : s.run->report.flow.intervals)
    if (i.line > 0) return i.line;
  return 0;
}

bool edit_program(LoadedState& s, UiState& ui, const std::string& file) {
  SourceEditor& e = editor_of(ui);
  if (e.file != file || e.text.GetText() == e.saved) {
    keep_draft(ui);
    try {
      e.saved = as_text(read_file(file, largest), file);
    } catch (const BadFile& bad) {
      refuse(s, bad, Where::file);
      return false;
    }
    e.file = file;
    e.text.SetLanguage(TextEditor::Language::Cpp());
    e.text.SetTabSize(2);
    e.text.SetInsertSpacesOnTabs(true);
    e.text.SetShowWhitespacesEnabled(false);
    e.text.SetShowMatchingBrackets(false);
    e.text.SetCompletePairedGlyphs(false);  // what is saved is what was typed
    e.text.SetLineSpacing(1.25f);
    e.text.SetText(e.saved);
    e.saved = e.text.GetText();  // line ends are its own
    if (const auto draft = read_draft(ui.of<SettingsFile>().path, file); draft && *draft != e.saved) {
      e.text.SetText(*draft);
      notify(ui, tr("{}: what was typed and not saved is back", fs::path(file).filename().string()));
    }
    e.marked.reset();
  }
  if (const int line = line_to_show(s, file); line > 0) e.text.SetCursor({size_t(line - 1), 0});
  e.shown = true;
  e.opened_in = ImGui::GetFrameCount();
  e.text.SetFocus();
  s.tab = main_tab;
  return true;
}

void leave_editor(UiState& ui) {
  if (ui.of<std::shared_ptr<SourceEditor>>()) ui.of<std::shared_ptr<SourceEditor>>()->shown = false;
  keep_draft(ui);
}

void show_line_in_editor(UiState& ui, const std::string& file, int line, int column) {
  if (!edits_program(ui) || line < 1) return;
  SourceEditor& e = editor_of(ui);
  if (fs::path(e.file).filename() == fs::path(file).filename()) put_cursor(e, line, column);
}

int line_in_editor(const UiState& ui) {
  if (!edits_program(ui)) return 0;
  return int(ui.of<std::shared_ptr<SourceEditor>>()->text.GetMainCursorPosition().line) + 1;
}
std::string text_in_editor(const UiState& ui) {
  return edits_program(ui) ? ui.of<std::shared_ptr<SourceEditor>>()->text.GetText() : std::string();
}

bool has_errors_in_editor(const LoadedState& s, const UiState& ui) {
  const auto& e = ui.of<std::shared_ptr<SourceEditor>>();
  return edits_program(ui) && s.unbuilt && !s.unbuilt->compiled && is_unbuilt(*e, s, e->saved) &&
         !errors_of(s, e->file).empty();
}

void show_next_error_in_editor(const LoadedState& s, UiState& ui, int by) {
  SourceEditor& e = editor_of(ui);
  const std::vector<cuda::Diagnostic> all = errors_of(s, e.file);
  if (all.empty()) return;
  const int here = int(e.text.GetMainCursorPosition().line) + 1;
  const auto after = std::ranges::find_if(all, [&](const auto& d) { return d.line > here; });
  const auto at = std::ranges::find_if(all, [&](const auto& d) { return d.line >= here; });
  const cuda::Diagnostic& to =
      by > 0 ? (after == all.end() ? all.front() : *after) : (at == all.begin() ? all.back() : *(at - 1));
  put_cursor(e, to.line, to.column);
}

void save_program(LoadedState& s, UiState& ui) {
  SourceEditor& e = editor_of(ui);
  std::string text = e.text.GetText();
  try {
    write_whole(e.file, text);
  } catch (const std::exception& bad) { return refuse(s, bad, Where::file); }
  e.saved = std::move(text);
  keep_draft(ui);
  if (e.watched == e.file) e.changed = time_of(e.file);
  run_program(s, ui, e.file);
}

static void open_text(LoadedState& s, UiState& ui, const fs::path& file, const std::string& text) {
  try {
    fs::create_directories(file.parent_path());
    write_whole(file, text);
  } catch (const std::exception& bad) { return refuse(s, bad, Where::file); }
  allow_programs_in(file.parent_path().string());  // this very program wrote what lies there
  notify(ui, tr("Written: {}", file.string()));
  open_path(s, ui, file.string());
  edit_program(s, ui, file.string());
}

void begin_program(LoadedState& s, UiState& ui, const std::string& name, const std::string& text) {
  open_text(s, ui, new_program_file(name), text);
}

/// The CUDA program of the open kernel, with the sizes of its run.
static void edit_cuda_of_kernel(LoadedState& s, UiState& ui) {
  try {
    const Trace& trace = s.run->trace;
    const std::string text = program_with(*cuda_text_of(trace.kernel), trace.parameters);
    open_text(s, ui, file_of_program(file_name_of(trace.kernel), text), text);
  } catch (const std::exception& bad) { refuse(s, bad, Where::file); }
}

static void edit_copy(LoadedState& s, UiState& ui) {
  Target copy = s.target;
  try {
    const std::string text = as_text(read_file(copy.file, largest), copy.file);
    const fs::path file = file_of_program(fs::path(copy.file).stem().string(), text);
    fs::create_directories(file.parent_path());
    write_whole(file, text);
    allow_programs_in(file.parent_path().string());
    copy.program.includes.push_back(fs::path(copy.file).parent_path().string());  // headers beside it
    copy.program.files.clear();
    copy.file = file.string();
  } catch (const std::exception& bad) { return refuse(s, bad, Where::file); }
  notify(ui, tr("A copy to change: {}", copy.file));
  ui.dispatcher.dispatch(s, [copy, &runs = ui.runs](LoadedState& now) {
    now = opened(std::move(now), copy, Where::file, runs);
  });
  edit_program(s, ui, copy.file);
}

void edit_open_program(LoadedState& s, UiState& ui) {
  if (comes_with_barrierscope(s.target.file) || is_program_of_lesson(s, ui, s.target.file))
    edit_copy(s, ui);
  else
    edit_program(s, ui, s.target.file);
}

void watch_program(LoadedState& s, UiState& ui) {
  if (!s.target.is_program() || programs_in_page) return;  // nothing else writes into a page's files
  SourceEditor& e = editor_of(ui);
  if (e.watched != s.target.file) {
    e.watched = s.target.file;
    e.changed = time_of(e.watched);
  }
  if (ImGui::GetTime() < e.next_look) return;
  e.next_look = ImGui::GetTime() + between_looks;
  const auto now = time_of(e.watched);
  if (now == e.changed || now == fs::file_time_type{}) return;
  e.changed = now;
  if (e.shown && e.file == e.watched && e.text.GetText() == e.saved) edit_program(s, ui, e.file);
  run_program(s, ui, e.watched);
}

void show_editor(View& v, Box area) {
  const Theme& t = v.theme;
  SourceEditor& e = editor_of(v.ui);
  if (!e.dressed || e.theme != t.name) {
    e.text.SetPalette(palette_of(t));
    e.theme = t.name;
    e.dressed = true;
  }
  const std::string text = e.text.GetText();
  mark(e, v.state, t, text);
  v.frame(area);
  const float pad = t.px(8);
  ImGui::SetCursorScreenPos({area.x + pad, area.y + pad});
  if (!ImGui::BeginChild("program", {area.w - 2 * pad, area.h - 2 * pad})) return ImGui::EndChild();
  show_buttons_of_editor(v, e, text != e.saved);
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const size_t lines = lines_of_state(e, v.state, text);
  ImGui::PushFont(v.painter.fonts()[Font::mono], drawn_size(t.code()));
  e.text.Render("text", {0, ImGui::GetContentRegionAvail().y - float(lines) * line - pad});
  ImGui::PopFont();
  keys_of_editor(v);
  show_state(v, e, e.text.GetText());
  ImGui::EndChild();
}

namespace {

bool has_editable_program(const LoadedState& s, const UiState&) {
  return compiles_programs && s.target.is_program();
}
bool has_cuda_of_kernel(const LoadedState& s, const UiState& ui) {
  return compiles_programs && !edits_program(ui) && !s.target.is_program() && s.run &&
         cuda_text_of(s.run->trace.kernel) && why_not_in_cuda(s.run->trace).empty();
}
void edit_or_leave(LoadedState& s, UiState& ui) {
  if (edits_program(ui))
    leave_editor(ui);
  else
    edit_open_program(s, ui);
}
/// In a page the program lies in the page's memory.
bool can_download_program(const LoadedState& s, const UiState& ui) {
  return s.target.is_program() && !ui.of<FileDialogs>().downloads.empty();
}
void download_program(LoadedState& s, UiState& ui) {
  std::vector<std::string> all = s.target.program.files;
  if (all.empty()) all = {s.target.file};
  try {
    for (const std::string& file : all)
      write_whole(fs::path(ui.of<FileDialogs>().downloads) / fs::path(file).filename(),
                  read_file(file, largest));
  } catch (const std::exception& e) { refuse(s, e, Where::file); }
}
constexpr CommandGroup files{tr_noop("File")};
const RegisterCommands commands_of_editor{
    when(has_editable_program, files("program.edit", tr_noop("Change the program's text, or leave it"),
                                     {ImGuiMod_Ctrl | ImGuiKey_E}, edit_or_leave)),
    when(has_cuda_of_kernel,
         files("kernel.edit", tr_noop("Edit the CUDA of this kernel, in a file of your own"),
               {ImGuiMod_Ctrl | ImGuiKey_E}, edit_cuda_of_kernel)),
    when(can_download_program, files("program.download", tr_noop("Save the program's files on this computer"),
                                     {}, download_program)),
};

/// Each template as a line of the palette.
std::vector<PaletteItem> new_programs(const LoadedState&, UiState&) {
  std::vector<PaletteItem> out;
  if (!compiles_programs || offered_assets() != AssetState::here) return out;
  static const std::vector<ProgramTemplate> all = program_templates();  // asked for at each letter typed
  for (const ProgramTemplate& p : all)
    out.push_back({.group = tr("Your own CUDA"),
                   .title = tr("New CUDA file: {}", tr(p.name)),
                   .also = "program.new." + p.name,
                   .detail = tr(p.title),
                   .keys = {},
                   .run = [p](LoadedState& s, UiState& ui) { begin_program(s, ui, p.name, p.text); }});
  return out;
}
const RegisterPalette template_source{new_programs};

}  // namespace
}  // namespace bscope
