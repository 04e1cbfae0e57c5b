// Tensor cores: a warp multiplies two small matrices whose elements its lanes hold (mma.h).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "engine/cuda/include/barrierscope/matrix_places.h"
#include "engine/cuda/machine/interpreter.hpp"
#include "engine/trace/small_float.hpp"

namespace bscope::cuda {
namespace {

/// What is multiplied: a type of elements, with how many neighbours along k a lane has, and the largest k.
struct Factors {
  const char* suffix;
  ElementType kind;
  int run, depth;
  ElementType sums;              ///< in what it is added up
  uint64_t used = ~uint64_t(0);  ///< bits of an element that the hardware looks at
};
constexpr Factors all_factors[] = {
    {"f16", ElementType::f16, 2, 16, ElementType::f32},
    {"bf16", ElementType::bf16, 2, 16, ElementType::f32},
    {"i8", ElementType::i8, 4, 16, ElementType::i32},
    {"u8", ElementType::u8, 4, 16, ElementType::i32},
    {"tf32", ElementType::f32, 1, 8, ElementType::f32, 0xffffe000u},
    {"f64", ElementType::f64, 1, 4, ElementType::f64},
};
constexpr std::array result_kinds = {ElementType::f16, ElementType::f32, ElementType::i32, ElementType::f64};

/// The lane and its element that hold each place of an operand.
struct Holder {
  uint8_t lane, element;
};
struct Holders {
  std::array<std::array<Holder, 16>, 32> a, b;  ///< by row and k, by column and k
};

const Holders& holders_of(const __bscope_matrices& s) {
  static std::map<std::array<int, 4>, Holders> known;
  const auto [at, fresh] = known.try_emplace({s.m, s.n, s.k, s.run});
  Holders& h = at->second;
  for (int lane = 0; fresh && lane < warp_size; ++lane) {
    for (int e = 0; e < s.a_elements(); ++e) {
      const __bscope_place p = __bscope_place_in_a(s, e, lane);
      h.a[size_t(p.row)][size_t(p.column)] = {uint8_t(lane), uint8_t(e)};
    }
    for (int e = 0; e < s.b_elements(); ++e) {
      const __bscope_place p = __bscope_place_in_b(s, e, lane);
      h.b[size_t(p.column)][size_t(p.row)] = {uint8_t(lane), uint8_t(e)};
    }
  }
  return h;
}

uint64_t number_of(uint64_t bits, ElementType from, ElementType to) {
  if (to == ElementType::i32)
    return uint32_t(from == ElementType::i8 ? int(as<int8_t>(bits)) : int(bits & 0xff));
  if (from == ElementType::f16 || from == ElementType::bf16)
    return bits_from(float(bscope_small_value(uint32_t(bits), fraction_bits(from))));
  return bits;
}

uint64_t product_of(uint64_t a, uint64_t b, ElementType kind) {
  if (kind == ElementType::i32) return uint32_t(as<int32_t>(a) * as<int32_t>(b));
  if (kind == ElementType::f64) return bits_from(as<double>(a) * as<double>(b));
  return bits_from(as<float>(a) * as<float>(b));
}
/// Rounded once: a product of numbers with 11 bits is exact.
uint64_t sum_with_product(uint64_t sum, uint64_t a, uint64_t b, ElementType kind, bool saturates) {
  if (kind == ElementType::f64) return bits_from(std::fma(as<double>(a), as<double>(b), as<double>(sum)));
  if (kind == ElementType::f32) return bits_from(as<float>(sum) + as<float>(a) * as<float>(b));
  const int64_t exact = int64_t(as<int32_t>(sum)) + int64_t(as<int32_t>(a)) * as<int32_t>(b);
  using Limits = std::numeric_limits<int32_t>;
  return uint32_t(saturates ? std::clamp<int64_t>(exact, Limits::min(), Limits::max()) : exact);
}

/// One lane's part of the product.
class MatrixProduct {
 public:
  MatrixProduct(Interpreter& w, const BuiltinCall& c)
      : w_(w),
        c_(c),
        factors_(all_factors[c.what]),
        shape_{int(c[4].bits), int(c[5].bits), factors_.depth, factors_.run},
        results_(result_kinds[c[6].bits % result_kinds.size()]),
        saturates_(c[7].bits & 1),
        holders_(holders_of(shape_)) {}

  void multiply() {
    read(own_.a, c_[1], shape_.a_elements());
    read(own_.b, c_[2], shape_.b_elements());
    share();
    std::array<Value, MatrixLanes::most> sums;
    for (int e = 0; e < shape_.c_elements(); ++e) sums[size_t(e)] = element(e);
    const int bytes = bscope::bytes_of(results_);
    for (int e = 0; e < shape_.c_elements(); ++e)
      w_.store(at(c_[0], e, bytes), sums[size_t(e)], {bytes, results_, c_.line, Op::store});
  }

 private:
  static Value at(const Value& array, int element, int bytes) {
    return {array.bits + uint64_t(element * bytes), 0, no_kind};
  }
  void read(std::array<Value, MatrixLanes::most>& to, const Value& array, int count) {
    const int bytes = bscope::bytes_of(factors_.kind);
    for (int e = 0; e < count; ++e) {
      to[size_t(e)] = w_.load(at(array, e, bytes), {bytes, factors_.kind, c_.line});
    }
  }
  /// Hands the lanes of the warp what this one has. Of two products in a row the second may begin before all
  /// have read the first.
  void share() {
    CpuThread& me = w_.thread();
    MatrixLanes& all = w_.block().matrices[{me.warp(), w_.next_matrix() % 2}];
    all.lanes[size_t(me.lane())] = own_;
    w_.note_effect();
    me.shuffle(Tracked<int>{0, 0, &me}, me.lane(), full_warp, c_.line);
    lanes_ = &all;
  }
  /// An element of the lane that holds it, as a number of the sums' kind.
  Value taken(const Holder& from, bool of_a) {
    const MatrixLanes::Lane& lane = lanes_->lanes[from.lane];
    const Value& given = (of_a ? lane.a : lane.b)[from.element];
    auto& known = (of_a ? known_a_ : known_b_)[from.lane][from.element];
    if (known) return *known;
    const Event e{uint16_t(c_.line), Op::shuffle, uint8_t(factors_.kind), 0, from.lane, given.source};
    Value v{given.bits, w_.write(e, given.bits, bscope::bytes_of(factors_.kind)), uint8_t(factors_.kind)};
    if (!given.source) v.source = 0;
    const uint64_t bits = number_of(v.bits, factors_.kind, factors_.sums) & factors_.used;
    if (bits != v.bits || factors_.kind != factors_.sums) v = w_.converted(v, bits, factors_.sums, c_.line);
    v.origin = given.origin;
    return *(known = v);
  }
  Value element(int e) {
    const __bscope_place p = __bscope_place_in_c(shape_, e, w_.thread().lane());
    const int bytes = bscope::bytes_of(results_);
    Value sum = w_.load(at(c_[3], e, bytes), {bytes, results_, c_.line});
    uint16_t origin = sum.origin;
    if (results_ == ElementType::f16)
      sum = w_.converted(sum, number_of(sum.bits, results_, factors_.sums), factors_.sums, c_.line);
    for (int k = 0; k < shape_.k; ++k) {
      const Value a = taken(holders_.a[size_t(p.row)][size_t(k)], true);
      const Value b = taken(holders_.b[size_t(p.column)][size_t(k)], false);
      for (const Value& v : {a, b})
        if (v.origin) origin = v.origin;
      const Value product = w_.made(Op::mul, a, b, product_of(a.bits, b.bits, factors_.sums), factors_.sums,
                                    factors_.sums, c_.line);
      sum = w_.made(Op::add, sum, product,
                    sum_with_product(sum.bits, a.bits, b.bits, factors_.sums, saturates_), factors_.sums,
                    factors_.sums, c_.line);
    }
    if (results_ == ElementType::f16)
      sum = w_.converted(sum, rounded(as<float>(sum.bits)), results_, c_.line);
    sum.origin = origin;
    return sum;
  }

  /// To half precision; what does not fit is the largest number where that is asked for.
  uint64_t rounded(float sum) const {
    const uint64_t half = bscope_small_of(double(sum), fraction_bits(results_), bscope_to_nearest);
    constexpr uint64_t infinity = 0x7c00, sign = 0x8000;
    if (!saturates_ || (half & infinity) != infinity) return half;
    return (half & 0x3ff) ? 0 : (half & sign) | (infinity - 1);
  }

  using KnownElements = std::array<std::array<std::optional<Value>, MatrixLanes::most>, warp_size>;

  Interpreter& w_;
  const BuiltinCall& c_;
  const Factors& factors_;
  __bscope_matrices shape_;
  ElementType results_;
  bool saturates_;
  const Holders& holders_;
  MatrixLanes::Lane own_;
  const MatrixLanes* lanes_ = nullptr;
  KnownElements known_a_, known_b_;
};

Value multiply(Interpreter& w, const BuiltinCall& c) {
  MatrixProduct(w, c).multiply();
  return {};
}

}  // namespace

void add_matrices(Builtins& all) {
  for (uint8_t k = 0; k < uint8_t(std::size(all_factors)); ++k)
    all.add(std::string("__bscope_mma_") + all_factors[k].suffix, {multiply, all_factors[k].kind, k, 8});
}

}  // namespace bscope::cuda
