#include "app/lessons/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "app/run/request_text.hpp"
#include "app/run/run.hpp"
#include "app/session/tab.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/edit_distance.hpp"
#include "engine/cuda/toolchain/program.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

using Value = const std::string&;

[[noreturn]] void wrong(Message why) { throw UsageError(std::move(why)); }

std::vector<std::string> words_of(Value s) {
  std::vector<std::string> out;
  constexpr const char* between = " ,\t";
  for (size_t at = s.find_first_not_of(between); at != std::string::npos;) {
    const size_t end = std::min(s.find_first_of(between, at), s.size());
    out.push_back(s.substr(at, end - at));
    at = s.find_first_not_of(between, end);
  }
  return out;
}

/// A number with nothing behind it, also 2^20.
std::optional<double> number(Value s) {
  if (s.starts_with("2^")) {
    const long long power = as_whole(std::string_view(s).substr(2)).value_or(-1);
    return power < 0 || power > 40 ? std::nullopt : std::optional(std::ldexp(1.0, int(power)));
  }
  double v = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), v);
  const bool all = !s.empty() && error == std::errc() && end == s.data() + s.size() && std::isfinite(v);
  return all ? std::optional(v) : std::nullopt;
}
std::optional<int> whole(Value s) {
  const auto v = number(s);
  return v && *v == std::floor(*v) && std::abs(*v) <= 2e9 ? std::optional(int(*v)) : std::nullopt;
}

/// The value as a count from `least` up; `what` it should have been.
int count(const char* name, Value value, int least, const Message& what) {
  const auto v = whole(value);
  if (!v || *v < least) wrong(message("\"{}: {}\" is not {}", name, value, what));
  return *v;
}
bool yes(const char* name, Value value) {
  if (value != "yes" && value != "no")
    wrong(message("\"{}: {}\" is neither yes nor no: write one of them", name, value));
  return value == "yes";
}
void need_kernel(Value name) {
  if (algorithm_of(name)) return;
  const auto near =
      std::ranges::min(catalog(), {}, [&](const Algorithm* a) { return edit_distance(a->name, name); });
  wrong(message("there is no kernel \"{}\": did you mean {}? `barrierscope list` names them all", name,
                near->name));
}

/// One of the ways to say which elements: the others are no more.
RunSpec& input(LessonStep& s) {
  RunSpec& r = s.target.request;
  r.n.reset();
  r.values.reset();
  r.preset.clear();
  return r;
}

void take_n(LessonStep& s, Value value) {
  const int n = count("n", value, 1, message("a number of elements: write for example n: 16"));
  input(s).n = n;
}
void take_values(LessonStep& s, Value value) {
  std::vector<double> values;
  for (const std::string& word : words_of(value)) {
    const auto v = number(word);
    if (!v) wrong(message("\"{}\" is not a number: write for example values: 3 1 7 0", word));
    values.push_back(*v);
  }
  input(s).values = std::move(values);
}
void take_pattern(LessonStep& s, Value value) {
  constexpr std::array known{"ones", "ramp", "random", "sine", "skewed"};
  if (std::ranges::find(known, value) == known.end())
    wrong(message("there is no pattern \"{}\": choose ones, ramp, random, sine or skewed", value));
  s.target.request.pattern = value;
  s.target.request.values.reset();
}
void take_skew(LessonStep& s, Value value) {
  const auto v = number(value);
  if (!v || *v < 0 || *v > 1)
    wrong(message("\"{}: {}\" is not {}", "skew", value, message("a share: write a number from 0 to 1")));
  s.target.request.skew = *v;
}
void take_block(LessonStep& s, Value value) {
  s.target.request.block.reset();
  if (value != "auto")
    s.target.request.block =
        count("block", value, 1, message("a number of threads: write for example block: 8, or auto"));
}
void take_set(LessonStep& s, Value value) {
  auto& set = s.target.request.set;
  for (const std::string& word : words_of(value)) {
    const size_t sign = word.find('=');
    if (sign == 0 || sign == std::string::npos || sign + 1 == word.size())
      wrong(message("\"{}\" sets no parameter: write set: name=value", word));
    const std::string name = word.substr(0, sign);
    std::erase_if(set, [&](const auto& p) { return p.first == name; });
    set.emplace_back(name, word.substr(sign + 1));
  }
}
/// "block 3": which block of the launch
void take_look(LessonStep& s, Value value) {
  const auto w = words_of(value);
  const auto v = w.size() == 2 && w[0] == "block" ? whole(w[1]) : std::nullopt;
  if (!v || *v < 0) wrong(message("\"look: {}\" names no block: write look: block 0", value));
  s.location.block = *v;
}
void take_step(LessonStep& s, Value value) {
  s.location.step = value == "last"
                        ? 0
                        : count("step", value, 1,
                                message("a step: they count from 1, as below the transport; or write last"));
}
/// "up-sweep 2": the second step of a phase
void take_phase(LessonStep& s, Value value) {
  const size_t space = value.find_last_of(' ');
  const auto of = space == std::string::npos ? std::nullopt : whole(value.substr(space + 1));
  s.location.phase = of ? value.substr(0, value.find_last_not_of(' ', space) + 1) : value;
  if (of && s.line_of("step") != s.line)
    wrong(message(
        "the step within the phase is set twice: leave out \"step\", or the number behind the phase"));
  if (of) s.location.step = *of;
}
void take_cell(LessonStep& s, Value value) {
  if (!value.ends_with(']') || value.find('[') == std::string::npos)
    wrong(message("\"cell: {}\" names no cell: write for example cell: sum[15]", value));
  s.location.cell = value;
}
void take_zoom(LessonStep& s, Value value) {
  const auto w = words_of(value);
  const auto factor = number(w.empty() ? "" : w[0]);
  const auto at = w.size() == 3 && w[1] == "at" ? whole(w[2]) : std::nullopt;
  if (!factor || *factor < 1 || (w.size() != 1 && !at))
    wrong(message("\"zoom: {}\" is no zoom: write zoom: 8, or zoom: 8 at 64", value));
  s.location.zoom = float(*factor);
  s.location.first_cell = at.value_or(0);
}
void take_tab(LessonStep& s, Value value) {
  const Tab* tab = tab_named(value);
  if (!tab) wrong(message("there is no tab \"{}\": choose one of {}", value, tab_names()));
  s.tab = tab->name;
}
/// A kernel, or a program and constants of it: "transpose.cu PAD=1".
void take_compare(LessonStep& s, Value value) {
  s.compare = {.kernel = value};
  const auto words = words_of(value);
  if (!words.empty() && cuda::is_cuda_source(words[0])) {
    s.compare = {.file = words[0]};
    for (size_t k = 1; k < words.size(); ++k) {
      cuda::parse_setting(words[k]);
      s.compare.set += (k > 1 ? " " : "") + words[k];
    }
  } else if (!algorithm_of(value)) {
    wrong(message("there is no kernel \"{}\" to compare with: `barrierscope list` names them all", value));
  }
}
void take_file(LessonStep& s, Value value) {
  s.target.file = value;
  if (!cuda::is_cuda_source(value) || value.find('/') != std::string::npos)
    wrong(
        message("\"file: {}\" names no CUDA file: write the name of one that lies beside the lesson, "
                "file: transpose.cu",
                value));
}
/// "N=64 TILE=16": those that are set again replace the ones before.
void take_constants(LessonStep& s, Value value) {
  auto& constants = s.target.program.constants;
  for (const std::string& word : words_of(value)) {
    cuda::Setting one = cuda::parse_setting(word);
    std::erase_if(constants,
                  [&](const cuda::Setting& c) { return c.name == one.name && c.line == one.line; });
    constants.push_back(std::move(one));
  }
}
/// The GPU that is played.
void take_device(LessonStep& s, Value value) {
  const auto models = cuda::device_model_names();
  std::string names;
  for (const std::string& name : models) names += (names.empty() ? "" : ", ") + name;
  if (std::ranges::find(models, value) == models.end())
    wrong(message("there is no device \"{}\" to play: write one of {}", value, names));
  s.target.program.device_model = value;
}
void take_time(LessonStep& s, Value value) {
  static const std::map<std::string, TimeFacet> charts{{"chart=roofline", TimeFacet::roofline},
                                                       {"chart=speed-up", TimeFacet::speedup},
                                                       {"chart=noise", TimeFacet::noise}};
  s.chart = TimeState{}.facet;
  for (const std::string& word : words_of(value)) {
    const int v = word.size() > 2 ? whole(word.substr(word.find('=') + 1)).value_or(-1) : -1;
    if (word.starts_with("n=") && v >= 10 && v <= 29)
      s.log_n = v;
    else if (word.starts_with("block=") && v >= 32 && v <= 1024 && (v & (v - 1)) == 0)
      s.block = v;
    else if (const auto chart = charts.find(word); chart != charts.end())
      s.chart = chart->second;
    else
      wrong(
          message("\"{}\" sets nothing in Time: write n=10 to n=29 (the logarithm of the length), "
                  "block=32 to block=1024, or chart=roofline, chart=speed-up or chart=noise",
                  word));
  }
}
/// "stride=2 pad=1": the tab's sliders, at what they say there.
void take_controls(LessonStep& s, Value value) {
  const Tab& tab = *tab_named(s.tab);
  s.controls.clear();
  for (const std::string& word : words_of(value)) {
    const size_t sign = std::min(word.find('='), word.size());
    const auto control = std::ranges::find(tab.controls, word.substr(0, sign), &Control::name);
    if (control == tab.controls.end()) {
      std::string names;
      for (const Control& c : tab.controls) names += (names.empty() ? "" : ", ") + c.name;
      if (names.empty())
        wrong(message("{} has no sliders: name a tab that has some before (tab: banks)", tab.name));
      wrong(message("{} has no slider \"{}\": it has {}", tab.name, word.substr(0, sign), names));
    }
    const auto says = [&](int v) { return control->text ? control->text(v) : std::to_string(v); };
    int at = control->least;
    while (at <= control->most && (sign == word.size() || says(at) != word.substr(sign + 1))) ++at;
    if (at > control->most)
      wrong(message("\"{}\" is not on that slider: write {}={} to {}={}", word, control->name,
                    says(control->least), control->name, says(control->most)));
    s.controls.emplace_back(control->name, at);
  }
}
void take_figure(LessonStep& s, Value value) {
  s.hand_over = value == "hand-over";
  if (!s.hand_over)
    wrong(message("there is no figure \"{}\": write figure: hand-over, and the cell of its flag", value));
}

/// The settings, and what else of a request can be typed and linked: it reads as on a command line.
std::vector<StepSetting> with_other_fields(std::vector<StepSetting> all) {
  RunSpec any;
  for_each_typed_field(any, [&](const char* name, auto&, const Field& field) {
    if (!field.linked || std::ranges::find(all, std::string_view(name), &StepSetting::name) != all.end())
      return;
    all.push_back({name, [name](LessonStep& s, Value v) { read_field(s.target.request, name, name, v); },
                   StepSetting::kernels});
  });
  return all;
}

}  // namespace

const std::vector<StepSetting>& step_settings() {
  using S = LessonStep;
  constexpr auto kernels = StepSetting::kernels, programs = StepSetting::programs;
  static const std::vector<StepSetting> all = with_other_fields({
      {"kernel", [](S& s, Value v) { s.target.request.kernel = v, need_kernel(v); }, kernels},
      {"file", take_file, programs},
      {"const", take_constants, programs},
      {"device", take_device, programs},
      {"args", [](S& s, Value v) { s.target.program.arguments = words_of(v); }, programs},
      {"n", take_n, kernels},
      {"values", take_values, kernels},
      {"pattern", take_pattern, kernels},
      {"seed",
       [](S& s, Value v) {
         s.target.request.seed =
             uint32_t(count("seed", v, 0, message("a seed: write a whole number from 0")));
       },
       kernels},
      {"skew", take_skew, kernels},
      {"block", take_block, kernels},
      {"set", take_set, kernels},
      {"preset", [](S& s, Value v) { input(s).preset = v; }, kernels},
      {"order", [](S& s, Value v) { s.target.schedule = parse_schedule(v); }},
      {"launch",
       [](S& s, Value v) {
         s.location.launch = count("launch", v, 1, message("a launch: they count from 1"));
       }},
      {"look", take_look},
      {"step", take_step},
      {"phase", take_phase},
      {"cell", take_cell},
      {"array", [](S& s, Value v) { s.location.array = v; }},
      {"thread",
       [](S& s, Value v) {
         s.location.thread = count("thread", v, 0, message("a thread: they count from 0 in each block"));
       }},
      {"line", [](S& s, Value v) { s.location.line = v; }},
      {"zoom", take_zoom},
      {"machine", [](S& s, Value v) { s.machine = yes("machine", v); }},
      {"arrows", [](S& s, Value v) { s.arrows = yes("arrows", v); }},
      {"lanes",
       [](S& s, Value v) {
         s.lanes = v;
         if (v != "step" && v != "run")
           wrong(message("\"lanes: {}\" is neither step nor run: write one of them", v));
       }},
      {"tab", take_tab},
      {"compare", take_compare},
      {"padded", [](S& s, Value v) { s.padded = yes("padded", v); }},
      {"time", take_time},
      {"controls", take_controls},
      {"predict", [](S& s, Value v) { s.predict = yes("predict", v); }},
      {"figure", take_figure},
  });
  return all;
}

const StepSetting* find_setting(std::string_view name) {
  const auto it = std::ranges::find(step_settings(), name, &StepSetting::name);
  return it == step_settings().end() ? nullptr : &*it;
}

Message unknown_setting(const std::string& name) {
  const auto near = std::ranges::min(
      step_settings(), {}, [&](const StepSetting& s) { return edit_distance(std::string(s.name), name); });
  return message("there is no setting \"{}\": did you mean {}? docs/lessons.md lists them all", name,
                 near.name);
}

}  // namespace bscope
