#pragma once
#include "device.cuh"

template <class T>
__global__ void square_all(T* a) {
  a[threadIdx.x] = squared(a[threadIdx.x]);
}
inline void square(int* a, int n) { square_all<<<1, n>>>(a); }
