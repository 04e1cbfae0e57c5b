#include "app/lessons/place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "app/run/cuda_text.hpp"
#include "app/run/run.hpp"
#include "app/words/counting.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/hand_over.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

std::optional<CellRef> cell_of(const Run& run, int launch, const std::string& cell) {
  const size_t bracket = cell.find('[');
  if (bracket == std::string::npos || !cell.ends_with(']')) return {};
  const auto number = as_whole(std::string_view(cell).substr(bracket + 1, cell.size() - bracket - 2));
  if (!number || *number < 0 || *number > std::numeric_limits<int>::max()) return {};
  const int index = int(*number);
  const std::string name = cell.substr(0, bracket);
  const auto& shared = run.trace.launches[size_t(launch)].shared;
  for (size_t k = 0; k < shared.size(); ++k)
    if (shared[k].name == name && index < shared[k].size) return CellRef{first_shared + int(k), index};
  const auto& global = run.trace.arrays;
  for (size_t k = global.size(); k-- > 0;)  // a later array of the same name is the one worked on
    if (global[k].name == name && index < global[k].size) return CellRef{int(k), index};
  return {};
}

int line_with(std::string_view text, std::string_view words) {
  const size_t at = text.find(words);
  return at == std::string_view::npos ? 0 : 1 + int(std::count(text.begin(), text.begin() + long(at), '\n'));
}

std::string arrays_of(const Run& run, int launch) {
  std::string all;
  const auto add = [&](const ArrayInfo& a) {
    all += fmt::format("{}{}[0] to {}[{}]", all.empty() ? "" : ", ", a.name, a.name, a.size - 1);
  };
  for (const ArrayInfo& a : run.trace.launches[size_t(launch)].shared) add(a);
  for (const ArrayInfo& a : run.trace.arrays) add(a);
  return all;
}

namespace {

/// A step's location in a run, setting by setting.
class LocationResolver {
 public:
  LocationResolver(const LessonStep& s, const Run& run, std::vector<Mistake>& mistakes)
      : s_(s), location_(s.location), run_(run), mistakes_(mistakes) {
    c_.arrows = s.arrows;
  }

  Cursor find() {
    if (run_.trace.launches.empty() || !steps(run_)) {
      wrong(s_.target.is_file() ? "file" : "kernel",
            message("this run has no steps that could be shown: take another n or kernel"));
      return c_;
    }
    launch();
    block();
    step();
    if (!location_.cell.empty()) {
      c_.cell = cell_of(run_, c_.launch, location_.cell);
      if (!c_.cell)
        wrong("cell", message("there is no cell {} here: the run has {}", location_.cell, arrays()));
    }
    if (!location_.array.empty()) {
      const auto place = cell_of(run_, c_.launch, location_.array + "[0]");
      if (place)
        c_.array = place->array;
      else
        wrong("array", message("there is no array {} here: the run has {}", location_.array, arrays()));
    }
    if (location_.thread >= here().block)
      wrong("thread", message("there is no thread {}: a block of this run has {}, from 0", location_.thread,
                              here().block));
    else
      c_.thread = location_.thread;
    if (!location_.line.empty()) line();
    if (s_.hand_over) flag();
    c_.zoom = location_.zoom;
    c_.scroll = location_.zoom > 1 ? float(location_.first_cell) : 0;
    return c_;
  }

 private:
  void wrong(const char* setting, Message why) { mistakes_.push_back({s_.line_of(setting), std::move(why)}); }
  const Launch& here() const { return run_.trace.launches[size_t(c_.launch)]; }
  std::string arrays() const { return arrays_of(run_, c_.launch); }

  void launch() {
    const std::optional<int> asked =
        location_.launch ? launch_at(run_.trace, *location_.launch) : std::nullopt;
    if (location_.launch && !asked) {
      wrong("launch",
            message("there is no launch {}: this run has {}", *location_.launch, launch_count(run_.trace)));
    } else if (asked) {
      c_.launch = *asked;
    } else if (!location_.phase.empty()) {  // the first launch that has it
      const auto& all = run_.report.flow.intervals;
      const auto first = std::ranges::find_if(all, [&](const Interval& i) {
        return i.phase == location_.phase && i.block == location_.block.value_or(i.block);
      });
      if (first != all.end()) c_.launch = first->launch;
    }
  }

  void block() {
    if (location_.block && *location_.block >= here().grid)
      wrong("look",
            message("there is no block {}: this launch has {}, from 0", *location_.block, here().grid));
    else
      c_.block = location_.block.value_or(0);
  }

  void step() {
    const auto block = run_.report.flow.of_block(c_.launch, c_.block);
    std::vector<int> there;  // intervals that the step's number counts
    for (const Interval& i : block)
      if (location_.phase.empty() || i.phase == location_.phase) there.push_back(i.index);
    if (there.empty()) {
      std::string all;
      for (const Interval& i : block)
        if (all.find(i.phase) == std::string::npos) all += (all.empty() ? "" : ", ") + i.phase;
      wrong("phase", message("there is no phase \"{}\" here: this block has {}", location_.phase, all));
      for (const Interval& i : block) there.push_back(i.index);
    }
    int number = location_.step.value_or(1);
    if (number > int(there.size())) {
      wrong(location_.phase.empty() || s_.line_of("step") != s_.line ? "step" : "phase",
            message("there is no step {} here: there are {}", number, there.size()));
      number = 0;
    }
    if (!there.empty()) c_.interval = number == 0 ? there.back() : there[size_t(number - 1)];
    c_ = at_step(run_, c_, step_of(run_, c_));
  }

  /// By a part of its text, or its number.
  void line() {
    const std::string& text = run_.trace.sources[size_t(here().source)].text;
    const auto lines = std::ranges::count(text, '\n');
    const int found = line_with(text, location_.line);
    const long long line = found ? found : in_other_text().value_or(0);
    if (line < 1 || line > lines)
      wrong(
          "line",
          message("the source of this kernel has no line \"{}\": copy a part of the line as it stands there",
                  location_.line));
    else
      c_.line = int(line);
  }

  /// The line by its number, or by its text where the kernel's other text has it: CUDA, or the dialect.
  std::optional<long long> in_other_text() const {
    if (const auto number = as_whole(location_.line)) return number;
    const CudaText* const cuda = cuda_text_of(run_.trace.kernel);
    if (!cuda) return {};
    if (run_.trace.dialect == Dialect::ours) {
      const int line = line_with(cuda->text, location_.line);
      return line ? std::optional(cuda->dialect_line(line, run_.trace.sources[size_t(here().source)].path))
                  : std::nullopt;
    }
    std::string_view path;
    for (const auto& [place, lines] : cuda->lines) {  // each file of the dialect once
      if (place.first == path) continue;
      path = place.first;
      if (const int line = line_with(source_text(path), location_.line))
        return cuda->line_of(place.first, line);
    }
    return {};
  }

  void flag() {
    if (!c_.cell)
      wrong("figure", message("this figure is of a flag: name it with cell: published[0]"));
    else if (hand_overs(run_.report.flow, *c_.cell).empty())
      wrong("figure",
            message("no thread acquired what another released in {}: name another cell", location_.cell));
  }

  const LessonStep& s_;
  const StepLocation& location_;
  const Run& run_;
  std::vector<Mistake>& mistakes_;
  Cursor c_;
};

}  // namespace

Cursor find_place(const LessonStep& s, const Run& run, std::vector<Mistake>& mistakes) {
  return LocationResolver(s, run, mistakes).find();
}

}  // namespace bscope
