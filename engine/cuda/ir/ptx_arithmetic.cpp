// PTX's arithmetic, logic, comparisons, moves and conversions.
#include <algorithm>
#include <array>

#include "engine/cuda/ir/ptx_lowering.hpp"
#include "engine/cuda/ir/scanner.hpp"

namespace bscope::cuda::ir {
namespace {

const LlvmValue no{"false", i1};

/// Widths behind the names of LLVM's own functions.
std::string with_type(const std::string& name, const PtxType& t) {
  return "llvm." + name + (t.is_float() ? ".f" : ".i") + std::to_string(t.bits);
}

}  // namespace

std::span<const PtxLowering::Row> PtxLowering::arithmetic_rows() {
  static constexpr Row rows[] = {
      {"reg", &PtxLowering::declare, ""},
      {"add", &PtxLowering::two, "rn sat cc"},
      {"sub", &PtxLowering::two, "rn sat cc"},
      {"addc", &PtxLowering::carrying, "cc"},
      {"subc", &PtxLowering::carrying, "cc"},
      {"and", &PtxLowering::two, ""},
      {"or", &PtxLowering::two, ""},
      {"xor", &PtxLowering::two, ""},
      {"mul", &PtxLowering::multiply, "rn lo hi wide sat"},
      {"mad", &PtxLowering::multiply, "rn lo hi wide cc sat"},
      {"madc", &PtxLowering::multiply, "lo hi cc"},
      {"mul24", &PtxLowering::multiply, "lo"},
      {"mad24", &PtxLowering::multiply, "lo"},
      {"fma", &PtxLowering::multiply, "rn sat"},
      {"div", &PtxLowering::divide, "rn approx full"},
      {"rem", &PtxLowering::divide, ""},
      {"not", &PtxLowering::one, ""},
      {"cnot", &PtxLowering::one, ""},
      {"neg", &PtxLowering::one, ""},
      {"abs", &PtxLowering::one, ""},
      {"min", &PtxLowering::extreme, ""},
      {"max", &PtxLowering::extreme, ""},
      {"shl", &PtxLowering::shift, ""},
      {"shr", &PtxLowering::shift, ""},
      {"shf", &PtxLowering::funnel, "l r wrap clamp"},
      {"popc", &PtxLowering::count_bits, ""},
      {"clz", &PtxLowering::count_bits, ""},
      {"brev", &PtxLowering::count_bits, ""},
      {"bfind", &PtxLowering::find_bit, "shiftamt"},
      {"bfe", &PtxLowering::extract_field, ""},
      {"bfi", &PtxLowering::insert_field, ""},
      {"prmt", &PtxLowering::permute, ""},
      {"lop3", &PtxLowering::three_way_logic, ""},
      {"setp", &PtxLowering::compare,
       "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor"},
      {"set", &PtxLowering::compare, "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan"},
      {"selp", &PtxLowering::select, ""},
      {"slct", &PtxLowering::select, ""},
      {"sad", &PtxLowering::sum_of_differences, ""},
      {"dp4a", &PtxLowering::dot, ""},
      {"mov", &PtxLowering::move, ""},
      {"cvt", &PtxLowering::convert, "rn rni rzi rmi rpi rz sat"},
      {"sqrt", &PtxLowering::function_of_number, "rn approx"},
      {"rcp", &PtxLowering::function_of_number, "rn approx"},
      {"rsqrt", &PtxLowering::function_of_number, "approx"},
      {"sin", &PtxLowering::function_of_number, "approx"},
      {"cos", &PtxLowering::function_of_number, "approx"},
      {"ex2", &PtxLowering::function_of_number, "approx"},
      {"lg2", &PtxLowering::function_of_number, "approx"},
      {"tanh", &PtxLowering::function_of_number, "approx"},
      {"copysign", &PtxLowering::function_of_number, ""}};
  return rows;
}

/// A number cut to what lies between 0 and 1, as .sat has it.
LlvmValue PtxLowering::saturated(const LlvmValue& v) {
  const std::string suffix = v.type == "double" ? ".f64" : ".f32";
  const LlvmValue zero = value_of({.kind = PtxOperand::number, .text = "0.0"}, v.type),
                  one = value_of({.kind = PtxOperand::number, .text = "1.0"}, v.type);
  return call(v.type, "llvm.minnum" + suffix, {call(v.type, "llvm.maxnum" + suffix, {v, zero}), one});
}

void PtxLowering::two() {
  const PtxType t = type();
  const std::string of = t.llvm(), &name = s_->words[0];
  const LlvmValue a = in(1, of), b = in(2, of);
  if (has("cc")) {
    carry_ = {};
    return carrying();
  }
  if (t.is_float()) {
    const LlvmValue v = binary("f" + name, a, b);
    return out(0, has("sat") ? saturated(v) : v);
  }
  if (has("sat")) return out(0, call(of, with_type((name == "add" ? "sadd.sat" : "ssub.sat"), t), {a, b}));
  out(0, binary(name, a, b));
}

/// The sum, and what does not fit in it. In 64 bits a sum of 32 fits.
LlvmValue PtxLowering::add_with_carry(const LlvmValue& a, const LlvmValue& b, bool takes, bool leaves) {
  const LlvmValue before = takes && carry_ ? *carry_ : no;
  if (a.type == i32) {
    LlvmValue sum = binary("add", extended(a, i64, false), extended(b, i64, false));
    if (takes) sum = binary("add", sum, extended(before, i64, false));
    if (leaves) carry_ = extended(binary("lshr", sum, constant(32, i64)), i1, false);
    return extended(sum, i32, false);
  }
  LlvmValue sum = binary("add", a, b);
  LlvmValue carry = compared("icmp ult", sum, a);
  if (takes) {
    const LlvmValue more = binary("add", sum, extended(before, a.type, false));
    carry = binary("or", carry, compared("icmp ult", more, sum));
    sum = more;
  }
  if (leaves) carry_ = carry;
  return sum;
}

/// add.cc, addc and their like. a - b is a + ~b + 1: the carry says that nothing is borrowed.
void PtxLowering::carrying() {
  const std::string of = type().llvm(), &name = s_->words[0];
  const bool subtracts = name.starts_with("sub"), first = !name.ends_with('c');
  const LlvmValue a = in(1, of);
  LlvmValue b = in(2, of);
  if (subtracts) b = binary("xor", b, constant(-1, of));
  if (first) carry_ = {subtracts ? "true" : "false", i1};
  out(0, add_with_carry(a, b, !first || subtracts, has("cc")));
}

LlvmValue PtxLowering::product(const PtxType& t, const LlvmValue& a, const LlvmValue& b) {
  if (has("wide")) {
    const std::string twice = PtxType{t.letter, 2 * t.bits}.llvm();
    return binary("mul", extended(a, twice, t.is_signed()), extended(b, twice, t.is_signed()));
  }
  if (!has("hi")) return binary("mul", a, b);
  if (t.bits < 32) {
    const LlvmValue whole = binary("mul", extended(a, i32, t.is_signed()), extended(b, i32, t.is_signed()));
    return extended(binary("lshr", whole, constant(t.bits, i32)), t.llvm(), false);
  }
  return call(t.llvm(), "__bscope_mul_hi_" + t.suffix(), {a, b});
}

/// mul, mad, fma and their like.
void PtxLowering::multiply() {
  const PtxType t = type();
  const std::string of = t.llvm(), &name = s_->words[0];
  LlvmValue a = in(1, of), b = in(2, of);
  const bool adds = name.starts_with("mad") || name == "fma";
  if (t.is_float()) {
    const LlvmValue v = adds ? call(of, with_type("fma", t), {a, b, in(3, of)}) : binary("fmul", a, b);
    return out(0, has("sat") ? saturated(v) : v);
  }
  if (has("sat")) refuse();
  if (name.ends_with("24")) {
    const LlvmValue by = constant(8, of);
    const std::string back = t.is_signed() ? "ashr" : "lshr";
    a = binary(back, binary("shl", a, by), by);
    b = binary(back, binary("shl", b, by), by);
  }
  LlvmValue v = product(t, a, b);
  if (!adds) return out(0, v);
  const LlvmValue c = in(3, v.type);
  if (!has("cc") && name != "madc") return out(0, binary("add", v, c));
  out(0, add_with_carry(v, c, name == "madc", has("cc")));
}

void PtxLowering::divide() {
  const PtxType t = type();
  const LlvmValue a = in(1, t.llvm()), b = in(2, t.llvm());
  const std::string op = s_->words[0] == "div" ? "div" : "rem";
  if (t.is_float()) return out(0, binary("f" + op, a, b));
  out(0, binary((t.is_signed() ? "s" : "u") + op, a, b));
}

void PtxLowering::one() {
  const PtxType t = type();
  const std::string of = t.llvm(), &name = s_->words[0];
  const LlvmValue a = in(1, of);
  if (name == "not")
    return out(0, binary("xor", a, t.letter == 'p' ? LlvmValue{"true", i1} : constant(-1, of)));
  if (name == "cnot") return out(0, extended(compared("icmp eq", a, constant(0, of)), of, false));
  if (t.is_float())
    return out(0,
               name == "neg" ? make(of, "fneg " + of + " " + a.text) : call(of, with_type("fabs", t), {a}));
  if (name == "neg") return out(0, binary("sub", constant(0, of), a));
  out(0, call(of, with_type("abs", t), {a, no}));
}

void PtxLowering::extreme() {
  const PtxType t = type();
  const std::string& name = s_->words[0];
  const std::string callee = t.is_float() ? name + "num" : (t.is_signed() ? "s" : "u") + name;
  out(0, call(t.llvm(), with_type(callee, t), {in(1, t.llvm()), in(2, t.llvm())}));
}

/// A shift by more than the width leaves nothing, or the sign.
void PtxLowering::shift() {
  const PtxType t = type();
  const LlvmValue by = extended(in(2, i32), t.bits < 32 ? i32 : t.llvm(), false);
  const std::string op = s_->words[0] == "shl" ? "shl" : t.is_signed() ? "ashr" : "lshr";
  LlvmValue a = in(1, t.llvm());
  if (t.bits < 32) a = extended(a, i32, t.is_signed());
  out(0, extended(binary(op, a, by), t.llvm(), false));
}

void PtxLowering::funnel() {
  const LlvmValue low = in(1, i32), high = in(2, i32), by = in(3, i32);
  if (has("wrap")) return out(0, call(i32, has("l") ? "llvm.fshl.i32" : "llvm.fshr.i32", {high, low, by}));
  const LlvmValue n = extended(call(i32, "llvm.umin.i32", {by, constant(32, i32)}), i64, false);
  const LlvmValue both =
      binary("or", binary("shl", extended(high, i64, false), constant(32, i64)), extended(low, i64, false));
  if (has("l"))
    return out(0, extended(binary("lshr", binary("shl", both, n), constant(32, i64)), i32, false));
  out(0, extended(binary("lshr", both, n), i32, false));
}

void PtxLowering::count_bits() {
  const PtxType t = type();
  const std::string of = t.llvm(), &name = s_->words[0];
  const LlvmValue a = in(1, of);
  if (name == "popc") return out(0, extended(call(of, with_type("ctpop", t), {a}), i32, false));
  if (name == "clz") return out(0, extended(call(of, with_type("ctlz", t), {a, no}), i32, false));
  out(0, call(of, with_type("bitreverse", t), {a}));
}

/// The position of the highest bit that says something; all ones: there is none.
void PtxLowering::find_bit() {
  const PtxType t = type();
  const std::string of = t.llvm();
  LlvmValue a = in(1, of);
  if (t.is_signed()) a = binary("xor", a, binary("ashr", a, constant(t.bits - 1, of)));
  const LlvmValue zeros = extended(call(of, with_type("ctlz", t), {a, no}), i32, false);
  if (!has("shiftamt")) return out(0, binary("sub", constant(t.bits - 1, i32), zeros));
  out(0, selected(compared("icmp eq", a, constant(0, of)), constant(-1, i32), zeros));
}

/// Our shifts by the width and more leave nothing or the sign: fields that leave the number need no case.
void PtxLowering::extract_field() {
  const PtxType t = type();
  const std::string of = t.llvm();
  const auto byte = [&](size_t k) {
    return extended(binary("and", in(k, i32), constant(255, i32)), of, false);
  };
  const LlvmValue a = in(1, of), from = byte(2), length = byte(3);
  if (!t.is_signed()) {
    const LlvmValue mask = binary("sub", binary("shl", constant(1, of), length), constant(1, of));
    return out(0, binary("and", binary("lshr", a, from), mask));
  }
  const LlvmValue rest =
      binary("sub", constant(t.bits, of), call(of, with_type("umin", t), {length, constant(t.bits, of)}));
  const LlvmValue field = binary("shl", binary("ashr", a, from), rest);
  out(0, binary("ashr", field, rest));
}

void PtxLowering::insert_field() {
  const PtxType t = type();
  const std::string of = t.llvm();
  const auto byte = [&](size_t k) {
    return extended(binary("and", in(k, i32), constant(255, i32)), of, false);
  };
  const LlvmValue a = in(1, of), b = in(2, of), at = byte(3), length = byte(4);
  const LlvmValue mask =
      binary("shl", binary("sub", binary("shl", constant(1, of), length), constant(1, of)), at);
  const LlvmValue kept = binary("and", b, binary("xor", mask, constant(-1, of)));
  out(0, binary("or", kept, binary("and", binary("shl", a, at), mask)));
}

void PtxLowering::permute() { out(0, call(i32, "__bscope_byte_perm", {in(1, i32), in(2, i32), in(3, i32)})); }

/// What the table says where exactly these of a, b and c are set.
void PtxLowering::three_way_logic() {
  if (count() < 5 || at(4).kind != PtxOperand::number) refuse();
  const auto table = uint32_t(std::stoul(at(4).text, nullptr, 0));
  const std::array values = {in(1, i32), in(2, i32), in(3, i32)};
  const LlvmValue &a = values[0], &b = values[1], &c = values[2];
  switch (table & 255) {
    case 0x96: return out(0, binary("xor", binary("xor", a, b), c));
    case 0x80: return out(0, binary("and", binary("and", a, b), c));
    case 0xfe: return out(0, binary("or", binary("or", a, b), c));
    case 0xca: return out(0, binary("xor", c, binary("and", a, binary("xor", b, c))));
    case 0xe8: return out(0, binary("or", binary("and", a, b), binary("and", c, binary("or", a, b))));
    default: break;
  }
  std::array<LlvmValue, 3> inverse;
  for (size_t k = 0; k < 3; ++k) inverse[k] = binary("xor", values[k], constant(-1, i32));
  LlvmValue all = constant(0, i32);
  for (uint32_t row = 0; row < 8; ++row) {
    if ((table >> row & 1) == 0) continue;
    const auto& x = row & 4 ? a : inverse[0];
    const auto& y = row & 2 ? b : inverse[1];
    const auto& z = row & 1 ? c : inverse[2];
    all = binary("or", all, binary("and", binary("and", x, y), z));
  }
  out(0, all);
}

// ---- comparisons

std::string PtxLowering::comparison_word() const {
  for (size_t k = 1; k < s_->words.size(); ++k)
    if (const std::string& w = s_->words[k]; !ptx_type(w) && w != "and" && w != "or" && w != "xor") return w;
  refuse();
}

LlvmValue PtxLowering::comparison(std::string_view op, const PtxType& t, const LlvmValue& a,
                                  const LlvmValue& b) {
  if (t.is_float()) {
    if (op == "num" || op == "nan") return compared(op == "num" ? "fcmp ord" : "fcmp uno", a, b);
    if (op == "ne") return compared("fcmp one", a, b);
    const bool unordered = op.size() == 3;
    return compared("fcmp " + std::string(unordered ? "u" : "o") + std::string(op.substr(0, 2)), a, b);
  }
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> other_names = {
      {{"lo", "lt"}, {"ls", "le"}, {"hi", "gt"}, {"hs", "ge"}}};
  for (const auto& [name, usual] : other_names)
    if (op == name) op = usual;
  if (op == "eq" || op == "ne") return compared("icmp " + std::string(op), a, b);
  return compared("icmp " + std::string(t.is_signed() ? "s" : "u") + std::string(op), a, b);
}

/// setp and set; setp may join a predicate, and have the opposite as a second result.
void PtxLowering::compare() {
  const bool sets = s_->words[0] == "set";
  const PtxType t = type(sets ? 1 : 0);
  const LlvmValue c = comparison(comparison_word(), t, in(1, t.llvm()), in(2, t.llvm()));
  if (sets) {
    const PtxType to = type(0);
    const LlvmValue ones = to.is_float() ? value_of({.kind = PtxOperand::number, .text = "1.0"}, "float")
                                         : constant(-1, to.llvm());
    const LlvmValue zero = value_of({.kind = PtxOperand::number, .text = "0"}, to.llvm());
    return out(0, selected(c, ones, zero));
  }
  const auto joined = [&](const LlvmValue& v) {
    if (count() < 4) return v;
    const LlvmValue with = in(3, i1);
    for (const std::string op : {"and", "or", "xor"})
      if (has(op)) return binary(op, v, with);
    refuse();
  };
  if (at(0).kind != PtxOperand::pair) return out(0, joined(c));
  const LlvmValue opposite = binary("xor", c, {"true", i1});
  const LlvmValue first = joined(c), second = joined(opposite);
  assign(at(0).parts[0], first);
  assign(at(0).parts[1], second);
}

void PtxLowering::select() {
  const PtxType t = type();
  const LlvmValue a = in(1, t.llvm()), b = in(2, t.llvm());
  if (s_->words[0] == "selp") return out(0, selected(in(3, i1), a, b));
  const PtxType by = type(1);
  const LlvmValue c = in(3, by.llvm()), zero = value_of({.kind = PtxOperand::number, .text = "0"}, by.llvm());
  out(0, selected(compared(by.is_float() ? "fcmp oge" : "icmp sge", c, zero), a, b));
}

void PtxLowering::sum_of_differences() {
  const PtxType t = type();
  const std::string of = t.llvm(), sign = t.is_signed() ? "s" : "u";
  const LlvmValue a = in(1, of), b = in(2, of);
  const LlvmValue most = call(of, with_type(sign + "max", t), {a, b}),
                  least = call(of, with_type(sign + "min", t), {a, b});
  out(0, binary("add", binary("sub", most, least), in(3, of)));
}

void PtxLowering::dot() {
  const PtxType ta = type(0), tb = type(1);
  const LlvmValue a = in(1, i32), b = in(2, i32);
  LlvmValue sum = in(3, i32);
  const auto byte = [&](const LlvmValue& v, const PtxType& t, int k) {
    return binary(t.is_signed() ? "ashr" : "lshr", binary("shl", v, constant(24 - 8 * k, i32)),
                  constant(24, i32));
  };
  for (int k = 0; k < 4; ++k) sum = binary("add", sum, binary("mul", byte(a, ta, k), byte(b, tb, k)));
  out(0, sum);
}

// ---- moves and conversions

/// mov may also take a number apart or join its parts.
void PtxLowering::move() {
  const PtxType t = type();
  const std::string of = t.llvm();
  if (at(0).kind == PtxOperand::vector) {
    const LlvmValue whole = in(1, PtxType{'b', t.bits}.llvm());
    const auto parts = int(at(0).parts.size());
    const int bits = t.bits / std::max(1, parts);
    for (int k = 0; k < parts; ++k) {
      const LlvmValue v = k ? binary("lshr", whole, constant(k * bits, whole.type)) : whole;
      assign(at(0).parts[size_t(k)], extended(v, PtxType{'b', bits}.llvm(), false));
    }
    return;
  }
  if (at(1).kind != PtxOperand::vector) return out(0, in(1, of));
  const auto parts = int(at(1).parts.size());
  const int bits = t.bits / std::max(1, parts);
  const std::string whole = PtxType{'b', t.bits}.llvm(), part = PtxType{'b', bits}.llvm();
  LlvmValue all = constant(0, whole);
  for (int k = 0; k < parts; ++k) {
    LlvmValue v = extended(value_of(at(1).parts[size_t(k)], part), whole, false);
    if (k) v = binary("shl", v, constant(k * bits, whole));
    all = k ? binary("or", all, v) : v;
  }
  out(0, all);
}

void PtxLowering::round_to_integer(const PtxType& to, const PtxType& from, LlvmValue v) {
  const std::string suffix = ".f" + std::to_string(from.bits);
  if (has("rni")) v = call(v.type, "llvm.rint" + suffix, {v});
  if (has("rmi")) v = call(v.type, "llvm.floor" + suffix, {v});
  if (has("rpi")) v = call(v.type, "llvm.ceil" + suffix, {v});
  if (has("rzi")) v = call(v.type, "llvm.trunc" + suffix, {v});
  if (to.is_float()) return out(0, v);
  out(0,
      make(to.llvm(), (to.is_signed() ? "fptosi " : "fptoui ") + v.type + " " + v.text + " to " + to.llvm()));
}

void PtxLowering::convert() {
  const PtxType to = type(0), from = type(1);
  const LlvmValue v = in(1, from.llvm());
  const bool integers = !to.is_float() && !from.is_float();
  if (has("rz") || (has("sat") && !to.is_float())) refuse();
  const auto cast = [&](const std::string& how) {
    return make(to.llvm(), how + " " + v.type + " " + v.text + " to " + to.llvm());
  };
  if (integers) return out(0, extended(v, to.llvm(), from.is_signed()));
  if (!from.is_float()) return out(0, cast(from.is_signed() ? "sitofp" : "uitofp"));
  if (!to.is_float() || (to.bits == from.bits && (has("rni") || has("rzi") || has("rmi") || has("rpi"))))
    return round_to_integer(to, from, v);
  const LlvmValue number = to.bits == from.bits ? v : cast(to.bits < from.bits ? "fptrunc" : "fpext");
  out(0, has("sat") ? saturated(number) : number);
}

void PtxLowering::function_of_number() {
  const PtxType t = type();
  const std::string of = t.llvm(), &name = s_->words[0], suffix = "_f" + std::to_string(t.bits);
  const LlvmValue a = in(1, of);
  if (name == "rcp")
    return out(0, binary("fdiv", value_of({.kind = PtxOperand::number, .text = "1.0"}, of), a));
  if (name == "copysign") return out(0, call(of, with_type("copysign", t), {in(2, of), a}));
  const std::string ours = name == "ex2" ? "exp2" : name == "lg2" ? "log2" : name;
  out(0, call(of, "__bscope_math_" + ours + suffix, {a}));
}

}  // namespace bscope::cuda::ir
