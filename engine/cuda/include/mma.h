// Tensor cores: nvcuda::wmma. A fragment has the elements that the PTX manual gives each lane; the
// interpreter multiplies.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(__CUDA__)
#include "barrierscope/matrix_places.h"

// d = a * b + c of fragments' elements. `results`: the type of c and d, 0 half, 1 float, 2 int, 3 double.
#define __BSCOPE_MMA(t)                                                                                      \
  __BSCOPE_BUILTIN void __bscope_mma_##t(void* d, const void* a, const void* b, const void* c, int m, int n, \
                                         int results, bool saturates);
__BSCOPE_MMA(f16)
__BSCOPE_MMA(bf16)
__BSCOPE_MMA(i8)
__BSCOPE_MMA(u8)
__BSCOPE_MMA(tf32)
__BSCOPE_MMA(f64)
#undef __BSCOPE_MMA

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
}

template <class T>
struct __bscope_element {
  using type = T;
};
template <>
struct __bscope_element<precision::tf32> {
  using type = float;
};

// What may be multiplied: the shapes and the types of both sides.
template <int m, int n, int k, class T>
struct __bscope_operands {
  static constexpr bool are_known = false;
};
#define __BSCOPE_OPERANDS(m_, n_, k_, T, run, name)                                                    \
  template <>                                                                                          \
  struct __bscope_operands<m_, n_, k_, T> {                                                            \
    static constexpr bool are_known = true;                                                            \
    static constexpr __bscope_matrices shape = {m_, n_, k_, run};                                      \
    __device__ static void multiply(void* d, const void* a, const void* b, const void* c, int results, \
                                    bool saturates) {                                                  \
      __bscope_mma_##name(d, a, b, c, m_, n_, results, saturates);                                     \
    }                                                                                                  \
  };
#define __BSCOPE_SHAPES(T, run, name)         \
  __BSCOPE_OPERANDS(16, 16, 16, T, run, name) \
  __BSCOPE_OPERANDS(32, 8, 16, T, run, name)  \
  __BSCOPE_OPERANDS(8, 32, 16, T, run, name)
__BSCOPE_SHAPES(__half, 2, f16)
__BSCOPE_SHAPES(__nv_bfloat16, 2, bf16)
__BSCOPE_SHAPES(signed char, 4, i8)
__BSCOPE_SHAPES(unsigned char, 4, u8)
__BSCOPE_OPERANDS(16, 16, 8, precision::tf32, 1, tf32)
__BSCOPE_OPERANDS(8, 8, 4, double, 1, f64)
#undef __BSCOPE_OPERANDS
#undef __BSCOPE_SHAPES

/// Elements of a fragment, and where they lie in its matrix.
template <class Use, int m, int n, int k, class T>
struct __bscope_layout {
  using operands = __bscope_operands<m, n, k, T>;
  static_assert(operands::are_known,
                "Barrierscope's fragments are of half, __nv_bfloat16, signed char and unsigned char "
                "(16x16x16, 32x8x16, 8x32x16), precision::tf32 (16x16x8) and double (8x8x4)");
  static constexpr bool is_a = __is_same(Use, matrix_a);
  static constexpr int different = is_a ? operands::shape.a_elements() : operands::shape.b_elements();
  // Half precision has each element more than once.
  static constexpr int count = __is_same(T, __half) ? 16 : different;
  __device__ static __bscope_place place(int element, int lane) {
    return is_a ? __bscope_place_in_a(operands::shape, element, lane)
                : __bscope_place_in_b(operands::shape, element, lane);
  }
};
template <int m, int n, int k, class T>
struct __bscope_layout<accumulator, m, n, k, T> {
  static constexpr __bscope_matrices shape = {m, n, k, 1};
  static constexpr int different = shape.c_elements(), count = different;
  __device__ static __bscope_place place(int element, int lane) {
    return __bscope_place_in_c(shape, element, lane);
  }
};

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment {
 public:
  using layout = __bscope_layout<Use, m, n, k, T>;
  using element_type = T;
  using storage_element_type = typename __bscope_element<T>::type;
  static constexpr int num_elements = layout::count, num_storage_elements = layout::count;
  storage_element_type x[num_elements];
};

template <class Use, int m, int n, int k, class T, class Layout>
__device__ void fill_fragment(fragment<Use, m, n, k, T, Layout>& to,
                              const typename __bscope_element<T>::type& value) {
  for (int i = 0; i < to.num_elements; ++i) to.x[i] = value;
}

template <class Fragment, class T>
__device__ void __bscope_load(Fragment& to, const T* from, unsigned stride, bool by_rows) {
  using layout = typename Fragment::layout;
  int lane = __nvvm_read_ptx_sreg_laneid();
  for (int i = 0; i < layout::different; ++i) {
    __bscope_place p = layout::place(i, lane);
    to.x[i] = by_rows ? from[p.row * stride + p.column] : from[p.column * stride + p.row];
  }
  for (int i = layout::different; i < layout::count; ++i) to.x[i] = to.x[i % layout::different];
}

template <class Use, int m, int n, int k, class T, class Layout>
__device__ void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& to,
                                 const typename __bscope_element<T>::type* from, unsigned stride) {
  __bscope_load(to, from, stride, __is_same(Layout, row_major));
}
template <int m, int n, int k, class T>
__device__ void load_matrix_sync(fragment<accumulator, m, n, k, T>& to, const T* from, unsigned stride,
                                 layout_t layout) {
  __bscope_load(to, from, stride, layout == mem_row_major);
}

template <int m, int n, int k, class T>
__device__ void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& from, unsigned stride,
                                  layout_t layout) {
  int lane = __nvvm_read_ptx_sreg_laneid();
  for (int i = 0; i < from.num_elements; ++i) {
    __bscope_place p = __bscope_layout<accumulator, m, n, k, T>::place(i, lane);
    (layout == mem_row_major ? to[p.row * stride + p.column] : to[p.column * stride + p.row]) = from.x[i];
  }
}

template <class T>
struct __bscope_results;
#define __BSCOPE_RESULTS(T, n)       \
  template <>                        \
  struct __bscope_results<T> {       \
    static constexpr int number = n; \
  };
__BSCOPE_RESULTS(__half, 0)
__BSCOPE_RESULTS(float, 1)
__BSCOPE_RESULTS(int, 2)
__BSCOPE_RESULTS(double, 3)
#undef __BSCOPE_RESULTS

template <int m, int n, int k, class T, class LayoutA, class LayoutB, class To, class From>
__device__ void mma_sync(fragment<accumulator, m, n, k, To>& d,
                         const fragment<matrix_a, m, n, k, T, LayoutA>& a,
                         const fragment<matrix_b, m, n, k, T, LayoutB>& b,
                         const fragment<accumulator, m, n, k, From>& c, bool saturates = false) {
  static_assert(__is_same(To, From) || (sizeof(To) <= 4 && sizeof(From) <= 4),
                "c and d are of the same type, or of half and float");
  if (__is_same(To, From)) {
    __bscope_operands<m, n, k, T>::multiply(d.x, a.x, b.x, c.x, __bscope_results<To>::number, saturates);
    return;
  }
  fragment<accumulator, m, n, k, float> sums;
  for (int i = 0; i < c.num_elements; ++i) sums.x[i] = c.x[i];
  __bscope_operands<m, n, k, T>::multiply(sums.x, a.x, b.x, sums.x, __bscope_results<float>::number, false);
  for (int i = 0; i < d.num_elements; ++i) d.x[i] = sums.x[i];
}

/// To the nearest number with 10 bits behind the point, away from zero between two.
__device__ inline float __float_to_tf32(float v) {
  unsigned bits = __float_as_uint(v);
  if ((bits & 0x7f800000u) == 0x7f800000u) return v;
  return __uint_as_float((bits + 0x1000u) & ~0x1fffu);
}

}  // namespace wmma
}  // namespace nvcuda
#endif
