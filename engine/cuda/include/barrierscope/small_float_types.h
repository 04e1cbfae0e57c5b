// One number of 16 bits with a fraction, and two of them: the types of half precision and bfloat16. The
// including header says which, as for small_float_functions.h, and in __BSCOPE_RAW_T and __BSCOPE_RAW_T2 the
// types of the bare bits. In memory lies the compiler's own type of such a number, __BSCOPE_BITS: the trace
// shows by it what a cell holds.

struct __BSCOPE_RAW_T {
  unsigned short x;
};
struct __align__(4) __BSCOPE_RAW_T2 { unsigned short x, y; };

struct __BSCOPE_T;
struct __BSCOPE_T2;
#define __BSCOPE_CONSTRUCTED(T)              \
  __host__ __device__ __BSCOPE_T(const T v); \
  __host__ __device__ __BSCOPE_T& operator=(const T v);
#define __BSCOPE_CONVERTED(T) __host__ __device__ operator T() const;
// clang-format off
#define __BSCOPE_WHOLE_TYPES(M) \
  M(short) M(unsigned short) M(int) M(unsigned) M(long) M(unsigned long) M(long long) M(unsigned long long)
// clang-format on

struct __align__(2) __BSCOPE_T {
 protected:
  __BSCOPE_BITS __x;

 public:
  __BSCOPE_T() = default;
  __host__ __device__ constexpr __BSCOPE_T(const __BSCOPE_RAW_T& bits)
      : __x(__builtin_bit_cast(__BSCOPE_BITS, bits.x)) {}
  __host__ __device__ __BSCOPE_T& operator=(const __BSCOPE_RAW_T& bits) { return *this = __BSCOPE_T(bits); }
  __host__ __device__ volatile __BSCOPE_T& operator=(const __BSCOPE_RAW_T& bits) volatile {
    *(volatile unsigned short*)&__x = bits.x;
    return *this;
  }
  __host__ __device__ operator __BSCOPE_RAW_T() const { return {__builtin_bit_cast(unsigned short, __x)}; }
  __host__ __device__ operator __BSCOPE_RAW_T() const volatile {
    return {*(const volatile unsigned short*)&__x};
  }
#ifdef __BSCOPE_CONVERTS
  explicit __host__ __device__ __BSCOPE_T(const __BSCOPE_OTHER v);
  __BSCOPE_CONSTRUCTED(float)
  __BSCOPE_CONSTRUCTED(double)
  __BSCOPE_WHOLE_TYPES(__BSCOPE_CONSTRUCTED)
  __BSCOPE_CONVERTED(float)
  __BSCOPE_CONVERTED(signed char)
  __BSCOPE_CONVERTED(unsigned char)
  __BSCOPE_CONVERTED(char)
  __BSCOPE_WHOLE_TYPES(__BSCOPE_CONVERTED)
  __BSCOPE_CONVERTED(bool)
#endif
};
struct __align__(4) __BSCOPE_T2 {
  __BSCOPE_T x, y;

  __BSCOPE_T2() = default;
  __host__ __device__ constexpr __BSCOPE_T2(const __BSCOPE_T& a, const __BSCOPE_T& b) : x(a), y(b) {}
  __host__ __device__ __BSCOPE_T2(const __BSCOPE_RAW_T2& bits)
      : x(__BSCOPE_RAW_T{bits.x}), y(__BSCOPE_RAW_T{bits.y}) {}
  __host__ __device__ __BSCOPE_T2& operator=(const __BSCOPE_RAW_T2& bits) {
    return *this = __BSCOPE_T2(bits);
  }
  __host__ __device__ operator __BSCOPE_RAW_T2() const { return {__BSCOPE_RAW_T(x).x, __BSCOPE_RAW_T(y).x}; }
};

#include "small_float_functions.h"

#ifdef __BSCOPE_CONVERTS
#define __BSCOPE_NAME_2(before, name, behind) before##name##behind
#define __BSCOPE_NAME_1(before, name, behind) __BSCOPE_NAME_2(before, name, behind)
#define __BSCOPE_NAME(before, behind) __BSCOPE_NAME_1(before, __BSCOPE_N, behind)
#define __BSCOPE_MAKE(T, from)                                                       \
  inline __host__ __device__ __BSCOPE_T::__BSCOPE_T(const T v) : __BSCOPE_T(from) {} \
  inline __host__ __device__ __BSCOPE_T& __BSCOPE_T::operator=(const T v) { return *this = from; }
#define __BSCOPE_MEAN(T, function)                            \
  inline __host__ __device__ __BSCOPE_T::operator T() const { \
    return (T)__BSCOPE_NAME(__, 2##function)(*this);          \
  }
__BSCOPE_MAKE(float, __BSCOPE_NAME(__float2, _rn)(v))
__BSCOPE_MAKE(double, __BSCOPE_NAME(__double2, )(v))
__BSCOPE_MAKE(short, __BSCOPE_NAME(__short2, _rn)(v))
__BSCOPE_MAKE(unsigned short, __BSCOPE_NAME(__ushort2, _rn)(v))
__BSCOPE_MAKE(int, __BSCOPE_NAME(__int2, _rn)(v))
__BSCOPE_MAKE(unsigned, __BSCOPE_NAME(__uint2, _rn)(v))
__BSCOPE_MAKE(long, __BSCOPE_NAME(__ll2, _rn)(v))
__BSCOPE_MAKE(unsigned long, __BSCOPE_NAME(__ull2, _rn)(v))
__BSCOPE_MAKE(long long, __BSCOPE_NAME(__ll2, _rn)(v))
__BSCOPE_MAKE(unsigned long long, __BSCOPE_NAME(__ull2, _rn)(v))
__BSCOPE_MEAN(float, float)
__BSCOPE_MEAN(signed char, char_rz)
__BSCOPE_MEAN(unsigned char, uchar_rz)
__BSCOPE_MEAN(char, char_rz)
__BSCOPE_MEAN(short, short_rz)
__BSCOPE_MEAN(unsigned short, ushort_rz)
__BSCOPE_MEAN(int, int_rz)
__BSCOPE_MEAN(unsigned, uint_rz)
__BSCOPE_MEAN(long, ll_rz)
__BSCOPE_MEAN(unsigned long, ull_rz)
__BSCOPE_MEAN(long long, ll_rz)
__BSCOPE_MEAN(unsigned long long, ull_rz)
inline __host__ __device__ __BSCOPE_T::operator bool() const {
  return __hneu(*this, __builtin_bit_cast(__BSCOPE_T, (unsigned short)0));
}
#undef __BSCOPE_NAME_2
#undef __BSCOPE_NAME_1
#undef __BSCOPE_NAME
#undef __BSCOPE_MAKE
#undef __BSCOPE_MEAN
#endif

#define __BSCOPE_OPERATOR(T, sign, function)                                       \
  __BSCOPE_BOTH T operator sign(const T& a, const T& b) { return function(a, b); } \
  __BSCOPE_BOTH T& operator sign##=(T& a, const T& b) { return a = function(a, b); }
#define __BSCOPE_COMPARED(T, sign, function) \
  __BSCOPE_BOTH bool operator sign(const T& a, const T& b) { return function(a, b); }
#define __BSCOPE_STEP(T, sign, function, one)                           \
  __BSCOPE_BOTH T& operator sign(T& a) { return a = function(a, one); } \
  __BSCOPE_BOTH T operator sign(T& a, int) {                            \
    const T before = a;                                                 \
    a = function(a, one);                                               \
    return before;                                                      \
  }
#ifdef __BSCOPE_OPERATES
__BSCOPE_OPERATOR(__BSCOPE_T, +, __hadd)
__BSCOPE_OPERATOR(__BSCOPE_T, -, __hsub)
__BSCOPE_OPERATOR(__BSCOPE_T, *, __hmul)
__BSCOPE_OPERATOR(__BSCOPE_T, /, __hdiv)
__BSCOPE_STEP(__BSCOPE_T, ++, __hadd, __BSCOPE_RAW_T{__BSCOPE_ONE_BITS})
__BSCOPE_STEP(__BSCOPE_T, --, __hsub, __BSCOPE_RAW_T{__BSCOPE_ONE_BITS})
__BSCOPE_BOTH __BSCOPE_T operator+(const __BSCOPE_T& a) { return a; }
__BSCOPE_BOTH __BSCOPE_T operator-(const __BSCOPE_T& a) { return __hneg(a); }
__BSCOPE_COMPARED(__BSCOPE_T, ==, __heq)
__BSCOPE_COMPARED(__BSCOPE_T, !=, __hneu)
__BSCOPE_COMPARED(__BSCOPE_T, <, __hlt)
__BSCOPE_COMPARED(__BSCOPE_T, >, __hgt)
__BSCOPE_COMPARED(__BSCOPE_T, <=, __hle)
__BSCOPE_COMPARED(__BSCOPE_T, >=, __hge)
#endif
#ifdef __BSCOPE_OPERATES_2
__BSCOPE_OPERATOR(__BSCOPE_T2, +, __hadd2)
__BSCOPE_OPERATOR(__BSCOPE_T2, -, __hsub2)
__BSCOPE_OPERATOR(__BSCOPE_T2, *, __hmul2)
__BSCOPE_OPERATOR(__BSCOPE_T2, /, __h2div)
__BSCOPE_STEP(__BSCOPE_T2, ++, __hadd2, (__BSCOPE_RAW_T2{__BSCOPE_ONE_BITS, __BSCOPE_ONE_BITS}))
__BSCOPE_STEP(__BSCOPE_T2, --, __hsub2, (__BSCOPE_RAW_T2{__BSCOPE_ONE_BITS, __BSCOPE_ONE_BITS}))
__BSCOPE_BOTH __BSCOPE_T2 operator+(const __BSCOPE_T2& a) { return a; }
__BSCOPE_BOTH __BSCOPE_T2 operator-(const __BSCOPE_T2& a) { return __hneg2(a); }
__BSCOPE_COMPARED(__BSCOPE_T2, ==, __hbeq2)
__BSCOPE_COMPARED(__BSCOPE_T2, !=, __hbneu2)
__BSCOPE_COMPARED(__BSCOPE_T2, <, __hblt2)
__BSCOPE_COMPARED(__BSCOPE_T2, >, __hbgt2)
__BSCOPE_COMPARED(__BSCOPE_T2, <=, __hble2)
__BSCOPE_COMPARED(__BSCOPE_T2, >=, __hbge2)
#endif

#undef __BSCOPE_CONSTRUCTED
#undef __BSCOPE_CONVERTED
#undef __BSCOPE_WHOLE_TYPES
#undef __BSCOPE_OPERATOR
#undef __BSCOPE_COMPARED
#undef __BSCOPE_STEP
#undef __BSCOPE_T
#undef __BSCOPE_T2
#undef __BSCOPE_RAW_T
#undef __BSCOPE_RAW_T2
#undef __BSCOPE_OTHER
#undef __BSCOPE_N
#undef __BSCOPE_K
#undef __BSCOPE_BITS
#undef __BSCOPE_FRACTION
#undef __BSCOPE_ONE_BITS
#undef __BSCOPE_CONVERTS
#undef __BSCOPE_OPERATES
#undef __BSCOPE_OPERATES_2
