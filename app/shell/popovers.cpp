// What hangs from the header's controls: kernel and parameters, launch and block, device and order, options.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/run/run.hpp"
#include "app/run/titles.hpp"
#include "app/session/choices.hpp"
#include "app/shell/fonts.hpp"
#include "app/shell/kernel_list.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/parameter_list.hpp"
#include "app/shell/popups.hpp"
#include "app/shell/ui_state.hpp"
#include "app/shell/widgets.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/words/counting.hpp"
#include "app/words/glossary.hpp"
#include "engine/analysis/run.hpp"
#include "engine/timing/meter.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

/// A popover below its control, as wide as `width` and at most as high as the window leaves room. Call end()
/// if it is open.
class Popover {
 public:
  Popover(View& v, Box window, Popup which, const char* id, float width) : t_(v.theme) {
    if (v.ui.of<Popups>().wants == which) ImGui::OpenPopup(id);
    const Box anchor = v.ui.of<Popups>().anchors[size_t(which)];
    const float top = anchor.bottom() + t_.px(4), margin = t_.px(8);
    width = std::min(width, window.w - 2 * margin);
    const float x =
        clamp_or_least(anchor.right() - width, window.x + margin, window.right() - width - margin);
    ImGui::SetNextWindowPos({x, top});
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, window.bottom() - top - margin});
    open_ = begin_popup(t_, id, {t_.px(14), t_.px(12)}, ImGuiWindowFlags_NoMove);
    if (open_) ImGui::PushFont(nullptr, drawn_size(t_.px(t_.projector() ? 22 : t_.size_label)));
  }
  explicit operator bool() const { return open_; }
  void end() {
    if (ImGui::IsKeyPressed(ImGuiKey_Escape) && !ImGui::IsAnyItemActive()) ImGui::CloseCurrentPopup();
    ImGui::PopFont();
    ImGui::EndPopup();
  }

 private:
  const Theme& t_;
  bool open_ = false;
};

void heading(View& v, const std::string& words) {
  const Theme& t = v.theme;
  const float size = t.px(t.projector() ? 26 : t.size_title);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  v.text({at.x, at.y + size * 0.7f}, words, size, t.ink, Font::text_bold);
  ImGui::Dummy({v.width(words, size, Font::text_bold), size * 1.7f});
}

void show_kernel(View& v, Box window) {
  const Theme& t = v.theme;
  const bool far = t.projector();
  const float list = t.px(far ? 520 : 290), gap = t.px(20), controls = t.px(far ? 560 : 270);
  const float wide = list + gap + controls + t.px(28);
  Popover popover(v, window, Popup::kernel, "kernel popover", wide);
  if (!popover) return;
  if (wide > window.w - t.px(16)) {  // one below the other: the popover itself scrolls
    if (ImGui::BeginChild("kernels", {0, window.h * 0.36f}, ImGuiChildFlags_NavFlattened)) {
      ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
      list_of_kernels(v, ImGui::GetContentRegionAvail().x);
      ImGui::PopStyleVar();
    }
    ImGui::EndChild();
    heading(v, tr("Parameters"));
    list_of_parameters(v);
    return popover.end();
  }
  const float height = std::min(t.px(far ? 640 : 620), window.h * 0.78f);
  ImGui::BeginGroup();
  heading(v, tr("Kernels"));
  if (ImGui::BeginChild("kernels", {list, height}, ImGuiChildFlags_NavFlattened)) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    list_of_kernels(v, ImGui::GetContentRegionAvail().x);
    ImGui::PopStyleVar();
  }
  ImGui::EndChild();
  ImGui::EndGroup();
  ImGui::SameLine(0, gap);
  ImGui::BeginGroup();
  heading(v, tr("Parameters"));
  if (ImGui::BeginChild("parameters", {controls, height}, ImGuiChildFlags_NavFlattened))
    list_of_parameters(v);
  ImGui::EndChild();
  ImGui::EndGroup();
  popover.end();
}

void show_place(View& v, Box window) {
  const Theme& t = v.theme;
  LoadedState& s = v.state;
  const auto& launches = s.run->trace.launches;
  Popover popover(v, window, Popup::place, "place popover", t.px(t.projector() ? 620 : 340));
  if (!popover) return;
  heading(v, tr("Launch and block"));
  if (launches.size() > 1) {
    const float row = ImGui::GetFrameHeightWithSpacing();
    if (ImGui::BeginChild("launches", {0, std::min(float(launches.size()), 9.0f) * row},
                          ImGuiChildFlags_NavFlattened))
      for (int l = 0; l < int(launches.size()); ++l) {
        const Launch& launch = launches[size_t(l)];
        const std::string blocks = tr_count(launch.grid, "{} block", "{} blocks");
        const std::string number = std::to_string(launch_number(s.run->trace, l));
        const bool named = l <= s.cursor.launch || !s.lesson.hides_future();
        const std::string words = (named ? numbered(s.run->trace, launch, number, tr(": ")) : number) +
                                  (is_between_launches(launch) ? "" : "  " + blocks);
        if (ImGui::Selectable((words + "###launch" + std::to_string(l)).c_str(), l == s.cursor.launch,
                              ImGuiSelectableFlags_NoAutoClosePopups))
          s = to_launch(std::move(s), l);
      }
    ImGui::EndChild();
  }
  const int grid = launches[size_t(s.cursor.launch)].grid;
  int block = s.cursor.block;
  ImGui::TextUnformatted(tr("block {} of {}", block, grid).c_str());
  tip_of_item(t, definition("block"));
  if (grid > 1) {
    ImGui::SetNextItemWidth(-1);
    if (ImGui::SliderInt("##block", &block, 0, grid - 1)) s = to_block(std::move(s), block);
    ImGui::SetNextItemWidth(-1);
    if (ImGui::InputInt("##block number", &block, 1, 16)) s = to_block(std::move(s), block);
  }
  popover.end();
}

/// The schedule; true: another order was chosen.
bool orders(Target& next) {
  struct Order {
    const char *name, *means;
  };
  ImGui::Spacing();
  ImGui::TextWrapped("%s", tr("Order of the threads").c_str());
  const std::string now = order_of(next);
  bool changed = false;
  for (const Order& o :
       {Order{tr_noop("auto"), tr_noop("as it comes; in lockstep where the order could matter")},
        Order{tr_noop("to-barrier"), tr_noop("each thread runs to the next barrier")},
        Order{tr_noop("lockstep"), tr_noop("a warp's lanes go line by line, together")},
        Order{tr_noop("shuffled"), tr_noop("lockstep, warps in an order drawn by the seed")}}) {
    if (!radio(tr(o.name) + ": " + tr(o.means), o.name, now == o.name)) continue;
    set_order(next, o.name);
    changed = true;
  }
  return changed;
}

void show_device(View& v, Box window) {
  const Theme& t = v.theme;
  LoadedState& s = v.state;
  Popover popover(v, window, Popup::device, "device popover", t.px(t.projector() ? 700 : 440));
  if (!popover) return;
  heading(v, tr("Traced on"));
  const Algorithm* algorithm = algorithm_of(s.run->trace.kernel);
  if (s.target.is_program()) {
    ImGui::TextWrapped("%s", tr("Your own program, run by the CPU executor.").c_str());
    if (Target next = s.target; orders(next)) s.wanted = std::move(next);
    return popover.end();
  }
  if (s.target.is_file() || !algorithm) {
    ImGui::TextWrapped("%s", tr("A recorded run, made on {}.", s.run->trace.device).c_str());
    return popover.end();
  }
  static const auto found = gpu();
  Target next = s.target;
  const bool can = found && algorithm->gpu;
  bool changed = false;
  if (radio("CPU", "CPU", next.device == Device::cpu)) {
    next.device = Device::cpu;
    changed = true;
  }
  ImGui::BeginDisabled(!can);
  if (radio(can ? found->name : "GPU", "GPU", next.device == Device::gpu)) {
    next.device = Device::gpu;
    next.schedule = {};
    changed = true;
  }
  ImGui::EndDisabled();
  if (!can)
    ImGui::TextWrapped(
        "%s", (found ? tr("This program was built without the kernel's GPU half.")
                     : tr("There is no GPU here. Kernels run on a CPU executor that records the same trace."))
                  .c_str());
  if (next.device == Device::cpu) changed |= orders(next);
  if (changed)
    v.ui.dispatcher.dispatch(s, [next, &runs = v.ui.runs](LoadedState& now) {
      now = opened(std::move(now), next, Where::nowhere, runs);
    });
  popover.end();
}

void show_options(View& v, Box window) {
  const Theme& t = v.theme;
  LoadedState& s = v.state;
  Popover popover(v, window, Popup::options, "options popover", t.px(t.projector() ? 560 : 300));
  if (!popover) return;
  heading(v, tr("Language"));
  if (ImGui::RadioButton("English", s.language == Language::en)) s.language = Language::en;
  ImGui::SameLine();
  if (ImGui::RadioButton("\u4e2d\u6587", s.language == Language::zh)) s.language = Language::zh;
  ImGui::Spacing();
  heading(v, tr("Looks"));
  struct Look {
    ThemeName name;
    const char* words;
  };
  for (const Look& l : {Look{ThemeName::dark, tr_noop("Dark")}, Look{ThemeName::light, tr_noop("Light")},
                        Look{ThemeName::projector, tr_noop("Projector (F5)")}}) {
    if (radio(tr(l.words), name_of(l.name), s.theme == l.name)) s = to_theme(std::move(s), l.name);
    if (l.name == ThemeName::dark) ImGui::SameLine();
  }
  ImGui::Spacing();
  heading(v, tr("Motion"));
  bool still = s.reduced_motion;
  if (ImGui::Checkbox((tr("Steps change at once") + "###still").c_str(), &still)) {
    s.reduced_motion = still;
    if (still) s.cursor.phase = 1;
  }
  int speed = int(std::lround(std::log2(s.speed)));
  ImGui::SetNextItemWidth(-1);
  if (ImGui::SliderInt("##speed", &speed, -2, 2, tr("speed {}", s.speed).c_str()))
    s.speed = std::exp2(float(speed));
  popover.end();
}

}  // namespace

void show_popovers(View& v, Box window) {
  show_kernel(v, window);
  show_place(v, window);
  show_device(v, window);
  show_options(v, window);
}

}  // namespace bscope
