#include "engine/cuda/ir/ptx_lowering.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

#include "engine/cuda/ir/scanner.hpp"

namespace bscope::cuda::ir {
namespace {

int width_of(std::string_view type) {
  if (type == "float") return 32;
  if (type == "double" || type == "ptr") return 64;
  int bits = 0;
  std::from_chars(type.data() + 1, type.data() + type.size(), bits);
  return bits;
}
bool is_integer(std::string_view type) { return type[0] == 'i'; }
std::string integer_of(int bits) { return "i" + std::to_string(bits); }

std::string hexadecimal(uint64_t v) {
  char text[17];
  return "0x" + std::string(text, std::to_chars(text, text + sizeof text, v, 16).ptr);
}
/// LLVM writes a float as the double that is equal to it.
std::string number_text(double v) { return hexadecimal(std::bit_cast<uint64_t>(v)); }

/// "12", "-3", "0xffU", "0f3F800000", "1.5" as a constant of the type.
LlvmValue literal(std::string_view text, const std::string& type) {
  const bool below = text.starts_with('-');
  if (below) text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  uint64_t bits = 0;
  if (text.starts_with("0f") || text.starts_with("0F") || text.starts_with("0d") || text.starts_with("0D")) {
    std::from_chars(text.data() + 2, end, bits, 16);
    const bool narrow = text[1] == 'f' || text[1] == 'F';
    const double v = narrow ? double(std::bit_cast<float>(uint32_t(bits))) : std::bit_cast<double>(bits);
    if (is_integer(type)) return {std::to_string(bits), type};
    return {number_text(below ? -v : v), type};
  }
  if (!is_integer(type) && type != "ptr") {
    double v = 0;
    std::from_chars(text.data(), end, v);
    return {number_text(below ? -v : v), type};
  }
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  std::from_chars(text.data() + (hex ? 2 : 0), end, bits, hex ? 16 : 10);
  if (type == "i1") return {bits ? "true" : "false", type};
  return {std::to_string(int64_t(below ? 0 - bits : bits)), type};
}

}  // namespace

std::string PtxType::llvm() const {
  if (letter == 'p') return "i1";
  if (letter == 'f') return bits == 64 ? "double" : "float";
  return integer_of(bits);
}
std::string PtxType::suffix() const {
  const char kind = letter == 'f' ? 'f' : letter == 's' ? 'i' : 'u';
  return kind + std::to_string(bits);
}

std::optional<PtxType> ptx_type(std::string_view word) {
  if (word == "pred") return PtxType{'p', 1};
  if (word.size() < 2 || std::string_view("usbf").find(word[0]) == std::string_view::npos) return {};
  int bits = 0;
  const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), bits);
  const bool known = bits == 8 || bits == 16 || bits == 32 || bits == 64;
  if (error != std::errc() || end != word.data() + word.size() || !known || (word[0] == 'f' && bits < 32))
    return {};
  return PtxType{word[0], bits};
}

// ---- statements

const PtxLowering::Row* PtxLowering::row_named(std::string_view name) {
  for (const auto rows : {arithmetic_rows(), memory_rows(), warp_rows()})
    if (const auto row = std::ranges::find(rows, name, &Row::name); row != rows.end()) return &*row;
  return nullptr;
}

void PtxLowering::refuse() const { throw Unsupported("the PTX instruction " + s_->opcode); }

/// Every word must be known: what is not would change the meaning.
void PtxLowering::check(const Row& row) const {
  for (size_t k = 1; k < s_->words.size(); ++k) {
    const std::string& word = s_->words[k];
    if (ptx_type(word)) continue;
    std::string_view known = row.modifiers;
    bool found = false;
    while (!known.empty() && !found) {
      const size_t end = std::min(known.find(' '), known.size());
      found = known.substr(0, end) == word;
      known.remove_prefix(std::min(end + 1, known.size()));
    }
    if (!found) refuse();
  }
}

void PtxLowering::run(const std::vector<PtxStatement>& all) {
  for (const PtxStatement& s : all) statement(s);
}

/// What has an effect becomes a block of its own where a guard stands before it.
void PtxLowering::statement(const PtxStatement& s) {
  s_ = &s;
  const Row* const row = row_named(s.words[0]);
  if (!row) refuse();
  check(*row);
  guard_.reset();
  if (s.guard.empty()) return (this->*row->handler)();
  const LlvmValue guard = value_of({.text = s.guard, .negated = s.unless}, "i1");
  if (!row->has_effect) {
    guard_ = guard;
    (this->*row->handler)();
    guard_.reset();
    return;
  }
  const std::string n = std::to_string(number_++), then = "ptx.then." + n, end = "ptx.end." + n;
  line("br i1 " + guard.text + ", label %" + then + ", label %" + end);
  lines_.push_back(then + ":");
  const auto before = values_;
  (this->*row->handler)();
  line("br label %" + end);
  lines_.push_back(end + ":");
  for (auto& [name, v] : values_) {
    const auto old = before.find(name);
    if (old != before.end() && old->second.text == v.text) continue;
    const std::string other = old == before.end() ? "undef" : old->second.text;
    if (old != before.end() && old->second.type != v.type) refuse();
    v = make(v.type,
             "phi " + v.type + " [ " + v.text + ", %" + then + " ], [ " + other + ", %" + label_ + " ]");
  }
  label_ = end;
}

// ---- what is written

LlvmValue PtxLowering::make(const std::string& type, const std::string& instruction) {
  LlvmValue v{fresh(), type};
  line(v.text + " = " + instruction);
  return v;
}
LlvmValue PtxLowering::call(const std::string& type, const std::string& callee,
                            const std::vector<LlvmValue>& arguments) {
  std::string text = "call " + type + " @" + callee + "(";
  for (const LlvmValue& a : arguments) text += (&a == arguments.data() ? "" : ", ") + a.type + " " + a.text;
  text += ")";
  if (type != "void") return make(type, text);
  line(text);
  return {};
}
void PtxLowering::call_nothing(const std::string& callee, const std::vector<LlvmValue>& arguments) {
  call("void", callee, arguments);
}
LlvmValue PtxLowering::binary(const std::string& op, const LlvmValue& a, const LlvmValue& b) {
  return make(a.type, op + " " + a.type + " " + a.text + ", " + b.text);
}
LlvmValue PtxLowering::compared(const std::string& op, const LlvmValue& a, const LlvmValue& b) {
  return make("i1", op + " " + a.type + " " + a.text + ", " + b.text);
}
LlvmValue PtxLowering::selected(const LlvmValue& condition, const LlvmValue& yes, const LlvmValue& no) {
  return make(yes.type, "select i1 " + condition.text + ", " + yes.type + " " + yes.text + ", " + no.type +
                            " " + no.text);
}
LlvmValue PtxLowering::constant(int64_t n, const std::string& type) { return {std::to_string(n), type}; }

LlvmValue PtxLowering::extended(const LlvmValue& v, const std::string& type, bool with_sign) {
  const int from = width_of(v.type), to = width_of(type);
  if (from == to) return v;
  const char* const how = to < from ? "trunc " : with_sign ? "sext " : "zext ";
  return make(type, how + v.type + " " + v.text + " to " + type);
}

/// The same bits as another type; what is missing is zeros.
LlvmValue PtxLowering::converted(const LlvmValue& v, const std::string& type) {
  if (v.type == type) return v;
  const auto cast = [&](const std::string& how, const LlvmValue& of, const std::string& to) {
    return make(to, how + " " + of.type + " " + of.text + " to " + to);
  };
  LlvmValue bits = v;
  if (v.type == "ptr")
    bits = cast("ptrtoint", v, "i64");
  else if (!is_integer(v.type))
    bits = cast("bitcast", v, integer_of(width_of(v.type)));
  bits = extended(bits, integer_of(width_of(type)), false);
  if (is_integer(type)) return bits;
  return cast(type == "ptr" ? "inttoptr" : "bitcast", bits, type);
}

// ---- what a statement says

bool PtxLowering::has(std::string_view word) const {
  return std::ranges::find(s_->words, word) != s_->words.end();
}

PtxType PtxLowering::type(int n) const {
  for (size_t k = 1; k < s_->words.size(); ++k)
    if (const auto t = ptx_type(s_->words[k]); t && n-- == 0) return *t;
  refuse();
}

const PtxOperand& PtxLowering::at(size_t k) const {
  if (k >= s_->operands.size()) refuse();
  return s_->operands[k];
}

LlvmValue PtxLowering::value_of(const PtxOperand& o, const std::string& type) {
  if (o.kind == PtxOperand::number) return literal(o.text, type);
  if (o.kind != PtxOperand::named) refuse();
  LlvmValue v;
  if (o.text == "WARP_SZ")
    v = constant(32, "i32");
  else if (const auto known = values_.find(o.text); known != values_.end())
    v = known->second;
  else if (o.text.starts_with('%') && !declared_.contains(o.text))
    v = special(o.text);
  else if (const auto declared = declared_.find(o.text); declared != declared_.end())
    v = {"undef", declared->second.llvm()};
  else
    throw Unsupported("PTX that names " + o.text);
  v = converted(v, type);
  return o.negated ? binary("xor", v, {"true", "i1"}) : v;
}

/// Where the guard does not hold the register keeps what it had.
void PtxLowering::assign(const PtxOperand& o, const LlvmValue& v) {
  if (o.kind != PtxOperand::named) refuse();
  if (o.text == "_") return;
  const auto old = values_.find(o.text);
  if (!guard_) {
    values_[o.text] = v;
    return;
  }
  const LlvmValue before = old == values_.end() ? LlvmValue{"undef", v.type} : converted(old->second, v.type);
  values_[o.text] = selected(*guard_, v, before);
}

LlvmValue PtxLowering::result(const std::string& name, const std::string& type) {
  const auto it = values_.find(name);
  return it == values_.end() ? LlvmValue{"undef", type} : converted(it->second, type);
}

// ---- declarations, and registers that are there

void PtxLowering::declare() {
  if (s_->words.size() != 2) refuse();
  for (const PtxOperand& o : s_->operands) {
    declared_[o.text] = type();
    values_.erase(o.text);
  }
}

LlvmValue PtxLowering::special(const std::string& name) {
  static constexpr std::string_view known[] = {
      "tid.x",       "tid.y",   "tid.z",    "ntid.x",      "ntid.y",      "ntid.z",        "ctaid.x",
      "ctaid.y",     "ctaid.z", "nctaid.x", "nctaid.y",    "nctaid.z",    "laneid",        "warpid",
      "nwarpid",     "smid",    "nsmid",    "lanemask_eq", "lanemask_lt", "lanemask_le",   "lanemask_ge",
      "lanemask_gt", "clock",   "clock_hi", "clock64",     "globaltimer", "globaltimer_lo"};
  std::string of = name.substr(1);
  if (std::ranges::find(known, of) == std::end(known)) throw Unsupported("the PTX register " + name);
  if (of == "globaltimer_lo") of = "globaltimer";
  if (of == "clock_hi") {
    const LlvmValue all = call("i64", "llvm.nvvm.read.ptx.sreg.clock64", {});
    return converted(binary("lshr", all, constant(32, "i64")), "i32");
  }
  std::ranges::replace(of, '_', '.');
  const bool wide = of == "clock64" || of == "globaltimer";
  return call(wide ? "i64" : "i32", "llvm.nvvm.read.ptx.sreg." + of, {});
}

}  // namespace bscope::cuda::ir
