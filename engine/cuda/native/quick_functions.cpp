// The quick forms of functions: what a compiler makes vectors of in a loop over threads. They have no loop of
// their own, and nothing leaves them: where the interpreter would have to help, they say so and go on.
#include <algorithm>
#include <array>

#include "engine/cuda/native/function_emitter.hpp"
#include "engine/cuda/native/inline_builtins.hpp"
#include "engine/cuda/native/own_variables.hpp"
#include "engine/cuda/native/same_registers.hpp"

namespace bscope::cuda {

using std::to_string;

namespace {

/// Builtins that end a thread. Until one comes there all is well.
constexpr std::array ending = {"__bscope_trap", "__bscope_assert_fail", "__assert", "llvm.trap"};

bool ends_thread(std::string_view name) {
  return std::ranges::any_of(ending, [&](const char* word) { return name.starts_with(word); });
}

}  // namespace

/// The steps of a quick form that begins with step `first`, in their order. nullopt: there is none.
std::optional<std::vector<size_t>> FunctionEmitter::quick_steps(size_t first) const {
  enum Visit : uint8_t { fresh, open, done };
  std::vector<Visit> states(code_.steps.size());
  std::vector<size_t> way = {first}, all;
  while (!way.empty()) {
    const size_t k = way.back();
    if (states[k] != fresh) {
      way.pop_back();
      states[k] = done;
      continue;
    }
    states[k] = open;
    all.push_back(k);
    const BytecodeInstruction& s = code_.steps[k];
    if (is_barrier(code_, s) && resumable_) continue;
    if (!is_quick(s)) return {};
    for (const int32_t to : steps_behind(code_, k)) {
      if (states[size_t(to)] == open) return {};  // a loop
      if (states[size_t(to)] == fresh) way.push_back(size_t(to));
    }
  }
  std::ranges::sort(all);
  return all;
}

bool FunctionEmitter::is_quick(const BytecodeInstruction& s) const {
  if (s.op == BytecodeOp::local) return is_own(s.to);
  if (s.op == BytecodeOp::call) {
    const BytecodeFunction* const callee = callee_of(unit_.program, code_.calls[s.index]);
    return callee && unit_.quick.contains(callee);
  }
  if (s.op != BytecodeOp::builtin) {
    const Effect effect = effect_of(s.op);
    return effect != Effect::atomically && effect != Effect::fences;
  }
  const Call& c = code_.calls[s.index];
  if (ends_thread(c.name)) return true;
  const std::vector<std::string> nothing(std::max<size_t>(c.arguments.size(), 3), "0");
  const std::span<const std::string> arguments = std::span(nothing).first(c.arguments.size());
  return (c.results && s.to >= 0 && inline_builtin(c.name, s.bits, arguments)) || inline_atomic(c.name);
}

std::string FunctionEmitter::quick_definition(int number, int from) {
  size_t first = 0;
  for (int barriers = 0; barriers < from; ++first)
    if (is_barrier(code_, code_.steps[first])) ++barriers;
  const auto steps = quick_steps(first);
  if (!steps || site_of_.empty()) return {};
  std::vector<bool> labelled(code_.steps.size());
  labelled[first] = true;
  for (const size_t k : *steps)
    if (effect_of(code_.steps[k].op) == Effect::jumps)
      for (const int32_t to : steps_behind(code_, k)) labelled[size_t(to)] = true;
  std::string text = "INLINE " +
                     head(result_type(results_of(code_)), quick_name(number, from),
                          "const uint32_t* place, const struct found* sites, uint32_t* bad_") +
                     ") {\n" + variables();
  if (from)
    text += kept_at(from, true).take + "\n";
  else if (resumable_ && turns_)
    text += "kept_[0] = bscope_turns, kept_[stride_] = 0;\n";
  text += "goto L" + to_string(first) + ";\n";
  for (const size_t k : *steps) {
    if (labelled[k]) text += "L" + to_string(k) + ":;\n";
    text += quick_statement(k) + "\n";
  }
  return text + "}\n";
}

std::string FunctionEmitter::quick_statement(size_t k) {
  const BytecodeInstruction& s = code_.steps[k];
  switch (s.op) {
    case BytecodeOp::load:
    case BytecodeOp::store: return quick_access(s);
    case BytecodeOp::element:
    case BytecodeOp::put_element: return element(s, "*bad_ = 1;");
    case BytecodeOp::call: return quick_call(s);
    case BytecodeOp::builtin: return quick_builtin(s);
    case BytecodeOp::ret: return returned(s);
    case BytecodeOp::unsupported:
    case BytecodeOp::unreachable: return quick_failure();
    case BytecodeOp::jump:
    case BytecodeOp::branch:
    case BytecodeOp::switch_: return quick_ways(k);
    default: return statement(k);
  }
}

std::string FunctionEmitter::quick_access(const BytecodeInstruction& s) const {
  const bool loads = s.op == BytecodeOp::load;
  const std::string address = operand(s.a) + " + " + to_string(s.number), n = to_string(s.bits / 8),
                    value = loads ? std::string() : operand(s.b),
                    to = loads ? register_name(s.to) : std::string();
  if (is_own(s.a))
    return loads ? called("QUICK_OWN_LOAD", {to, own_name(s.a), n, address})
                 : called("QUICK_OWN_STORE", {own_name(s.a), n, address, value});
  const std::string site = to_string(site_of_[index_of(s)]),
                    is_volatile = s.is_volatile || s.ordering != ir::Ordering::none ? "1" : "0";
  return loads ? called("QUICK_LOAD", {to, site, n, is_volatile, address})
               : called("QUICK_STORE", {site, n, is_volatile, address, value});
}

std::string FunctionEmitter::quick_call(const BytecodeInstruction& s) const {
  const Call& c = code_.calls[s.index];
  const BytecodeFunction& callee = *callee_of(unit_.program, c);
  std::string text = quick_name(unit_.numbers.at(&callee)) + "(place, sites, bad_";
  for (size_t k = 0; k < size_t(parameters_of(callee)); ++k)
    text += ", " + (k < c.arguments.size() ? operand(c.arguments[k]) : std::string("0"));
  return with_results(s, callee, c.results, text + ");");
}

std::string FunctionEmitter::quick_builtin(const BytecodeInstruction& s) const {
  const Call& c = code_.calls[s.index];
  if (is_barrier(code_, s)) {
    int barriers = 1;
    for (size_t k = 0; k < index_of(s); ++k) barriers += is_barrier(code_, code_.steps[k]);
    return kept_at(barriers, true).keep + "return " + to_string(barriers) + ";";
  }
  if (ends_thread(c.name)) return "*bad_ = 1;";
  std::vector<std::string> arguments;
  for (const ir::Operand o : c.arguments) arguments.push_back(operand(o));
  const std::string to = c.results && s.to >= 0 ? register_name(s.to) : std::string();
  if (const auto text = inline_builtin(c.name, s.bits, arguments); text && !to.empty())
    return to + " = " + *text + ";";
  const InlineAtomic atomic = *inline_atomic(c.name);
  return (to.empty() ? "{ uint64_t unused_; " : "{ ") +
         called("QUICK_ATOMIC",
                {to.empty() ? "unused_" : to, to_string(site_of_[index_of(s)]), to_string(atomic.bytes),
                 arguments[0], arguments[1], arguments.size() > 2 ? arguments[2] : "0", atomic.next}) +
         " }";
}

std::string FunctionEmitter::quick_ways(size_t k) const {
  const BytecodeInstruction& s = code_.steps[k];
  const auto go = [](int32_t to) { return "goto L" + to_string(to) + ";"; };
  if (s.op == BytecodeOp::jump) return go(s.b);
  if (s.op == BytecodeOp::branch)
    return "if (" + operand(s.a) + " & 1) {" + go(s.b) + "} else {" + go(s.c) + "}";
  std::string text = "switch (" + operand(s.a) + ") {";
  for (const auto& [value, to] : code_.choices[s.index].cases)
    text += " case " + to_string(value) + "ull: " + go(to);
  return text + " default: " + go(s.b) + " }";
}

std::string FunctionEmitter::quick_failure() const {
  if (resumable_) return "*bad_ = 1; return bscope_ended;";
  const int results = results_of(code_);
  return results ? "*bad_ = 1; return (struct results" + to_string(results) + "){{0}};"
                 : "*bad_ = 1; return;";
}

/// Where the pointer that an address is computed from comes from.
ir::Operand FunctionEmitter::root_of(ir::Operand o) const {
  constexpr int most_steps_back = 64;
  for (int k = 0; k < most_steps_back && o >= 0 && times_set_[size_t(o)] == 1; ++k) {
    const int32_t by = set_by_[size_t(o)];
    if (by < 0) return o;  // a parameter
    const BytecodeInstruction& s = code_.steps[size_t(by)];
    const bool same = s.op == BytecodeOp::copy || s.op == BytecodeOp::addrspacecast ||
                      s.op == BytecodeOp::bitcast || (s.op == BytecodeOp::trunc && s.bits == 64);
    if (!same && effect_of(s.op) != Effect::addresses) return o;
    o = s.a;
  }
  return o;
}

std::string FunctionEmitter::shared_sites() const {
  std::vector<std::pair<uint64_t, int>> first_of;  // by root
  std::string compared, taken;
  for (size_t k = 0; k < code_.steps.size(); ++k) {
    if (site_of_[k] < 0) continue;
    const BytecodeInstruction& s = code_.steps[k];
    const ir::Operand o = root_of(s.op == BytecodeOp::builtin ? code_.calls[s.index].arguments[0] : s.a);
    const uint64_t root = o >= 0 ? uint64_t(o) : code_.constants.end()[o].bits;
    const auto known = std::ranges::find(first_of, root, &std::pair<uint64_t, int>::first);
    if (known == first_of.end()) {
      first_of.emplace_back(root, site_of_[k]);
      continue;
    }
    const std::string site = to_string(site_of_[k]), first = to_string(known->second);
    compared += called("COMPARE_MEMORY", {site, first}) + ";\n";
    taken += called("SAME_MEMORY", {site, first}) + ";\n";
  }
  compared += "HIDE(unlike_);\nif (unlike_) return bscope_unlike;\n";
  for (const auto& [root, site] : first_of)
    compared += called("HIDE", {"sites[" + to_string(site) + "].memory"}) + ";\n";
  return compared + taken;
}

}  // namespace bscope::cuda
