// From LLVM's instructions to the steps that are interpreted.
#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>

#include "engine/cuda/ir/natural_loops.hpp"
#include "engine/cuda/ir/return_statements.hpp"
#include "engine/cuda/machine/bytecode.hpp"
#include "engine/cuda/machine/kinds.hpp"
#include "engine/cuda/machine/small_operations.hpp"

namespace bscope::cuda {
namespace {

using ir::Instruction;
using ir::Opcode;
using ir::Operand;
using ir::Type;

constexpr size_t most_arguments = 8;   // of a builtin
constexpr uint32_t most_parts = 4096;  // of a variable that is looked through
constexpr std::string_view ours = "__bscope_";
constexpr int most_rounds = 8;  // in which blocks without lines learn where they are

/// Builtins whose result depends on their thread's arguments alone, by how their names begin.
bool computes(std::string_view name) {
  for (const auto& [suffix, kind] : small_kinds)
    if (name.starts_with(ours) && name.ends_with(suffix))
      return small_operation_named(name.substr(ours.size(), name.rfind('_') - ours.size())) != nullptr ||
             name.starts_with("__bscope_math_");
  for (const char* beginning : {"__bscope_math_", "__bscope_min_", "__bscope_max_", "__bscope_fma_", "_Z",
                                "llvm.f", "llvm.sqrt", "llvm.m"})
    if (name.starts_with(beginning)) return !name.starts_with("llvm.mem");
  return false;
}

/// Calls f with each scalar of a type: itself, the bytes and the scalars before it.
void each_scalar_slot(const Type& t, const auto& f, uint64_t at = 0, int slot = 0) {
  if (t.scalar()) return f(t, at, slot);
  const uint64_t parts = t.kind == Type::structure ? t.parts.size() : t.count;
  for (uint64_t k = 0; k < parts; ++k) {
    const Type::TypeMember p = t.part(k);
    each_scalar_slot(*p.type, f, at + p.offset, slot + int(p.slot));
  }
}

class Lowering {
 public:
  /// `calls`: library calls of all modules so far; this module's own begin at `first_call`.
  Lowering(const ir::Function& f, BytecodeFunction& code, int first_file, const auto& code_of,
           std::vector<std::string>& calls, int first_call)
      : f_(f),
        code_(code),
        first_file_(first_file),
        code_of_(code_of),
        calls_(calls),
        first_call_(first_call),
        loops_(f),
        returns_(ir::return_statements(f, loops_)) {}

  void run() {
    code_.function = &f_;
    code_.registers = f_.registers;
    for (const uint64_t bits : f_.constants) code_.constants.push_back({bits, 0, no_kind});
    std::ranges::reverse(code_.constants);
    std::vector<int32_t> begin;
    find_library_calls();
    for (size_t b = 0; b < f_.blocks.size(); ++b) {
      begin.push_back(int32_t(code_.steps.size()));
      block_ = int(b);
      inside_ = inside_at_begin_.empty() ? no_call : inside_at_begin_[b];
      for (const Instruction& i : f_.blocks[b].body) lower(i);
      add({.op = BytecodeOp::unreachable});  // of a block that has no end
    }
    add_edges(begin);
    for (const ir::NaturalLoops::Loop& l : loops_.all())
      code_.loops.push_back({l.at.file < 0 ? -1 : l.at.file + first_file_, l.at.line});
  }

 private:
  /// A way from block to block that still has no step: `field` of step `step`, or of its case.
  struct OpenJump {
    size_t step;
    Operand BytecodeInstruction::*field;
    int32_t of_case;
    int from, to;
    ir::Location at;  ///< of the jump: its loop is named by it
  };

  BytecodeInstruction& add(BytecodeInstruction s) {
    s.file = where_.file < 0 ? int16_t(-1) : int16_t(where_.file + first_file_);
    s.line = uint16_t(std::min<uint32_t>(where_.line, 65535));
    code_.steps.push_back(s);
    return code_.steps.back();
  }
  void copy(Operand to, Operand from, int64_t n) {
    for (int k = 0; k < n; ++k) add({.op = BytecodeOp::copy, .to = to + k, .a = part(from, k)});
  }
  void go(Operand BytecodeInstruction::*field, int to, int32_t of_case = -1) {
    ways_.push_back({code_.steps.size() - 1, field, of_case, block_, to, where_});
  }

  // ---- calls of a library's functions
  static constexpr int no_call = -1, not_known = -2;

  /// In which call the blocks begin, by those that they come from.
  void find_library_calls() {
    const auto stands_in_one = [](const ir::BasicBlock& b) {
      return std::ranges::any_of(b.body, [](const Instruction& i) { return i.at.call >= 0; });
    };
    if (std::ranges::none_of(f_.blocks, stands_in_one)) return;
    inside_at_begin_.assign(f_.blocks.size(), not_known);
    inside_at_begin_[0] = no_call;
    for (bool more = true; more;) {  // a block without a place of its own is where those before it are
      more = false;
      std::vector<int> begin(f_.blocks.size(), not_known);
      std::vector<bool> reached(f_.blocks.size());
      begin[0] = no_call;
      reached[0] = true;
      for (size_t b = 0; b < f_.blocks.size(); ++b) {
        int end = inside_at_begin_[b];
        for (const Instruction& i : f_.blocks[b].body)
          if (i.at.line) end = i.at.call;
        ir::each_target(f_.blocks[b], [&](size_t to) {
          begin[to] = !reached[to] || begin[to] == end ? end : int(not_known);
          reached[to] = true;
        });
      }
      more = begin != inside_at_begin_ && ++rounds_ < most_rounds;
      inside_at_begin_ = std::move(begin);
    }
  }
  /// The first instruction of a call, as the text has them, is where it begins: no way leads back to it but
  /// a call anew.
  void go_inside(int call) {
    if (call == inside_) return;
    if (call >= 0)
      add_library_step(entered_.insert(call).second ? LibraryStep::enter : LibraryStep::resume,
                       first_call_ + call);
    else
      add_library_step(LibraryStep::leave, 0);
    inside_ = call;
  }
  void add_library_step(LibraryStep what, int call) {
    add({.op = BytecodeOp::library, .what = uint8_t(what), .index = uint32_t(call)});
  }

  /// What all of an instruction's steps have in common.
  static BytecodeInstruction like(const Instruction& i, BytecodeOp op) {
    return {.op = op,
            .what = i.what,
            .bits = i.bits,
            .from = i.from,
            .format = i.format,
            .is_volatile = i.is_volatile,
            .ordering = i.ordering,
            .no_overflow = i.no_overflow};
  }

  void lower(const Instruction& i) {
    where_ = i.at;
    if (where_.line && !inside_at_begin_.empty()) go_inside(where_.call);
    switch (i.op) {
#define OPCODE(id, lower) \
  case Opcode::id: return lower(i);
#include "engine/cuda/ir/instructions.def"
    }
  }

  void lower_copy(const Instruction& i) { copy(i.to, i.a, i.count); }
  void lower_unset(const Instruction& i) { add(like(i, BytecodeOp::unset)).to = i.to; }

  /// A step for each scalar.
  void lower_compute(const Instruction& i) {
    const ir::ComputeInstruction& row = row_of(ir::ComputeOp(i.what));
    if (row.form == ir::Form::overflow) return lower_overflow(i, row);
    for (int k = 0; k < int(i.count); ++k) {
      BytecodeInstruction& s = add(like(i, BytecodeOp(i.what)));
      s.to = i.to + k;
      s.a = part(i.a, k);
      s.b = part(i.b, k);
      s.c = part(i.c, k);
    }
  }
  /// Of two results: the arithmetic, and whether it fits.
  void lower_overflow(const Instruction& i, const ir::ComputeInstruction& row) {
    BytecodeInstruction both = like(i, BytecodeOp(op_of(*arithmetic_of(row))));
    both.to = i.to;
    both.a = i.a;
    both.b = i.b;
    add(both);
    both.op = BytecodeOp(i.what);
    ++both.to;
    add(both);
  }

  void lower_local(const Instruction& i) {
    BytecodeInstruction& s = add(like(i, BytecodeOp::local));
    s.to = i.to;
    s.number = i.count;
    if (i.type->slots <= most_parts) locals_[i.to] = i.type;
  }
  void lower_address(const Instruction& i) {
    BytecodeInstruction& s = add(like(i, i.scaled.size() == 1 ? BytecodeOp::index : BytecodeOp::address));
    s.to = i.to;
    s.a = i.a;
    s.number = i.count;
    if (i.scaled.size() == 1 && i.scaled[0].stride <= int64_t(UINT32_MAX)) {
      s.b = i.scaled[0].index;
      s.from = i.scaled[0].bits;
      s.index = uint32_t(i.scaled[0].stride);
    } else {
      s.op = BytecodeOp::address;
      s.index = uint32_t(code_.addresses.size());
      code_.addresses.push_back(i.scaled);
    }
  }
  /// load and store.
  void lower_access(const Instruction& i) {
    each_scalar_slot(*i.type, [&](const Type& t, uint64_t at, int slot) {
      BytecodeInstruction& s = add(like(i, i.op == Opcode::load ? BytecodeOp::load : BytecodeOp::store));
      s.bits = uint8_t(t.size * 8);
      s.format = t.format();
      s.a = i.a;
      s.number = int64_t(at);
      if (i.op == Opcode::load)
        s.to = i.to + slot;
      else
        s.b = part(i.b, slot);
    });
  }

  /// A step with all operands and results of the instruction.
  void lower_alike(const Instruction& i, BytecodeOp op) {
    BytecodeInstruction& s = add(like(i, op));
    s.to = i.to;
    s.a = i.a;
    s.b = i.b;
    s.c = i.c;
    s.number = i.count;
  }
  void lower_select(const Instruction& i) { lower_alike(i, BytecodeOp::select); }
  void lower_atomic_rmw(const Instruction& i) { lower_alike(i, BytecodeOp::atomic_rmw); }
  void lower_compare_exchange(const Instruction& i) { lower_alike(i, BytecodeOp::compare_exchange); }
  void lower_fence(const Instruction& i) { lower_alike(i, BytecodeOp::fence); }

  void lower_extract(const Instruction& i) { copy(i.to, part(i.a, i.c), i.count); }
  void lower_insert(const Instruction& i) {
    copy(i.to, i.a, i.type->slots);
    copy(i.to + i.c, i.b, i.count);
  }
  void lower_element(const Instruction& i) { lower_alike(i, BytecodeOp::element); }
  void lower_insert_element(const Instruction& i) {
    copy(i.to, i.a, i.count);
    lower_alike(i, BytecodeOp::put_element);
  }
  void lower_rearrange(const Instruction& i) {
    for (int k = 0; k < int(i.count); ++k) {
      const Operand order = part(i.c, k);
      if (order >= 0) throw std::runtime_error("a shufflevector whose order is not known");
      const auto from = int(f_.constants[size_t(~order)]);
      if (from < 0 || from >= 2 * i.from) continue;  // undefined
      copy(i.to + k, from < i.from ? part(i.a, from) : part(i.b, from - i.from), 1);
    }
  }

  /// What a local variable is made of, by the register of its address; other: several kinds, or it is none.
  ElementType element_of_local(Operand address) const {
    const auto local = locals_.find(address);
    if (local == locals_.end()) return ElementType::other;
    std::optional<ElementType> all;
    bool alike = true;
    each_scalar_slot(*local->second, [&](const Type& t, uint64_t, int) {
      const ElementType kind = plain_kind(t.width(), t.format());
      alike = alike && all.value_or(kind) == kind && t.kind != Type::pointer;
      all = kind;
    });
    return alike ? all.value_or(ElementType::other) : ElementType::other;
  }

  void lower_call(const Instruction& i) {
    Call call{.name = i.callee, .results = int32_t(i.count)};
    for (const Instruction::Argument& a : i.arguments)
      for (int k = 0; k < std::max(1, int(a.type->slots)); ++k) {
        call.arguments.push_back(part(a.value, k));
        call.aligns.push_back(a.align);
      }
    const bool by_pointer = i.callee.empty();
    if (!by_pointer && i.function) call.code = code_of_(*i.function);
    if (!by_pointer && !call.code) call.builtin = Builtins::all().find(i.callee);
    if (call.builtin.run &&
        (call.arguments.size() < call.builtin.arguments || call.arguments.size() > most_arguments))
      call.builtin = {};
    call.computes = call.builtin.run && computes(i.callee);
    if (i.callee.starts_with("llvm.mem") && i.arguments.size() > 2)
      for (const size_t k : {0, 1})
        if (call.copied == ElementType::other) call.copied = element_of_local(i.arguments[k].value);
    const bool enters = i.function && !i.function->library_name.empty() && i.at.call < 0 &&
                        f_.library_name.empty();  // from the student's own code
    if (enters) {
      add_library_step(LibraryStep::enter, int(calls_.size()));
      calls_.push_back(i.function->library_name);
    }
    BytecodeInstruction& s =
        add(like(i, by_pointer || call.code || !call.builtin.run ? BytecodeOp::call : BytecodeOp::builtin));
    if (i.type->scalar()) s.bits = uint8_t(i.type->width());
    s.to = i.to;
    s.a = i.a;
    s.index = uint32_t(code_.calls.size());
    code_.calls.push_back(std::move(call));
    if (enters) add_library_step(LibraryStep::leave, 0);
  }

  void lower_ret(const Instruction& i) {
    BytecodeInstruction& s = add(like(i, BytecodeOp::ret));
    s.a = i.a;
    s.number = i.count;
  }
  void lower_jump(const Instruction& i) {
    add(like(i, BytecodeOp::jump)).what = uint8_t(returns_[size_t(block_)]);
    go(&BytecodeInstruction::b, i.b);
  }
  void lower_branch(const Instruction& i) {
    add(like(i, BytecodeOp::branch)).a = i.a;
    go(&BytecodeInstruction::b, i.b);
    go(&BytecodeInstruction::c, i.c);
  }
  void lower_switch(const Instruction& i) {
    BytecodeInstruction& s = add(like(i, BytecodeOp::switch_));
    s.a = i.a;
    s.index = uint32_t(code_.choices.size());
    SwitchTable choice;
    for (const auto& [value, to] : i.cases) choice.cases.emplace_back(value, to);
    code_.choices.push_back(choice);
    go(&BytecodeInstruction::b, i.b);
    for (size_t k = 0; k < i.cases.size(); ++k) go(nullptr, i.cases[k].second, int32_t(k));
  }
  void lower_unsupported(const Instruction& i) {
    add(like(i, BytecodeOp::unsupported)).index = uint32_t(code_.sentences.size());
    code_.sentences.push_back(i.callee);
  }
  void lower_unreachable(const Instruction& i) { add(like(i, BytecodeOp::unreachable)); }

  /// Ways into blocks whose registers depend on where one comes from (phis) pass by steps that set them.
  void add_edges(const std::vector<int32_t>& begin) {
    for (const OpenJump& w : std::vector(ways_)) {
      int32_t to = begin[size_t(w.to)];
      if (!f_.blocks[size_t(w.to)].phis.empty()) {
        to = int32_t(code_.steps.size());
        where_ = w.at;
        set_registers(w.from, w.to);
        add({.op = BytecodeOp::jump, .b = begin[size_t(w.to)]});
      }
      BytecodeInstruction& s = code_.steps[w.step];
      const LoopJump jump = loop_jump(w.from, w.to);
      if (w.of_case >= 0) {
        code_.choices[s.index].cases[size_t(w.of_case)].second = to;
        code_.choices[s.index].loop_jumps.push_back(jump);
      } else {
        s.*w.field = to;
        s.set_loop_jump(w.field, jump);
      }
    }
  }
  /// What a jump between these blocks does to loops.
  LoopJump loop_jump(int from, int to) const {
    const auto& loops = loops_.all();
    const int here = loops_.of_block(size_t(from)), there = loops_.of_block(size_t(to));
    const bool to_header = there >= 0 && loops[size_t(there)].header == to;
    if (here == there && !to_header) return {};
    const size_t depth = there < 0 ? 0 : size_t(loops[size_t(there)].depth);
    if (!to_header) return {LoopJump::leave, depth, 0};
    return {loops_.lies_in(here, there) ? LoopJump::go_round : LoopJump::enter, depth, size_t(there)};
  }
  void set_registers(int from, int to) {
    const auto& phis = f_.blocks[size_t(to)].phis;
    Operand next = f_.registers;  // all are read before one is set
    std::vector<std::pair<Operand, std::pair<Operand, int>>> later;
    for (const ir::Phi& p : phis)
      for (const auto& [block, value] : p.from) {
        if (block != from) continue;
        const int n = int(p.type->slots);
        copy(phis.size() > 1 ? next : p.to, value, n);
        if (phis.size() > 1) later.push_back({p.to, {next, n}});
        next += n;
        break;
      }
    code_.registers = std::max(code_.registers, next);
    for (const auto& [register_, what] : later) copy(register_, what.first, what.second);
  }

  const ir::Function& f_;
  BytecodeFunction& code_;
  int first_file_;
  std::function<const BytecodeFunction*(const ir::Function&)> code_of_;
  ir::Location where_;
  int block_ = 0;
  std::vector<OpenJump> ways_;
  std::unordered_map<Operand, const Type*> locals_;  ///< by the register of the address
  std::vector<std::string>& calls_;
  int first_call_;
  int inside_ = no_call;              ///< the call that the step at hand stands in
  std::vector<int> inside_at_begin_;  ///< of each block; empty: nothing is inlined
  std::set<int> entered_;
  int rounds_ = 0;
  ir::NaturalLoops loops_;
  std::vector<bool> returns_;  ///< of each block: it ends with a return statement
};

}  // namespace

int BytecodeProgram::add(std::string_view llvm_ir, const std::vector<std::string>& our_folders) {
  auto m = std::make_unique<ir::Module>(ir::read_module(llvm_ir, our_folders, beside_));
  const auto first = int(files_.size()), number = int(modules_.size());
  if (files_.size() + m->files.size() > size_t(INT16_MAX)) throw std::runtime_error("too many source files");
  for (const auto& [name, f] : m->functions) {
    module_of_[f.get()] = number;
    kernels_ += f->is_kernel && f->at.file >= 0;
    if (!f->blocks.empty()) codes_[f.get()] = std::make_unique<BytecodeFunction>();
  }
  const auto code_of = [&](const ir::Function& f) -> const BytecodeFunction* {
    const auto it = codes_.find(&f);
    return it == codes_.end() ? nullptr : it->second.get();
  };
  const auto first_call = int(library_calls_.size());
  library_calls_.insert(library_calls_.end(), m->library_calls.begin(), m->library_calls.end());
  for (const auto& [name, f] : m->functions)
    if (!f->blocks.empty()) Lowering(*f, *codes_[f.get()], first, code_of, library_calls_, first_call).run();
  first_file_.push_back(first);
  files_.insert(files_.end(), m->files.begin(), m->files.end());
  for (const std::string& path : m->files)
    ours_.push_back(std::ranges::any_of(our_folders, [&](const auto& f) { return path.starts_with(f); }));
  for (const ir::GlobalVariable& g : m->globals) beside_.note(g);
  beside_.functions += m->pointed_at.size();
  modules_.push_back(std::move(m));
  return number;
}

int BytecodeProgram::file_number(const std::string& path) {
  const auto known = std::ranges::find(files_, path);
  const auto number = int(known - files_.begin());
  if (known != files_.end() || number == INT16_MAX) return known == files_.end() ? -1 : number;
  files_.push_back(path);
  ours_.push_back(false);
  return number;
}

const BytecodeFunction* BytecodeProgram::find(const std::string& mangled) const {
  for (const auto& m : modules_)
    if (const ir::Function* f = m->function(mangled)) return codes_.at(f).get();
  return nullptr;
}

const BytecodeFunction* BytecodeProgram::at(uint64_t address) const {
  if (address >> ir::kind_shift != ir::function_base >> ir::kind_shift || address % ir::function_step)
    return nullptr;
  const uint64_t number = (address - ir::function_base) / ir::function_step;
  for (const auto& m : modules_)
    if (number >= m->beside.functions && number - m->beside.functions < m->pointed_at.size())
      return find(m->pointed_at[number - m->beside.functions]->name);
  return nullptr;
}

std::vector<BytecodeProgram::SharedVariable> BytecodeProgram::shared_of(const ir::Function& kernel) const {
  std::vector<const ir::Function*> all{&kernel};
  const auto reach = [&](const ir::Function* f) {
    if (f && std::ranges::find(all, f) == all.end()) all.push_back(f);
  };
  bool by_pointer = false;
  for (size_t k = 0; k < all.size(); ++k)
    for (const ir::BasicBlock& b : all[k]->blocks)
      for (const Instruction& i : b.body) {
        if (i.op != Opcode::call) continue;
        const BytecodeFunction* c = i.function ? nullptr : i.callee.empty() ? nullptr : find(i.callee);
        reach(c ? c->function : i.function);
        if (i.callee.empty() && !std::exchange(by_pointer, true))
          for (const auto& m : modules_)
            for (const ir::Function* f : m->pointed_at) {
              const BytecodeFunction* of = find(f->name);
              reach(of ? of->function : nullptr);
            }
      }
  std::vector<SharedVariable> out;
  for (const ir::Function* f : all) {
    const ir::Module& m = *modules_[size_t(module_of(*f))];
    for (const int g : f->shared) {
      const uint64_t number = m.beside.globals + uint64_t(g);
      if (std::ranges::find(out, number, &SharedVariable::number) == out.end())
        out.push_back({&m.globals[size_t(g)], number});
    }
  }
  std::ranges::sort(out, {}, &SharedVariable::number);
  return out;
}

}  // namespace bscope::cuda
