#include "engine/cuda/native/function_emitter.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "engine/cuda/native/inline_builtins.hpp"
#include "engine/cuda/native/live_registers.hpp"
#include "engine/cuda/native/operands.hpp"
#include "engine/cuda/native/own_variables.hpp"
#include "engine/cuda/native/same_registers.hpp"
#include "engine/cuda/native/thread.h"

namespace bscope::cuda {

using std::to_string;

namespace {

constexpr uint64_t gap = 16;  // between local variables, as in a walk

/// "add"
std::string_view name_of_compute(BytecodeOp op) {
  static constexpr std::string_view names[] = {
#define COMPUTE(id, ...) #id,
#include "engine/cuda/ir/instructions.def"
  };
  return names[size_t(op)];
}

std::string literal(uint64_t bits) {
  char text[20];
  const auto end = std::to_chars(std::begin(text), std::end(text), bits, 16).ptr;
  return "0x" + std::string(text, end) + "ull";
}
/// Whether a loop around this step can hang on what another thread does.
bool may_wait(const NativeUnit& unit, const BytecodeFunction& code, const BytecodeInstruction& s) {
  if (s.op == BytecodeOp::load) return s.is_volatile || s.ordering != ir::Ordering::none;
  if (effect_of(s.op) == Effect::atomically) return true;
  if (s.op == BytecodeOp::call) return unit.waited_for.contains(callee_of(unit.program, code.calls[s.index]));
  if (s.op != BytecodeOp::builtin) return false;
  const std::string& name = code.calls[s.index].name;
  return name.starts_with("__bscope_atomic_cas") || name.starts_with("__bscope_atomic_exch");
}

/// Builtins that only compute or reach for memory, by how their names begin.
constexpr std::array alone = {"__bscope_math_",   "__bscope_min_",
                              "__bscope_max_",    "__bscope_fma_",
                              "__bscope_popc_",   "__bscope_clz_",
                              "__bscope_ffs_",    "__bscope_brev_",
                              "__bscope_abs_",    "__bscope_byte_",
                              "__bscope_mul_hi_", "__bscope_atomic_",
                              "__bscope_trap",    "__bscope_assert_fail",
                              "__assert",         "__bscope_fence_",
                              "llvm.mem",         "llvm.f",
                              "llvm.s",           "llvm.trap",
                              "memcpy",           "memset",
                              "memmove",          "__bscope_texture",
                              "__bscope_surface", "llvm.nvvm.texsurf"};

/// Whether a thread may meet others there, or see in which order threads run.
bool meets(std::string_view name) {
  return std::ranges::none_of(alone, [&](const char* beginning) { return name.starts_with(beginning); });
}

}  // namespace

bool is_barrier(const BytecodeFunction& code, const BytecodeInstruction& s) {
  if (s.op != BytecodeOp::builtin) return false;
  return code.calls[s.index].builtin.run == Builtins::all().find("__bscope_sync").run;
}

std::string call_text(const std::string& f, std::initializer_list<std::string> arguments) {
  std::string text = f;
  const char* before = "(";
  for (const std::string& a : arguments) {
    text += before + a;
    before = ", ";
  }
  return text + ")";
}

std::string register_name(ir::Operand o) { return "r" + to_string(o); }

const BytecodeFunction* callee_of(const BytecodeProgram& program, const Call& c) {
  return c.code ? c.code : c.name.empty() ? nullptr : program.find(c.name);
}

bool may_wait(const NativeUnit& unit, const BytecodeFunction& code) {
  return std::ranges::any_of(code.steps,
                             [&](const BytecodeInstruction& s) { return may_wait(unit, code, s); });
}
int results_of(const BytecodeFunction& code) {
  int64_t most = 0;
  for (const BytecodeInstruction& s : code.steps)
    if (s.op == BytecodeOp::ret) most = std::max(most, s.number);
  return int(most);
}

FunctionEmitter::FunctionEmitter(NativeUnit& unit, const BytecodeFunction& code, Form form)
    : unit_(unit),
      code_(with_variables_in_registers(code)),
      own_(own_variables(code_)),
      begin_(code.steps.size()),
      target_(code.steps.size()),
      form_(form),
      site_of_(code.steps.size(), -1),
      times_set_(times_set(code_)),
      set_by_(size_t(code.registers) + 1, -1),
      note_of_(code.steps.size()) {
  place_variables();
  find_targets();
  if (form == resumable) lay_out_kept();
  if (form != called) find_segments();
}

void FunctionEmitter::place_variables() {
  for (size_t k = 0; k < code_.steps.size(); ++k) {
    const BytecodeInstruction& s = code_.steps[k];
    if (s.op != BytecodeOp::local) continue;
    if (is_own(s.to)) {
      own_bytes_ += uint64_t(s.number);
    } else {
      begin_[k] = (local_bytes_ + gap + 15) / 16 * 16;
      local_bytes_ = begin_[k] + uint64_t(s.number);
    }
  }
}

/// Registers that are live at a barrier: those that differ between threads are kept word by word, so that
/// those of neighbouring threads are neighbours; arrays are kept thread by thread.
void FunctionEmitter::lay_out_kept() {
  live_ = live_behind(code_, is_barrier);
  same_ = same_in_all_threads(code_);
  find_made_again();
  for (const std::vector<ir::Operand>& live : live_) {
    uint64_t same = 0, others = 2 * uint64_t(turns_);
    for (const ir::Operand o : live)
      if (made_again_[size_t(o)] < 0) ++(same_[size_t(o)] ? same : others);
    same_words_ = std::max(same_words_, same);
    kept_words_ = std::max(kept_words_, others);
  }
  for (const BytecodeInstruction& v : code_.steps)
    if (v.op == BytecodeOp::local && is_own(v.to))
      array_words_ += uint64_t(std::max<int64_t>(v.number, 1) + 7) / 8;
}

/// What the kernel computes before its first branch of its arguments and its thread's place need not be kept,
/// and a compiler that sees it computed again knows how the indices of neighbouring threads differ.
void FunctionEmitter::find_made_again() {
  made_again_.assign(size_t(code_.registers) + 1, -1);
  std::vector<int> sets = times_set_;
  for (const BytecodeInstruction& s : code_.steps)
    if (s.op == BytecodeOp::unset) --sets[size_t(s.to)];
  const auto is_known = [&](ir::Operand o) {
    const bool is_parameter = o < parameters_of(code_) && times_set_[size_t(std::max(0, o))] == 1;
    return o < 0 || is_parameter || made_again_[size_t(o)] >= 0;
  };
  for (size_t k = 0; k < code_.steps.size() && effect_of(code_.steps[k].op) != Effect::jumps; ++k) {
    const BytecodeInstruction& s = code_.steps[k];
    if (is_barrier(code_, s)) return;
    const bool is_place = s.op == BytecodeOp::builtin && code_.calls[s.index].arguments.empty() &&
                          inline_builtin(code_.calls[s.index].name, s.bits, {});
    const bool computes = compute_row_of(s.op) || s.op == BytecodeOp::copy || s.op == BytecodeOp::address ||
                          s.op == BytecodeOp::index;
    if (s.to < 0 || sets[size_t(s.to)] != 1 || !(is_place || computes) || is_own(s.to)) continue;
    bool known = effect_of(s.op) != Effect::addresses || is_known(s.a);
    each_value_read(code_, s, [&](const Operands& o) {
      for (int64_t n = 0; n < o.count; ++n) known = known && is_known(part(o.first, int(n)));
    });
    if (known) made_again_[size_t(s.to)] = int32_t(k);
  }
}

void FunctionEmitter::find_targets() {
  for (size_t k = 0; k < code_.steps.size(); ++k) {
    const BytecodeInstruction& s = code_.steps[k];
    const Operands set = set_by(code_, s);
    for (int64_t n = 0; s.to >= 0 && n < set.count; ++n) set_by_[size_t(s.to + n)] = int32_t(k);
    turns_ = turns_ || effect_of(s.op) == Effect::calls;
    if (effect_of(s.op) != Effect::jumps) continue;
    for (const int32_t to : steps_behind(code_, k)) turns_ = turns_ || size_t(to) <= k;
  }
  for (const BytecodeInstruction& s : code_.steps) {
    if (effect_of(s.op) == Effect::jumps) target_[size_t(s.b)] = true;
    if (s.op == BytecodeOp::branch) target_[size_t(s.c)] = true;
    if (s.op == BytecodeOp::switch_)
      for (const auto& [value, to] : code_.choices[s.index].cases) target_[size_t(to)] = true;
  }
}

int parameters_of(const BytecodeFunction& code) {
  int n = 0;
  for (const ir::FunctionParameter& p : code.function->parameters)
    n += p.by_value ? 1 : std::max(1, int(p.type->slots));
  return std::min(n, int(code.registers));
}

std::string function_name(int number) { return "function_" + to_string(number); }

std::string FunctionEmitter::result_type(int results) const {
  return form_ == resumable ? std::string("uint32_t")
         : results          ? "struct results" + to_string(results)
                            : std::string("void");
}

std::string FunctionEmitter::parameters() const {
  std::string text;
  for (int k = 0; k < parameters_of(code_); ++k) text += ", uint64_t " + register_name(k);
  if (form_ == resumable)
    text +=
        ", uint64_t* kept_, uint64_t stride_, const uint64_t* same_, uint64_t* next_same_, "
        "uint8_t* arrays_";
  return text;
}

/// Registers but parameters, and own variables.
std::string FunctionEmitter::variables() const {
  std::string text;
  for (int k = parameters_of(code_); k < code_.registers; ++k)
    text += "uint64_t " + register_name(k) + " = 0;\n";
  for (const BytecodeInstruction& s : code_.steps)
    if (s.op == BytecodeOp::local && is_own(s.to))
      text += "uint8_t " + own_name(s.to) + "[" + to_string(std::max<int64_t>(s.number, 1)) + "];\n";
  return text;
}

std::string FunctionEmitter::definition(int number) {
  std::string text = form_ == called ? "static " : "INLINE ";
  text += result_type(results_of(code_)) + " " + function_name(number) +
          "(thread* t, const uint32_t* place, struct found* sites, uint8_t* local, uint8_t* valid, uint64_t "
          "frame, uint32_t site";
  if (form_ != called) text += ", const int mode_, struct probe* probe_, uint64_t way_";
  if (form_ == resumable) text += ", uint32_t state_";
  text += parameters() + ") {\nuint32_t turns_ = bscope_turns;\n";
  if (form_ == called)
    text += "enum { mode_ = EXACT };\nstruct probe* const probe_ = 0;\nconst uint64_t way_ = 0;\n";
  text += variables();
  std::string body;
  for (size_t k = 0; k < code_.steps.size(); ++k) {
    if (target_[k]) body += "L" + to_string(k) + ":;\n";
    body += statement(k) + "\n";
  }
  if (form_ == resumable) {
    if (turns_) text += "if (mode_ == SEGMENT && !state_) kept_[0] = bscope_turns, kept_[stride_] = 0;\n";
    text += "switch (state_) {";
    for (int k = 1; k <= barriers_; ++k) text += " case " + to_string(k) + ": goto B" + to_string(k) + ";";
    text += " }\n";
    body += "return bscope_ended;\n";
  }
  return text + body + "}\n";
}

// ---- operands

std::string FunctionEmitter::operand(ir::Operand o) const {
  return o >= 0 ? register_name(o) : literal(code_.constants.end()[o].bits);
}

std::string FunctionEmitter::line(const BytecodeInstruction& s) const {
  return s.line && s.file == unit_.file ? to_string(s.line) : std::string("site");
}

// ---- steps

std::string FunctionEmitter::statement(size_t k) {
  const BytecodeInstruction& s = code_.steps[k];
  switch (s.op) {
#define COMPUTE(id, ...) \
  case BytecodeOp::id: return computed(s, "compute_" #id);
#include "engine/cuda/ir/instructions.def"
#define STEP(id, effect, reads, sets, walk, emit) \
  case BytecodeOp::id: return emit;
#include "engine/cuda/ir/instructions.def"
  }
  return "";
}

std::string FunctionEmitter::assigned(const BytecodeInstruction& s, const std::string& value) {
  return register_name(s.to) + " = " + value + ";";
}

std::string FunctionEmitter::computed(const BytecodeInstruction& s, std::string_view function) const {
  std::vector<std::string> operands;
  all_of_compute(s, [&](const Operands& o) { operands.push_back(operand(o.first)); });
  return noted(s, assigned(s, computation(function, operands, s.from, s.bits)));
}

std::string FunctionEmitter::new_variable(size_t k) const {
  const BytecodeInstruction& s = code_.steps[k];
  const std::string to = register_name(s.to), bytes = to_string(s.number);
  if (is_own(s.to)) return call_text("__builtin_memset", {own_name(s.to), "0", bytes}) + "; " + to + " = 0;";
  return call_text("NEW_LOCAL", {to, to_string(begin_[k]), bytes}) + ";";
}

std::string FunctionEmitter::address(const BytecodeInstruction& s) const {
  std::string text = operand(s.a) + " + " + literal(uint64_t(s.number));
  const auto add = [&](ir::Operand index, int bits, uint64_t stride) {
    text += " + (uint64_t)extended(" + operand(index) + ", " + to_string(bits) + ") * " + literal(stride);
  };
  if (s.op == BytecodeOp::index) {
    add(s.b, s.from, s.index);
  } else {
    for (const auto& scaled : code_.addresses[s.index])
      add(scaled.index, scaled.bits, uint64_t(scaled.stride));
  }
  return text;
}

std::string FunctionEmitter::access(const BytecodeInstruction& s) {
  const bool loads = s.op == BytecodeOp::load;
  const auto bytes = uint64_t(s.bits / 8);
  static constexpr std::array<ir::Operand, 2> load_operands = {0, -1}, store_operands = {0, 1};
  const int step = add_left(s, loads ? load_operands : store_operands);
  const std::string address = operand(s.a) + " + " + literal(uint64_t(s.number)), n = to_string(bytes),
                    value = loads ? std::string() : operand(s.b),
                    to = loads ? register_name(s.to) : std::string();
  if (is_own(s.a)) {
    const std::string own = own_name(s.a);
    return loads ? call_text("OWN_LOAD", {to, own, to_string(step), n, note_of(s), line(s), address})
                 : call_text("OWN_STORE", {own, to_string(step), n, note_of(s), line(s), address, value});
  }
  const std::string site = to_string(add_site(s, step, 0, !loads, bytes)),
                    is_volatile = s.is_volatile || s.ordering != ir::Ordering::none ? "1" : "0";
  if (const auto e = element_at(s, bytes)) {
    const std::string origin = operand(e->origin);
    element_sites_.push_back({site_of_[index_of(s)], bytes, e->origin, origin});
    return loads ? call_text("LOAD_ELEMENT", {to, site, to_string(step), n, is_volatile, note_of(s), line(s),
                                              address, origin, e->index})
                 : call_text("STORE_ELEMENT", {site, to_string(step), n, is_volatile, note_of(s), line(s),
                                               address, value, origin, e->index});
  }
  return loads ? call_text("LOAD", {to, site, to_string(step), n, is_volatile, note_of(s), line(s), address})
               : call_text("STORE",
                           {site, to_string(step), n, is_volatile, note_of(s), line(s), address, value});
}

/// Whether a step comes before all branches, so that what it sets is there whenever it is read.
bool FunctionEmitter::is_set_before_branches(size_t step) const {
  for (size_t k = 0; k <= step; ++k)
    if (target_[k] || (k < step && effect_of(code_.steps[k].op) == Effect::jumps)) return false;
  return true;
}

/// Adds to an index what a step adds to an address, in elements. False: that is no number of elements, or its
/// operands need not be there any more at the access.
bool FunctionEmitter::adds_elements(size_t step, size_t access, uint64_t bytes, std::string& index) const {
  const BytecodeInstruction& s = code_.steps[step];
  const auto size = int64_t(bytes);
  if (step >= access || s.number % size != 0) return false;
  for (size_t k = step; k < access; ++k)
    if (target_[k + 1] || is_barrier(code_, code_.steps[k])) return false;
  index += " + " + literal(uint64_t(s.number / size));
  const auto add = [&](ir::Operand by, int bits, int64_t stride) {
    if (stride % size != 0 || (by >= 0 && times_set_[size_t(by)] != 1)) return false;
    index += " + (uint64_t)extended(" + operand(by) + ", " + to_string(bits) + ") * " +
             literal(uint64_t(stride / size));
    return true;
  };
  if (s.op == BytecodeOp::index) return add(s.b, s.from, int64_t(s.index));
  return std::ranges::all_of(code_.addresses[s.index], [&](const auto& scaled) {
    return add(scaled.index, scaled.bits, scaled.stride);
  });
}

/// What an access of a kernel reaches, as an element behind a parameter or behind an array of the program's.
std::optional<FunctionEmitter::Element> FunctionEmitter::element_at(const BytecodeInstruction& access,
                                                                    uint64_t bytes) const {
  constexpr int most_steps_back = 16;
  const size_t at = index_of(access);
  if (form_ == called || access.number % int64_t(bytes) != 0) return {};
  Element e{access.a, literal(uint64_t(access.number / int64_t(bytes)))};
  size_t reader = at;
  for (int k = 0; k < most_steps_back && e.origin >= 0; ++k) {
    const auto o = size_t(e.origin);
    const bool is_once = times_set_[o] == 1;
    if (set_by_[o] < 0) return is_once && int(o) < parameters_of(code_) ? std::optional(e) : std::nullopt;
    const auto by = size_t(set_by_[o]);
    const BytecodeInstruction& s = code_.steps[by];
    const bool is_same = s.op == BytecodeOp::copy || s.op == BytecodeOp::addrspacecast ||
                         s.op == BytecodeOp::bitcast || (s.op == BytecodeOp::trunc && s.bits == 64),
               is_variable = times_set_[o] == 2 && by < reader && is_set_before_branches(by);
    const bool adds =
        is_once && effect_of(s.op) == Effect::addresses && adds_elements(by, at, bytes, e.index);
    if (!adds && !(is_same && (is_once || is_variable))) return {};
    e.origin = s.a;
    reader = by;
  }
  return e.origin < 0 ? std::optional(e) : std::nullopt;
}

std::string FunctionEmitter::select(const BytecodeInstruction& s) const {
  std::string text = "{ const uint64_t yes_ = " + operand(s.a) + " & 1;";
  for (int k = 0; k < s.number; ++k)
    text += " " + register_name(s.to + k) + " = yes_ ? " + operand(s.b, k) + " : " + operand(s.c, k) + ";";
  return text + " }";
}

std::string FunctionEmitter::element(const BytecodeInstruction& s) {
  const bool takes = s.op == BytecodeOp::element;
  std::string text = "switch (" + operand(takes ? s.b : s.c) + ") {";
  for (int k = 0; k < s.number; ++k) {
    text += " case " + to_string(k) + ": ";
    text += takes ? register_name(s.to) + " = " + operand(s.a, k)
                  : register_name(s.to + k) + " = " + operand(s.b);
    text += "; break;";
  }
  BytecodeInstruction fails = s;  // whose index is too large
  fails.op = BytecodeOp::element;
  fails.a = fails.b = 0;
  return text + " default: LEFT { t->values[0] = ~0ull; LEAVE(" + to_string(add_left(fails, {})) + ", " +
         line(s) + "); } }";
}

// ---- calls

std::string FunctionEmitter::call(const BytecodeInstruction& s) {
  const Call& c = code_.calls[s.index];
  const BytecodeFunction* const callee = callee_of(unit_.program, c);
  if (!callee) {  // fails where it is called
    BytecodeInstruction fails = s;
    fails.index = uint32_t(unit_.made.left.calls.size());
    unit_.made.left.calls.push_back({.name = c.name});
    return "LEAVE(" + to_string(add_left(fails, {})) + ", " + line(s) + "); __builtin_unreachable();";
  }
  const int parameters = parameters_of(*callee);
  std::string text = function_name(unit_.numbers.at(callee)) + "(t, place, sites, local, valid, frame + " +
                     to_string(local_bytes_) + ", " + line(s);
  for (size_t k = 0; k < size_t(parameters); ++k)
    text += ", " + (k < c.arguments.size() ? operand(c.arguments[k]) : std::string("0"));
  return with_results(s, *callee, c.results, text + ");");
}

std::string FunctionEmitter::with_results(const BytecodeInstruction& s, const BytecodeFunction& callee,
                                          int wanted, const std::string& call) {
  const int results = results_of(callee);
  if (!results || s.to < 0) return call;
  std::string text = "{ const struct results" + to_string(results) + " made_ = " + call;
  for (int k = 0; k < std::min(results, wanted); ++k)
    text += " " + register_name(s.to + k) + " = made_.v[" + to_string(k) + "];";
  return text + " }";
}

std::string FunctionEmitter::ret(const BytecodeInstruction& s) const {
  const int results = results_of(code_);
  std::string text;
  if (local_bytes_) text = "__builtin_memset(valid + frame, 0, " + to_string(local_bytes_) + "); ";
  if (form_ == resumable) return text + "return bscope_ended;";
  if (!results) return text + "return;";
  text += "return (struct results" + to_string(results) + "){{";
  for (int k = 0; k < s.number; ++k) text += (k ? ", " : "") + operand(s.a, k);
  return text + "}};";
}

std::string FunctionEmitter::builtin(const BytecodeInstruction& s) {
  const Call& c = code_.calls[s.index];
  std::vector<std::string> arguments;
  for (const ir::Operand o : c.arguments) arguments.push_back(operand(o));
  const std::string to = c.results && s.to >= 0 ? register_name(s.to) : std::string();
  if (const auto text = inline_builtin(c.name, s.bits, arguments); text && !to.empty())
    return to + " = " + *text + ";";
  if (const auto atomic = inline_atomic(c.name)) {
    const int step = add_left_call(s), site = add_site(s, step, 0, true, uint64_t(atomic->bytes));
    return (to.empty() ? "{ uint64_t unused_; " : "{ ") +
           call_text("ATOMIC", {to.empty() ? "unused_" : to, to_string(site), to_string(step),
                                to_string(atomic->bytes), line(s), arguments[0], arguments[1],
                                arguments.size() > 2 ? arguments[2] : "0", atomic->next}) +
           " }";
  }
  if (std::string text = copy(s, c); !text.empty()) return text;
  if (is_barrier(code_, s)) return barrier(s);
  unit_.made.meets = unit_.made.meets || meets(c.name);
  const int step = add_left_call(s);
  std::string text = "LEFT { ";
  for (size_t k = 0; k < arguments.size(); ++k)
    text += "t->values[" + to_string(k) + "] = " + arguments[k] + "; ";
  text += "LEAVE(" + to_string(step) + ", " + line(s) + ");";
  return (to.empty() ? text : text + " " + to + " = t->values[bscope_results];") + " }";
}

/// What is live at a barrier, to be kept and taken back. Segments count no turns: those kept stay. What is
/// the same in all threads they leave to their probes.
FunctionEmitter::Kept FunctionEmitter::kept_at(int barrier) const {
  Kept k;
  uint64_t word = 0, same = 0, byte = 0;
  const auto add = [&](const std::string& name, bool is_same) {
    const std::string at = is_same ? "[" + to_string(same++) + "]" : "[" + to_string(word++) + " * stride_]";
    k.keep += (is_same ? "if (mode_ != SEGMENT) next_same_" : "if (mode_ != PROBE) kept_") + at + " = " +
              name + "; ";
    k.take += " " + name + " = " + (is_same ? "same_" : "kept_") + at + ";";
  };
  if (turns_) {
    k.keep = "if (mode_ == EXACT) kept_[0] = turns_, kept_[stride_] = t->turns; ";
    k.take = " if (mode_ == EXACT) turns_ = kept_[0], t->turns = kept_[stride_];";
    word = 2;
  }
  std::vector<bool> again(code_.steps.size());
  const auto make = [&](const auto& self, ir::Operand o) -> void {
    const int32_t step = o < 0 ? -1 : made_again_[size_t(o)];
    if (step < 0 || again[size_t(step)]) return;
    again[size_t(step)] = true;
    const BytecodeInstruction& s = code_.steps[size_t(step)];
    if (effect_of(s.op) == Effect::addresses) self(self, s.a);
    each_value_read(code_, s, [&](const Operands& read) {
      for (int64_t n = 0; n < read.count; ++n) self(self, part(read.first, int(n)));
    });
  };
  for (const ir::Operand o : live_[size_t(barrier) - 1])
    made_again_[size_t(o)] >= 0 ? make(make, o) : add(register_name(o), same_[size_t(o)]);
  for (size_t step = 0; step < again.size(); ++step)
    if (again[step]) k.take += " " + made_again(code_.steps[step]);
  for (const BytecodeInstruction& v : code_.steps) {
    if (v.op != BytecodeOp::local || !is_own(v.to)) continue;
    const std::string at = "arrays_ + " + to_string(byte), n = "sizeof " + own_name(v.to);
    k.keep += "if (mode_ != PROBE) " + call_text("__builtin_memcpy", {at, own_name(v.to), n}) + "; ";
    k.take += " " + call_text("__builtin_memcpy", {own_name(v.to), at, n}) + ";";
    byte += uint64_t(std::max<int64_t>(v.number, 1) + 7) / 8 * 8;
  }
  return k;
}

std::string FunctionEmitter::made_again(const BytecodeInstruction& s) const {
  if (s.op == BytecodeOp::builtin)
    return register_name(s.to) + " = " + *inline_builtin(code_.calls[s.index].name, s.bits, {}) + ";";
  if (s.op == BytecodeOp::copy) return assigned(s, operand(s.a));
  if (effect_of(s.op) == Effect::addresses) return assigned(s, address(s));
  return computed(s, "compute_" + std::string(name_of_compute(s.op)));
}

/// __syncthreads(). A resumable kernel keeps what is live behind it and returns its number.
std::string FunctionEmitter::barrier(const BytecodeInstruction& s) {
  ++barriers_;
  if (form_ != resumable) return "t->sync(t, " + line(s) + ");";
  unit_.made.barrier_lines.push_back(s.file == unit_.file ? s.line : 0);
  const auto [keep, take] = kept_at(barriers_);
  const std::string number = to_string(barriers_);
  return keep + "return " + number + "; B" + number + ":;" + take;
}

/// A struct that is copied; empty: it is no such call.
std::string FunctionEmitter::copy(const BytecodeInstruction& s, const Call& c) {
  constexpr uint64_t most = 1 << 16;
  const bool copies = c.name.starts_with("llvm.memcpy") || c.name.starts_with("llvm.memmove");
  if (!copies || c.arguments.size() < 3 || c.arguments[2] >= 0) return {};
  const uint64_t bytes = code_.constants.end()[c.arguments[2]].bits;
  if (bytes == 0 || bytes > most) return {};
  const int step = add_left_call(s), site = add_site(s, step, 0, true, bytes);
  add_site(s, step, 1, false, bytes);
  return call_text("COPY", {to_string(site), to_string(step), to_string(bytes), line(s),
                            operand(c.arguments[0]), operand(c.arguments[1])});
}

// ---- ways

std::string FunctionEmitter::go(size_t from, int32_t to, const BytecodeInstruction& s) {
  const std::string way = "goto L" + to_string(to) + ";";
  if (size_t(to) > from) return way;
  const bool waits =
      std::any_of(code_.steps.begin() + to, code_.steps.begin() + long(from),
                  [&](const BytecodeInstruction& step) { return may_wait(unit_, code_, step); });
  unit_.made.meets = unit_.made.meets || waits;
  return "if (mode_ == EXACT) " + std::string(waits ? "WAITING_TURN(" : "TURN(") + line(s) + ") " + way;
}

std::string FunctionEmitter::branch(size_t k) {
  const BytecodeInstruction& s = code_.steps[k];
  return "if (" + guard(k) + ") {" + go(k, s.b, s) + "} else {" + go(k, s.c, s) + "}";
}

std::string FunctionEmitter::switch_(size_t k) {
  const BytecodeInstruction& s = code_.steps[k];
  std::string text = "switch (" + operand(s.a) + ") {";
  for (const auto& [value, to] : code_.choices[s.index].cases)
    text += " case " + literal(value) + ": " + go(k, to, s);
  return text + " default: " + go(k, s.b, s) + " }";
}

// ---- what is left to the interpreter

std::string FunctionEmitter::left(const BytecodeInstruction& s, std::vector<std::string> operands,
                                  ir::Operand to, int results) {
  static constexpr std::array<ir::Operand, 3> in_order = {0, 1, 2};
  const int step = add_left(s, std::span(in_order).first(operands.size()));
  std::string text = "LEFT { ";
  for (size_t k = 0; k < operands.size(); ++k)
    text += "t->values[" + to_string(k) + "] = " + operands[k] + "; ";
  text += "LEAVE(" + to_string(step) + ", " + line(s) + ");";
  for (int k = 0; k < results; ++k)
    text += " " + register_name(to + k) + " = t->values[bscope_results + " + to_string(k) + "];";
  return text + " }";
}

/// What the interpreter does not come back from.
std::string FunctionEmitter::ended(const BytecodeInstruction& s) {
  const int results = results_of(code_);
  const std::string nothing = form_ == resumable ? "return bscope_ended;"
                              : results          ? "return (struct results" + to_string(results) + "){{0}};"
                                                 : "return;";
  return left(s, {}, -1, 0) + " if (mode_ == PROBE) " + nothing + " __builtin_unreachable();";
}

int FunctionEmitter::add_left(BytecodeInstruction s, std::span<const ir::Operand> operands) {
  BytecodeFunction& left = unit_.made.left;
  const std::array<ir::Operand*, 3> fields = {&s.a, &s.b, &s.c};
  for (size_t k = 0; k < operands.size(); ++k)
    if (operands[k] >= 0) *fields[k] = operands[k];
  if (s.to >= 0) s.to = bscope_results;
  if (s.op == BytecodeOp::load || s.op == BytecodeOp::store) s.number = 0;  // it is in the address
  if (s.op == BytecodeOp::unsupported) {
    left.sentences.push_back(code_.sentences[s.index]);
    s.index = uint32_t(left.sentences.size() - 1);
  }
  left.steps.push_back(s);
  return int(left.steps.size()) - 1;
}

int FunctionEmitter::add_left_call(const BytecodeInstruction& s) {
  Call c = code_.calls[s.index];
  for (size_t k = 0; k < c.arguments.size(); ++k) c.arguments[k] = ir::Operand(k);
  BytecodeInstruction now = s;
  now.index = uint32_t(unit_.made.left.calls.size());
  unit_.made.left.calls.push_back(std::move(c));
  return add_left(now, {});
}

int FunctionEmitter::add_site(const BytecodeInstruction& s, int step, uint8_t operand, bool writes,
                              uint64_t bytes) {
  int& first = site_of_[index_of(s)];
  if (first < 0) first = int(unit_.made.sites.size());
  unit_.made.sites.push_back({step, operand, writes, bytes});
  return int(unit_.made.sites.size()) - 1;
}

}  // namespace bscope::cuda
