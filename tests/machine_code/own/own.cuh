#pragma once
template <class T>
__device__ T scaled(T x) {
  return x * T(7) - T(2);
}
