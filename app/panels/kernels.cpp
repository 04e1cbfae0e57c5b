// The list of algorithms by family, and the parameters of the open one. Any change traces again at once.
#include <imgui.h>
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

#include "app/panels/panel.hpp"

namespace bscope {
namespace {

std::string family_title(const std::string& family) {
  if (family == "reduce") return "Reduction";
  std::string title = family;
  if (!title.empty()) title[0] = char(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
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

void list_of_kernels(View& v, float width) {
  const Theme& t = v.theme;
  const float size = t.px(t.size_label), row = t.px(24);
  std::string family;
  const auto& all = catalog();
  for (const Algorithm* a : all) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (a->family() != family) {
      const float space = family.empty() ? 0 : t.px(8);
      family = a->family();
      v.text({at.x + t.px(8), at.y + space + row / 2}, family_title(family), t.px(12), t.ink3,
             Font::text_bold);
      ImGui::Dummy({width, row + space});
    }
    const ImVec2 p = ImGui::GetCursorScreenPos();
    ImGui::PushID(a->name.c_str());
    const bool open = v.state.run->trace.kernel == a->name;
    if (ImGui::InvisibleButton("kernel", {width, row}) && (!open || v.state.target.is_file())) {
      // What was typed for another kernel stays where it means something: size and input, not its parameters.
      Target target;
      target.request.kernel = a->name;
      target.device = v.state.target.is_file() ? Device::cpu : v.state.target.device;
      target.request.pattern = v.state.target.request.pattern;
      target.request.seed = v.state.target.request.seed;
      v.state = opened(std::move(v.state), target, Where::parameters);
    }
    const bool hovered = ImGui::IsItemHovered();
    if (hovered && !a->lesson.empty()) ImGui::SetItemTooltip("%s", a->lesson.c_str());
    ImGui::PopID();
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (open || hovered)
      list->AddRectFilled(p, {p.x + width, p.y + row}, screen(open ? t.selected : t.cell), t.px(4));
    if (open) list->AddRectFilled(p, {p.x + t.px(3), p.y + row}, screen(t.thread));
    if (open && v.kept.listed != a->name) {
      v.kept.listed = a->name;
      ImGui::SetScrollHereY(0.5f);
    }
    const auto summary = v.kept.summaries.find(a->name);
    float right = p.x + width - t.px(8);
    if (summary != v.kept.summaries.end()) {
      if (const std::string& trouble = summary->second.trouble; !trouble.empty()) {
        // never race text on `selected`: the role's contrast is not enough there
        v.text({right, p.y + row / 2}, trouble, size, open ? t.ink : t.race, Font::text_bold, Align::right);
        right -= v.width(trouble, size, Font::text_bold);
      } else {
        const float w = t.px(60);
        bars(v, summary->second, {right - w, p.y + row * 0.2f, w, row * 0.6f}, open ? t.thread : t.idle);
        right -= t.px(5) * float(std::min<size_t>(summary->second.working.size(), 12));
      }
    }
    const float room = right - p.x - t.px(18);
    Picture unused;
    const std::string name =
        Pen(unused, v.metrics).fitted(a->title, room, size, open ? Font::text_bold : Font::text);
    v.text({p.x + t.px(12), p.y + row / 2}, name, size, open ? t.ink : t.ink2,
           open ? Font::text_bold : Font::text);
  }
}

/// A label at the left, room for a control of `width` at the right.
void label(View& v, const char* words, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetFrameHeight();
  v.text({at.x, at.y + height / 2}, words, v.theme.px(v.theme.size_label), v.theme.ink2);
  ImGui::SetCursorScreenPos({at.x + ImGui::GetContentRegionAvail().x - width, at.y});
  ImGui::SetNextItemWidth(width);
}

bool choice(const char* id, std::string& chosen, const std::vector<std::string>& values) {
  bool changed = false;
  if (ImGui::BeginCombo(id, chosen.c_str(), ImGuiComboFlags_HeightLarge)) {
    for (const std::string& value : values) {
      if (ImGui::Selectable(value.c_str(), value == chosen)) {
        chosen = value;
        changed = true;
      }
      if (value == chosen) ImGui::SetItemDefaultFocus();
    }
    ImGui::EndCombo();
  }
  return changed;
}

std::string in_use(const Trace& t, const std::string& name) {
  for (const auto& [key, value] : t.parameters)
    if (key == name) return value;
  return {};
}

/// "3, 1,7" -> numbers. Empty if one is no number.
std::optional<std::vector<double>> numbers(const std::string& text) {
  std::vector<double> out;
  const char *p = text.data(), *end = p + text.size();
  while (true) {
    while (p < end && (*p == ',' || std::isspace(static_cast<unsigned char>(*p)))) ++p;
    if (p == end) return out;
    double value = 0;
    const auto [next, error] = std::from_chars(p, end, value);
    if (error != std::errc()) return {};
    out.push_back(value);
    p = next;
  }
}

void parameters(View& v) {
  const Theme& t = v.theme;
  const Trace& trace = v.state.run->trace;
  const auto& all = catalog();
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const Algorithm* a) { return a->name == v.state.target.request.kernel; });
  if (v.state.target.is_file() || found == all.end()) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted("A recorded run. Choose a kernel above to change parameters.");
    for (const auto& [name, value] : trace.parameters) ImGui::Text("%s = %s", name.c_str(), value.c_str());
    ImGui::PopTextWrapPos();
    return;
  }
  const Algorithm& a = **found;
  Target next = v.state.target;
  Request& r = next.request;
  bool changed = false;
  const float width = t.px(118);

  label(v, "n", width);
  int n = 0;
  const std::string used_n = in_use(trace, "n");
  std::from_chars(used_n.data(), used_n.data() + used_n.size(), n);
  if (r.n) n = int(*r.n);
  if (ImGui::InputInt("##n", &n, 1, 16)) {
    r.n = n;
    r.values.reset();
    r.input_file.clear();
    changed = true;
  }

  label(v, "block", width);
  std::vector<std::string> blocks{"auto"};
  for (int b : legal_blocks(a))
    if ((b & (b - 1)) == 0) blocks.push_back(std::to_string(b));
  std::string block = r.block ? std::to_string(*r.block) : "auto: " + in_use(trace, "block");
  if (choice("##block", block, blocks)) {
    r.block.reset();
    if (block != "auto") r.block = std::stoll(block);
    changed = true;
  }

  label(v, "pattern", width);
  std::string pattern = r.values || !r.input_file.empty() ? "typed"
                        : r.pattern.empty()               ? "random"
                                                          : r.pattern;
  if (choice("##pattern", pattern, {"ones", "ramp", "random", "sine", "skewed"})) {
    if (r.values) r.n = long(r.values->size());
    r.pattern = pattern;
    r.values.reset();
    r.input_file.clear();
    r.preset.clear();
    changed = true;
  }
  if (r.pattern == "skewed") {
    label(v, "skew", width);
    float skew = float(r.skew.value_or(0.5));
    if (ImGui::SliderFloat("##skew", &skew, 0, 1, "%.2f")) {
      r.skew = double(skew);
      changed = true;
    }
  }

  label(v, "seed", width);
  int seed = int(r.seed);
  if (ImGui::InputInt("##seed", &seed)) {
    r.seed = uint32_t(std::max(0, seed));
    if (next.schedule.kind == Schedule::shuffled) next.schedule.seed = r.seed;
    changed = true;
  }

  label(v, "values", width);
  std::string& typed = v.kept.values;
  const bool entered =
      ImGui::InputTextWithHint("##values", "3, 1, 7, ...", &typed, ImGuiInputTextFlags_EnterReturnsTrue);
  if (entered || ImGui::IsItemDeactivatedAfterEdit()) {
    if (const auto values = numbers(typed); !values) {
      v.state.error = "\"" + typed + "\" is not a list of numbers: separate them with commas or spaces";
      v.state.error_at = Where::parameters;
    } else {
      r.values.reset();
      if (!values->empty()) {
        r.values = *values;
        r.n.reset();
      }
      r.preset.clear();
      changed = true;
    }
  }

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
    label(v, p.name.c_str(), width);
    const std::string* given = setting(p.name);
    std::string value = given ? *given : in_use(trace, p.name);
    if (value.empty()) value = p.initial.text;
    const std::string id = "##" + p.name;
    if (!p.values.empty()) {
      std::vector<std::string> values;
      for (const Choice& c : p.values) values.push_back(c.text);
      if (choice(id.c_str(), value, values)) set(p.name, value);
    } else {
      int number = 0;
      std::from_chars(value.data(), value.data() + value.size(), number);
      if (ImGui::InputInt(id.c_str(), &number))
        set(p.name, std::to_string(std::clamp(number, p.least, p.most)));
    }
  }

  if (!a.presets.empty()) {
    label(v, "preset", width);
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

  label(v, "order", width);
  std::string order = next.schedule.kind == Schedule::shuffled ? "shuffled" : name_of(next.schedule);
  if (choice("##order", order, {"auto", "to-barrier", "lockstep", "shuffled"})) {
    next.schedule = parse_schedule(order == "shuffled" ? "shuffle:" + std::to_string(r.seed) : order);
    changed = true;
  }

  static const bool has_gpu = gpu().has_value();
  if (has_gpu && a.gpu) {
    label(v, "device", width);
    std::string device = next.device == Device::gpu ? "GPU" : "CPU";
    if (choice("##device", device, {"CPU", "GPU"})) {
      next.device = device == "GPU" ? Device::gpu : Device::cpu;
      changed = true;
    }
  }

  if (changed) {
    State after = opened(v.state, next, Where::parameters);
    // What was typed stays on screen beside the error that it made.
    if (after.error_at == Where::parameters) after.target = next;
    v.state = std::move(after);
  }
}

/// The legend of picture A: what the shapes and colours mean.
void legend(View& v, Box b) {
  const Theme& t = v.theme;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const char* words[] = {"read", "write", "changed", "working", "idle", "barrier"};
  const float w = t.px(14), h = t.px(10), gap = t.px(6), size = t.px(12);
  // three columns as wide as their words, the room left over between them
  float columns[3], taken = 0;
  for (int i = 0; i < 3; ++i) {
    columns[i] = w + gap + std::max(v.width(words[i], size), v.width(words[i + 3], size));
    taken += columns[i];
  }
  for (int i = 0; i < 6; ++i) {
    float x = b.x;
    for (int c = 0; c < i % 3; ++c) x += columns[c] + (b.w - taken) / 2;
    const float y = b.y + t.px(10) + t.px(24) * float(i / 3);
    Picture picture;
    Pen pen(picture, v.metrics);
    const Box box{x, y - h / 2, w, h};
    if (i < 2) {
      const Colour c = i == 0 ? t.read : t.write;
      pen.line({x, y}, {x + w - t.px(5), y}, c, t.px(2));
      pen.arrow_head({x + w, y}, {1, 0}, t.px(7), c);
    } else if (i == 2) {
      pen.rect(box, t.changed, t.dark() ? 0 : t.ink, 1, t.px(2));
    } else if (i == 3) {
      pen.rect(box, t.thread, 0, 1, t.px(2));
    } else if (i == 4) {
      pen.hatch(box, t.idle, t.px(4));
      pen.rect(box, 0, t.idle, 1, t.px(2));
    } else {
      pen.line({x, y}, {x + w, y}, t.barrier, t.px(2), t.px(4));
    }
    pen.text({x + w + gap, y}, words[i], size, t.ink2);
    v.painter.draw(picture, {0, 0}, list);
  }
}

}  // namespace

bool summarise_next(Summaries& summaries) {
  for (const Algorithm* a : catalog()) {
    auto [at, fresh] = summaries.try_emplace(a->name);
    if (!fresh) continue;
    try {
      Request request;
      request.kernel = a->name;
      const auto run = open_run(request);
      const Flow& flow = run->report.flow;
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

void show_kernels(View& v, Box b) {
  const Theme& t = v.theme;
  v.frame(b);
  const float inner = t.px(14), title = t.px(t.size_title);
  v.text({b.x + inner, b.y + t.px(20)}, "Kernels", title, t.ink, Font::text_bold);
  v.text({b.right() - inner, b.y + t.px(20)}, "threads / step", t.px(11), t.ink3, Font::text, Align::right);

  // Parameters take what they need, the list the rest; each scrolls if it must.
  float& wanted = v.kept.parameter_height;
  const float legend_height = t.px(62), top = b.y + t.px(38), bottom = b.bottom() - legend_height;
  const float most = (bottom - top) * 0.62f;
  const float parameter_height = std::min(most, wanted > 0 ? wanted + t.px(44) : most);
  const float split = bottom - parameter_height;

  ImGui::SetCursorScreenPos({b.x + t.px(6), top});
  if (ImGui::BeginChild("kernels", {b.w - t.px(12), split - top - t.px(6)}, 0, ImGuiWindowFlags_NoNav)) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    list_of_kernels(v, ImGui::GetContentRegionAvail().x);
    ImGui::PopStyleVar();
  }
  ImGui::EndChild();

  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({b.x + inner, split}, {b.right() - inner, split + 1}, screen(t.line));
  v.text({b.x + inner, split + t.px(18)}, "Parameters", title, t.ink, Font::text_bold);
  ImGui::SetCursorScreenPos({b.x + inner, split + t.px(36)});
  if (ImGui::BeginChild("parameters", {b.w - 2 * inner, bottom - split - t.px(38)}, 0,
                        ImGuiWindowFlags_NoNav)) {
    const float from = ImGui::GetCursorPosY();
    if (v.state.error_at == Where::parameters) {
      ImGui::PushTextWrapPos(0);
      ImGui::PushStyleColor(ImGuiCol_Text, screen(t.race));
      ImGui::TextUnformatted(v.state.error.c_str());
      ImGui::PopStyleColor();
      ImGui::PopTextWrapPos();
    }
    parameters(v);
    wanted = ImGui::GetCursorPosY() - from;
  }
  ImGui::EndChild();
  list->AddRectFilled({b.x + inner, bottom}, {b.right() - inner, bottom + 1}, screen(t.line));
  legend(v, {b.x + inner, bottom + t.px(8), b.w - 2 * inner, legend_height - t.px(8)});
}

}  // namespace bscope
