#pragma once
template <class T>
__device__ T squared(T x) {
  return x * x;
}
