// Controls that choose a run beside the open one: kernel, size, block and the kernel's own parameters.
#include "app/session/run_choice.hpp"

#include <imgui.h>
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <sstream>

#include "app/draw/theme.hpp"
#include "app/run/run.hpp"
#include "app/run/titles.hpp"
#include "app/session/choices.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/settings_file.hpp"
#include "app/shell/ui_state.hpp"
#include "app/shell/widgets.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/cuda/toolchain/program.hpp"

namespace bscope {
namespace {

std::string in_use(const Run* run, const std::string& name) {
  return run ? parameter_of(run->trace, name) : std::string();
}

/// "items=4 access=contiguous" with one of them changed.
std::string with_setting(const std::string& set, const std::string& name, const std::string& value) {
  std::istringstream in(set);
  std::string out;
  for (std::string one; in >> one;)
    if (!one.starts_with(name + "=")) out += (out.empty() ? "" : " ") + one;
  return out + (out.empty() ? "" : " ") + name + "=" + value;
}

/// Own programs that were open lately, and what else the tab has to offer.
std::vector<std::pair<std::string, RunChoice>> own_files(const View& v, const ChooseRun& c) {
  auto all = c.others;
  if (!c.files) return all;
  for (const std::string& file : v.ui.of<SettingsFile>().settings.recent)
    if (cuda::is_program(file))
      all.emplace_back(file.substr(file.find_last_of('/') + 1), RunChoice{.file = file});
  return all;
}

bool kernel_list(const View& v, const ChooseRun& c, RunChoice& choice) {
  bool changed = false;
  const auto others = own_files(v, c);
  const auto other = std::ranges::find(others, choice, [](const auto& o) { return o.second; });
  const std::string now = other != others.end() ? other->first
                          : choice.file.empty() ? tr(title_of(c.kernel))
                                                : choice.file.substr(choice.file.find_last_of('/') + 1);
  if (ImGui::BeginCombo("##kernel", now.c_str(), ImGuiComboFlags_HeightLarge)) {
    if (!others.empty()) ImGui::SeparatorText(tr("your own files").c_str());
    for (const auto& [name, run] : others) {
      ImGui::PushID(&run);
      if (ImGui::Selectable(name.c_str(), run == choice)) {
        choice = run;
        changed = true;
      }
      if (!run.file.empty()) ImGui::SetItemTooltip("%s", run.file.c_str());
      if (run == choice) ImGui::SetItemDefaultFocus();
      ImGui::PopID();
    }
    std::string family;
    for (const Algorithm* a : c.kernels) {
      if (a->family() != family) ImGui::SeparatorText(tr(family = a->family()).c_str());
      ImGui::PushID(a->name.c_str());
      const bool chosen = choice.file.empty() && a->name == c.kernel;
      if (ImGui::Selectable(tr(a->title).c_str(), chosen)) {
        choice = {.kernel = a->name, .n = choice.n};
        changed = true;
      }
      if (!a->lesson.empty()) ImGui::SetItemTooltip("%s", tr(a->lesson).c_str());
      if (chosen) ImGui::SetItemDefaultFocus();
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }
  ImGui::SetItemTooltip("%s", tr("The kernel of this side.").c_str());
  return changed;
}

/// The kernel's own parameters, and a trace file instead of it.
bool more(View& v, const ChooseRun& c, RunChoice& choice) {
  bool changed = false;
  const auto label = [&](const std::string& words) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(words.c_str());
    ImGui::SameLine(v.theme.px(150));
    ImGui::SetNextItemWidth(v.theme.px(160));
  };
  const Algorithm* const a = choice.file.empty() ? algorithm_of(c.kernel) : nullptr;
  for (const Parameter& p : a ? a->parameters : std::vector<Parameter>()) {
    if (std::ranges::count(c.hidden, p.name)) continue;
    label(tr(p.name));
    std::string value = in_use(c.shown.get(), p.name);
    if (!input_parameter(p, value)) continue;
    choice.set = with_setting(choice.set, p.name, value);
    changed = true;
  }
  if (!c.files) return changed;
  label(tr("a trace file"));
  std::string file = choice.file;
  ImGui::InputTextWithHint("##file", "run.bscope", &file);
  if (!ImGui::IsItemDeactivatedAfterEdit() || file == choice.file) return changed;
  choice = {.file = file, .kernel = file.empty() ? c.kernel : std::string()};
  return true;
}

bool length(const ChooseRun& c, RunChoice& choice) {
  long long n = choice.n ? choice.n : as_whole(in_use(c.shown.get(), "n")).value_or(0);
  const bool changed = input_whole("##n", n, 1, 16);
  if (changed)
    choice.n = std::max(1LL, n);  // what is too long is refused in words, where the run is asked for
  ImGui::SetItemTooltip("%s", tr("How many elements this side takes.").c_str());
  return changed;
}

bool block_field(const ChooseRun& c, RunChoice& choice) {
  std::optional<long long> block;
  if (choice.block) block = choice.block;
  const Algorithm* const a = algorithm_of(c.kernel);
  const bool changed = a && choose_block(*a, block, in_use(c.shown.get(), "block"));
  if (changed) choice.block = int(block.value_or(0));
  ImGui::SetItemTooltip("%s", tr("Threads of a block on this side.").c_str());
  return changed;
}

}  // namespace

bool choose_run(View& v, Box b, const ChooseRun& c, RunChoice& choice) {
  const Theme& t = v.theme;
  const float size = t.px(t.size_label), gap = t.px(8), y = b.centre().y - ImGui::GetFrameHeight() / 2;
  float x = b.x;
  const auto place = [&](float width) {
    ImGui::SetCursorScreenPos({x, y});
    ImGui::SetNextItemWidth(width);
    x += width + gap;
  };
  const auto words = [&](const std::string& text) {
    v.text({x, b.centre().y}, text, size, t.ink2);
    x += v.width(text, size) + gap;
  };
  const std::string button = tr("more"), block_words = tr("block");
  const float more_width = v.width(button, size) + 2 * ImGui::GetStyle().FramePadding.x;
  const float n_width = t.px(t.projector() ? 170 : 110), block_width = t.px(t.projector() ? 150 : 96);
  const bool has_block = t.projector() || b.w > t.px(460);  // a phone's row has no room for it
  float rest = b.w - more_width - gap;
  if (!c.title.empty()) rest -= v.width(c.title, size) + gap;
  if (c.sizes) rest -= n_width + v.width("n", size) + 2 * gap;
  if (c.sizes && has_block) rest -= block_width + v.width(block_words, size) + 2 * gap;

  ImGui::PushID(c.id);
  if (!c.title.empty()) words(c.title);
  place(std::clamp(rest - gap, t.px(90), t.px(t.projector() ? 460 : 300)));
  bool changed = kernel_list(v, c, choice);
  if (c.sizes && choice.file.empty()) {
    words("n");
    place(n_width);
    changed |= length(c, choice);
  }
  if (c.sizes && choice.file.empty() && has_block) {
    words(block_words);
    place(block_width);
    changed |= block_field(c, choice);
  }
  place(more_width);
  if (ImGui::Button((button + "##more").c_str())) ImGui::OpenPopup("more");
  ImGui::SetItemTooltip("%s", tr("Parameters of this side's kernel.").c_str());
  if (ImGui::BeginPopup("more")) {
    if (ImGui::IsKeyPressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
    changed |= more(v, c, choice);
    ImGui::EndPopup();
  }
  ImGui::PopID();
  return changed;
}

}  // namespace bscope
