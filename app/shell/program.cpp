// A user's own program beside its pictures: what it is given, what could be smaller, what it said.
#include <imgui.h>
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <sstream>

#include "app/run/own_program.hpp"
#include "app/session/state.hpp"
#include "app/shell/assignment.hpp"
#include "app/shell/header.hpp"
#include "app/shell/painter.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/parameter_list.hpp"
#include "app/shell/ui_state.hpp"
#include "app/shell/watch/editor.hpp"
#include "app/shell/widgets.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"
#include "engine/cuda/toolchain/constants.hpp"
#include "engine/cuda/toolchain/own_program.hpp"
#include "engine/cuda/toolchain/source_copy.hpp"
#include "engine/trace/library_launch.hpp"

namespace bscope {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : " ") + word;
  return all;
}
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// What its main is given; Enter runs it with that.
void field_of_arguments(View& v) {
  LoadedState& s = v.state;
  static std::string typed;  // there is one such field
  ImGui::SetNextItemWidth(-1);
  if (ImGui::InputTextWithHint("##arguments", tr("arguments of its main").c_str(), &typed,
                               ImGuiInputTextFlags_EnterReturnsTrue)) {
    s.wanted = s.target;
    s.wanted->program.arguments = split(typed);
  } else if (!ImGui::IsItemActive()) {
    typed = joined(s.target.program.arguments);
  }
  tip_of_item(v.theme, tr("What its main gets, as on a command line. Enter runs it again."));
}

/// Constants that were changed in the copy that runs, and those that could be smaller.
void buttons_of_constants(View& v) {
  LoadedState& s = v.state;
  const auto& changed = s.target.program.constants;
  for (size_t k = 0; k < changed.size(); ++k)
    if (ImGui::Button(tr("{} = {}: put it back", changed[k].name, changed[k].value).c_str())) {
      s.wanted = s.target;
      s.wanted->program.constants.erase(s.wanted->program.constants.begin() + ptrdiff_t(k));
    }
  constexpr size_t most = 3;
  const auto& smaller = s.program->suggestions;
  for (size_t k = 0; k < std::min(most, smaller.size()); ++k) {
    const cuda::Suggestion& one = smaller[k];
    const auto number = [](double value) { return std::to_string(static_cast<long long>(value)); };
    if (ImGui::Button(tr("{} = {} instead of {}", one.name, number(one.smaller), number(one.is)).c_str())) {
      s.wanted = s.target;
      s.wanted->program.constants.push_back({one.name, number(one.smaller), one.line});
    }
    tip_of_item(v.theme, tr(one.message));
  }
}

/// What Thrust and CUB launch on the host's call is one launch, unless the user wants to see inside.
void library_kernels_checkbox(View& v) {
  LoadedState& s = v.state;
  if (!s.run) return;
  bool inside = s.target.program.inside_libraries;
  if (!inside && std::ranges::none_of(s.run->trace.launches, is_library_launch)) return;
  if (ImGui::Checkbox(tr("Kernels of libraries").c_str(), &inside)) {
    s.wanted = s.target;
    s.wanted->program.inside_libraries = inside;
  }
  tip_of_item(v.theme,
              tr("Shows the kernels that Thrust and CUB launch. Without it each call is one launch."));
}

void show_output(View& v) {
  constexpr size_t most = 20000;  // bytes: the rest is on the command line
  const cuda::ProgramRun& p = *v.state.program;
  const std::string text = cuda::as_shown(p.output.substr(0, most));
  if (text.empty()) return;
  ImGui::Spacing();
  write(tr("It printed"), v.theme.ink2);
  ImGui::PushFont(v.painter.fonts()[Font::mono], drawn_size(v.theme.code()));
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  if (p.output_cut || p.output.size() > most) write("...", v.theme.ink2);
}

}  // namespace

void list_of_program(View& v) {
  if (compiles_programs && !edits_program(v.ui) &&
      ImGui::Button((tr("Edit the program (Ctrl+E)") + "###edit program").c_str(), {-1, 0}))
    edit_open_program(v.state, v.ui);
  list_of_assignment(v);
  field_of_arguments(v);
  if (!v.state.program) return;
  if (compiles_programs) buttons_of_constants(v);
  library_kernels_checkbox(v);
  if (!v.state.lesson.line_asked) {
    for (const Message& note : v.state.program->report.notes) write(tr(note), v.theme.ink2);
    for (const Message& remark : remarks_of(*v.state.program, v.ui.of<TroublesPanel>().groups))
      write(tr(remark), v.theme.ink2);
  }
  show_output(v);
}

}  // namespace bscope
