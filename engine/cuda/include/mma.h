// nvcuda::wmma: a warp multiplies tiles of matrices. Which thread holds which element is not specified; here
// it is as in PTX's mma: in blocks of 8 x 8, thread 4 * g + t of a warp has columns 2 * t and 2 * t + 1 of
// row g. A product is made of shuffles and fused additions, in the order of k, so that each value shows what
// it was made of. A tensor core adds several products at once, and rounds otherwise in the last bits.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#ifdef __CUDA__
namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

namespace __bscope {
/// How an element is stored, and what it is multiplied as.
template <class T>
struct element {};
#define __BSCOPE_ELEMENT(T, S, W) \
  template <>                     \
  struct element<T> {             \
    typedef S storage;            \
    typedef W work;               \
  };
__BSCOPE_ELEMENT(__half, __half, float)
__BSCOPE_ELEMENT(__nv_bfloat16, __nv_bfloat16, float)
__BSCOPE_ELEMENT(precision::tf32, float, float)
__BSCOPE_ELEMENT(float, float, float)
__BSCOPE_ELEMENT(double, double, double)
__BSCOPE_ELEMENT(signed char, signed char, int)
__BSCOPE_ELEMENT(unsigned char, unsigned char, int)
__BSCOPE_ELEMENT(int, int, int)
#undef __BSCOPE_ELEMENT

template <class A, class B>
constexpr bool same = false;
template <class A>
constexpr bool same<A, A> = true;

/// The shapes that a type has.
template <class T, int m, int n, int k>
constexpr bool has_shape =
    same<T, double> ? m == 8 && n == 8 && k == 4
    : same<T, precision::tf32>
        ? m == 16 && n == 16 && k == 8
        : k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));

/// Where a thread's elements lie in a tile of so many rows and columns.
template <int rows, int columns>
struct place {
  static constexpr int pairs = columns < 8 ? 1 : 2;  // of neighbours that one thread holds
  static constexpr int count = rows * columns / 32;
  static constexpr int down = rows / 8;
  __device__ static int row(int e) { return e / pairs % down * 8 + (int)(lane() >> 2); }
  __device__ static int column(int e) { return e / pairs / down * 8 + (int)(lane() & 3) * pairs + e % pairs; }
  __device__ static unsigned lane() {
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31;
  }
};
/// A holds its rows so; B its columns.
template <class Use, int m, int n, int k>
struct tile {};
template <int m, int n, int k>
struct tile<matrix_a, m, n, k> : place<m, k> {
  static constexpr bool turned = false;
};
template <int m, int n, int k>
struct tile<matrix_b, m, n, k> : place<n, k> {
  static constexpr bool turned = true;
};
template <int m, int n, int k>
struct tile<accumulator, m, n, k> : place<m, n> {
  static constexpr bool turned = false;
};

/// The number of the cell that an element is in.
template <class Tile>
__device__ inline long long cell(int e, unsigned ldm, bool by_rows) {
  const int row = Tile::turned ? Tile::column(e) : Tile::row(e);
  const int column = Tile::turned ? Tile::row(e) : Tile::column(e);
  return by_rows ? (long long)row * ldm + column : (long long)column * ldm + row;
}
}  // namespace __bscope

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment {
 public:
  typedef __bscope::tile<Use, m, n, k> __tile;
  typedef typename __bscope::element<T>::storage storage_element_type;
  typedef storage_element_type element_type;
  static_assert(__bscope::same<Use, accumulator> || __bscope::has_shape<T, m, n, k>,
                "nvcuda::wmma has no fragment of this type and shape");
  /// Each element of a half precision operand is there twice.
  static constexpr int __distinct = __tile::count;
  static constexpr int num_elements =
      __distinct * (__bscope::same<T, __half> && !__bscope::same<Use, accumulator> ? 16 / __distinct : 1);
  static constexpr int num_storage_elements = num_elements;
  storage_element_type x[num_elements];
};

template <class Use, int m, int n, int k, class T, class Layout, class V>
__device__ inline void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, const V& value) {
  for (int e = 0; e < f.num_elements; ++e)
    f.x[e] = (typename fragment<Use, m, n, k, T, Layout>::storage_element_type)value;
}

template <class Use, int m, int n, int k, class T, class Layout, class P>
__device__ inline void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& f, const P* from, unsigned ldm) {
  typedef typename fragment<Use, m, n, k, T, Layout>::__tile Tile;
  __syncwarp();
  for (int e = 0; e < f.__distinct; ++e)
    f.x[e] = from[__bscope::cell<Tile>(e, ldm, __bscope::same<Layout, row_major>)];
  for (int e = f.__distinct; e < f.num_elements; ++e) f.x[e] = f.x[e % f.__distinct];
}
template <int m, int n, int k, class T>
__device__ inline void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const T* from, unsigned ldm,
                                        layout_t layout) {
  typedef typename fragment<accumulator, m, n, k, T>::__tile Tile;
  __syncwarp();
  for (int e = 0; e < f.num_elements; ++e)
    f.x[e] = from[__bscope::cell<Tile>(e, ldm, layout == mem_row_major)];
}
template <int m, int n, int k, class T>
__device__ inline void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& f, unsigned ldm,
                                         layout_t layout) {
  typedef typename fragment<accumulator, m, n, k, T>::__tile Tile;
  __syncwarp();
  for (int e = 0; e < f.num_elements; ++e) to[__bscope::cell<Tile>(e, ldm, layout == mem_row_major)] = f.x[e];
}

/// To the 10 bits behind the point that a tensor core multiplies, halves away from zero.
__device__ inline float __float_to_tf32(float v) {
  const unsigned bits = __float_as_uint(v);
  return (bits & 0x7f800000u) == 0x7f800000u ? v : __uint_as_float((bits + 0x1000u) & ~0x1fffu);
}

namespace __bscope {
template <class T, class S>
__device__ inline typename element<T>::work operand(S v) {
  if constexpr (same<T, precision::tf32>)
    return __uint_as_float(__float_as_uint(v) & ~0x1fffu);
  else
    return (typename element<T>::work)v;
}
__device__ inline float multiply_add(float a, float b, float c) { return __fmaf_rn(a, b, c); }
__device__ inline double multiply_add(double a, double b, double c) { return __fma_rn(a, b, c); }
__device__ inline int multiply_add(int a, int b, int c) {
  return (int)((unsigned)a * (unsigned)b + (unsigned)c);
}
/// Of a sum that does not fit, what satf asks for.
__device__ inline int saturated(int a, int b, int c) {
  const long long sum = (long long)a * b + c;
  return sum > 2147483647ll ? 2147483647 : sum < -2147483648ll ? (int)0x80000000 : (int)sum;
}
}  // namespace __bscope

/// d = a * b + c.
template <int m, int n, int k, class TA, class LA, class TB, class LB, class TD, class TC>
__device__ inline void mma_sync(fragment<accumulator, m, n, k, TD>& d,
                                const fragment<matrix_a, m, n, k, TA, LA>& a,
                                const fragment<matrix_b, m, n, k, TB, LB>& b,
                                const fragment<accumulator, m, n, k, TC>& c, bool satf = false) {
  typedef typename __bscope::element<TA>::work Work;
  constexpr int down = m / 8, across = n / 8, pairs = k < 8 ? 1 : 2;
  const int lane = (int)__bscope::place<8, 8>::lane(), own = lane & 3;
  Work sums[down * across * 2];
  for (int e = 0; e < down * across * 2; ++e) sums[e] = (Work)c.x[e];
  for (int at = 0; at < k; ++at) {
    const int block = at / 8, giver = at % 8 / pairs, one = at % pairs;
    Work left[down], right[across * 2];
    for (int r = 0; r < down; ++r)
      left[r] = __shfl_sync(0xffffffffu, __bscope::operand<TA>(a.x[(block * down + r) * pairs + one]),
                            (lane & ~3) | giver);
    for (int r = 0; r < across * 2; ++r)
      right[r] = __shfl_sync(0xffffffffu, __bscope::operand<TB>(b.x[(block * across + r / 2) * pairs + one]),
                             (own * 2 + r % 2) * 4 + giver);
    for (int e = 0; e < down * across * 2; ++e) {
      const Work l = left[e / 2 % down], r = right[e / 2 / down * 2 + e % 2];
      if constexpr (__bscope::same<Work, int>)
        sums[e] = satf ? __bscope::saturated(l, r, sums[e]) : __bscope::multiply_add(l, r, sums[e]);
      else
        sums[e] = __bscope::multiply_add(l, r, sums[e]);
    }
  }
  for (int e = 0; e < down * across * 2; ++e) d.x[e] = (TD)sums[e];
}

}  // namespace wmma
}  // namespace nvcuda
#endif
