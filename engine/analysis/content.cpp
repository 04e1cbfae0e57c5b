#include "engine/analysis/content.hpp"

#include <limits>

#include "engine/analysis/arithmetic.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/trace/progress.hpp"
#include "engine/trace/small_float.hpp"

namespace bscope {
namespace {

constexpr size_t most_runs = size_t(4) << 20;  // of all words together

template <class T>
bool is_limit(uint64_t bits, bool lowest) {
  T v;
  std::memcpy(&v, &bits, sizeof v);
  using L = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>)
    if (v == (lowest ? -L::infinity() : L::infinity())) return true;
  return v == (lowest ? L::lowest() : L::max());
}
/// Of half precision and bfloat16.
bool is_small_limit(ElementType kind, uint64_t bits, bool lowest) {
  const uint64_t infinity = bscope_small_infinity(fraction_bits(kind)), size = bits & 0x7fff;
  return (size == infinity || size == infinity - 1) && ((bits & BSCOPE_SMALL_SIGN) != 0) == lowest;
}
bool is_limit(ElementType kind, uint64_t bits, bool lowest) {
  switch (kind) {
    case ElementType::i8: return is_limit<int8_t>(bits, lowest);
    case ElementType::u8: return is_limit<uint8_t>(bits, lowest);
    case ElementType::i16: return is_limit<int16_t>(bits, lowest);
    case ElementType::u16: return is_limit<uint16_t>(bits, lowest);
    case ElementType::i32: return is_limit<int32_t>(bits, lowest);
    case ElementType::u32: return is_limit<uint32_t>(bits, lowest);
    case ElementType::i64: return is_limit<int64_t>(bits, lowest);
    case ElementType::u64: return is_limit<uint64_t>(bits, lowest);
    case ElementType::f32: return is_limit<float>(bits, lowest);
    case ElementType::f64: return is_limit<double>(bits, lowest);
    case ElementType::f16:
    case ElementType::bf16: return is_small_limit(kind, bits, lowest);
    case ElementType::affine:
    case ElementType::counted:
    case ElementType::other: return false;
  }
  return false;
}

/// A constant is no input: the identity, or no word at all.
Word constant_word(Op op, ElementType kind, uint64_t bits) {
  const bool identity = op == Op::compose ? kind == ElementType::affine && uint32_t(bits) == 1u << 16
                        : op == Op::max   ? is_limit(kind, bits, true)
                        : op == Op::min   ? is_limit(kind, bits, false)
                                          : (bits & mask_of(kind)) == 0;
  return {identity, {}, 1};
}

}  // namespace

/// Builds the words of one run.
class Writer {
 public:
  Writer(const Trace& trace, const DataflowGraph& flow)
      : trace_(trace), flow_(flow), op_(operator_of(trace)) {
    if (size_t(trace.input) < trace.arrays.size()) longest_ = size_t(trace.arrays[trace.input].size);
  }
  WordTable all() {
    words_ = WordTable(flow_.nodes.size());
    for (size_t k = 0; k < flow_.nodes.size(); ++k) {
      if (k % 65536 == 0) throw_if_cancelled();
      const Node& n = flow_.nodes[k];
      const EncodedWord quick = short_cut(n);
      words_.all_[k] = quick != none ? quick : entry(of(n));
    }
    return std::move(words_);
  }

 private:
  const Trace& trace_;
  const DataflowGraph& flow_;
  const Op op_;
  size_t longest_ = 0, total_ = 0;
  WordTable words_;

  using EncodedWord = WordTable::EncodedWord;
  static constexpr EncodedWord none{WordTable::other, -1}, unknown{WordTable::unknown, 0};

  EncodedWord entry(Word w) {
    const size_t runs = w.runs.size();
    // No legal word is longer than the input; others (x + x + ...) may double with every step.
    if (!w.known || (runs > 1 && (runs > longest_ || (total_ += runs) > most_runs))) return unknown;
    if (w.power == 1 && runs == 0) return {WordTable::identity, 0};
    if (w.power == 1 && runs == 1 && w.runs[0].first >= 0) return {w.runs[0].first, w.runs[0].second};
    words_.others_.push_back(std::move(w));
    return {WordTable::other, int32_t(words_.others_.size()) - 1};
  }
  /// The entry of a node, where other nodes give it without making words of them; else none.
  EncodedWord short_cut(const Node& n) const {
    switch (n.op) {
      case Op::load:
      case Op::load_volatile:
      case Op::load_relaxed: return n.a >= 0 ? plain(words_.all_[n.a]) : none;
      case Op::store:
      case Op::store_volatile:
      case Op::store_async:
      case Op::store_relaxed:
      case Op::shuffle: return n.a >= 0 && !is_atomic(flow_.nodes[n.a].op) ? plain(words_.all_[n.a]) : none;
      case Op::branch:
      case Op::expect:
      case Op::fence:
      case Op::address:
      case Op::sync_warp: return unknown;
      default: break;
    }
    if (n.op != op_ || n.a < 0 || n.b < 0) return none;
    if (is_atomic(flow_.nodes[n.a].op) || is_atomic(flow_.nodes[n.b].op)) return none;
    const EncodedWord a = words_.all_[n.a], b = words_.all_[n.b];
    if (a == unknown || b == unknown) return unknown;
    if (plain(a) == none || plain(b) == none) return none;
    if (b.first == WordTable::identity) return a;
    if (a.first == WordTable::identity) return b;
    return a.last + 1 == b.first ? EncodedWord{a.first, b.last} : none;
  }
  /// Words of several runs are counted when they are made anew.
  static EncodedWord plain(EncodedWord e) { return e.first == WordTable::other ? none : e; }

  Word constant(ElementType kind, uint64_t bits) const { return constant_word(op_, kind, bits); }
  /// What a cell held when n read it.
  Word cell(const Node& n) const {
    if (n.a >= 0) return words_[n.a];
    if (n.place.shared()) return {};
    // seen where nothing was stored: the initial value, if it is that
    if ((initial_bits(trace_, n.place) ^ n.bits) & mask_of(ElementType(n.kind))) return {};
    if (n.place.array == trace_.input) return {true, {{n.place.index, n.place.index}}, 1};
    return constant(ElementType(n.kind), n.bits);
  }
  /// A node as a value: an atomic gives the old one.
  Word value(int k, const Node& user) const {
    if (k < 0) return constant(ElementType(user.kind), user.bits);
    return is_atomic(flow_.nodes[k].op) ? cell(flow_.nodes[k]) : words_[k];
  }
  Word operand(int k) const { return k < 0 ? Word{} : value(k, flow_.nodes[k]); }

  Word of(const Node& n) const {
    switch (n.op) {
      case Op::load:
      case Op::load_volatile:
      case Op::load_relaxed:
      case Op::atomic_cas_failed:
      case Op::acquire:
      case Op::wait:
      case Op::observe:
      case Op::bulk_read: return cell(n);
      case Op::store:
      case Op::store_volatile:
      case Op::store_async:
      case Op::store_relaxed:
      case Op::release:
      case Op::publish:
      case Op::bulk_write:
      case Op::shuffle:
      case Op::convert:
      case Op::reduce: return value(n.a, n);
      case Op::constant: return constant(ElementType(n.kind), n.bits);
      case Op::atomic_exch:
      case Op::atomic_cas: return operand(n.b);
      case Op::atomic_add:
      case Op::atomic_max:
      case Op::atomic_min: return joined_by(n.op) == op_ ? join(cell(n), operand(n.b)) : Word{};
      case Op::mul: return product(operand(n.a), operand(n.b));
      default: return n.op == op_ ? join(operand(n.a), operand(n.b)) : Word{};
    }
  }
  /// x times x is a letter too, of a sum of squares.
  static Word product(const Word& a, const Word& b) {
    const bool letters =
        a.known && b.known && a.runs.size() == 1 && a.runs == b.runs && a.runs[0].first == a.runs[0].second;
    return letters ? Word{true, a.runs, a.power + b.power} : Word{};
  }
};

Word WordTable::operator[](size_t k) const {
  const EncodedWord e = all_[k];
  if (e.first >= 0) return {true, {{e.first, e.last}}, 1};
  if (e.first == other) return others_[size_t(e.last)];
  return {e.first == identity, {}, 1};
}

std::string Word::text() const {
  if (!known || power != 1) return "";
  if (runs.empty()) return "identity";
  std::string s;
  for (auto [first, last] : runs) {
    if (!s.empty()) s += ' ';
    s += "x" + std::to_string(first);
    if (last != first) s += "..x" + std::to_string(last);
  }
  return s;
}

Op operator_of(const Trace& trace) {
  for (const auto& [name, value] : trace.parameters)
    if (name == "operator")
      return value == "min" ? Op::min : value == "max" ? Op::max : value == "affine" ? Op::compose : Op::add;
  return Op::add;
}

Word join(const Word& a, const Word& b) {
  if (!a.known || !b.known) return {};
  if (b.runs.empty()) return a;
  if (a.runs.empty()) return b;
  if (a.power != b.power) return {};
  Word w = a;
  for (auto run : b.runs)
    if (w.runs.back().second + 1 == run.first)
      w.runs.back().second = run.second;
    else
      w.runs.push_back(run);
  return w;
}

WordTable words(const Trace& trace, const DataflowGraph& flow) { return Writer(trace, flow).all(); }

Word initial_word(const Trace& trace, CellRef place) {
  if (place.array == trace.input) return {true, {{place.index, place.index}}, 1};
  return constant_word(operator_of(trace), trace.arrays[size_t(place.array)].kind,
                       initial_bits(trace, place));
}

Word final_word(const Trace& trace, const DataflowGraph& flow, const WordTable& words, CellRef place) {
  const int k = final_holder(flow, place);
  return k >= 0 ? words[k] : initial_word(trace, place);
}

std::vector<std::vector<Word>> content(const Trace& trace, const DataflowGraph& flow, const WordTable& words,
                                       const Interval& v) {
  std::vector<std::vector<Word>> all;
  const std::vector<int32_t> held = holders(trace, flow, v);
  size_t cell = 0;
  for (const ArrayInfo& array : trace.launches[v.launch].shared) {
    auto& of = all.emplace_back(array.size);
    for (Word& w : of) {
      const int k = cell < held.size() ? held[cell] : -1;
      if (k >= 0) w = words[k];
      ++cell;
    }
  }
  return all;
}

}  // namespace bscope
