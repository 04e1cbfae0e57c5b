// cuSOLVER: its types and numbers. What a program calls of it ends the program there.
#pragma once
#include "cusolver_common.h"
#include "cusparse.h"

// clang-format would move these lists at each run.
// clang-format off
#define __BSCOPE_NOT_CUSOLVER(M) \
  M(cusolverSpCreate) M(cusolverSpDestroy) M(cusolverSpSetStream) M(cusolverSpGetStream) \
  M(cusolverSpScsrlsvlu) M(cusolverSpScsrlsvluHost) M(cusolverSpScsrlsvqr) M(cusolverSpScsrlsvqrHost) \
  M(cusolverSpScsrlsvchol) M(cusolverSpScsrlsvcholHost) M(cusolverSpDcsrlsvlu) M(cusolverSpDcsrlsvluHost) \
  M(cusolverSpDcsrlsvqr) M(cusolverSpDcsrlsvqrHost) M(cusolverSpDcsrlsvchol) M(cusolverSpDcsrlsvcholHost) \
  M(cusolverSpCcsrlsvlu) M(cusolverSpCcsrlsvluHost) M(cusolverSpCcsrlsvqr) M(cusolverSpCcsrlsvqrHost) \
  M(cusolverSpCcsrlsvchol) M(cusolverSpCcsrlsvcholHost) M(cusolverSpZcsrlsvlu) M(cusolverSpZcsrlsvluHost) \
  M(cusolverSpZcsrlsvqr) M(cusolverSpZcsrlsvqrHost) M(cusolverSpZcsrlsvchol) M(cusolverSpZcsrlsvcholHost) \
  M(cusolverSpXcsrsymrcmHost) M(cusolverSpXcsrsymamdHost) M(cusolverSpXcsrperm_bufferSizeHost) \
  M(cusolverSpXcsrpermHost) M(cusolverSpXcsrissymHost) M(cusolverSpXcsrmetisndHost) M(cusolverSpScsreigvsi) \
  M(cusolverSpDcsreigvsi)
// clang-format on
#define __BSCOPE_NOT(name) __BSCOPE_MISSING("cuSOLVER", cusolverStatus_t, name)
__BSCOPE_NOT_CUSOLVER(__BSCOPE_NOT)
#undef __BSCOPE_NOT
#undef __BSCOPE_NOT_CUSOLVER
