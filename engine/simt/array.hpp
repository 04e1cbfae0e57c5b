// Arrays as kernels see them, shared arrays, and several cells in one request.
#pragma once

#include "engine/simt/cell.hpp"

namespace bscope {
inline namespace HALF {

/// n cells in global or shared memory. Untraced, a[i] is T&.
template <class T>
struct Array {
  T* p;
  Index n;
  DEVICE Index size() const { return n; }
  DEVICE T& operator[](Index i) const { return p[i]; }
  /// Where cell i lies, for bulk copies.
  DEVICE T* at(Index i) const { return p + i; }
};
/// Cells that the launch only reads: through the read-only cache.
template <class T>
struct Array<const T> {
  const T* p;
  Index n;
  DEVICE Index size() const { return n; }
  DEVICE const T* at(Index i) const { return p + i; }
  DEVICE T operator[](Index i) const {
#ifdef __CUDA_ARCH__
    if constexpr (std::is_arithmetic_v<T>) {
      return __ldg(p + i);
    } else {
      using Bits = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
      return from_bits<T>(__ldg(reinterpret_cast<const Bits*>(p + i)));
    }
#else
    return p[i];
#endif
  }
};
/// Where cells begin, traced: what bulk copies take. Of cells that are only read, V is const.
template <class V>
struct Begin {
  V* p;
  At at;
  int n;  ///< of the array
  Log* log;
  uint8_t array;
  template <class U>
    requires std::same_as<U, const V>  // a template, since nvcc warns of a conversion from const to itself
  DEVICE operator Begin<U>() const {
    return {p, at, n, log, array};
  }
};
/// Traced, a[i] is a Cell.
template <class V>
struct Array<Tracked<V>> {
  V* p;
  int n;
  Log* log;
  uint8_t id;
  DEVICE int size() const { return n; }
  DEVICE Cell<Tracked<V>> operator[](At at) const {
    if (!log->rehearses() && uint64_t(at.index) >= uint64_t(n))
      log->stray({uint16_t(at.line), Op::fault, id, uint32_t(n), uint32_t(at.index), at.source});
    return {p + at.index, uint32_t(at.index), at.line, at.source, log, id};
  }
  DEVICE Begin<V> at(At at) const { return {p + at.index, at, n, log, id}; }
};
template <class V>
struct Array<const Tracked<V>> {
  const V* p;
  int n;
  Log* log;
  uint8_t id;
  DEVICE int size() const { return n; }
  DEVICE Tracked<V> operator[](At at) const {
    return Array<Tracked<V>>{const_cast<V*>(p), n, log, id}[at].load();
  }
  DEVICE Begin<const V> at(At at) const { return {p + at.index, at, n, log, id}; }
};

/// auto sum = shared<T>(t, "sum", n): an array of the block, declared before the first barrier.
template <class T>
DEVICE auto shared(auto& t, const char* name, int n) {
  return t.template shared_array<T>(name, n);
}
/// Several buffers of equally many cells, one after the other in one shared array.
struct Buffers {
  Index rows, columns;
};
/// auto sum = shared<T>(t, "sum", {.rows = 2, .columns = n}): row r is the cells from r * n on. An index goes
/// through all of them, as without rows: they say how the array is drawn, column below column, and cost
/// nothing.
template <class T>
DEVICE auto shared(auto& t, const char* name, Buffers b) {
  return t.template shared_array<T>(name, int(b.columns), int(b.rows));
}

/// N values that travel together.
template <class T, int N>
struct Vec {
  T at[N];
  DEVICE T& operator[](int k) { return at[k]; }
  DEVICE const T& operator[](int k) const { return at[k]; }
};
template <class T, int N>
  requires Element<T>
struct alignas(sizeof(T) * N) Vec<T, N> {
  T at[N];
  DEVICE T& operator[](int k) { return at[k]; }
  DEVICE const T& operator[](int k) const { return at[k]; }
};

/// An array seen as vectors of N cells; a rest of fewer than N cells is not part of it.
template <class T, int N>
struct Vectors {
  using V = std::conditional_t<std::is_const_v<T>, const Vec<std::remove_const_t<T>, N>, Vec<T, N>>;
  Array<T> a;
  DEVICE Index size() const { return a.n / N; }
  DEVICE V& operator[](Index i) const { return reinterpret_cast<V*>(a.p)[i]; }
};
/// Cells that the launch only reads, 16 bytes at once. They may stay in the cache: asked to leave it first
/// (__ldcs), a sum of 2^29 gains 0.3% on an H100, and one of 2^23 that is read again takes twice as long.
template <class T, int N>
  requires(Element<T> && sizeof(T) * N == 16)
struct Vectors<const T, N> {
  Array<const T> a;
  DEVICE Index size() const { return a.n / N; }
  DEVICE Vec<T, N> operator[](Index i) const {
#ifdef __CUDA_ARCH__
    const uint4 bits = __ldg(reinterpret_cast<const uint4*>(a.p) + i);
    Vec<T, N> v;
    memcpy(&v, &bits, sizeof v);
    return v;
#else
    return reinterpret_cast<const Vec<T, N>*>(a.p)[i];
#endif
  }
};
template <class T, int N>
  requires requires { typename std::remove_const_t<T>::value_type; }
struct Vectors<T, N> {
  using U = std::remove_const_t<T>;
  using V = typename U::value_type;
  Array<T> a;

  struct VectorReference {
    Array<U> a;
    At at;
    DEVICE operator Vec<U, N>() && {
      Vec<U, N> v;
      mark();
      for (int k = 0; k < N; ++k) v[k] = cell(k).load();
      return v;
    }
    DEVICE void operator=(const Vec<U, N>& v) &&
          requires(!std::is_const_v<T>)
    {
      mark();
      for (int k = 0; k < N; ++k) cell(k).store(v[k]);
    }

   private:
    DEVICE void mark() const { a.log->push({uint16_t(at.line), Op::together, a.id, 0, uint32_t(N), 0}); }
    DEVICE Cell<U> cell(int k) const {
      At c = at;
      c.index = at.index * N + k;
      c.source = k ? 0 : at.source;
      return a[c];
    }
  };
  DEVICE int size() const { return a.n / N; }
  DEVICE VectorReference operator[](At at) const { return {{const_cast<V*>(a.p), a.n, a.log, a.id}, at}; }
};
/// Vec<T, 4> v = vectors<4>(data)[i]: one request of four cells.
template <int N, class T>
DEVICE Vectors<T, N> vectors(Array<T> a) {
  return {a};
}

/// An array seen as rows of N cells: rows<32>(copies)[key][lane]. N is a power of two, so that the two parts
/// of an address never carry into each other and one instruction joins them.
template <class T, int N>
struct Rows {
  static_assert((N & (N - 1)) == 0);
  struct Row {
    char* begin;
    uint32_t offset;
    DEVICE T& operator[](int column) const {
      return *reinterpret_cast<T*>(begin + (offset | uint32_t(column) * uint32_t(sizeof(T))));
    }
  };
  Array<T> a;
  DEVICE Row operator[](uint32_t row) const {
    return {reinterpret_cast<char*>(a.p), row * (N * uint32_t(sizeof(T)))};
  }
};
template <class V, int N>
struct Rows<Tracked<V>, N> {
  struct Row {
    Array<Tracked<V>> a;
    At first;
    DEVICE Cell<Tracked<V>> operator[](int column) const {
      At at = first;
      at.index += column;
      return a[at];
    }
  };
  Array<Tracked<V>> a;
  DEVICE Row operator[](At row) const {
    row.index *= N;
    return {a, row};
  }
};
template <int N, class T>
DEVICE Rows<T, N> rows(Array<T> a) {
  return {a};
}

}  // namespace HALF
}  // namespace bscope
