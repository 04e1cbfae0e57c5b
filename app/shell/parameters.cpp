// The open run's parameters as controls. Any change traces again at once.
#include <imgui.h>
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "app/run/titles.hpp"
#include "app/session/input.hpp"
#include "app/session/typed.hpp"
#include "app/shell/number_field.hpp"
#include "app/shell/panel.hpp"
#include "app/words/glossary.hpp"

namespace bscope {
namespace {

/// What a setting of every kernel means; empty for others.
std::string hint(const std::string& name) {
  struct Hint {
    const char *name, *words;
  };
  constexpr Hint hints[] = {
      {"n", later("How many elements the input has.")},
      {"block", later("Threads a block. auto: the smallest power of two whose tile holds the input.")},
      {"pattern",
       later("Where the input comes from: all ones, 0 1 2 3..., random, a wave, or mostly one value.")},
      {"values",
       later("The input itself: type or paste numbers, Enter takes them. Empty: back to the pattern.")},
      {"preset", later("A whole set-up by name.")},
      {"order", later("Who runs when on the CPU. Right results must not depend on it: shuffled looks for "
                      "those that do.")},
      {"device", later("Where the kernel is traced.")},
  };
  for (const Hint& h : hints)
    if (name == h.name) return say(h.words);
  return meaning(name);
}

/// A label at the left, room for a control of `width` at the right.
void label(View& v, const char* words, float width, const std::string& means) {
  const Theme& t = v.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetFrameHeight(), room = ImGui::GetContentRegionAvail().x;
  const float size = t.px(t.projector() ? 22 : t.size_label);
  v.text({at.x, at.y + height / 2}, said(words), size, t.ink2);
  tip_over(t, {at.x, at.y, room - width, height}, means);
  ImGui::SetCursorScreenPos({at.x + room - width, at.y});
  ImGui::SetNextItemWidth(width);
}
void label(View& v, const char* words, float width) { label(v, words, width, hint(words)); }

bool choice(const char* id, std::string& chosen, const std::vector<std::string>& values) {
  bool changed = false;
  if (ImGui::BeginCombo(id, said(chosen).c_str(), ImGuiComboFlags_HeightLarge)) {
    for (const std::string& value : values) {
      if (ImGui::Selectable((said(value) + "###" + value).c_str(), value == chosen)) {
        chosen = value;
        changed = true;
      }
      if (value == chosen) ImGui::SetItemDefaultFocus();
    }
    ImGui::EndCombo();
  }
  return changed;
}

/// The values that were run, as many as the field has room for.
std::string fitting_values(const Run& run, float width) {
  const float room = width - 2 * ImGui::GetStyle().FramePadding.x;
  std::string words = first_values(run, 0);
  for (size_t n = 1; n <= run.report.input.size(); ++n) {
    const std::string more = first_values(run, n);
    if (ImGui::CalcTextSize(more.c_str()).x > room) break;
    words = more;
  }
  return words;
}

void set_aside(View& v, const SetAside& waits) {
  ImGui::PushTextWrapPos(0);
  ImGui::PushStyleColor(ImGuiCol_Text, screen(v.theme.ink2));
  ImGui::TextUnformatted(waiting(waits).c_str());
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
}

void parameters(View& v) {
  const Theme& t = v.theme;
  const Trace& trace = v.state.run->trace;
  const Algorithm* algorithm = algorithm_of(v.state.target.request.kernel);
  if (v.state.target.is_file() || !algorithm) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(say("A recorded run. Choose a kernel to change parameters.").data());
    for (const auto& [name, value] : trace.parameters) ImGui::Text("%s = %s", name.c_str(), value.c_str());
    ImGui::PopTextWrapPos();
    return;
  }
  const Algorithm& a = *algorithm;
  const Run& run = *v.state.run;
  auto& refused = v.kept.refused;
  if (refused && (v.state.error_at != Where::parameters || refused->over != v.state.run)) refused.reset();
  // what was asked for last stands in the fields, while its run is being made too
  const Target* const waits = v.kept.openings.waits_for();
  const bool asked = waits && !waits->is_file() && waits->request.kernel == a.name;
  Target next = asked ? *waits : refused ? refused->target : v.state.target;
  Request& r = next.request;
  bool changed = false;
  const float width = t.px(t.projector() ? 240 : 118);

  label(v, "n", width);
  long long n = as_whole(parameter_of(trace, "n")).value_or(0);
  if ((asked || refused) && r.n) n = *r.n;
  if (asked && r.values) n = (long long)r.values->size();
  if (input_whole("##n", n, 1, 16)) {
    r = with_length(next, run, n);
    changed = true;
  }

  label(v, later("block"), width);
  std::vector<std::string> blocks{"auto"};
  for (int b : legal_blocks(a))
    if ((b & (b - 1)) == 0) blocks.push_back(std::to_string(b));
  std::string block = r.block ? std::to_string(*r.block) : say("auto: {}", parameter_of(trace, "block"));
  if (choice("##block", block, blocks)) {
    r.block.reset();
    if (block != "auto") r.block = as_whole(block);
    changed = true;
  }

  label(v, later("pattern"), width);
  std::string pattern = input_called(r);
  const std::string own = later("its own input");
  if (choice("##pattern", pattern, {"ones", "ramp", "random", "sine", "skewed", own})) {
    r = pattern == own ? with_own_input(next, run) : with_pattern(next, run, pattern);
    changed = true;
  }
  const bool counts = std::ranges::any_of(a.parameters, [](const Parameter& p) { return p.name == "bins"; });
  if (counts && input_called(r) == "skewed") {
    label(v, later("skew"), width);
    float skew = float(r.skew.value_or(0.5));
    if (ImGui::SliderFloat("##skew", &skew, 0, 1, "%.2f")) {
      r.skew = double(skew);
      changed = true;
    }
  }

  label(v, later("seed"), width);
  long long seed = r.seed;
  if (input_whole("##seed", seed)) {
    r.seed = uint32_t(std::clamp<long long>(seed, 0, std::numeric_limits<uint32_t>::max()));
    if (next.schedule.kind == Schedule::shuffled) next.schedule.seed = r.seed;
    changed = true;
  }

  label(v, later("values"), width);
  const std::string shown = refused ? refused->values : typed_text(r);
  std::string typed = shown;
  ImGui::InputTextWithHint("##values", fitting_values(run, width).c_str(), &typed);
  if (ImGui::IsItemDeactivatedAfterEdit() && typed != shown) {
    try {
      r = with_numbers(next, run, numbers_in(typed));
      changed = true;
    } catch (const UsageError& e) {
      v.state.error = e.what();
      v.state.error_at = Where::parameters;
      refused = Kept::Refused{v.state.run, next, typed};
    }
  }
  if (v.state.set_aside) set_aside(v, *v.state.set_aside);

  const auto setting = [&](const std::string& name) -> std::string* {
    for (auto& [key, value] : r.set)
      if (key == name) return &value;
    return nullptr;
  };
  const auto set = [&](const std::string& name, const std::string& value) {
    if (std::string* there = setting(name))
      *there = value;
    else
      r.set.emplace_back(name, value);
    changed = true;
  };
  for (const Parameter& p : a.parameters) {
    label(v, p.name.c_str(), width, meaning_of(p));
    const std::string* given = setting(p.name);
    std::string value = given ? *given : parameter_of(trace, p.name);
    if (value.empty()) value = p.initial.text;
    const std::string id = "##" + p.name;
    if (!p.values.empty()) {
      std::vector<std::string> values;
      for (const Choice& c : p.values) values.push_back(c.text);
      if (choice(id.c_str(), value, values)) set(p.name, value);
    } else {
      long long number = as_whole(value).value_or(0);
      if (input_whole(id.c_str(), number))
        set(p.name, std::to_string(std::clamp<long long>(number, p.least, p.most)));
    }
  }

  if (!a.presets.empty()) {
    label(v, later("preset"), width);
    std::vector<std::string> names{"none"};
    for (const Preset& p : a.presets) names.push_back(p.name);
    std::string preset = r.preset.empty() ? "none" : r.preset;
    if (choice("##preset", preset, names)) {
      r = Request{};
      r.kernel = a.name;
      if (preset != "none") r.preset = preset;
      changed = true;
    }
  }

  label(v, later("order"), width);
  std::string order = next.schedule.kind == Schedule::shuffled ? "shuffled" : name_of(next.schedule);
  if (choice("##order", order, {"auto", "to-barrier", "lockstep", "shuffled"})) {
    next.schedule = parse_schedule(order == "shuffled" ? "shuffle:" + std::to_string(r.seed) : order);
    changed = true;
  }

  static const bool has_gpu = gpu().has_value();
  if (has_gpu && a.gpu) {
    label(v, later("device"), width);
    std::string device = next.device == Device::gpu ? "GPU" : "CPU";
    if (choice("##device", device, {"CPU", "GPU"})) {
      next.device = device == "GPU" ? Device::gpu : Device::cpu;
      changed = true;
    }
  }

  if (!changed) return;
  v.kept.openings.give_up();
  if (v.state.error_at == Where::parameters) v.state.error.clear(), v.state.error_at = Where::nowhere;
  v.kept.openings.take(v.state, [&kept = v.kept, next, typed](State& s) {
    State after = opened(s, next, Where::parameters);
    if (after.error_at == Where::parameters) kept.refused = Kept::Refused{s.run, next, typed};
    s = std::move(after);
  });
}

}  // namespace

void list_of_parameters(View& v) {
  v.kept.shell.parameters_shown = ImGui::GetFrameCount();
  if (v.state.error_at == Where::parameters) {
    ImGui::PushTextWrapPos(0);
    ImGui::PushStyleColor(ImGuiCol_Text, screen(v.theme.race));
    ImGui::TextUnformatted(said(v.state.error).c_str());
    ImGui::PopStyleColor();
    ImGui::PopTextWrapPos();
  }
  parameters(v);
}

}  // namespace bscope
