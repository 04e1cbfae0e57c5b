// Each operation of a type of 16 bits with a fraction, on pairs of chosen values, as bits, and on many
// others, as a checksum; then the same on the host. Before this stand the types Small and SmallRaw, the 18
// bit patterns `chosen`, and the patterns of the others: from `first` on, so many as `most` has bits.
#pragma once

#include <cstdio>
#include <vector>

enum { values = 18, many = 256, operations = 17 };
const char* names[operations] = {"add",     "sub",     "mul",     "div",     "add_rn",  "sub_rn",
                                 "mul_rn",  "add_sat", "sub_sat", "mul_sat", "min",     "max",
                                 "min_nan", "max_nan", "fma",     "fma_sat", "fma_relu"};

__device__ Small result(int operation, Small a, Small b, Small c) {
  switch (operation) {
    case 0: return __hadd(a, b);
    case 1: return __hsub(a, b);
    case 2: return __hmul(a, b);
    case 3: return __hdiv(a, b);
    case 4: return __hadd_rn(a, b);
    case 5: return __hsub_rn(a, b);
    case 6: return __hmul_rn(a, b);
    case 7: return __hadd_sat(a, b);
    case 8: return __hsub_sat(a, b);
    case 9: return __hmul_sat(a, b);
    case 10: return __hmin(a, b);
    case 11: return __hmax(a, b);
    case 12: return __hmin_nan(a, b);
    case 13: return __hmax_nan(a, b);
    case 14: return __hfma(a, b, c);
    case 15: return __hfma_sat(a, b, c);
    default: return __hfma_relu(a, b, c);
  }
}

__global__ void pairs(const Small* v, int operation, Small* out) {
  int i = blockIdx.x, j = threadIdx.x;
  out[i * values + j] = result(operation, v[i], v[j], v[(i + j) % values]);
}

__global__ void triples(const Small* a, const Small* b, const Small* c, int operation, Small* out) {
  int i = threadIdx.x;
  out[i] = result(operation, a[i], b[i], c[i]);
}

__global__ void comparisons(const Small* v, unsigned* out) {
  int i = blockIdx.x, j = threadIdx.x;
  Small a = v[i], b = v[j];
  unsigned r = 0;
  r |= __heq(a, b) << 0 | __hne(a, b) << 1 | __hlt(a, b) << 2 | __hle(a, b) << 3 | __hgt(a, b) << 4 |
       __hge(a, b) << 5;
  r |= __hequ(a, b) << 6 | __hneu(a, b) << 7 | __hltu(a, b) << 8 | __hleu(a, b) << 9 | __hgtu(a, b) << 10 |
       __hgeu(a, b) << 11;
  r |= (a == b) << 12 | (a != b) << 13 | (a < b) << 14 | (a <= b) << 15 | (a > b) << 16 | (a >= b) << 17;
  r |= __hisnan(a) << 18 | (__hisinf(a) + 1) << 19 | (a ? 1 : 0) << 21;
  out[i * values + j] = r;
}

__global__ void operators(const Small* v, Small* out) {
  int i = threadIdx.x;
  Small a = v[i], b = v[(i + 5) % values];
  Small r[12] = {a + b, a - b, a * b, a / b, a, a, a, a, a, a, a, a};
  r[4] += b;
  r[5] -= b;
  r[6] *= b;
  r[7] /= b;
  ++r[8];
  r[9]--;
  r[10] = +a;
  r[11] = __hisnan(a) ? a : -a;
  for (int k = 0; k < 12; ++k) out[i * 12 + k] = r[k];
}

unsigned bits(Small h) { return SmallRaw(h).x; }
unsigned checksum(const std::vector<Small>& all) {
  unsigned sum = 2166136261u;
  for (Small h : all) sum = (sum ^ bits(h)) * 16777619u;
  return sum;
}

int main() {
  std::vector<Small> v(values), a(many), b(many), c(many), out(values * values), sums(many), ops(values * 12);
  for (int k = 0; k < values; ++k) {
    SmallRaw raw;
    raw.x = chosen[k];
    v[k] = raw;
  }
  unsigned seed = 12345;
  for (int k = 0; k < many; ++k)
    for (auto* to : {&a, &b, &c}) {
      seed = seed * 1664525u + 1013904223u;
      SmallRaw raw;
      raw.x = (seed >> 16 & 0x8000) | (first + (seed >> 8 & most));
      (*to)[k] = raw;
    }
  Small *dv, *da, *db, *dc, *dout;
  unsigned* dasked;
  cudaMalloc(&dv, values * sizeof(Small));
  cudaMalloc(&da, many * sizeof(Small));
  cudaMalloc(&db, many * sizeof(Small));
  cudaMalloc(&dc, many * sizeof(Small));
  cudaMalloc(&dout, 512 * sizeof(Small));
  cudaMalloc(&dasked, values * values * sizeof(unsigned));
  cudaMemcpy(dv, v.data(), values * sizeof(Small), cudaMemcpyHostToDevice);
  cudaMemcpy(da, a.data(), many * sizeof(Small), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), many * sizeof(Small), cudaMemcpyHostToDevice);
  cudaMemcpy(dc, c.data(), many * sizeof(Small), cudaMemcpyHostToDevice);
  for (int operation = 0; operation < operations; ++operation) {
    pairs<<<values, values>>>(dv, operation, dout);
    cudaMemcpy(out.data(), dout, out.size() * sizeof(Small), cudaMemcpyDeviceToHost);
    printf("%s\n", names[operation]);
    for (int i = 0; i < values; ++i)
      for (int j = 0; j < values; ++j)
        printf("%04x%c", bits(out[i * values + j]), j + 1 < values ? ' ' : '\n');
    triples<<<1, many>>>(da, db, dc, operation, dout);
    cudaMemcpy(sums.data(), dout, many * sizeof(Small), cudaMemcpyDeviceToHost);
    printf("of others: %08x\n", checksum(sums));
  }
  std::vector<unsigned> asked(values * values);
  comparisons<<<values, values>>>(dv, dasked);
  cudaMemcpy(asked.data(), dasked, asked.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
  printf("comparisons\n");
  for (int i = 0; i < values; ++i)
    for (int j = 0; j < values; ++j) printf("%06x%c", asked[i * values + j], j + 1 < values ? ' ' : '\n');
  operators<<<1, values>>>(dv, dout);
  cudaMemcpy(ops.data(), dout, ops.size() * sizeof(Small), cudaMemcpyDeviceToHost);
  printf("operators\n");
  for (int i = 0; i < values; ++i)
    for (int j = 0; j < 12; ++j) printf("%04x%c", bits(ops[i * 12 + j]), j + 1 < 12 ? ' ' : '\n');
  printf("on the host\n");
  for (int i = 0; i < values; ++i) {
    Small x = v[i], y = v[(i + 7) % values];
    printf("%04x %04x %04x %04x %04x %04x %04x %d%d%d\n", bits(x + y), bits(x - y), bits(x * y), bits(x / y),
           bits(__hadd_sat(x, y)), bits(__hmin(x, y)), bits(__hmax(x, y)), x < y, x == y, __hgeu(x, y));
  }
  return 0;
}
