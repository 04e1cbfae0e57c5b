#include "app/shell/run_choice.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "app/draw/chart.hpp"
#include "app/run/titles.hpp"
#include "app/shell/number_field.hpp"

namespace bscope {
namespace {

std::string in_use(const Run* run, const std::string& name) {
  return run ? parameter_of(run->trace, name) : std::string();
}

long long number(const std::string& text) { return as_whole(text).value_or(0); }

/// "items=4 access=contiguous" with one of them changed.
std::string with_setting(const std::string& set, const std::string& name, const std::string& value) {
  std::istringstream in(set);
  std::string out;
  for (std::string one; in >> one;)
    if (!one.starts_with(name + "=")) out += (out.empty() ? "" : " ") + one;
  return out + (out.empty() ? "" : " ") + name + "=" + value;
}

bool kernel_list(const ChooseRun& c, RunChoice& choice) {
  bool changed = false;
  const std::string now =
      choice.file.empty() ? said(title_of(c.kernel)) : choice.file.substr(choice.file.find_last_of('/') + 1);
  if (ImGui::BeginCombo("##kernel", now.c_str(), ImGuiComboFlags_HeightLarge)) {
    std::string family;
    for (const Algorithm* a : c.kernels) {
      if (a->family() != family) ImGui::SeparatorText(said(family = a->family()).c_str());
      ImGui::PushID(a->name.c_str());
      const bool chosen = choice.file.empty() && a->name == c.kernel;
      if (ImGui::Selectable(said(a->title).c_str(), chosen)) {
        choice = {.kernel = a->name, .n = choice.n};
        changed = true;
      }
      if (!a->lesson.empty()) ImGui::SetItemTooltip("%s", said(a->lesson).c_str());
      if (chosen) ImGui::SetItemDefaultFocus();
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }
  ImGui::SetItemTooltip("%s", say("The kernel of this side.").c_str());
  return changed;
}

/// The kernel's own parameters, and a trace file instead of it.
bool more(View& v, const ChooseRun& c, RunChoice& choice) {
  bool changed = false;
  const float width = v.theme.px(160);
  const auto& all = catalog();
  const auto found = std::ranges::find(all, c.kernel, &Algorithm::name);
  const auto label = [&](const std::string& words) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(words.c_str());
    ImGui::SameLine(v.theme.px(150));
    ImGui::SetNextItemWidth(width);
  };
  if (found != all.end() && choice.file.empty())
    for (const Parameter& p : (*found)->parameters) {
      if (std::ranges::find(c.hidden, p.name) != c.hidden.end()) continue;
      label(said(p.name));
      std::string value = in_use(c.shown.get(), p.name);
      if (value.empty()) value = p.initial.text;
      const std::string id = "##" + p.name;
      if (p.values.empty()) {
        long long n = number(value);
        if (input_whole(id.c_str(), n)) {
          choice.set =
              with_setting(choice.set, p.name, std::to_string(std::clamp<long long>(n, p.least, p.most)));
          changed = true;
        }
      } else if (ImGui::BeginCombo(id.c_str(), value.c_str())) {
        for (const Choice& one : p.values)
          if (ImGui::Selectable(one.text.c_str(), one.text == value)) {
            choice.set = with_setting(choice.set, p.name, one.text);
            changed = true;
          }
        ImGui::EndCombo();
      }
    }
  if (c.files) {
    label(say("a trace file"));
    std::string file = choice.file;
    ImGui::InputTextWithHint("##file", "run.bscope", &file);
    if (ImGui::IsItemDeactivatedAfterEdit() && file != choice.file) {
      choice = {.file = file, .kernel = file.empty() ? c.kernel : std::string()};
      changed = true;
    }
  }
  return changed;
}

}  // namespace

bool choose_run(View& v, Box b, const ChooseRun& c, RunChoice& choice) {
  const Theme& t = v.theme;
  const float size = t.px(t.size_label), gap = t.px(8), y = b.centre().y - ImGui::GetFrameHeight() / 2;
  bool changed = false;
  ImGui::PushID(c.id);
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
  const std::string button(say("more"));
  const float more_width = v.width(button, size) + 2 * ImGui::GetStyle().FramePadding.x;
  const float n_width = t.px(t.projector() ? 170 : 110), block_width = t.px(t.projector() ? 150 : 96);
  const std::string n_words = "n", block_words(say("block"));
  float rest = b.w - more_width - gap;
  if (!c.title.empty()) rest -= v.width(c.title, size) + gap;
  if (c.sizes) rest -= n_width + block_width + v.width(n_words, size) + v.width(block_words, size) + 4 * gap;
  if (!c.title.empty()) words(c.title);
  place(std::clamp(rest - gap, t.px(90), t.px(t.projector() ? 460 : 300)));
  changed |= kernel_list(c, choice);
  if (c.sizes && choice.file.empty()) {
    words(n_words);
    place(n_width);
    long long n = choice.n ? choice.n : number(in_use(c.shown.get(), "n"));
    if (input_whole("##n", n, 1, 16)) {
      choice.n = std::max(1LL, n);  // what is too long is refused in words, where the run is asked for
      changed = true;
    }
    ImGui::SetItemTooltip("%s", say("How many elements this side takes.").c_str());
    words(block_words);
    place(block_width);
    const std::string used = in_use(c.shown.get(), "block");
    const std::string preview = choice.block ? std::to_string(choice.block) : say("auto: {}", used);
    if (ImGui::BeginCombo("##block", preview.c_str())) {
      if (ImGui::Selectable(say("auto").c_str(), choice.block == 0)) {
        choice.block = 0;
        changed = true;
      }
      const auto& all = catalog();
      const auto found = std::ranges::find(all, c.kernel, &Algorithm::name);
      if (found != all.end())
        for (int block : legal_blocks(**found))
          if ((block & (block - 1)) == 0 &&
              ImGui::Selectable(std::to_string(block).c_str(), choice.block == block)) {
            choice.block = block;
            changed = true;
          }
      ImGui::EndCombo();
    }
    ImGui::SetItemTooltip("%s", say("Threads of a block on this side.").c_str());
  }
  place(more_width);
  if (ImGui::Button((button + "##more").c_str())) ImGui::OpenPopup("more");
  ImGui::SetItemTooltip("%s", say("Parameters of this side's kernel.").c_str());
  if (ImGui::BeginPopup("more")) {
    if (ImGui::IsKeyPressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
    changed |= more(v, c, choice);
    ImGui::EndPopup();
  }
  ImGui::PopID();
  return changed;
}

}  // namespace bscope
