#include "app/run/values.hpp"

#include <cmath>
#include <cstdio>
#include <map>

#include "app/run/titles.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/array_state.hpp"
#include "engine/analysis/dataflow_graph.hpp"

namespace bscope {

namespace {

/// Whether the phase is called what the user's code calls its kernel.
bool is_kernel(const Trace& trace, const Launch& l, const std::string& phase) {
  return is_named_by_user(trace, l) && (l.phases.empty() || phase == l.name);
}

}  // namespace

std::string phase_name(const Trace& trace, const Launch& l, const std::string& phase) {
  if (is_kernel(trace, l, phase)) return l.name;
  return translated(l.phases.empty() && !l.name.empty() ? l.name : phase);
}

std::string phase_name(const Trace& trace, const Interval& interval) {
  return phase_name(trace, trace.launches[size_t(interval.launch)], interval.phase);
}

std::string phase_title(const Trace& trace, const Interval& interval) {
  const std::string name = phase_name(trace, interval);
  return is_kernel(trace, trace.launches[size_t(interval.launch)], interval.phase) ? name : capitalised(name);
}

std::string step_of_phase(const std::string& title, int index, int count, bool future) {
  if (count <= 1) return title;
  return future ? tr("{}, step {} of {}", title, step_number(index), count)
                : tr("{}, step {}", title, step_number(index));
}

std::string brief(double v) {
  if (std::isnan(v)) return "nan";
  double a = std::fabs(v);
  const char* unit = "";
  for (const char* next : {"k", "M", "G", "T"}) {
    if (a < 999.5) break;
    a /= 1000;
    unit = next;
  }
  if (a >= 999.5) return v < 0 ? "-big" : "big";
  char out[32];
  std::snprintf(out, sizeof out, "%s%.*f%s", v < 0 ? "-" : "", *unit == 0 && a < 9.95 && a != std::floor(a),
                a, unit);
  return out;
}

std::string brief(const ArrayState& s, int cell) {
  return s.kind == ElementType::affine ? "..." : brief(s.value(cell));
}

std::string value_text(const ArrayState& s, int cell) {
  if (!is_float(s.kind)) return s.text(cell);
  char out[32];
  std::snprintf(out, sizeof out, "%.6g", s.value(cell));
  return out;
}

std::string value_text(ElementType kind, uint64_t bits) { return value_text({kind, {bits}, {1}}, 0); }

std::string sign(const std::string& op) {
  static const std::map<std::string, std::string> signs{
      {"add", "+"},  {"subtract", "-"}, {"multiply", "*"},   {"divide", "/"},
      {"copy", "="}, {"constant", "="}, {"and", "&"},        {"or", "|"},
      {"xor", "^"},  {"shift", "<<"},   {"compose", "then"},
  };
  const auto it = signs.find(op);
  return it != signs.end() ? it->second : op == "other" ? "f" : op;
}

std::string exact_text(ElementType kind, double v) {
  if (kind == ElementType::affine) return text_of(kind, uint64_t(v));
  if (kind == ElementType::f32) return fmt::format("{}", float(v));
  const bool is_small = bytes_of(kind) == 2 && is_float(kind);  // whose doubles have digits that it has not
  return is_small ? fmt::format("{:.6g}", v) : fmt::format("{}", v);
}

}  // namespace bscope
