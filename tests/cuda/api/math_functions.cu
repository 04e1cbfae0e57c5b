// The mathematical functions of CUDA that C++ has not, and those that it has under other names.
#include <cmath>
#include <cstdio>

#define SHOW(name) printf(#name "(%g): %.5g %.11g\n", x, name##f((float)x), name(x))

__global__ void of_one(const double* in, int n) {
  for (int k = 0; k < n; ++k) {
    const double x = in[k];
    SHOW(erf);
    SHOW(erfc);
    SHOW(erfcx);
    SHOW(normcdf);
    SHOW(lgamma);
    SHOW(tgamma);
    SHOW(cbrt);
    SHOW(rcbrt);
    SHOW(exp10);
    SHOW(expm1);
    SHOW(log1p);
    SHOW(sinpi);
    SHOW(cospi);
    SHOW(asinh);
    SHOW(j0);
    SHOW(j1);
    SHOW(y0);
    SHOW(y1);
    SHOW(cyl_bessel_i0);
    SHOW(cyl_bessel_i1);
    SHOW(logb);
    SHOW(rsqrt);
    SHOW(nearbyint);
    printf("jn(3, %g): %.4g %.9g, yn(3): %.4g %.9g\n", x, jnf(3, (float)x), jn(3, x), ynf(3, (float)x),
           yn(3, x));
    printf("ilogb(%g): %d %d, lrint %ld, llround %lld\n", x, ilogbf((float)x), ilogb(x), lrint(x),
           llround(x));
  }
}

__global__ void of_a_share(const double* in, int n) {
  for (int k = 0; k < n; ++k) {
    const double x = in[k];
    SHOW(erfinv);
    SHOW(erfcinv);
    SHOW(normcdfinv);
    SHOW(asin);
    SHOW(atanh);
  }
}

__global__ void of_two(const double* in, int n) {
  for (int k = 0; k + 1 < n; ++k) {
    const double x = in[k], y = in[k + 1];
    const float f = (float)x, g = (float)y;
    printf("%g, %g: hypot %.5g %.11g, rhypot %.5g %.11g, fdim %.5g %.11g\n", x, y, hypotf(f, g), hypot(x, y),
           rhypotf(f, g), rhypot(x, y), fdimf(f, g), fdim(x, y));
    printf("  fmod %.5g %.11g, remainder %.5g %.11g, copysign %.5g, pow %.5g %.11g\n", fmodf(f, g),
           fmod(x, y), remainderf(f, g), remainder(x, y), copysign(x, -y), powf(f, g), pow(x, y));
    printf("  nextafter %a %a, atan2 %.5g %.11g\n", nextafterf(f, g), nextafter(x, y), atan2f(f, g),
           atan2(x, y));
    int q;
    const double r = remquo(x, y, &q);
    int qf;
    const float rf = remquof(f, g, &qf);
    printf("  remquo %.11g %d, %.5g %d\n", r, q & 7, rf, qf & 7);
  }
}

__global__ void of_more(const double* in) {
  const double a = in[0], b = in[1], c = in[2], d = in[3];
  const float e = (float)a, f = (float)b, g = (float)c, h = (float)d;
  printf("norm3d %.11g %.5g, rnorm3d %.11g %.5g\n", norm3d(a, b, c), norm3df(e, f, g), rnorm3d(a, b, c),
         rnorm3df(e, f, g));
  printf("norm4d %.11g %.5g, rnorm4d %.11g %.5g\n", norm4d(a, b, c, d), norm4df(e, f, g, h),
         rnorm4d(a, b, c, d), rnorm4df(e, f, g, h));
  const double v[5] = {a, b, c, d, 0.25};
  const float w[5] = {e, f, g, h, 0.25f};
  printf("norm %.11g %.5g, rnorm %.11g %.5g\n", norm(5, v), normf(5, w), rnorm(5, v), rnormf(5, w));
  printf("fma %.17g %.9g, ldexp %g %g, scalbn %g %g\n", fma(a, b, c), fmaf(e, f, g), ldexp(a, 5),
         ldexpf(e, -3), scalbn(a, 2), scalbnf(e, 70));
  double s, t;
  float u, x;
  sincospi(a, &s, &t);
  sincospif(e, &u, &x);
  printf("sincospi %.11g %.11g %.5g %.5g\n", s, t, u, x);
  int exponent;
  const double part = frexp(c, &exponent);
  double whole;
  const double rest = modf(c, &whole);
  printf("frexp %g %d, modf %g %g\n", part, exponent, rest, whole);
}

// Each is within the error that the documentation gives, so few digits are printed.
__global__ void quick(const double* in, int n) {
  for (int k = 0; k < n; ++k) {
    const float x = (float)in[k];
    printf("%g: %.3g %.3g %.3g %.3g %.3g %.3g %.3g %.3g %.3g\n", x, __expf(x), __exp10f(x / 4), __logf(x),
           __log2f(x), __log10f(x), __sinf(x), __cosf(x), __powf(x, 1.5f), __fdividef(x, 3.f));
    float s, c;
    __sincosf(x, &s, &c);
    printf("  %.3g %.3g %.3g %g\n", s, c, __saturatef(x / 2), __frsqrt_rn(x));
  }
}

int main() {
  const double numbers[] = {0.5, 1.25, 2.75, 0.1, 3.3, 6.5}, shares[] = {0.001, 0.3, 0.5, 0.77, 0.999};
  double *n, *s;
  cudaMalloc(&n, sizeof numbers);
  cudaMalloc(&s, sizeof shares);
  cudaMemcpy(n, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  cudaMemcpy(s, shares, sizeof shares, cudaMemcpyHostToDevice);
  of_one<<<1, 1>>>(n, 6);
  of_a_share<<<1, 1>>>(s, 5);
  of_two<<<1, 1>>>(n, 6);
  of_more<<<1, 1>>>(n);
  quick<<<1, 1>>>(n, 6);
  cudaDeviceSynchronize();
  cudaFree(n);
  cudaFree(s);
}
