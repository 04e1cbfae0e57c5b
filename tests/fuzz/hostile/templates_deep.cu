template <int n>
struct Deep {
  enum { value = Deep<n - 1>::value + 1 };
};
template <>
struct Deep<0> {
  enum { value = 0 };
};
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  return Deep<1000000>::value;
}
