// The list of algorithms by family, and the panel at the left of Watch: list, parameters, legend.
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/draw/theme.hpp"
#include "app/run/run.hpp"
#include "app/run/titles.hpp"
#include "app/run/troubles.hpp"
#include "app/session/state.hpp"
#include "app/shell/kernel_list.hpp"
#include "app/shell/painter.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/parameter_list.hpp"
#include "app/shell/settings_file.hpp"
#include "app/shell/ui_state.hpp"
#include "app/tabs/watch/signs.hpp"
#include "app/words/glossary.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/work.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/run_spec.hpp"

namespace bscope {
namespace {

/// A heading that folds its family away; returns whether its kernels are shown.
bool family_heading(View& v, const std::string& family, float width, float space) {
  const Theme& t = v.theme;
  const float row = t.px(t.projector() ? 40 : 24), size = t.px(t.projector() ? 22 : 12);
  if (space > 0) ImGui::Dummy({width, space});
  const ImVec2 at = ImGui::GetCursorScreenPos();
  auto& folded = v.ui.of<SettingsFile>().settings.folded;
  const auto found = std::find(folded.begin(), folded.end(), family);
  bool open = found == folded.end();
  ImGui::PushID(family.c_str());
  if (ImGui::InvisibleButton("family", {width, row}, ImGuiButtonFlags_EnableNav)) {
    if (open)
      folded.push_back(family);
    else
      folded.erase(found);
    open = !open;
  }
  ImGui::PopID();
  const bool lit = ImGui::IsItemHovered() || ImGui::IsItemFocused();
  v.text({at.x + t.px(8), at.y + row / 2}, family_name(family), size, lit ? t.ink : t.ink3, Font::text_bold);
  // a small triangle: down when open, to the right when folded; only where it says something
  if (!open || lit) {
    Picture picture;
    Pen pen(picture, v.metrics);
    const float x = at.x + t.px(8) + v.width(family_name(family), size, Font::text_bold) + t.px(12),
                y = at.y + row / 2, u = t.px(3.5f);
    if (open)
      pen.polygon({{x - u, y - u * 0.7f}, {x + u, y - u * 0.7f}, {x, y + u * 0.8f}}, t.ink2);
    else
      pen.polygon({{x - u * 0.7f, y - u}, {x + u * 0.8f, y}, {x - u * 0.7f, y + u}}, t.ink2);
    v.painter.draw(picture, {0, 0}, ImGui::GetWindowDrawList());
  }
  return open;
}

void bars(View& v, const KernelSummary& summary, Box box, Colour c) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const size_t n = summary.working.size();
  if (n == 0) return;
  // Long runs: the busiest step of each bar.
  const size_t shown = std::min<size_t>(n, 12);
  const float pitch = std::min(v.theme.px(5), box.w / float(shown));
  for (size_t i = 0; i < shown; ++i) {
    const size_t from = i * n / shown, to = std::max(from + 1, (i + 1) * n / shown);
    const float share =
        *std::max_element(summary.working.begin() + long(from), summary.working.begin() + long(to));
    const float x = box.right() - pitch * float(shown - i);
    const float h = std::max(1.0f, box.h * share);
    list->AddRectFilled({std::round(x), std::round(box.bottom() - h)},
                        {std::round(x + pitch - v.theme.px(1)), std::round(box.bottom())}, screen(c));
  }
}

/// The legend: what the shapes and colours mean.
void legend(View& v, Box b) {
  const Theme& t = v.theme;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const char* tips[sign_count] = {
      tr_noop("A value is read from a cell."),
      tr_noop("A value is written into a cell; others see it when the barrier opens."),
      tr_noop("This step has changed the cell."),
      tr_noop("A thread that reads, computes or writes in this step."),
      tr_noop("A thread that does nothing in this step but wait at the barrier."),
      nullptr,
      tr_noop("An atomic reads, changes and writes a cell in one step that no other thread can interrupt."),
      tr_noop("Wavefronts or sectors beyond the fewest that would do: lanes that wait for a bank, or "
              "atomics in a queue."),
      tr_noop("A thread that waits for ever: nothing releases it. That is a deadlock.")};
  const bool stuck = std::ranges::any_of(v.state.run->trace.findings,
                                         [](const Finding& f) { return f.kind == FindingKind::deadlock; });
  const int all = stuck ? sign_count : int(Sign::stuck);  // no other run has that sign
  std::string words[sign_count];
  for (int i = 0; i < all; ++i) words[i] = word_for(Sign(i));
  const float w = t.px(14), h = t.px(10), gap = t.px(6), size = t.px(12);
  // three columns as wide as their words, the room left over between them
  float columns[3], taken = 0;
  for (int i = 0; i < 3; ++i) {
    columns[i] = 0;
    for (int k = i; k < all; k += 3) columns[i] = std::max(columns[i], w + gap + v.width(words[k], size));
    taken += columns[i];
  }
  for (int i = 0; i < all; ++i) {
    float x = b.x;
    for (int c = 0; c < i % 3; ++c) x += columns[c] + (b.w - taken) / 2;
    const float y = b.y + t.px(10) + t.px(24) * float(i / 3);
    Picture picture;
    Pen pen(picture, v.metrics);
    draw_sign(pen, t, Sign(i), {x, y - h / 2, w, h});
    pen.text({x + w + gap, y}, words[i], size, t.ink2);
    tip_over(t, {x, y - t.px(12), columns[i % 3], t.px(24)}, tips[i] ? tr(tips[i]) : definition("barrier"));
    v.painter.draw(picture, {0, 0}, list);
  }
}

/// A kernel's title, and at the right its threads at work over the steps or what is wrong with it.
static void kernel_row(View& v, const Algorithm& a, ImVec2 p, float width, float row, bool open) {
  const Theme& t = v.theme;
  const float size = t.px(t.projector() ? 22 : t.size_label);
  const auto summary = v.ui.of<KernelList>().summaries.find(a.name);
  float right = p.x + width - t.px(8);
  if (summary != v.ui.of<KernelList>().summaries.end()) {
    if (const std::string& trouble = summary->second.trouble; !trouble.empty()) {
      // never race text on `selected`: the role's contrast is not enough there
      const std::string word = tr(trouble);
      v.text({right, p.y + row / 2}, word, size, open ? t.ink : t.race, Font::text_bold, Align::right);
      right -= v.width(word, size, Font::text_bold);
    } else {
      const float w = t.px(60);
      bars(v, summary->second, {right - w, p.y + row * 0.2f, w, row * 0.6f}, open ? t.thread : t.idle);
      right -= t.px(5) * float(std::min<size_t>(summary->second.working.size(), 12));
    }
  }
  const float room = right - p.x - t.px(18);
  Picture unused;
  const std::string name =
      Pen(unused, v.metrics).fitted(tr(a.title), room, size, open ? Font::text_bold : Font::text);
  v.text({p.x + t.px(12), p.y + row / 2}, name, size, open ? t.ink : t.ink2,
         open ? Font::text_bold : Font::text);
}

}  // namespace

bool summarise_next(Summaries& summaries) {
  for (const Algorithm* a : catalog()) {
    auto [at, fresh] = summaries.try_emplace(a->name);
    if (!fresh) continue;
    try {
      RunSpec request;
      request.kernel = a->name;
      const auto run = open_run(request);
      const DataflowGraph& flow = run->report.flow;
      at->second.trouble = troubles(*run).word;
      for (const Interval& i : flow.intervals)
        if (i.block == 0)
          at->second.working.push_back(float(active_threads(flow, i).size()) /
                                       float(run->trace.launches[size_t(i.launch)].block));
    } catch (const std::exception&) {
      // A kernel whose default run fails has no bars; opening it says why.
    }
    return true;
  }
  return false;
}

void list_of_kernels(View& v, float width) {
  const Theme& t = v.theme;
  const float row = t.px(t.projector() ? 40 : 24);
  std::string family;
  bool unfolded = true;
  // the panel and the popover scroll each for itself
  std::string& listed = v.ui.of<KernelList>().scrolled_to[ImGui::GetCurrentWindowRead()->ID];
  const auto& all = catalog();
  for (const Algorithm* a : all) {
    if (a->family() != family) {
      const float space = family.empty() ? 0 : t.px(8);
      family = a->family();
      unfolded = family_heading(v, family, width, space);
    }
    if (!unfolded) continue;
    const ImVec2 p = ImGui::GetCursorScreenPos();
    ImGui::PushID(a->name.c_str());
    const bool open = v.state.run->trace.kernel == a->name;
    if (ImGui::InvisibleButton("kernel", {width, row}, ImGuiButtonFlags_EnableNav) &&
        (!open || v.state.target.is_file())) {
      v.ui.dispatcher.cancel();
      v.ui.dispatcher.dispatch(v.state, [a, &runs = v.ui.runs](LoadedState& s) {
        s = with_kernel(std::move(s), a->name, Where::parameters, runs);
      });
      // it was in sight: the list stays as it is under the mouse
      listed = v.state.run->trace.kernel;
      v.ui.of<KernelList>().pin = ImGui::GetScrollY();
    }
    const bool hovered = ImGui::IsItemHovered() || ImGui::IsItemFocused();
    tip_of_item(t, tr(a->lesson));
    ImGui::PopID();
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (open || hovered)
      list->AddRectFilled(p, {p.x + width, p.y + row}, screen(open ? t.selected : t.cell), t.px(4));
    if (open) list->AddRectFilled(p, {p.x + t.px(3), p.y + row}, screen(t.thread));
    if (open && listed != a->name) {
      listed = a->name;
      v.ui.of<KernelList>().pin = -1;
      ImGui::ScrollToRect(ImGui::GetCurrentWindow(), {p, {p.x + width, p.y + row}},
                          ImGuiScrollFlags_KeepVisibleCenterY);
    }
    kernel_row(v, *a, p, width, row, open);
  }
}

float kernels_width(const View& v) {
  const bool shown =
      v.state.tab == main_tab && !v.state.only_run && !v.theme.projector() && !v.state.lesson.open;
  return shown ? v.theme.px(232) + v.theme.px(8) : 0;
}

void show_kernels(View& v, Box b) {
  const Theme& t = v.theme;
  v.frame(b);
  const float inner = t.px(14), title = t.px(t.size_title);
  v.text({b.x + inner, b.y + t.px(20)}, tr("Kernels"), title, t.ink, Font::text_bold);
  v.text({b.right() - inner, b.y + t.px(20)}, tr("threads / step"), t.px(11), t.ink3, Font::text,
         Align::right);

  // Parameters take what they need, the list the rest; each scrolls if it must. While the mouse goes from
  // kernel to kernel, the list stays as high as it is, so that no row moves away below it.
  float& wanted = v.ui.of<ParameterList>().height;
  const float legend_height = t.px(86), top = b.y + t.px(38), bottom = b.bottom() - legend_height;
  const float most = (bottom - top) * 0.62f;
  const float parameter_height = std::min(most, wanted > 0 ? wanted + t.px(44) : most);
  const float split = bottom - parameter_height;

  ImGui::SetCursorScreenPos({b.x + t.px(6), top});
  if (ImGui::BeginChild("kernels", {b.w - t.px(12), split - top - t.px(6)}, 0, ImGuiWindowFlags_NoNav)) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    list_of_kernels(v, ImGui::GetContentRegionAvail().x);
    ImGui::PopStyleVar();
    if (!ImGui::IsWindowHovered()) v.ui.of<KernelList>().pin = -1;
  }
  ImGui::EndChild();

  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({b.x + inner, split}, {b.right() - inner, split + 1}, screen(t.line));
  v.text({b.x + inner, split + t.px(18)}, tr("Parameters"), title, t.ink, Font::text_bold);
  ImGui::SetCursorScreenPos({b.x + inner, split + t.px(36)});
  if (ImGui::BeginChild("parameters", {b.w - 2 * inner, bottom - split - t.px(38)}, 0,
                        ImGuiWindowFlags_NoNav)) {
    const float from = ImGui::GetCursorPosY();
    list_of_parameters(v);
    if (v.ui.of<KernelList>().pin < 0) wanted = ImGui::GetCursorPosY() - from;
  }
  ImGui::EndChild();
  list->AddRectFilled({b.x + inner, bottom}, {b.right() - inner, bottom + 1}, screen(t.line));
  legend(v, {b.x + inner, bottom + t.px(8), b.w - 2 * inner, legend_height - t.px(8)});
}

}  // namespace bscope
