#include "app/session/prediction.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>

#include "app/session/state.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/globals.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/small_float.hpp"

namespace bscope {
namespace {

constexpr size_t longest_guess = 16;

const Interval& interval_of(const Run& run, int step) { return run.report.flow.intervals[size_t(step)]; }

/// The array whose cells Watch shows after the step: the cursor's, if it is written, else the one that the
/// step is about; -1: the step writes none.
int array_asked(const Run& run, const Cursor& c, int step) {
  const Interval& here = interval_of(run, step);
  const auto block = block_steps(run, here.launch, here.block);
  const Step& s = block->steps[size_t(here.index)];
  if (s.wrote.empty()) return -1;
  return s.written_in(c.array, 0, std::numeric_limits<int>::max()).empty() ? s.to() : c.array;
}

/// The cell that the focus is on becomes the selected one: its thread, arrows and ancestry stand out.
void select_box(LoadedState& s) {
  s.cursor.cell = s.prediction.place(s.prediction.box);
  s.cursor.thread = -1;
}

template <class T>
std::optional<uint64_t> float_bits(const std::string& words) {
  char* end = nullptr;
  const double v = std::strtod(words.c_str(), &end);
  if (words.empty() || *end) return {};
  const T value = T(v);
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

/// Of half precision and bfloat16.
std::optional<uint64_t> small_float_bits(ElementType kind, const std::string& words) {
  const std::optional<uint64_t> of_double = float_bits<double>(words);
  if (!of_double) return {};
  return bscope_small_from_f64(*of_double, bscope_to_nearest, 0, fraction_bits(kind));
}

std::optional<uint64_t> whole_number(const std::string& words) {
  if (words.empty() || words == "-" || words == "+") return {};
  char* end = nullptr;
  errno = 0;
  const unsigned long long v = std::strtoull(words.c_str(), &end, 10);  // takes a minus, and wraps
  if (*end || errno) return {};
  return uint64_t(v);
}

/// "3y+1", "-y", "y", "3y", "7" (a constant map).
std::optional<uint64_t> affine_bits(const std::string& words) {
  const size_t y = words.find('y');
  const auto part = [](std::string s) -> std::optional<uint64_t> {
    if (s.starts_with("+")) s.erase(0, 1);
    return whole_number(s);
  };
  std::optional<uint64_t> slope = 0, offset = 0;
  if (y == std::string::npos) {
    offset = part(words);
  } else {
    const std::string before = words.substr(0, y), after = words.substr(y + 1);
    slope = before.empty() || before == "+" ? 1 : before == "-" ? uint64_t(-1) : part(before);
    if (!after.empty()) {
      if (after[0] != '+' && after[0] != '-') return {};
      offset = part(after);
    }
  }
  if (!slope || !offset) return {};
  return uint64_t(uint16_t(*slope)) << 16 | uint16_t(*offset);
}

bool belongs(ElementType kind, char32_t c) {
  if (c >= '0' && c <= '9') return true;
  if (c == '-') return true;
  if (is_float(kind)) return c == '.' || c == 'e' || c == '+';
  if (kind == ElementType::affine) return c == 'y' || c == '+';
  if (kind == ElementType::counted) return c == '/';
  return false;
}

}  // namespace

int Prediction::box_of(CellRef p) const {
  if (p.array != array) return -1;
  const auto it = std::lower_bound(cells.begin(), cells.end(), p.index);
  return it != cells.end() && *it == p.index ? int(it - cells.begin()) : -1;
}

int Prediction::filled() const {
  return int(std::count_if(guesses.begin(), guesses.end(), [](const auto& g) { return !g.empty(); }));
}

void Prediction::fit(const Run& run) {
  asked = std::max(0, asked);
  right = std::clamp(right, 0, asked);
  hints = std::clamp(hints, 0, 2);
  const auto possible = [&] {
    if (step < 0 || step >= steps(run) || cells.empty() || cells.size() > size_t(most_asked)) return false;
    if (guesses.size() != cells.size() || box < 0 || box >= int(cells.size())) return false;
    if (std::adjacent_find(cells.begin(), cells.end(), std::greater_equal<>()) != cells.end()) return false;
    for (const int cell : cells)
      if (!bits_after(run, step, {array, cell})) return false;
    const ElementType kind = kind_of(run, *this);
    for (const std::string& g : guesses)
      if (g.size() > longest_guess ||
          !std::all_of(g.begin(), g.end(), [&](char c) { return belongs(kind, char32_t(c)); }))
        return false;
    return changed >= int(cells.size());
  };
  if (on && possible()) return;
  Prediction none;
  none.right = right;
  none.asked = asked;
  *this = std::move(none);
}

const Prediction* prediction_on(const LoadedState& s) {
  const Prediction& p = s.prediction;
  if (!p.on || !s.run || p.step < 0 || p.step >= steps(*s.run) || step_of(*s.run, s.cursor) != p.step)
    return {};
  if (p.cells.empty() || p.guesses.size() != p.cells.size() || p.box < 0 || p.box >= int(p.cells.size()))
    return {};
  const Launch& l = s.run->trace.launches[size_t(interval_of(*s.run, p.step).launch)];
  for (const int cell : {p.cells.front(), p.cells.back()})
    if (!exists(s.run->trace, l, {p.array, cell})) return {};
  return &p;
}

bool can_predict(const LoadedState& s) {
  if (!s.run || !steps(*s.run)) return false;
  const auto& nodes = s.run->report.flow.nodes;
  const Interval& here = interval_at(*s.run, s.cursor);
  return std::any_of(here.nodes.begin(), here.nodes.end(),
                     [&](int id) { return writes(nodes[size_t(id)].op); });
}

LoadedState predict(LoadedState s) {
  if (!s.run || !steps(*s.run)) return s;
  const int step = step_of(*s.run, s.cursor), array = array_asked(*s.run, s.cursor, step);
  if (array < 0) return s;
  Prediction p;
  p.right = s.prediction.right;
  p.asked = s.prediction.asked;
  p.on = true;
  p.step = step;
  p.array = array;
  const DataflowGraph& flow = s.run->report.flow;
  const Interval& here = interval_of(*s.run, step);
  for (int id : here.nodes)
    if (const Node& n = flow.nodes[size_t(id)]; writes(n.op) && n.place.array == array)
      p.cells.push_back(n.place.index);
  std::sort(p.cells.begin(), p.cells.end());
  p.cells.erase(std::unique(p.cells.begin(), p.cells.end()), p.cells.end());
  p.changed = int(p.cells.size());
  const ArrayInfo& info = s.run->trace.array(s.run->trace.launches[size_t(here.launch)], array);
  // a long array is shown through a lens, which has room for a sample
  if (p.changed > most_asked || (info.size > 32 && p.changed > sample_asked)) {
    std::vector<int> some;
    for (int k = 0; k < sample_asked; ++k)
      some.push_back(p.cells[size_t((int64_t(2 * k + 1) * p.changed) / (2 * sample_asked))]);
    p.cells = std::move(some);
  }
  p.guesses.resize(p.cells.size());
  s.prediction = std::move(p);
  s.playing = false;
  s.held = 0;
  s.cursor = at_step(*s.run, s.cursor, step);  // landed: the motion would say what comes
  if (s.cursor.array >= 0 && s.cursor.array != array) s.cursor.array = -1;
  select_box(s);
  return reset_zoom(std::move(s));
}

LoadedState type_guess(LoadedState s, char32_t c) {
  if (!prediction_on(s) || s.prediction.revealed) return s;
  if (c == U'−') c = '-';
  if (c == 'E') c = 'e';
  if (c == 'Y') c = 'y';
  if (!belongs(kind_of(*s.run, s.prediction), c)) return s;
  std::string& guess = s.prediction.guesses[size_t(s.prediction.box)];
  if (guess.size() < longest_guess) guess += char(c);
  return s;
}

LoadedState erase_guess(LoadedState s) {
  if (!prediction_on(s) || s.prediction.revealed) return s;
  std::string& guess = s.prediction.guesses[size_t(s.prediction.box)];
  if (!guess.empty()) guess.pop_back();
  return s;
}

LoadedState next_box(LoadedState s, int by) {
  if (!prediction_on(s)) return s;
  const int n = int(s.prediction.cells.size());
  s.prediction.box = ((s.prediction.box + by) % n + n) % n;
  s.prediction.hints = 0;
  select_box(s);
  return s;
}

LoadedState to_box(LoadedState s, CellRef p) {
  if (!prediction_on(s)) return s;
  const int box = s.prediction.box_of(p);
  if (box < 0) return s;
  if (box != s.prediction.box) s.prediction.hints = 0;
  s.prediction.box = box;
  select_box(s);
  return s;
}

LoadedState hint(LoadedState s) {
  if (!prediction_on(s) || s.prediction.revealed) return s;
  s.prediction.hints = std::min(2, s.prediction.hints + 1);
  s.cursor.arrows = true;  // the arrows are a hint too
  return s;
}

LoadedState reveal(LoadedState s) {
  if (!prediction_on(s) || s.prediction.revealed) return s;
  Prediction& p = s.prediction;
  p.revealed = true;
  p.asked += p.filled();  // a box left empty was skipped
  for (int k = 0; k < int(p.cells.size()); ++k) p.right += is_right(*s.run, p, k);
  return s;
}

LoadedState predict_next(LoadedState s) {
  const int last_step = s.run ? steps(*s.run) - 1 : 0;
  int step = step_of(*s.run, s.cursor);
  s = leave_prediction(std::move(s));
  while (step < last_step) {
    s = to_step(std::move(s), ++step);
    if (can_predict(s)) return predict(std::move(s));
  }
  return s;
}

LoadedState leave_prediction(LoadedState s) {
  Prediction p;
  p.right = s.prediction.right;
  p.asked = s.prediction.asked;
  s.prediction = std::move(p);
  return s;
}

LoadedState settle_prediction(LoadedState s) {
  return s.prediction.on && !prediction_on(s) ? leave_prediction(std::move(s)) : s;
}

std::optional<uint64_t> bits_after(const Run& run, int step, CellRef p) {
  const DataflowGraph& flow = run.report.flow;
  const Interval& here = interval_of(run, step);
  int last = -1;
  for (int id : here.nodes)
    if (const Node& n = flow.nodes[size_t(id)]; writes(n.op) && n.place == p) last = id;
  if (last < 0) return {};
  if (!p.shared()) {  // another block may have come between
    const Globals globals(run.trace, flow);
    last = globals.writer(p, globals.after(here));
  }
  return written_bits(flow, flow.nodes[size_t(last)]);
}

ElementType kind_of(const Run& run, const Prediction& p) {
  const Launch& l = run.trace.launches[size_t(interval_of(run, p.step).launch)];
  return run.trace.array(l, p.array).kind;
}

std::optional<uint64_t> parse_guess(ElementType kind, const std::string& words) {
  switch (kind) {
    case ElementType::f32: return float_bits<float>(words);
    case ElementType::f64: return float_bits<double>(words);
    case ElementType::f16:
    case ElementType::bf16: return small_float_bits(kind, words);
    case ElementType::affine: return affine_bits(words);
    case ElementType::counted: {
      if (words == "-") return 0;  // no parts yet
      const size_t slash = words.find('/');
      const auto sum = whole_number(words.substr(0, slash));
      const auto parts = slash == std::string::npos ? 0 : whole_number(words.substr(slash + 1));
      if (!sum || !parts) return {};
      return uint64_t(uint32_t(*sum)) << 32 | uint32_t(*parts);
    }
    case ElementType::other: return {};
    default: break;
  }
  const auto bits = whole_number(words);
  if (!bits) return {};
  const int width = bytes_of(kind);
  if (width == 8) return bits;
  // beyond the element's range it is another number, though its low bits may be the same
  const uint64_t range = uint64_t(1) << 8 * width;
  if (*bits >= range && uint64_t(0) - *bits > range / 2) return {};
  return *bits & (range - 1);
}

bool is_right(const Run& run, const Prediction& p, int box) {
  const ElementType kind = kind_of(run, p);
  const auto truth = bits_after(run, p.step, p.place(box));
  const auto guess = parse_guess(kind, p.guesses[size_t(box)]);
  if (!truth || !guess) return false;
  if (is_float(kind)) {
    const auto shown = [&](uint64_t bits) {
      char out[32];
      std::snprintf(out, sizeof out, "%.6g", number(kind, bits));
      return std::string(out);
    };
    return shown(*truth) == shown(*guess);
  }
  const int width = bytes_of(kind);
  const uint64_t mask = width == 8 ? ~uint64_t(0) : (uint64_t(1) << 8 * width) - 1;
  if (kind == ElementType::counted && p.guesses[size_t(box)].find('/') == std::string::npos)
    return *truth >> 32 == *guess >> 32;  // the sum alone
  return (*truth & mask) == (*guess & mask);
}

}  // namespace bscope
