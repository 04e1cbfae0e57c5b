#include "engine/catalog/catalog.hpp"

#include <algorithm>
#include <tuple>

#include "engine/catalog/edit_distance.hpp"
#include "engine/catalog/estimate.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/algorithm.hpp"
#include "engine/simt/device.hpp"
#include "engine/simt/element.hpp"
#include "engine/simt/family.hpp"
#include "engine/simt/faults.hpp"
#include "engine/simt/parameter.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/small_float.hpp"

namespace bscope {
namespace {

auto family_order(const std::string& family) {
  return std::ranges::find(families(), family, &Family::name) - families().begin();
}

/// The number a file name begins with: 2 in kernels/scan/2_kogge_stone.cu.
int variant(const std::string& source) {
  int n = 0;
  for (size_t k = source.rfind('/') + 1; k < source.size() && isdigit(source[k]); ++k)
    n = 10 * n + source[k] - '0';
  return n;
}

/// Up to three names, nearest first; the last part alone ("blelloch") counts as well as the whole name.
std::vector<std::string> nearest(std::string_view name) {
  std::vector<std::pair<size_t, std::string>> near;
  for (const Algorithm* a : catalog()) {
    const std::string short_name = a->name.substr(a->name.find('/') + 1);
    const size_t d = std::min(edit_distance(name, a->name), edit_distance(name, short_name));
    if (d <= std::max<size_t>(2, name.size() / 3)) near.push_back({d, a->name});
  }
  std::stable_sort(near.begin(), near.end(), [](auto& a, auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (size_t k = 0; k < near.size() && k < 3; ++k) names.push_back(near[k].second);
  return names;
}

std::vector<std::byte> bytes_of_values(ElementType kind, const std::vector<double>& values) {
  const size_t each = size_t(bytes_of(kind));
  std::vector<std::byte> bytes(values.size() * each);
  for (size_t k = 0; k < values.size(); ++k) {
    std::byte* to = bytes.data() + k * each;
    auto put = [&](auto v) { memcpy(to, &v, sizeof v); };
    switch (kind) {
      case ElementType::i8: put(int8_t(values[k])); break;
      case ElementType::u8: put(uint8_t(values[k])); break;
      case ElementType::i16: put(int16_t(values[k])); break;
      case ElementType::u16: put(uint16_t(values[k])); break;
      case ElementType::i32: put(int32_t(values[k])); break;
      case ElementType::u32:
      case ElementType::affine: put(uint32_t(values[k])); break;
      case ElementType::i64: put(int64_t(values[k])); break;
      case ElementType::u64: put(uint64_t(values[k])); break;
      case ElementType::f32: put(float(values[k])); break;
      case ElementType::f64: put(values[k]); break;
      case ElementType::counted: put(Counted<int>{1, int(values[k])}); break;
      case ElementType::f16: put(Half(values[k])); break;
      case ElementType::bf16: put(Bfloat16(values[k])); break;
      case ElementType::other: break;
    }
  }
  return bytes;
}

bool is_stopped(const Trace& t) { return std::ranges::any_of(t.findings, is_endless); }

/// Long is no fault: a launch that makes many events is stopped only if it makes several times as many as
/// short runs of the same request promise, and then it is a loop that never ends.
Trace to_its_end(const Algorithm& a, const Problem& p, Schedule s) {
  const size_t room = most_events() + most_events() / 4;  // the estimate is no less, and has some to spare
  s.most_events = std::min(s.most_events, room);
  Trace t = a.cpu(p, s);
  if (!is_stopped(t)) return t;
  const double promised = 4 * expected_cost(a, p).events;
  if (promised <= double(s.most_events)) return t;
  if (s.most_events < room) {
    s.most_events = size_t(std::min(promised, double(room)));
    t = {};
    t = a.cpu(p, s);
    if (!is_stopped(t) || promised <= double(room)) return t;
  }
  throw UsageError(
      message("A run of {} with n = {} makes more than {} events, as many as fit into the {} of memory "
              "allowed: use a smaller --n, or raise --max-memory.",
              a.name, p.n(), room, memory_text(memory_limit())));
}

Trace traced(const Algorithm& a, const Problem& p, Device device, const Schedule& s,
             const std::function<bool(const Trace&)>& order_matters) {
  if (device == Device::gpu) {
    if (Message why; !gpu(&why)) throw NoDevice(message("{}; trace on the CPU instead (--device cpu).", why));
    if (!a.gpu)
      throw NoDevice(message("{} has no GPU form in this build; trace on the CPU (--device cpu).", a.name));
    return a.gpu(p);
  }
  if (!a.cpu) throw UsageError(message("{} has no CPU form in this build.", a.name));
  if (s.kind != Schedule::automatic) return to_its_end(a, p, s);
  Schedule chosen = s;
  chosen.kind = Schedule::to_barrier;
  std::vector<Finding> findings;
  {
    Trace fast = to_its_end(a, p, chosen);
    const bool again = order_matters && order_matters(fast);
    if (fast.findings.empty() && !again) return fast;  // any order gives this trace
    findings = std::move(fast.findings);
  }
  chosen.kind = Schedule::lockstep;
  Trace t = to_its_end(a, p, chosen);
  unite_findings(t, findings);
  return t;
}

/// A recursive program makes an array of the same name at each level: "totals", "totals 2", "totals 3".
void tell_apart(std::vector<ArrayInfo>& arrays) {
  std::map<std::string, int> seen;
  for (ArrayInfo& a : arrays)
    if (const int times = ++seen[a.name]; times > 1) a.name += " " + std::to_string(times);
}

}  // namespace

const std::vector<const Algorithm*>& catalog() {
  static const std::vector<const Algorithm*> sorted = [] {
    std::vector<const Algorithm*> all;
    for (const auto& [name, a] : registered())
      if (family_of(name).listed) all.push_back(&a);
    auto place = [](const Algorithm* a) {
      return std::tuple(family_order(a->family()), a->family(), variant(a->source), a->source, a->name);
    };
    std::sort(all.begin(), all.end(), [&](auto* a, auto* b) { return place(a) < place(b); });
    return all;
  }();
  return sorted;
}

const Algorithm& find(std::string_view name) {
  if (const auto it = registered().find(std::string(name)); it != registered().end()) return it->second;
  const auto names = nearest(name);
  throw UsageError(
      names.empty()
          ? message("There is no kernel \"{}\": `barrierscope list` shows them all.", name)
          : message("There is no kernel \"{}\": did you mean {}? `barrierscope list` shows them all.", name,
                    or_list(names)));
}

std::vector<int> legal_blocks(const Algorithm& a) {
  std::vector<int> blocks;
  for (int b = 1; b <= a.most_block; b = a.power_of_two_block ? 2 * b : b + 1) blocks.push_back(b);
  return blocks;
}

Trace run(const Algorithm& a, const Problem& p, Device device, const Schedule& s,
          const std::function<bool(const Trace&)>& order_matters) {
  if (!s.without.empty() && device == Device::cpu) {
    need_barriers(s, run(a, p, device, {.kind = Schedule::to_barrier}));
  }
  Trace t = traced(a, p, device, s, order_matters);
  t.kernel = a.name;
  tell_apart(t.arrays);
  t.parameters = {{"block", std::to_string(p.block)}, {"n", std::to_string(p.n())}};
  for (const Parameter& parameter : a.parameters)
    t.parameters.push_back({parameter.name, p.text(parameter.name)});
  for (Source& source : t.sources) {  // an empty path is the algorithm's own file
    source.path = source.path.empty() ? a.source : project_path(source.path);
    source.text = source_text(source.path);
  }
  if (a.property) t.property = a.property(p);
  if (a.expected) t.expected = bytes_of_values(t.arrays.at(size_t(t.output)).kind, a.expected(p));
  if (a.formulas) t.formulas = a.formulas(p);
  return t;
}

}  // namespace bscope
