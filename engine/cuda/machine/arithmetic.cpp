#include "engine/cuda/machine/arithmetic.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/cuda/ir/constants.hpp"

namespace bscope::cuda {

using ir::Binary;
using ir::Cast;
using ir::Compare;
using ir::cut_to;
using ir::sign_extended;

namespace {

uint64_t signed_quotient(int64_t a, int64_t b) {
  return b == 0 ? ~uint64_t(0) : b == -1 ? 0 - uint64_t(a) : uint64_t(a / b);
}
int64_t signed_rest(int64_t a, int64_t b) { return b == 0 ? a : b == -1 ? 0 : a % b; }

template <class T>
uint64_t floating(Binary op, T a, T b) {
  switch (op) {
    case Binary::fadd: return bits_from(T(a + b));
    case Binary::fsub: return bits_from(T(a - b));
    case Binary::fmul: return bits_from(T(a * b));
    case Binary::fdiv: return bits_from(T(a / b));
    default: return bits_from(T(std::fmod(a, b)));
  }
}

/// To the nearest whole number towards zero, and no further than the type goes.
uint64_t to_integer(double v, int bits, bool with_sign) {
  if (std::isnan(v)) return 0;
  const double least = with_sign ? -std::ldexp(1.0, bits - 1) : 0,
               beyond = std::ldexp(1.0, with_sign ? bits - 1 : bits);
  if (v <= least) return with_sign ? uint64_t(1) << (bits - 1) : 0;
  if (v >= beyond) return cut_to(~uint64_t(0), with_sign ? bits - 1 : bits);
  return cut_to(with_sign ? uint64_t(int64_t(v)) : uint64_t(v), bits);
}

}  // namespace

uint64_t integer_result(Binary op, uint64_t a, uint64_t b, int bits) {
  const auto width = uint64_t(bits);
  const int64_t p = sign_extended(a, bits), q = sign_extended(b, bits);
  uint64_t r = 0;
  switch (op) {
    case Binary::add: r = a + b; break;
    case Binary::sub: r = a - b; break;
    case Binary::mul: r = a * b; break;
    case Binary::udiv: r = b ? a / b : ~uint64_t(0); break;
    case Binary::sdiv: r = signed_quotient(p, q); break;
    case Binary::urem: r = b ? a % b : a; break;
    case Binary::srem: r = uint64_t(signed_rest(p, q)); break;
    case Binary::shl: r = b < width ? a << b : 0; break;
    case Binary::lshr: r = b < width ? a >> b : 0; break;
    case Binary::ashr: r = uint64_t(p >> std::min(b, width - 1)); break;
    case Binary::bit_and: r = a & b; break;
    case Binary::bit_or: r = a | b; break;
    default: r = a ^ b; break;
  }
  return cut_to(r, bits);
}

uint64_t floating_result(Binary op, uint64_t a, uint64_t b, int bits) {
  return bits == 64 ? floating(op, as<double>(a), as<double>(b)) : floating(op, as<float>(a), as<float>(b));
}

namespace {

bool compares_integers(Compare what, uint64_t a, uint64_t b, int bits) {
  const int64_t p = sign_extended(a, bits), q = sign_extended(b, bits);
  switch (what) {
    case Compare::eq: return a == b;
    case Compare::ne: return a != b;
    case Compare::ugt: return a > b;
    case Compare::uge: return a >= b;
    case Compare::ult: return a < b;
    case Compare::ule: return a <= b;
    case Compare::sgt: return p > q;
    case Compare::sge: return p >= q;
    case Compare::slt: return p < q;
    default: return p <= q;
  }
}
bool compares_floats(Compare what, double p, double q) {
  const bool unordered = std::isnan(p) || std::isnan(q);
  switch (what) {
    case Compare::yes: return true;
    case Compare::no: return false;
    case Compare::oeq: return p == q;
    case Compare::ogt: return p > q;
    case Compare::oge: return p >= q;
    case Compare::olt: return p < q;
    case Compare::ole: return p <= q;
    case Compare::one: return !unordered && p != q;
    case Compare::ord: return !unordered;
    case Compare::ueq: return unordered || p == q;
    case Compare::ufgt: return unordered || p > q;
    case Compare::ufge: return unordered || p >= q;
    case Compare::uflt: return unordered || p < q;
    case Compare::ufle: return unordered || p <= q;
    case Compare::une: return p != q;
    default: return unordered;
  }
}

}  // namespace

bool compares(Compare what, uint64_t a, uint64_t b, int bits) {
  if (what <= Compare::sle) return compares_integers(what, a, b, bits);
  return compares_floats(what, number_of(a, bits), number_of(b, bits));
}

uint64_t cast_result(Cast what, uint64_t a, int from, int to) {
  switch (what) {
    case Cast::sext: return cut_to(uint64_t(sign_extended(a, from)), to);
    case Cast::fptrunc:
    case Cast::fpext: return float_bits(number_of(a, from), to);
    case Cast::fptoui: return to_integer(number_of(a, from), to, false);
    case Cast::fptosi: return to_integer(number_of(a, from), to, true);
    // rounded once: not by way of double
    case Cast::uitofp: return to == 64 ? bits_from(double(a)) : bits_from(float(a));
    case Cast::sitofp: {
      const int64_t n = sign_extended(a, from);
      return to == 64 ? bits_from(double(n)) : bits_from(float(n));
    }
    default: return cut_to(a, to);
  }
}

Op op_of(Binary op) {
  static constexpr std::array ops = {Op::add,     Op::sub, Op::mul, Op::div, Op::div,     Op::mod,
                                     Op::mod,     Op::shl, Op::shr, Op::shr, Op::bit_and, Op::bit_or,
                                     Op::bit_xor, Op::add, Op::sub, Op::mul, Op::div,     Op::mod};
  static_assert(ops.size() == size_t(Binary::frem) + 1);
  return ops[size_t(op)];
}

Op op_of(Compare what) {
  switch (what) {
    case Compare::ne:
    case Compare::one:
    case Compare::une: return Op::differ;
    case Compare::ugt:
    case Compare::sgt:
    case Compare::ogt:
    case Compare::ufgt: return Op::more;
    case Compare::uge:
    case Compare::sge:
    case Compare::oge:
    case Compare::ufge: return Op::more_equal;
    case Compare::ult:
    case Compare::slt:
    case Compare::olt:
    case Compare::uflt: return Op::less;
    case Compare::ule:
    case Compare::sle:
    case Compare::ole:
    case Compare::ufle: return Op::less_equal;
    default: return Op::equal;
  }
}

}  // namespace bscope::cuda
