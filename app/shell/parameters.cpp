// The open run's parameters as controls. Any change traces again at once.
#include <imgui.h>
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <limits>
#include <map>

#include "app/run/run.hpp"
#include "app/run/titles.hpp"
#include "app/session/choices.hpp"
#include "app/session/input.hpp"
#include "app/session/typed.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/parameter_list.hpp"
#include "app/shell/ui_state.hpp"
#include "app/shell/widgets.hpp"
#include "app/words/glossary.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/timing/meter.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

/// What a setting of every kernel means; empty for others.
std::string hint(const std::string& name) {
  static const std::map<std::string, const char*> hints{
      {"n", tr_noop("How many elements the input has.")},
      {"block", tr_noop("Threads a block. auto: the smallest power of two whose tile holds the input.")},
      {"pattern",
       tr_noop("Where the input comes from: all ones, 0 1 2 3..., random, a wave, or mostly one value.")},
      {"values",
       tr_noop("The input itself: type or paste numbers, Enter takes them. Empty: back to the pattern.")},
      {"preset", tr_noop("A whole set-up by name.")},
      {"order", tr_noop("Who runs when on the CPU. Right results must not depend on it: shuffled looks for "
                        "those that do.")},
      {"device", tr_noop("Where the kernel is traced.")},
  };
  const auto found = hints.find(name);
  return found == hints.end() ? meaning(name) : tr(found->second);
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

/// A row for each. What is changed of them is asked for when all are drawn.
class Parameters {
 public:
  Parameters(View& v, const Algorithm& a) : v_(v), a_(a), run_(*v.state.run) {
    auto& refused = v.ui.of<ParameterList>().refused;
    if (refused && (v.state.error_at != Where::parameters || refused->over != v.state.run)) refused.reset();
    // what was asked for last stands in the fields, while its run is being made too
    const Target* const waits = v.ui.dispatcher.awaited();
    asked_ = waits && !waits->is_file() && waits->request.kernel == a.name;
    next_ = asked_ ? *waits : refused ? refused->target : v.state.target;
  }

  void show() {
    length();
    block();
    pattern();
    seed();
    values();
    if (v_.state.set_aside) write(waiting(*v_.state.set_aside), v_.theme.ink2);
    for (const Parameter& p : a_.parameters) own(p);
    preset();
    order();
    device();
    if (changed_) open();
  }

 private:
  /// A label at the left, room for a control at the right.
  void label(const char* words, const std::string& means) {
    const Theme& t = v_.theme;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetFrameHeight(), room = ImGui::GetContentRegionAvail().x;
    v_.text({at.x, at.y + height / 2}, tr(words), t.px(t.projector() ? 22 : t.size_label), t.ink2);
    tip_over(t, {at.x, at.y, room - width_, height}, means);
    ImGui::SetCursorScreenPos({at.x + room - width_, at.y});
    ImGui::SetNextItemWidth(width_);
  }
  void label(const char* words) { label(words, hint(words)); }
  std::string in_use(const std::string& name) const { return parameter_of(run_.trace, name); }
  void change(RunSpec r) {
    r_ = std::move(r);
    changed_ = true;
  }

  void length() {
    label("n");
    long long n = as_whole(in_use("n")).value_or(0);
    if ((asked_ || v_.ui.of<ParameterList>().refused) && r_.n) n = *r_.n;
    if (asked_ && r_.values) n = (long long)r_.values->size();
    if (input_whole("##n", n, 1, 16)) change(with_length(next_, run_, n));
  }

  void block() {
    label(tr_noop("block"));
    changed_ |= choose_block(a_, r_.block, in_use("block"));
  }

  void pattern() {
    label(tr_noop("pattern"));
    std::string pattern = input_called(r_);
    const std::string own = tr_noop("its own input");
    if (choice("##pattern", pattern, {"ones", "ramp", "random", "sine", "skewed", own}))
      change(pattern == own ? with_own_input(next_, run_) : with_pattern(next_, run_, pattern));
    const bool counts = std::ranges::count(a_.parameters, std::string("bins"), &Parameter::name) > 0;
    if (!counts || input_called(r_) != "skewed") return;
    label(tr_noop("skew"));
    float skew = float(r_.skew.value_or(0.5));
    if (!ImGui::SliderFloat("##skew", &skew, 0, 1, "%.2f")) return;
    r_.skew = double(skew);
    changed_ = true;
  }

  void seed() {
    label(tr_noop("seed"));
    long long seed = r_.seed;
    if (!input_whole("##seed", seed)) return;
    r_.seed = uint32_t(std::clamp<long long>(seed, 0, std::numeric_limits<uint32_t>::max()));
    if (next_.schedule.kind == Schedule::shuffled) next_.schedule.seed = r_.seed;
    changed_ = true;
  }

  void values() {
    label(tr_noop("values"));
    auto& refused = v_.ui.of<ParameterList>().refused;
    const std::string shown = refused ? refused->values : typed_text(r_);
    typed_ = shown;
    ImGui::InputTextWithHint("##values", fitting_values(run_, width_).c_str(), &typed_);
    if (!ImGui::IsItemDeactivatedAfterEdit() || typed_ == shown) return;
    try {
      change(with_numbers(next_, run_, numbers_in(typed_)));
    } catch (const UsageError& e) {
      refuse(v_.state, e, Where::parameters);
      refused = ParameterList::Refused{v_.state.run, next_, typed_};
    }
  }

  /// One that only this kernel has.
  void own(const Parameter& p) {
    label(p.name.c_str(), meaning_of(p));
    const auto given = std::ranges::find(r_.set, p.name, &std::pair<std::string, std::string>::first);
    std::string value = given == r_.set.end() ? in_use(p.name) : given->second;
    if (!input_parameter(p, value)) return;
    put(r_, p.name, value);
    changed_ = true;
  }

  void preset() {
    if (a_.presets.empty()) return;
    label(tr_noop("preset"));
    std::vector<std::string> names{"none"};
    for (const Preset& p : a_.presets) names.push_back(p.name);
    std::string preset = r_.preset.empty() ? names[0] : r_.preset;
    if (choice("##preset", preset, names))
      change({.kernel = a_.name, .preset = preset == names[0] ? "" : preset});
  }

  void order() {
    label(tr_noop("order"));
    std::string order = order_of(next_);
    if (!choice("##order", order, {"auto", "to-barrier", "lockstep", "shuffled"})) return;
    set_order(next_, order);
    changed_ = true;
  }

  void device() {
    static const bool has_gpu = gpu().has_value();
    if (!has_gpu || !a_.gpu) return;
    label(tr_noop("device"));
    std::string device = next_.device == Device::gpu ? "GPU" : "CPU";
    if (!choice("##device", device, {"CPU", "GPU"})) return;
    next_.device = device == "GPU" ? Device::gpu : Device::cpu;
    changed_ = true;
  }

  void open() {
    v_.ui.dispatcher.cancel();
    if (v_.state.error_at == Where::parameters) forgive(v_.state);
    v_.ui.dispatcher.dispatch(v_.state, [&ui = v_.ui, next = next_, typed = typed_](LoadedState& s) {
      LoadedState after = opened(s, next, Where::parameters, ui.runs);
      if (after.error_at == Where::parameters)
        ui.of<ParameterList>().refused = ParameterList::Refused{s.run, next, typed};
      s = std::move(after);
    });
  }

  View& v_;
  const Algorithm& a_;
  const Run& run_;
  const float width_ = v_.theme.px(v_.theme.projector() ? 240 : 118);
  bool asked_ = false, changed_ = false;
  Target next_;
  RunSpec& r_ = next_.request;
  std::string typed_;
};

}  // namespace

void list_of_parameters(View& v) {
  v.ui.of<ParameterList>().shown_in = ImGui::GetFrameCount();
  if (v.state.error_at == Where::parameters) write(tr(v.state.error), v.theme.race);
  const Algorithm* const a = algorithm_of(v.state.target.request.kernel);
  if (!v.state.target.is_file() && a) return Parameters(v, *a).show();
  if (v.state.target.is_program()) return list_of_program(v);
  ImGui::TextWrapped("%s", tr("A recorded run. Choose a kernel to change parameters.").c_str());
  for (const auto& [name, value] : v.state.run->trace.parameters)
    ImGui::TextWrapped("%s = %s", name.c_str(), value.c_str());
}

}  // namespace bscope
