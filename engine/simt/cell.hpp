// A place in an array that has not been touched yet. What sum[i] is, traced.
#pragma once

#include "engine/simt/tracked.hpp"

namespace bscope {
inline namespace HALF {

/// An index with the source line it stands in, and the value it was computed from if the data chose it.
struct At {
  int64_t index;
  uint32_t line, source = 0;

  template <std::integral I>
  DEVICE At(I i, uint32_t l = __builtin_LINE()) : index(int64_t(i)), line(l) {}
  template <std::integral V>
  DEVICE At(const Tracked<V>& i, uint32_t l = __builtin_LINE())
      : index(int64_t(i.value)), line(l), source(i.source) {}
  template <std::integral V>
  DEVICE At(Cell<Tracked<V>>&& c, uint32_t l = __builtin_LINE()) : At(c.load(), l) {}
};

/// What is stored as it is, converted to the cell's type: what stands on the right of = and what atomics
/// take.
template <class T>
using Given = Operand<T, true>;

// Everything that reads or writes is for temporaries only (&&): a named cell would read late, or twice.
template <class V>
struct Cell<Tracked<V>> {
  using T = Tracked<V>;
  V* p;
  uint32_t index, line, source;
  Log* log;
  uint8_t array;

  DEVICE Cell(V* p, uint32_t index, uint32_t line, uint32_t source, Log* log, uint8_t array)
      : p(p), index(index), line(line), source(source), log(log), array(array) {}
  Cell(const Cell&) = default;
  Cell& operator=(const Cell&) = delete;

  /// One access: `act` touches the memory and returns the value to remember.
  template <class F>
  DEVICE T touch(Op op, uint32_t from, F act) const {
    if (source) log->push({uint16_t(line), Op::address, array, index, source, 0});
    const Event e{uint16_t(line), op, array, 0, index, from};
    log->turn(e);
    const V seen = log->rehearses() ? V{} : V(act(*p));
    return {seen, record(*log, e, seen), log};
  }
  DEVICE T load() const {
    return touch(Op::load, 0, [](V& x) { return x; });
  }
  DEVICE void store(const T& v) const {
    touch(Op::store, v.source, [&](V& x) { return x = v.value; });
  }

  DEVICE operator T() && { return load(); }
  DEVICE explicit operator V() && { return V(load()); }  // int(sum[i]): an escape
  DEVICE void operator=(Given<T> v) && { store(v.get()); }
  DEVICE void operator=(Cell&& v) && { store(v.load()); }  // NOLINT(performance-noexcept*): a store, no move
#define COMPOUND(sign) \
  DEVICE void operator sign##=(Operand<T> v)&& { store(Operand<T>(load(), line) sign v); }
  COMPOUND(+)
  COMPOUND(-)
  COMPOUND(*)
  COMPOUND(/)
  COMPOUND(%)
  COMPOUND(&)
  COMPOUND(|)
  COMPOUND(^)
  COMPOUND(<<)
  COMPOUND(>>)
#undef COMPOUND
  DEVICE void operator++() && { store(Operand<T>(load(), line) + Operand<T>(V(1), line)); }
  DEVICE void operator++(int) && { store(Operand<T>(load(), line) + Operand<T>(V(1), line)); }
};

/// Where a V and a U meet, the plain form of the kernel computes in V, too. Said by types alone: where nvcc
/// works out an expression (decltype(V{} + U{})) for this, __builtin_LINE() is 0 in the call that asked.
template <class V, class U>
concept Joins = std::same_as<std::common_type_t<V, U>, V>;

/// What an operator accepts: a value, a constant, or a cell not read yet (it is read inside, in a fixed
/// order). A constant of a wider type is refused, unless it only `converts`: the untraced form would compute
/// in that type.
template <class V, bool converts>
struct Operand<Tracked<V>, converts> {
  using T = Tracked<V>;
  T now;
  Cell<T> later;
  uint32_t line;

  DEVICE Operand(T x, uint32_t l = __builtin_LINE()) : now(x), later(nullptr, 0, l, 0, nullptr, 0), line(l) {}
  template <class U>
    requires(std::is_arithmetic_v<U> && std::is_arithmetic_v<V> && (converts || Joins<V, U>)) ||
                std::same_as<U, V>
  DEVICE Operand(U x, uint32_t l = __builtin_LINE())
      : now(V(x)), later(nullptr, 0, l, 0, nullptr, 0), line(l) {}
  DEVICE Operand(Cell<T>&& c, uint32_t l = __builtin_LINE()) : now(V{}), later(c), line(l) {}

  DEVICE T get() const { return later.log ? later.load() : now; }
};

}  // namespace HALF
}  // namespace bscope
