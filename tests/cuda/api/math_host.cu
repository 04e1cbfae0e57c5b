// The mathematical functions that CUDA gives host code beside those of C: normal distribution, error
// functions, multiples of pi, reciprocal roots.
#include <cstdio>

__global__ void on_the_device(double* out) { out[0] = normcdf(0.5) + erfinv(0.25); }

int main() {
  for (double x : {0.125, 0.5, 0.75}) {
    const float f = (float)x;
    printf("%.6g %.6g %.6g %.6g %.6g\n", normcdf(x), normcdfinv(x), erfinv(x), erfcinv(x), erfcx(x));
    printf("%.4g %.4g %.4g %.4g %.4g\n", normcdff(f), normcdfinvf(f), erfinvf(f), erfcinvf(f), erfcxf(f));
    printf("%.6g %.6g %.6g %.6g\n", sinpi(x), cospi(x), rcbrt(x), rsqrt(x));
    printf("%.4g %.4g %.4g %.4g\n", sinpif(f), cospif(f), rcbrtf(f), rsqrtf(f));
    printf("%.6g %.6g %.6g\n", rhypot(x, 1), norm3d(x, 1, 2), cyl_bessel_i0(x));
    double sine, cosine;
    sincospi(x, &sine, &cosine);
    printf("%.6g %.6g\n", sine, cosine);
  }
  double* out;
  cudaMallocManaged(&out, sizeof *out);
  on_the_device<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("%.6g %.6g\n", *out, normcdf(0.5) + erfinv(0.25));
  cudaFree(out);
}
