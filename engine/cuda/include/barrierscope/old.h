// What CUDA once had and nvcc refuses today. It works here, and a note says at the line that uses it what
// replaced it: engine/cuda/toolchain/diagnostics.cpp makes the note of the compiler's warning.
//
//   __BSCOPE_OLD("9.0", "__any_sync(mask, p)") __BSCOPE_DEVICE int __any(int p) { ... }
//
// It stands before a function, a type or a variable; a template's behind template <...>. A header says
//   #warning old CUDA 'cutil.h' before 5.0: helper_cuda.h
// The version is the first without it, and the replacement is what to write instead.
#pragma once

#ifndef __BSCOPE_RUNTIME  // which implements old functions and calls none
#define __BSCOPE_OLD(version, instead) __attribute__((deprecated("old CUDA before " version ": " instead)))
#else
#define __BSCOPE_OLD(version, instead)
#endif
