#include "engine/cuda/ir/function_reader.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "engine/cuda/ir/inline_asm.hpp"
#include "engine/cuda/ir/promote.hpp"

namespace bscope::cuda::ir {
namespace {

constexpr int32_t most_registers = 1 << 20;
constexpr size_t longest_name =
    160;  ///< of a function in a trace, which takes 200; the rest is for what is added

/// "transform_kernel<...>", where the arguments of templates make a name that cannot be shown.
std::string shortened(const std::string& name) {
  if (name.size() <= longest_name) return name;
  const size_t arguments = name.find('<');
  return name.substr(0, std::min(arguments, longest_name)) + (arguments < longest_name ? "<...>" : "...");
}

/// "apply<(lambda at sum.cu:16:16)>", where debug information names the file with all of its folders.
std::string without_folders(std::string name) {
  constexpr std::string_view place = " at ";
  for (size_t at = 0; (at = name.find(place, at)) != std::string::npos;) {
    at += place.size();
    const size_t end = name.find(')', at);
    const size_t slash = end == std::string::npos ? end : name.rfind('/', end);
    if (slash != std::string::npos && slash >= at) name.erase(at, slash + 1 - at);
  }
  return name;
}

/// The name of the block that begins in the line; empty: none does.
std::string_view label_in(std::string_view line) {
  if (line.empty() || line[0] == ' ' || line[0] == ';') return {};
  if (line[0] == '"') return line.substr(1, line.find('"', 1) - 1);
  const size_t colon = line.find(':');
  return colon == std::string_view::npos ? std::string_view() : line.substr(0, colon);
}

}  // namespace

uint32_t FunctionReader::skip_attributes(Scanner& s) {
  uint32_t align = 1;
  while (std::isalpha(static_cast<unsigned char>(s.ahead())) != 0 || s.ahead() == '"') {
    const std::string_view before = s.rest();
    if (before.starts_with("c\"")) break;
    if (before.starts_with('"')) {  // "nvvm.grid_constant", "key"="value"
      s.in_quotes();
      if (s.take("=")) s.in_quotes();
      continue;
    }
    const std::string_view w = s.word();
    if (Constants::begins(w)) {
      s.back_to(before);
      break;
    }
    if (s.ahead() == '(')
      s.in_brackets();
    else if (w == "align")
      align = uint32_t(std::clamp<uint64_t>(s.number(), 1, 4096));
  }
  return align;
}
/// "seq_cst", behind the address of an atomic access.
Ordering FunctionReader::ordering(Scanner& s) {
  if (s.take("syncscope")) s.in_brackets();
  const std::string_view word = s.word();
  if (word == "monotonic" || word == "unordered") return Ordering::relaxed;
  if (word == "acquire") return Ordering::acquire;
  if (word == "release") return Ordering::release;
  if (word == "acq_rel" || word == "seq_cst") return Ordering::both;
  s.refuse("an order of memory should come");
}
/// What stands before a result's type.
void FunctionReader::skip_to_type(Scanner& s) {
  while (!types_.comes(s)) {
    if (std::isalpha(static_cast<unsigned char>(s.ahead())) == 0) s.refuse("a result's type should come");
    const std::string_view w = s.word();
    if (s.ahead() == '(')
      s.in_brackets();
    else if (w == "align")
      s.number();
  }
}
bool FunctionReader::skip_flags(Scanner& s) {
  bool no_overflow = false;
  for (bool more = true; more;) {
    more = s.take("nsw");
    no_overflow = no_overflow || more;
    for (const char* w :
         {"nuw", "exact", "fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "inbounds",
          "volatile", "tail", "musttail", "notail", "nneg", "disjoint", "nusw", "samesign"})
      more = s.take(w) || more;
  }
  return no_overflow;
}

/// A type whose values registers hold.
const Type& FunctionReader::value_type(Scanner& s) {
  const Type& t = types_.read(s);
  if (t.slots >= most_registers / 16) s.refuse("a value of so many parts");
  if (t.kind == Type::integer && t.bits > 64) throw Unsupported("numbers of more than 64 bits");
  return t;
}

Operand FunctionReader::register_of(const std::string& name, const Type& t) {
  const auto [it, fresh] = registers_.try_emplace(name, f_->registers);
  if (fresh) f_->registers += int32_t(std::max(1u, t.slots));
  return it->second;
}

Operand FunctionReader::operand(Scanner& s, const Type& t) {
  if (f_->registers > most_registers) s.refuse("a function of so many values");
  if (s.take("%")) return register_of(s.name(), t);
  std::vector<uint64_t> scalars = constants_.read(s, t);
  scalars.resize(std::max<size_t>({1, scalars.size(), t.slots}));
  const auto at = Operand(f_->constants.size());
  f_->constants.insert(f_->constants.end(), scalars.begin(), scalars.end());
  return ~at;
}

void FunctionReader::name_variable(std::string_view record) {
  const size_t declares = std::min(record.find("dbg_declare("), record.find("dbg.declare("));
  if (declares == std::string_view::npos) return;
  const size_t address = record.find("ptr %", declares);
  if (address == std::string_view::npos) return;
  Scanner s(record.substr(address + 5), 0);
  const auto known = registers_.find(s.name());
  const size_t note = s.rest().find('!');
  if (known == registers_.end() || note == std::string_view::npos) return;
  const std::string_view behind = s.rest().substr(note), id = behind.substr(0, behind.find_first_of(",)"));
  f_->variables[known->second] = {notes_.name_of(id), notes_.begin_of(id).line};
}

int FunctionReader::label(Scanner& s) {
  s.need("label");
  s.need("%");
  const auto it = labels_.find(s.name());
  if (it == labels_.end()) s.refuse("a label that is not there");
  return it->second;
}

const Type* FunctionReader::promoted(Scanner& s, Operand& at) {
  const std::string_view before = s.rest();
  if (!s.take("%")) return nullptr;
  const std::string name = s.name();
  const auto it = promoted_.find(name);
  if (it == promoted_.end()) {
    s.back_to(before);
    return nullptr;
  }
  at = registers_.at(name);
  return it->second;
}

void FunctionReader::read_parameter(Scanner& s, int number) {
  FunctionParameter p{.type = &value_type(s)};
  const std::string_view before = s.rest();
  skip_attributes(s);
  const std::string_view attributes = before.substr(0, before.size() - s.rest().size());
  if (const size_t at = attributes.find("byval("); at != std::string_view::npos) {
    Scanner of(attributes.substr(at + 6), s.line_number());
    p.by_value = &types_.read(of);
  }
  const std::string name = s.take("%") ? s.name() : std::to_string(number);
  register_of(name, *p.type);
  f_->parameters.push_back(std::move(p));
}

void FunctionReader::read_head(Scanner& s) {
  s.need("define");
  skip_to_type(s);
  const Type& result = value_type(s);
  s.need("@");
  const std::string name = s.name();
  auto& f = module_.functions[name];
  if (!f) f = std::make_unique<Function>();
  if (!f->blocks.empty()) s.refuse("a function that is there already");
  f_ = f.get();
  f_->name = f_->source_name = name;
  f_->result = &result;
  s.need("(");
  if (s.take(")")) return;
  do {
    if (s.take("...")) s.refuse("a function of any number of arguments");
    read_parameter(s, int(f_->parameters.size()));
  } while (s.take(","));
  s.need(")");
}

void FunctionReader::add_attributes(std::string_view line) {
  constexpr std::string_view key = "\"nvvm.maxntid\"=\"";
  const size_t group = line.find('#'), at = line.find(key);
  if (group == std::string_view::npos || at == std::string_view::npos) return;
  uint64_t threads = 1;
  const char *from = line.data() + at + key.size(), *const end = line.data() + line.size();
  for (;;) {  // up to three extents
    uint32_t extent = 0;
    const auto [behind, error] = std::from_chars(from, end, extent);
    if (error != std::errc()) return;
    threads = std::min<uint64_t>(threads * extent, UINT32_MAX);
    if (behind == end || *behind != ',') break;
    from = behind + 1;
  }
  launch_bounds_[std::string(line.substr(group, line.find(' ', group) - group))] = uint32_t(threads);
}

void FunctionReader::read_behind_parameters(Scanner& s) {
  const std::string_view before = s.line().substr(0, s.line().find('@'));
  if (before.find(" ptx_kernel ") != std::string_view::npos) kernels_.insert(f_->name);
  const std::string_view behind = s.rest().substr(std::min(s.rest().find('#'), s.rest().size()));
  const auto bound = launch_bounds_.find(behind.substr(0, behind.find(' ')));
  if (bound != launch_bounds_.end()) f_->launch_bound = bound->second;
}

void FunctionReader::find_labels(const std::vector<std::string_view>& body) {
  labels_.clear();
  if (body.empty() || label_in(body.front()).empty()) labels_[std::to_string(f_->parameters.size())] = 0;
  for (const std::string_view line : body)
    if (const std::string_view l = label_in(line); !l.empty())
      labels_.try_emplace(std::string(l), int(labels_.size()));
  f_->blocks.resize(std::max<size_t>(1, labels_.size()));
}

void FunctionReader::read(std::string_view head, const std::vector<std::string_view>& written, int number) {
  registers_.clear();
  promoted_.clear();
  Scanner s(head, number);
  read_head(s);
  f_->is_child_kernel = head.find(" section \"bscope_kernel\"") != std::string_view::npos;
  read_behind_parameters(s);
  f_->is_kernel = kernels_.contains(f_->name);
  if (const std::string_view id = DebugInfo::id_in(head); !id.empty()) {
    f_->at = notes_.begin_of(id);
    if (notes_.is_ours(f_->at.file)) f_->library_name = notes_.library_name(id);
    if (const std::string name = notes_.name_of(id); !name.empty())
      f_->source_name = shortened(without_folders(name));
    notes_.name_parameters(id, f_->parameters);
  }
  const std::string entry = std::to_string(f_->parameters.size());
  ExpandedBody expanded;
  if (std::ranges::any_of(written, has_inline_asm))
    expanded = expand_inline_asm(written, entry, f_->is_kernel);
  last_label_ = std::move(expanded.last_label);
  const std::vector<std::string_view>& body = expanded.lines.empty() ? written : expanded.lines;
  promotable_ = registers_among(body);
  unset_ = unset_at_first(body, promotable_);
  find_labels(body);
  constants_.names = [this](int global) {
    if (module_.globals[size_t(global)].space == GlobalVariable::shared) f_->shared.push_back(global);
  };
  block_ = &f_->blocks.front();
  for (const std::string_view line : body) {
    ++number;
    if (const std::string_view l = label_in(line); !l.empty()) {
      block_ = &f_->blocks[size_t(labels_.at(std::string(l)))];
      continue;
    }
    Scanner of(line, number);
    if (of.at_end() || of.ahead() == ';') continue;
    if (DebugInfo::is_record(line))
      name_variable(line);
    else
      read_instruction(of);
  }
  constants_.names = {};
  std::ranges::sort(f_->shared);
  f_->shared.erase(std::ranges::unique(f_->shared).begin(), f_->shared.end());
}

// ---- what computes

namespace {

const Type& each_of(const Type& t) { return t.kind == Type::vector ? t.element() : t; }
uint8_t width_of_each(const Type& t) { return uint8_t(each_of(t).width()); }
/// CUDA's half precision and bfloat16 are computed by functions; the compiler's own types are only stored.
void need_no_small_float(const Instruction& i, const Type& t) {
  const Type::TypeID kind = each_of(t).kind;
  if (row_of(ComputeOp(i.what)).event != no_event && (kind == Type::f16 || kind == Type::bf16))
    throw Unsupported("arithmetic with the compiler's own numbers of 16 bits");
}

}  // namespace

void FunctionReader::read_compute(Scanner& s, Instruction& i, const std::string& to,
                                  const ComputeInstruction& row) {
  i.op = Opcode::compute;
  i.what = uint8_t(op_of(row));
  switch (row.form) {
    case Form::integer:
    case Form::floating: return read_two(s, i, to);
    case Form::unary: return read_unary(s, i, to);
    case Form::icmp:
    case Form::fcmp: return read_comparison(s, i, to);
    case Form::cast: return read_cast(s, i, to);
    default: s.refuse("an intrinsic should be called");
  }
}

void FunctionReader::read_two(Scanner& s, Instruction& i, const std::string& to) {
  i.no_overflow = skip_flags(s);
  const Type& t = value_type(s);
  need_no_small_float(i, t);
  i.type = &t;
  i.bits = width_of_each(t);
  i.format = each_of(t).format();
  i.count = t.slots;
  i.a = operand(s, t);
  s.need(",");
  i.b = operand(s, t);
  i.to = register_of(to, t);
}

/// Of a struct, which freeze may have, only copies.
void FunctionReader::read_unary(Scanner& s, Instruction& i, const std::string& to) {
  skip_flags(s);
  const Type& t = value_type(s);
  if (!t.scalar() && t.kind != Type::vector)
    i.op = Opcode::copy;
  else
    need_no_small_float(i, t);
  i.type = &t;
  i.bits = i.from = width_of_each(t);
  i.count = t.slots;
  i.a = operand(s, t);
  i.to = register_of(to, t);
}

void FunctionReader::read_comparison(Scanner& s, Instruction& i, const std::string& to) {
  const Type& t = value_type(s);
  if (!t.scalar()) s.refuse("a comparison of several values");
  need_no_small_float(i, t);
  i.bits = uint8_t(t.width());
  i.format = t.format();
  i.count = 1;
  i.a = operand(s, t);
  s.need(",");
  i.b = operand(s, t);
  i.to = register_of(to, types_.integer(1));
}

void FunctionReader::read_cast(Scanner& s, Instruction& i, const std::string& to) {
  skip_flags(s);
  const Type& from = value_type(s);
  i.a = operand(s, from);
  s.need("to");
  const Type& type = value_type(s);
  if (from.slots != type.slots) s.refuse("a cast to another number of values");
  if (!from.scalar() && from.kind != Type::vector) i.op = Opcode::copy;
  for (const Type* t : {&from, &type})
    if (i.op != Opcode::copy) need_no_small_float(i, *t);
  i.from = width_of_each(from);
  i.bits = width_of_each(type);
  i.type = &type;
  i.count = type.slots;
  i.to = register_of(to, type);
}

/// A call of an intrinsic that has a row becomes what the row says.
void FunctionReader::read_intrinsic(Instruction& i) {
  const ComputeInstruction* const row = intrinsic_named(i.callee);
  if (!row || i.arguments.size() < size_t(operands_of(row->form))) return;
  const Type& t = *i.arguments[0].type;
  if (!t.scalar() && (t.kind != Type::vector || row->form == Form::overflow)) return;
  for (int k = 1; k < operands_of(row->form); ++k)
    if (i.arguments[size_t(k)].type->slots != t.slots) return;
  const bool of_two_results = row->form == Form::overflow;
  if (!of_two_results && i.type->slots != t.slots) return;
  i.op = Opcode::compute;
  i.what = uint8_t(op_of(*row));
  need_no_small_float(i, t);
  i.from = width_of_each(t);
  i.bits = of_two_results ? i.from : width_of_each(*i.type);
  i.count = t.slots;
  Operand* const operands[] = {&i.a, &i.b, &i.c};
  for (int k = 0; k < operands_of(row->form); ++k) *operands[k] = i.arguments[size_t(k)].value;
}

// ---- memory

void FunctionReader::read_select(Scanner& s, Instruction& i, const std::string& to) {
  skip_flags(s);
  i.a = operand(s, value_type(s));
  s.need(",");
  i.type = &value_type(s);
  i.b = operand(s, *i.type);
  s.need(",");
  i.c = operand(s, value_type(s));
  i.count = i.type->slots;
  i.to = register_of(to, *i.type);
}

void FunctionReader::read_local(Scanner& s, Instruction& i, const std::string& to) {
  const Type& t = types_.read(s);
  if (promotable_.contains(to) && t.scalar()) {
    promoted_[to] = &t;
    i.to = register_of(to, t);
    i.op = unset_.contains(to) ? Opcode::unset : Opcode::copy;  // a copy of nothing
    i.count = i.op == Opcode::unset;
    return;
  }
  i.type = &t;
  uint64_t elements = 1;
  const std::string_view behind = s.rest();
  if (!s.take(",") || !types_.comes(s)) {
    s.back_to(behind);  // its alignment
  } else {
    const Type& count = types_.read(s);
    const Operand n = operand(s, count);
    if (n >= 0) s.refuse("a local array whose size is known at run time only");
    elements = f_->constants[size_t(~n)];
  }
  constexpr uint64_t most = 1 << 20;
  if (elements > most || elements * t.size > most) s.refuse("local variables of more than a megabyte");
  i.count = int64_t(elements * t.size);
  i.to = register_of(to, types_.simple(Type::pointer));
}

void FunctionReader::read_load(Scanner& s, Instruction& i, const std::string& to) {
  const bool atomic = s.take("atomic");
  i.is_volatile = s.take("volatile");
  const Type& t = value_type(s);
  s.need(",");
  types_.read(s);
  i.type = &t;
  i.count = t.slots;
  if (promoted(s, i.a))
    i.op = Opcode::copy;
  else
    i.a = operand(s, types_.simple(Type::pointer));
  if (atomic) i.ordering = ordering(s);
  i.to = register_of(to, t);
}

void FunctionReader::read_store(Scanner& s, Instruction& i, const std::string&) {
  const bool atomic = s.take("atomic");
  i.is_volatile = s.take("volatile");
  const Type& t = value_type(s);
  i.b = operand(s, t);
  s.need(",");
  types_.read(s);
  i.type = &t;
  i.count = t.slots;
  if (promoted(s, i.to)) {
    i.op = Opcode::copy;
    i.a = i.b;
    return;
  }
  i.a = operand(s, types_.simple(Type::pointer));
  if (atomic) i.ordering = ordering(s);
}

/// atomicrmw add ptr %p, i32 1 monotonic, align 4
void FunctionReader::read_atomic_rmw(Scanner& s, Instruction& i, const std::string& to) {
  i.is_volatile = s.take("volatile");
  const auto* const what = std::ranges::find(atomic_rmw_names, s.word());
  if (what == std::end(atomic_rmw_names)) throw Unsupported("an atomic operation that CUDA does not have");
  types_.read(s);
  i.what = uint8_t(what - std::begin(atomic_rmw_names));
  i.a = operand(s, types_.simple(Type::pointer));
  s.need(",");
  i.type = &value_type(s);
  if (!i.type->scalar()) s.refuse("an atomic operation on several values");
  i.bits = uint8_t(i.type->width());
  i.format = i.type->format();
  i.b = operand(s, *i.type);
  i.ordering = ordering(s);
  i.count = 1;
  i.to = register_of(to, *i.type);
}

/// cmpxchg weak ptr %p, i32 %expected, i32 %wanted seq_cst monotonic, align 4
void FunctionReader::read_compare_exchange(Scanner& s, Instruction& i, const std::string& to) {
  s.take("weak");
  i.is_volatile = s.take("volatile");
  types_.read(s);
  i.a = operand(s, types_.simple(Type::pointer));
  s.need(",");
  i.type = &value_type(s);
  if (!i.type->scalar()) s.refuse("an atomic operation on several values");
  i.bits = uint8_t(i.type->width());
  i.b = operand(s, *i.type);
  s.need(",");
  i.c = operand(s, value_type(s));
  i.ordering = ordering(s);
  ordering(s);  // where it fails
  i.count = 2;
  i.to = register_of(to, types_.pair_of(*i.type, types_.integer(1)));
}

void FunctionReader::read_address(Scanner& s, Instruction& i, const std::string& to) {
  skip_flags(s);
  const Type* of = &types_.read(s);
  s.need(",");
  const Type& pointer = types_.read(s);
  i.a = operand(s, pointer);
  for (bool first = true; s.take(","); first = false) {
    if (s.ahead() == '!') break;
    const Type& t = types_.read_of_index(s);
    const Operand index = operand(s, t);
    const bool known = index < 0;
    const int64_t value = known ? sign_extended(f_->constants[size_t(~index)], t.width()) : 0;
    const auto advance_by = [&](uint64_t bytes) { i.count = int64_t(uint64_t(i.count) + bytes); };  // wraps
    if (!first && of->kind == Type::structure) {
      if (!known || uint64_t(value) >= of->parts.size()) s.refuse("a member that is not there");
      advance_by(of->offsets[size_t(value)]);
      of = of->parts[size_t(value)];
      continue;
    }
    if (!first) {
      if (of->parts.empty()) s.refuse("an element of what has none");
      of = &of->element();
    }
    if (known)
      advance_by(uint64_t(value) * of->size);
    else
      i.scaled.push_back({index, uint8_t(t.width()), int64_t(of->size)});
  }
  i.to = register_of(to, types_.simple(Type::pointer));
}

void FunctionReader::read_call(Scanner& s, Instruction& i, const std::string& to) {
  skip_flags(s);
  skip_to_type(s);
  i.type = &value_type(s);
  if (s.ahead() == '(') s.in_brackets();  // the types of a function of any number of arguments
  if (s.comes("asm")) throw Unsupported(unsupported_asm_in(s.line()));
  if (s.take("@"))
    i.callee = s.name();
  else
    i.a = operand(s, types_.simple(Type::pointer));
  for (const char* unneeded : {"llvm.lifetime.", "llvm.assume", "llvm.experimental.noalias"})
    if (i.callee.starts_with(unneeded)) {
      i.op = Opcode::copy;  // of nothing
      return;
    }
  s.need("(");
  if (!s.comes(")")) do {
      const Type& t = value_type(s);
      const uint32_t align = skip_attributes(s);
      i.arguments.push_back({operand(s, t), &t, align});
    } while (s.take(","));
  s.need(")");
  i.count = i.type->slots;
  if (i.type->slots) i.to = register_of(to, *i.type);
  read_intrinsic(i);
}

void FunctionReader::read_fence(Scanner& s, Instruction& i, const std::string&) { i.ordering = ordering(s); }

// ---- parts of values

void FunctionReader::read_insert(Scanner& s, Instruction& i, const std::string& to) {
  read_extract(s, i, to);
}
/// insertvalue, too.
void FunctionReader::read_extract(Scanner& s, Instruction& i, const std::string& to) {
  const bool inserts = i.op == Opcode::insert;
  const Type& whole = value_type(s);
  i.a = operand(s, whole);
  if (inserts) {
    s.need(",");
    const Type& t = value_type(s);
    i.b = operand(s, t);
  }
  const Type* of = &whole;
  uint32_t slot = 0;
  while (s.take(",") && s.ahead() != '!') {
    const uint64_t n = s.number();
    if (of->parts.empty() || n >= (of->kind == Type::structure ? of->parts.size() : of->count))
      s.refuse("a member that is not there");
    const Type::TypeMember part = of->part(n);
    slot += part.slot;
    of = part.type;
  }
  i.c = Operand(slot);
  i.count = of->slots;
  i.type = inserts ? &whole : of;
  i.to = register_of(to, *i.type);
}

const Type& FunctionReader::vector_type(Scanner& s) {
  const Type& t = value_type(s);
  if (t.kind != Type::vector) s.refuse("a vector should come");
  return t;
}

void FunctionReader::read_element(Scanner& s, Instruction& i, const std::string& to) {
  const Type& t = vector_type(s);
  i.count = t.slots;
  i.type = &t.element();
  i.a = operand(s, t);
  s.need(",");
  i.b = operand(s, value_type(s));
  i.to = register_of(to, t.element());
}

void FunctionReader::read_insert_element(Scanner& s, Instruction& i, const std::string& to) {
  const Type& t = vector_type(s);
  i.count = t.slots;
  i.type = &t;
  i.a = operand(s, t);
  s.need(",");
  i.b = operand(s, value_type(s));
  s.need(",");
  i.c = operand(s, value_type(s));
  i.to = register_of(to, t);
}

void FunctionReader::read_rearrange(Scanner& s, Instruction& i, const std::string& to) {
  const Type& t = vector_type(s);
  i.from = uint8_t(t.slots);
  i.a = operand(s, t);
  s.need(",");
  i.b = operand(s, value_type(s));
  s.need(",");
  const Type& order = vector_type(s);
  i.c = operand(s, order);
  i.count = order.slots;
  i.type = &types_.vector_of(t.element(), order.count);
  i.to = register_of(to, *i.type);
}

// ---- control flow

void FunctionReader::read_ret(Scanner& s, Instruction& i, const std::string&) {
  i.type = &value_type(s);
  i.count = i.type->slots;
  if (i.count) i.a = operand(s, *i.type);
}

void FunctionReader::read_branch(Scanner& s, Instruction& i, const std::string&) {
  if (s.comes("label")) {
    i.op = Opcode::jump;
    i.b = label(s);
    return;
  }
  i.a = operand(s, value_type(s));
  s.need(",");
  i.b = label(s);
  s.need(",");
  i.c = label(s);
}

void FunctionReader::read_switch(Scanner& s, Instruction& i, const std::string&) {
  const Type& t = value_type(s);
  i.bits = uint8_t(t.width());
  i.a = operand(s, t);
  s.need(",");
  i.b = label(s);
  s.need("[");
  while (!s.take("]")) {
    const Type& of = value_type(s);
    const uint64_t value = constants_.read(s, of).at(0);
    s.need(",");
    i.cases.emplace_back(value, label(s));
  }
}

void FunctionReader::read_unreachable(Scanner&, Instruction&, const std::string&) {}

void FunctionReader::read_phi(Scanner& s, const std::string& to) {
  skip_flags(s);
  const Type& t = value_type(s);
  Phi phi{.type = &t};
  do {
    if (s.ahead() == '!') break;
    s.need("[");
    const Operand value = operand(s, t);
    s.need(",");
    s.need("%");
    const std::string label = s.name();
    const auto last = last_label_.find(label);  // of an asm that became blocks, the one that goes on
    const auto from = labels_.find(last == last_label_.end() ? label : last->second);
    if (from == labels_.end()) s.refuse("a label that is not there");
    s.need("]");
    phi.from.emplace_back(from->second, value);
  } while (s.take(","));
  phi.to = register_of(to, t);
  block_->phis.push_back(std::move(phi));
}

void FunctionReader::read_instruction(Scanner& s) {
  Instruction i;
  i.at = notes_.location(DebugInfo::id_in(s.line()));
  try {
    read_known(s, i);
  } catch (const Unsupported& e) {
    Instruction no;
    no.op = Opcode::unsupported;
    no.at = i.at;
    no.callee = e.what();
    block_->body.push_back(std::move(no));
  }
}

void FunctionReader::read_other(Scanner& s, Instruction& i, const std::string& to, std::string_view word) {
  struct OpcodeReader {
    std::string_view name;
    Opcode op;
    void (FunctionReader::*read)(Scanner&, Instruction&, const std::string&);
  };
  static constexpr OpcodeReader rows[] = {
#define INSTRUCTION(id, name, read, lower) {name, Opcode::id, &FunctionReader::read},
#include "engine/cuda/ir/instructions.def"
  };
  const OpcodeReader* const row = std::ranges::find(rows, word, &OpcodeReader::name);
  if (row == std::end(rows)) throw Unsupported("LLVM's \"" + std::string(word) + "\"");
  i.op = row->op;
  (this->*row->read)(s, i, to);
}

void FunctionReader::read_known(Scanner& s, Instruction& i) {
  std::string to;
  if (s.take("%")) {
    to = s.name();
    s.need("=");
  }
  skip_flags(s);
  const std::string_view word = s.word();
  if (word == "phi") return read_phi(s, to);
  if (word == "icmp" || word == "fcmp") {
    skip_flags(s);
    const auto* const row = compute_named(std::string(word) + " " + std::string(s.word()));
    if (!row) s.refuse("a comparison that is not known");
    read_compute(s, i, to, *row);
  } else if (const auto* const row = compute_named(word)) {
    read_compute(s, i, to, *row);
  } else {
    read_other(s, i, to, word);
  }
  // alignment, attributes and notes follow; a call that is not needed is not read to its end
  const bool nothing = i.op == Opcode::copy && i.count == 0;
  if (const char next = s.ahead(); !nothing && next != 0 && next != ',' && next != '#' && next != '!')
    s.refuse("not expected: \"" + std::string(s.rest().substr(0, 30)) + "\"");
  if (!nothing) block_->body.push_back(std::move(i));
}

}  // namespace bscope::cuda::ir
