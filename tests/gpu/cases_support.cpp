#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/problem.hpp"
#include "tests/gpu/cases.hpp"

namespace bscope::tests {

std::string Case::key() const {
  std::string k = kernel + " n=" + std::to_string(n) + " block=" + std::to_string(block) +
                  " seed=" + std::to_string(seed);
  for (const auto& [name, value] : set)
    if (name == "type") k += " type=" + value;
  if (!preset.empty()) k += " preset=" + preset;
  if (pattern != "random") k += " pattern=" + pattern;
  for (const auto& [name, value] : set)
    if (name != "type") k += " " + name + "=" + value;
  return k;
}

Case parse_case(const std::string& key) {
  std::istringstream in(key);
  Case c;
  in >> c.kernel;
  for (std::string word; in >> word;) {
    const auto equals = word.find('=');
    if (equals == std::string::npos) throw std::invalid_argument("not a recorded run: " + key);
    const std::string name = word.substr(0, equals), value = word.substr(equals + 1);
    if (name == "n")
      c.n = std::stoi(value);
    else if (name == "block")
      c.block = std::stoi(value);
    else if (name == "seed")
      c.seed = uint32_t(std::stoul(value));
    else if (name == "pattern")
      c.pattern = value;
    else if (name == "preset")
      c.preset = value;
    else
      c.set.emplace_back(name, value);
  }
  return c;
}

Problem Case::problem() const {
  RunSpec r;
  r.kernel = kernel;
  r.set = set;
  if (!preset.empty()) {
    r.preset = preset;
    return make_problem(algorithm(), r);
  }
  r.n = n;
  r.block = block;
  r.seed = seed;
  r.pattern = pattern;
  return make_problem(algorithm(), r);
}

namespace {
const Parameter* parameter(const Algorithm& a, const std::string& name) {
  for (const Parameter& p : a.parameters)
    if (p.name == name) return &p;
  return nullptr;
}
bool mistaken(const Algorithm& a) { return a.family() == "mistakes"; }

/// A case with the defaults of the kernel's type.
Case plain_case(const Algorithm& a, int n, int block, uint32_t seed) {
  Case c;
  c.kernel = a.name;
  c.n = n;
  c.block = block;
  c.seed = seed;
  if (const Parameter* type = parameter(a, "type")) c.set.emplace_back("type", type->initial.text);
  return c;
}
int tile_of(const Case& c) { return c.algorithm().tile(c.problem()); }
}  // namespace

std::vector<std::string> other_values(const Parameter& p) {
  std::vector<std::string> all;
  if (p.values.empty()) {
    const int initial = std::stoi(p.initial.text),
              above = int(std::min<long long>(2ll * initial + 1, p.most));
    for (int v : {p.least, above})
      if (v != initial) all.push_back(std::to_string(v));
  }
  for (const Choice& value : p.values)
    if (value.text != p.initial.text) all.push_back(value.text);
  return all;
}

std::vector<Case> cases_of(const Algorithm& a) {
  constexpr int longest = 3000;  // enough for several tiles and, at small blocks, several levels
  std::vector<Case> cases;
  const std::vector<int> legal = legal_blocks(a);
  const std::set<int> wanted{1,   2,   3,   4,   7,   8,   16,  31,   32,   33,  64,
                             100, 127, 128, 255, 256, 511, 512, 1000, 1023, 1024};
  const bool keys = a.family() == "histogram";
  const std::vector<std::string> patterns = keys ? std::vector<std::string>{"random", "skewed", "ones"}
                                                 : std::vector<std::string>{"random", "ramp", "sine", "ones"};
  uint32_t turn = 0;
  for (int block : legal) {
    if (!wanted.contains(block)) continue;
    const int tile = tile_of(plain_case(a, 1, block, 1));
    std::set<int> lengths;
    for (int n : {1, tile, tile + 1, 3 * tile - 1}) lengths.insert(std::min(n, longest));
    for (int n : lengths) {
      Case c = plain_case(a, n, block, 1 + turn % 3);
      c.pattern = patterns[turn % patterns.size()];
      ++turn;
      cases.push_back(c);
    }
  }
  auto with = [](Case c, const std::string& name, const std::string& value) {
    std::erase_if(c.set, [&](const auto& s) { return s.first == name; });
    c.set.emplace_back(name, value);
    return c;
  };
  for (const Parameter& p : a.parameters)
    for (const std::string& value : other_values(p))
      for (auto [n, block] : {std::pair{33, 32}, {1000, 64}, {1000, 256}})
        cases.push_back(with(plain_case(a, n, block, 2), p.name, value));
  // Operators are right or wrong with each kind of scan on its own.
  const Parameter *scan = parameter(a, "scan"), *operators = parameter(a, "operator");
  if (scan && operators)
    for (const Choice& kind : scan->values)
      for (const Choice& op : operators->values)
        if (kind.text != scan->initial.text && op.text != operators->initial.text)
          cases.push_back(with(with(plain_case(a, 777, 64, 3), "scan", kind.text), "operator", op.text));
  return cases;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Algorithm* a : catalog())
    if (!mistaken(*a)) {
      const auto some = cases_of(*a);
      cases.insert(cases.end(), some.begin(), some.end());
    }
  return cases;
}

std::vector<std::vector<Case>> every_block(const Algorithm& a) {
  std::vector<std::vector<Case>> cases;
  for (int block : legal_blocks(a)) {
    Case c = plain_case(a, 1, block, uint32_t(block));
    c.n = std::min(2 * tile_of(c) + 1, 3000);
    if (cases.empty() || cases.back().size() == 32) cases.emplace_back();
    cases.back().push_back(c);
  }
  return cases;
}

Agreement agreement(const Trace& t) {
  // The one kernel of its series that is wrong on purpose.
  if (t.kernel == "histogram/racy" || t.kernel.starts_with("mistakes/")) return Agreement::places;
  bool atomics = false, used = false;
  for (const Launch& l : t.launches)
    for (const BlockRun& b : l.blocks)
      for (int thread = 0; thread < l.block; ++thread) {
        std::set<uint32_t> unordered;  // events of this log whose values depend on the order
        const auto log = b.log(thread);
        for (size_t k = 0; k < log.size(); ++k) {
          const Event& e = log[k];
          if (e.op == Op::wait || e.op == Op::acquire || e.op == Op::observe) return Agreement::output;
          const bool steers = e.op == Op::branch || e.op == Op::escape || e.op == Op::address;
          if (steers && unordered.contains(e.a)) return Agreement::output;
          // A ticket that others read, or a count that says who is last: what threads do depends on the
          // order.
          if (writes(e.op) && !is_atomic(e.op) && unordered.contains(e.b)) return Agreement::output;
          if (computes(e.op) && ElementType(e.array) == ElementType::counted && unordered.contains(e.a))
            return Agreement::output;
          if ((computes(e.op) && (unordered.contains(e.a) || unordered.contains(e.b))) ||
              ((is_atomic(e.op) || e.op == Op::shuffle || e.op == Op::reduce || e.op == Op::ballot) &&
               unordered.contains(e.b))) {
            used = true;
            unordered.insert(uint32_t(k + 1));
          }
          if (is_atomic(e.op)) {
            atomics = true;
            unordered.insert(uint32_t(k + 1));
          }
        }
      }
  return used ? Agreement::places : atomics ? Agreement::atomics : Agreement::exact;
}

namespace {
bool floating(ElementType k) { return k == ElementType::f32 || k == ElementType::f64; }

/// Phases that have another name than when digests were recorded: what a phase is called did not happen.
constexpr std::pair<const char*, const char*> renamed[] = {{"doubling", "steps"}};

void with_recorded_names(Launch& l) {
  for (const auto& [now, then] : renamed)
    if (l.phases.erase(hash_of(now))) {
      l.phases[hash_of(then)] = then;
      for (BlockRun& b : l.blocks)
        for (Event& e : b.events)
          if (e.op == Op::phase && e.bits == hash_of(now)) e.bits = hash_of(then);
    }
}

/// The part of the trace that the two executors must agree on.
Trace comparable(Trace t, Agreement level) {
  for (Launch& l : t.launches) with_recorded_names(l);
  if (level == Agreement::output) {
    for (Launch& l : t.launches) {
      for (BlockRun& b : l.blocks) {
        b.events.clear();
        b.snapshots.clear();
        std::fill(b.first.begin(), b.first.end(), 0);
      }
      l.phases.clear();
      for (size_t k = 0; k < l.after.size(); ++k)
        if (&l != &t.launches.back() || int(k) != t.output || floating(t.arrays[k].kind)) l.after[k].clear();
    }
    return t;
  }
  for (Launch& l : t.launches) {
    std::map<uint16_t, uint16_t> rank;
    for (const BlockRun& b : l.blocks)
      for (const Event& e : b.events) rank[e.line] = 0;
    uint16_t next = 0;
    for (auto& [line, r] : rank) r = next++;
    for (BlockRun& b : l.blocks) {
      bool clear_high = false;
      for (Event& e : b.events) {
        e.line = rank[e.line];
        const bool clear = e.op == Op::high              ? clear_high
                           : level == Agreement::atomics ? is_atomic(e.op)
                                                         : level == Agreement::places && e.op != Op::phase;
        clear_high = clear;
        if (clear) e.bits = 0;
      }
      if (level == Agreement::places) b.snapshots.clear();
    }
    // Sums of floating values depend on the order in which atomics were served.
    for (size_t k = 0; k < l.after.size(); ++k)
      if (level == Agreement::places || (level == Agreement::atomics && floating(t.arrays[k].kind)))
        l.after[k].clear();
  }
  return t;
}
}  // namespace

uint64_t comparable_digest(const Trace& t, Agreement level) { return digest(comparable(t, level)); }

bool is_right(const Trace& t) { return t.launches.back().after[size_t(t.output)] == t.expected; }

std::string hex(uint64_t v) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(v));
  return text;
}

std::string first_difference(const Trace& full_a, const Trace& full_b, Agreement level) {
  const Trace a = comparable(full_a, level), b = comparable(full_b, level);
  if (a.launches.size() != b.launches.size())
    return std::to_string(a.launches.size()) + " launches against " + std::to_string(b.launches.size());
  for (size_t l = 0; l < a.launches.size(); ++l) {
    const Launch &p = a.launches[l], &q = b.launches[l];
    const std::string where = "launch " + std::to_string(l);
    if (p.grid != q.grid || p.block != q.block) return where + ": another shape";
    if (p.shared_bytes != q.shared_bytes || p.shared != q.shared)
      return where + ": other shared arrays (" + std::to_string(p.shared_bytes) + " bytes against " +
             std::to_string(q.shared_bytes) + ")";
    if (p.phases != q.phases) return where + ": other phases";
    for (int k = 0; k < p.grid; ++k) {
      const BlockRun &x = p.blocks[size_t(k)], &y = q.blocks[size_t(k)];
      for (int thread = 0; thread < p.block; ++thread) {
        const auto u = x.log(thread), v = y.log(thread);
        for (size_t i = 0; i < std::max(u.size(), v.size()); ++i) {
          if (i < u.size() && i < v.size() && u[i] == v[i]) continue;
          auto said = [](std::span<const Event> log, size_t at) -> std::string {
            if (at >= log.size()) return "nothing";
            const Event& e = log[at];
            return std::string(name_of(e.op)) + " line rank " + std::to_string(e.line) + " array " +
                   std::to_string(e.array) + " bits " + std::to_string(e.bits) + " a " + std::to_string(e.a) +
                   " b " + std::to_string(e.b);
          };
          return where + " block " + std::to_string(k) + " thread " + std::to_string(thread) + " event " +
                 std::to_string(i) + ": " + said(u, i) + " against " + said(v, i);
        }
      }
      if (x.snapshots != y.snapshots) return where + " block " + std::to_string(k) + ": other snapshots";
    }
    if (p.after != q.after) return where + ": other global arrays at its end";
  }
  return {};
}

}  // namespace bscope::tests
