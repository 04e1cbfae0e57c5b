// cuFFT: transforms of one to three dimensions, in place and not, real and complex, many at once and with
// strides, of lengths with small and large prime factors. Results are printed in tenths.
// nvcc: -lcufft
#include <cufft.h>
#include <cufftXt.h>

#include <cmath>
#include <cstdio>
#include <vector>

/// Numbers of the device, counted as floats or doubles.
template <class T>
struct Array {
  T* at;
  int n;
  explicit Array(int count, int seed = 1) : n(count) {
    std::vector<T> host(n);
    for (int k = 0; k < n; ++k) host[k] = T((k * 7 + seed * 5) % 11 - 4);
    cudaMalloc(&at, n * sizeof(T));
    cudaMemcpy(at, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Array() { cudaFree(at); }
  template <class As>
  As* as() const {
    return reinterpret_cast<As*>(at);
  }
  void show(const char* name, T by = 1) const {
    std::vector<T> host(n);
    cudaMemcpy(host.data(), at, n * sizeof(T), cudaMemcpyDeviceToHost);
    printf("%s:", name);
    for (T v : host) printf(" %d", int(std::floor(v * by * 10 + T(0.437))));
    printf("\n");
  }
};

void lines() {
  for (int n : {1, 8, 12, 30, 49, 67, 134}) {
    Array<float> from(2 * n), to(2 * n), real(n, 3), half(2 * (n / 2 + 1));
    cufftHandle complex, forward, back;
    printf("%d", (int)cufftPlan1d(&complex, n, CUFFT_C2C, 1));
    printf(" %d", (int)cufftPlan1d(&forward, n, CUFFT_R2C, 1));
    printf(" %d: length %d\n", (int)cufftPlan1d(&back, n, CUFFT_C2R, 1), n);
    cufftExecC2C(complex, from.as<cufftComplex>(), to.as<cufftComplex>(), CUFFT_FORWARD);
    to.show("forward");
    cufftExecC2C(complex, to.as<cufftComplex>(), to.as<cufftComplex>(), CUFFT_INVERSE);
    to.show("and back", 1.0f / n);
    cufftExecR2C(forward, real.at, half.as<cufftComplex>());
    half.show("of real numbers");
    cufftExecC2R(back, half.as<cufftComplex>(), real.at);
    real.show("and back", 1.0f / n);
    for (cufftHandle plan : {complex, forward, back}) cufftDestroy(plan);
  }
}

/// Against the sums that define a transform.
void long_lines() {
  for (int n : {256, 1000, 1009, 2021, 4489}) {
    std::vector<double2> roots(n), host(n), made(n);
    for (int k = 0; k < n; ++k) {
      roots[k] = {cos(2 * M_PI * k / n), -sin(2 * M_PI * k / n)};
      host[k] = {double(k * 7 % 11 - 4), double(k * 5 % 13 - 6)};
    }
    double2* at;
    cudaMalloc(&at, n * sizeof(double2));
    cudaMemcpy(at, host.data(), n * sizeof(double2), cudaMemcpyHostToDevice);
    cufftHandle plan;
    cufftPlan1d(&plan, n, CUFFT_Z2Z, 1);
    cufftExecZ2Z(plan, at, at, CUFFT_FORWARD);
    cudaMemcpy(made.data(), at, n * sizeof(double2), cudaMemcpyDeviceToHost);
    cufftDestroy(plan);
    cudaFree(at);
    int wrong = 0;
    for (int k = 0; k < n; ++k) {
      double2 sum = {0, 0};
      for (int j = 0, turn = 0; j < n; ++j, turn = (turn + k) % n) {
        sum.x += host[j].x * roots[turn].x - host[j].y * roots[turn].y;
        sum.y += host[j].x * roots[turn].y + host[j].y * roots[turn].x;
      }
      wrong += fabs(sum.x - made[k].x) > 1e-6 || fabs(sum.y - made[k].y) > 1e-6;
    }
    printf("length %d: %d wrong\n", n, wrong);
  }
}

void in_place() {
  Array<float> line(10), plane(6 * 2 * 3, 2), batch(3 * 6, 4);
  cufftHandle plan;
  cufftPlan1d(&plan, 9, CUFFT_R2C, 1);
  cufftExecR2C(plan, line.at, line.as<cufftComplex>());
  line.show("line in place");
  cufftDestroy(plan);
  cufftPlan2d(&plan, 6, 5, CUFFT_R2C);
  cufftExecR2C(plan, plane.at, plane.as<cufftComplex>());
  plane.show("plane in place");
  cufftDestroy(plan);
  cufftPlan2d(&plan, 6, 5, CUFFT_C2R);
  cufftExecC2R(plan, plane.as<cufftComplex>(), plane.at);
  std::vector<float> rows(36);
  cudaMemcpy(rows.data(), plane.at, 36 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("and back:");
  for (int k = 0; k < 36; ++k)
    if (k % 6 < 5) printf(" %d", int(std::floor(rows[k] / 30 * 10 + 0.437f)));
  printf("\n");
  cufftDestroy(plan);
  cufftPlan1d(&plan, 4, CUFFT_R2C, 3);
  cufftExecR2C(plan, batch.at, batch.as<cufftComplex>());
  batch.show("three lines in place");
  cufftDestroy(plan);
}

void planes_and_strides() {
  Array<double> plane(2 * 6 * 4), cube(2 * 2 * 3 * 4, 2), half(2 * 2 * 3 * 3, 3), real(2 * 3 * 4, 5);
  cufftHandle plan;
  cufftPlan2d(&plan, 6, 4, CUFFT_Z2Z);
  cufftExecZ2Z(plan, plane.as<cufftDoubleComplex>(), plane.as<cufftDoubleComplex>(), CUFFT_INVERSE);
  plane.show("plane");
  cufftDestroy(plan);
  cufftPlan3d(&plan, 2, 3, 4, CUFFT_Z2Z);
  cufftExecZ2Z(plan, cube.as<cufftDoubleComplex>(), cube.as<cufftDoubleComplex>(), CUFFT_FORWARD);
  cube.show("cube");
  cufftDestroy(plan);
  cufftPlan3d(&plan, 2, 3, 4, CUFFT_D2Z);
  cufftExecD2Z(plan, real.at, half.as<cufftDoubleComplex>());
  half.show("real cube");
  cufftDestroy(plan);
  cufftPlan3d(&plan, 2, 3, 4, CUFFT_Z2D);
  cufftExecZ2D(plan, half.as<cufftDoubleComplex>(), real.at);
  real.show("and back", 1.0 / 24);
  cufftDestroy(plan);

  // the columns of a matrix of 5 rows and 3 columns; then rows that become columns
  Array<float> columns(2 * 15, 1), turned(2 * 15, 1);
  int n[] = {5}, rows[] = {3};
  cufftPlanMany(&plan, 1, n, n, 3, 1, n, 3, 1, CUFFT_C2C, 3);
  cufftExecC2C(plan, columns.as<cufftComplex>(), columns.as<cufftComplex>(), CUFFT_FORWARD);
  columns.show("columns");
  cufftDestroy(plan);
  cufftPlanMany(&plan, 1, rows, rows, 1, 3, rows, 5, 1, CUFFT_C2C, 5);
  cufftExecC2C(plan, columns.as<cufftComplex>(), turned.as<cufftComplex>(), CUFFT_FORWARD);
  turned.show("rows become columns");
  cufftDestroy(plan);
  // the same by the types of the numbers
  long long long_n[] = {3};
  size_t bytes = 0;
  cufftCreate(&plan);
  cufftXtMakePlanMany(plan, 1, long_n, long_n, 1, 3, CUDA_C_32F, long_n, 5, 1, CUDA_C_32F, 5, &bytes,
                      CUDA_C_32F);
  cufftXtExec(plan, columns.at, turned.at, CUFFT_INVERSE);
  turned.show("and with the other sign");
  cufftDestroy(plan);
  // a plane of 2 x 3 that stands in one of 4 x 4
  Array<float> large(2 * 16, 2), small(2 * 6, 3);
  int plane_n[] = {2, 3}, in_large[] = {4, 4};
  cufftPlanMany(&plan, 2, plane_n, in_large, 1, 16, plane_n, 1, 6, CUFFT_C2C, 1);
  cufftExecC2C(plan, large.as<cufftComplex>(), small.as<cufftComplex>(), CUFFT_FORWARD);
  small.show("part of a plane");
  cufftDestroy(plan);
}

__global__ void scale(float2* values, int n) {
  const int k = threadIdx.x;
  if (k < n) values[k] = make_float2(values[k].x / n, values[k].y / n);
}

void between_kernels() {
  Array<float> values(2 * 16);
  cufftHandle plan;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cufftCreate(&plan);
  size_t bytes = 0;
  printf("%d", (int)cufftMakePlan1d(plan, 16, CUFFT_C2C, 1, &bytes));
  printf(" %d\n", (int)cufftSetStream(plan, stream));
  cufftExecC2C(plan, values.as<cufftComplex>(), values.as<cufftComplex>(), CUFFT_FORWARD);
  scale<<<1, 32, 0, stream>>>(values.as<float2>(), 16);
  cufftExecC2C(plan, values.as<cufftComplex>(), values.as<cufftComplex>(), CUFFT_INVERSE);
  cudaStreamSynchronize(stream);
  values.show("there and back");
  printf("%d", (int)cufftDestroy(plan));
  printf(" %d\n", (int)cufftPlan1d(&plan, 0, CUFFT_C2C, 1));
  cudaStreamDestroy(stream);
}

int main() {
  lines();
  long_lines();
  in_place();
  planes_and_strides();
  between_kernels();
}
