// Two numbers of half precision in one word: how they are put together and taken apart, and operations on
// both.
#include <cuda_fp16.h>

#include <cstdio>

enum { pairs = 8, results = 40 };

__global__ void packed(const __half2* in, __half2* out) {
  int i = threadIdx.x;
  __half2 a = in[i], b = in[(i + 3) % pairs], c = in[(i + 1) % pairs];
  __half x = __low2half(a), y = __high2half(b);
  out += i * results;
  out[0] = __halves2half2(x, y);
  out[1] = __half2half2(y);
  out[2] = __lows2half2(a, b);
  out[3] = __highs2half2(a, b);
  out[4] = __low2half2(a);
  out[5] = __high2half2(a);
  out[6] = __lowhigh2highlow(a);
  out[7] = make_half2(y, x);
  out[8] = __floats2half2_rn(__low2float(a) * 0.1f, __high2float(b) + 0.3f);
  out[9] = __float2half2_rn(__low2float(c) / 3);
  out[10] = __float22half2_rn(__half22float2(c));
  out[11] = __hadd2(a, b);
  out[12] = __hsub2(a, b);
  out[13] = __hmul2(a, b);
  out[14] = __h2div(a, b);
  out[15] = __hadd2_sat(a, b);
  out[16] = __hsub2_sat(a, b);
  out[17] = __hmul2_sat(a, b);
  out[18] = __hfma2(a, b, c);
  out[19] = __hfma2_sat(a, b, c);
  out[20] = __hfma2_relu(a, b, c);
  out[21] = __hcmadd(a, b, c);
  out[22] = __hmin2(a, b);
  out[23] = __hmax2(a, b);
  out[24] = __hneg2(a);
  out[25] = __habs2(a);
  out[26] = __heq2(a, b);
  out[27] = __hlt2(a, b);
  out[28] = __hgeu2(a, b);
  out[29] = __hisnan2(a);
  out[30] = a + b;
  out[31] = a - b;
  out[32] = a * b;
  out[33] = a / b;
  out[34] = -a;
  out[35] = a;
  out[35] += b;
  out[36] = a;
  ++out[36];
  out[37] = __hadd2_rn(a, b);
  out[38].x = b.y;
  out[38].y = __hadd(a.x, a.y);
  out[39] = __hmax2_nan(a, b);
}

__global__ void asked(const __half2* in, unsigned* out) {
  int i = threadIdx.x;
  __half2 a = in[i], b = in[(i + 3) % pairs];
  out += i * 4;
  out[0] = __heq2_mask(a, b);
  out[1] = __hltu2_mask(a, b);
  out[2] = __hbeq2(a, b) | __hbne2(a, b) << 1 | __hblt2(a, b) << 2 | __hble2(a, b) << 3 | __hbgt2(a, b) << 4 |
           __hbge2(a, b) << 5 | __hbequ2(a, b) << 6 | __hbneu2(a, b) << 7 | __hbltu2(a, b) << 8;
  out[3] = (a == b) | (a != b) << 1 | (a < b) << 2 | (a > a) << 3 | (a <= a) << 4;
}

__global__ void exchanged(const __half2* in, __half2* out) {
  int i = threadIdx.x;
  unsigned all = (1u << pairs) - 1;
  __half2 v = in[i];
  out[i] = __shfl_down_sync(all, v, 1, pairs);
  out[pairs + i] = __shfl_xor_sync(all, v, 2);
  out[2 * pairs + i] = __halves2half2(__shfl_sync(all, v.x, 3), __shfl_up_sync(all, v.y, 2));
  for (int d = pairs / 2; d > 0; d /= 2) v = __hadd2(v, __shfl_xor_sync(all, v, d, pairs));
  out[3 * pairs + i] = v;
}

void print(const __half2* all, int n) {
  for (int k = 0; k < n; ++k) {
    __half2_raw raw = all[k];
    printf("%04x:%04x%c", raw.x, raw.y, k % 8 == 7 || k == n - 1 ? '\n' : ' ');
  }
}

int main() {
  const float numbers[2 * pairs] = {1.5f, -2.25f, 0.1f, 3,    1024,   1,     -0.5f, 0.75f,
                                    7,    7,      2.5f, -100, 0.001f, 60000, 3,     5};
  __half2 in[pairs], *d_in, *d_out, out[pairs * results];
  unsigned *d_asked, answers[pairs * 4];
  for (int k = 0; k < pairs; ++k) in[k] = __floats2half2_rn(numbers[2 * k], numbers[2 * k + 1]);
  in[7] = in[2];
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMalloc(&d_asked, sizeof answers);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  packed<<<1, pairs>>>(d_in, d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < pairs; ++i) print(out + i * results, results);
  asked<<<1, pairs>>>(d_in, d_asked);
  cudaMemcpy(answers, d_asked, sizeof answers, cudaMemcpyDeviceToHost);
  for (int i = 0; i < pairs * 4; ++i) printf("%08x%c", answers[i], i % 4 == 3 ? '\n' : ' ');
  exchanged<<<1, pairs>>>(d_in, d_out);
  cudaMemcpy(out, d_out, 4 * pairs * sizeof(__half2), cudaMemcpyDeviceToHost);
  print(out, 4 * pairs);
  printf("on the host\n");
  __half2 sum = in[0] + in[1], product = __hmul2(in[0], in[3]);
  print(&sum, 1);
  print(&product, 1);
  printf("%g %g %d %d\n", __low2float(sum), __high2float(product), __hbeq2(in[7], in[2]), in[0] == in[1]);
  return 0;
}
