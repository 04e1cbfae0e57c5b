// Arithmetic on the halves and the bytes of a word, and the least and greatest of sums (DPX).
#pragma once

#include "integers.h"

// clang-format would move these lists at each run.
// clang-format off
#define __BSCOPE_SIMD_OF_ONE(M) \
  M(abs) M(absss) M(neg) M(negss)
#define __BSCOPE_SIMD_OF_TWO(M) \
  M(add) M(addss) M(addus) M(sub) M(subss) M(subus) M(absdiffs) M(absdiffu) M(avgs) M(avgu) M(haddu) \
  M(maxs) M(maxu) M(mins) M(minu) M(sads) M(sadu) M(cmpeq) M(cmpne) M(cmpges) M(cmpgeu) M(cmpgts) M(cmpgtu) \
  M(cmples) M(cmpleu) M(cmplts) M(cmpltu) M(seteq) M(setne) M(setges) M(setgeu) M(setgts) M(setgtu) \
  M(setles) M(setleu) M(setlts) M(setltu)
// clang-format on
#define __BSCOPE_ONE(name)                                                         \
  __BSCOPE_BUILTIN unsigned __v##name##2(unsigned)__asm__("__bscope_v" #name "2"); \
  __BSCOPE_BUILTIN unsigned __v##name##4(unsigned)__asm__("__bscope_v" #name "4");
#define __BSCOPE_TWO(name)                                                                   \
  __BSCOPE_BUILTIN unsigned __v##name##2(unsigned, unsigned)__asm__("__bscope_v" #name "2"); \
  __BSCOPE_BUILTIN unsigned __v##name##4(unsigned, unsigned)__asm__("__bscope_v" #name "4");
__BSCOPE_SIMD_OF_ONE(__BSCOPE_ONE)
__BSCOPE_SIMD_OF_TWO(__BSCOPE_TWO)
#undef __BSCOPE_SIMD_OF_ONE
#undef __BSCOPE_SIMD_OF_TWO
#undef __BSCOPE_ONE
#undef __BSCOPE_TWO

// ---- the least or greatest of three, of a sum and a third, or of two and 0 (_relu)
#define __BSCOPE_THREE(name, T, t) \
  __BSCOPE_BUILTIN T __##name##_##t(T, T, T) __asm__("__bscope_" #name "_" #t);
// clang-format would move this list at each run.
// clang-format off
#define __BSCOPE_OF_THREE(name)         \
  __BSCOPE_THREE(name, int, s32)        \
  __BSCOPE_THREE(name, unsigned, u32)   \
  __BSCOPE_THREE(name, unsigned, s16x2) \
  __BSCOPE_THREE(name, unsigned, u16x2) \
  __BSCOPE_THREE(name, int, s32_relu)   \
  __BSCOPE_THREE(name, unsigned, s16x2_relu)
// clang-format on
__BSCOPE_OF_THREE(viaddmax)
__BSCOPE_OF_THREE(viaddmin)
__BSCOPE_OF_THREE(vimax3)
__BSCOPE_OF_THREE(vimin3)
#undef __BSCOPE_THREE
#undef __BSCOPE_OF_THREE
__BSCOPE_DEVICE int __vimax_s32_relu(int a, int b) { return __vimax3_s32(a, b, 0); }
__BSCOPE_DEVICE int __vimin_s32_relu(int a, int b) { return __vimin3_s32_relu(a, a, b); }
__BSCOPE_DEVICE unsigned __vimax_s16x2_relu(unsigned a, unsigned b) { return __vimax3_s16x2(a, b, 0); }
__BSCOPE_DEVICE unsigned __vimin_s16x2_relu(unsigned a, unsigned b) { return __vimin3_s16x2_relu(a, a, b); }

// ---- of two, and whether it is the first
#define __BSCOPE_WHICH(T, t, name, than, builtin)                    \
  __BSCOPE_DEVICE T __##name##_##t(T a, T b, bool* const is_first) { \
    *is_first = a than b;                                            \
    return builtin(a, b);                                            \
  }
__BSCOPE_WHICH(int, s32, vibmax, >=, __bscope_max_i32)
__BSCOPE_WHICH(int, s32, vibmin, <=, __bscope_min_i32)
__BSCOPE_WHICH(unsigned, u32, vibmax, >=, __bscope_max_u32)
__BSCOPE_WHICH(unsigned, u32, vibmin, <=, __bscope_min_u32)
#undef __BSCOPE_WHICH
#define __BSCOPE_WHICH_HALF(t, name, test, builtin)                                                          \
  __BSCOPE_DEVICE unsigned __##name##_##t(unsigned a, unsigned b, bool* const high_is, bool* const low_is) { \
    unsigned is = test(a, b);                                                                                \
    *high_is = is >> 16;                                                                                     \
    *low_is = is & 1;                                                                                        \
    return builtin(a, b);                                                                                    \
  }
__BSCOPE_WHICH_HALF(s16x2, vibmax, __vsetges2, __vmaxs2)
__BSCOPE_WHICH_HALF(s16x2, vibmin, __vsetles2, __vmins2)
__BSCOPE_WHICH_HALF(u16x2, vibmax, __vsetgeu2, __vmaxu2)
__BSCOPE_WHICH_HALF(u16x2, vibmin, __vsetleu2, __vminu2)
#undef __BSCOPE_WHICH_HALF
