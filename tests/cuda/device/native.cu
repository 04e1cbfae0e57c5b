// Kernels for tests/cuda/native_test.cpp: all that native code does or leaves to the interpreter, in few
// kernels, for each is compiled once more. LINE comments name lines that tests ask for.
#include "prelude.cuh"

struct Point {
  double x;
  float y;
  int tag[3];
};
struct Given {
  int n;
  float factor;
  Point origin;
};
__constant__ float weights[5] = {1, 2, 4, 8, -0.5f};
__device__ int counter[2][3] = {{1, 2, 3}, {4, 5, 6}};
__device__ unsigned long long wide = 5;

__device__ const float& larger(const float& a, const float& b) { return a < b ? b : a; }
__device__ void move(Point& p, const Point& by) {
  p.x += by.x;
  p.y *= by.y;
  for (int k = 0; k < 3; ++k) p.tag[k] -= by.tag[(k + 1) % 3];
}
__device__ Point made(int k) {
  Point p = {k * 0.25, k - 3.5f, {k, -k, k * k}};
  return p;
}
__device__ int kinds_of_numbers(int k, int v) {
  short narrow = short(v * 1000);
  unsigned char byte = (unsigned char)(v + k);
  long long big = (long long)(v) << (k % 60);
  unsigned u = unsigned(v) * 2654435761u;
  int r = narrow / (k - 7) + narrow % (byte | 1) + int(big >> 3) - int(u >> (k & 31));
  r ^= (v >> (k & 31)) + (v << 2) + int(u % 7u) + int(u / (k == 5 ? 0u : 3u)) + v / (k == 9 ? 0 : 2);
  r += int(float(v) * 1e9f) + (unsigned char)(float(k) * -3.7f) + (int)(1e300 * k);
  r += __bscope_popc_u32(u) + __bscope_min_i32(v, k) + int(__bscope_mul_hi_u32(u, 77));
  return r;
}
/// A bit for each result that does not fit, beside the results themselves.
template <class T>
__device__ int overflows_of(T a, T b) {
  T sum, difference, product;
  const int beyond = __builtin_add_overflow(a, b, &sum) | __builtin_sub_overflow(a, b, &difference) << 1 |
                     __builtin_mul_overflow(a, b, &product) << 2;
  return beyond ^ int((sum ^ difference ^ product) & 0xffff) << 3;
}
__device__ int overflows(int v, int k) {
  const long long wide = ((long long)v << 40) * (k - 7);
  const int big = v * 123456789 + (k << 28);
  return overflows_of(big, v << 20) + 2 * overflows_of(unsigned(big), unsigned(k) << 29) +
         3 * overflows_of(wide, (long long)(k - 5) << 60) +
         5 * overflows_of((unsigned long long)wide, (unsigned long long)k << 61) +
         7 * overflows_of((signed char)v, (signed char)(k * 5));
}
__device__ float sums(const float* in, int n, int k) {
  float local[4];
  for (int j = 0; j < 4; ++j) local[j] = weights[j] * in[(k + j) % n];
  float total = 0;
  for (int j = 0; j < 8; ++j) total += local[(k + j) & 3] / (1 + j);
  total = larger(total, local[k & 3]);
  if (total != total || total > 1e30f) total = -1;
  return __bscope_fma_f32(total, 0.1f, __bscope_math_sqrt_f32(total < 0 ? -total : total));
}

__global__ void computes(const float* in, int* out, float* floats, double* doubles, Given g) {
  extern __shared__ int words[];
  __shared__ float tile[8][9];
  const int t = threadIdx.x + blockDim.x * threadIdx.y, threads = blockDim.x * blockDim.y;
  const int i = t + threads * (blockIdx.x + gridDim.x * blockIdx.z);
  words[t] = kinds_of_numbers(i, int(in[i % g.n]) + t) ^ overflows(int(in[i % g.n]) * t, i);
  if (t < 64) tile[t / 8][t % 8] = in[t % g.n];
  __bscope_sync();
  Point p = made(t);
  move(p, g.origin);
  Point copy = p;
  if (t % 3 == 0) copy.tag[t % 2] += words[(t + 1) % threads];
  int found = 0;
  for (int k = 0; k < t; ++k) {
    if (words[k] == words[t]) continue;
    found += words[k] < words[t];
    if (found > 20) break;
  }
  switch (found % 4) {
    case 0: found += 100; break;
    case 1: found = -found; break;
    case 3: found ^= 0x55; break;
  }
  __bscope_sync();
  for (int d = threads / 2; d > 0; d /= 2) {
    if (t < d) words[t] += words[t + d];
    __bscope_sync();
  }
  out[i] = found + copy.tag[0] + copy.tag[1] + words[0] + counter[t % 2][t % 3];
  floats[i] = sums(in, g.n, i) * g.factor + tile[t % 8][(t / 8) % 8] + p.y;
  doubles[i] = copy.x / (1 + t) - double(floats[i]);
}

__global__ void meets(int* out, int* cells, float* floats, unsigned* wrapping, unsigned short* small) {
  const int t = threadIdx.x, i = t + blockDim.x * blockIdx.x;
  int v = t * 7 % 13;
  for (int d = 16; d > 0; d /= 2) v += __bscope_shuffle_down_i32(0xffffffff, v, d, 32);
  v += __bscope_ballot(0xffffffff, t % 5 == 1) + __bscope_match_any_i32(0xffffffff, t & 3);
  if (t % 2) v += __bscope_active_mask();
  __bscope_sync_warp(0xffffffff);
  v += __bscope_reduce_max_i32(0xffffffff, t) + __bscope_sync_count(t % 3 == 0);
  v += int(__bscope_shuffle_f64(0xffffffff, t + 0.5, 3, 8) * 2);
  __bscope_atomic_add_i32(&cells[0], v);
  __bscope_atomic_sub_i32(&cells[1], 2);
  v += __bscope_atomic_min_i32(&cells[2], -t);
  v += __bscope_atomic_max_i32(&cells[3], t);
  for (int old = cells[4], seen; (seen = __bscope_atomic_cas_i32(&cells[4], old, old + 3)) != old;)
    old = seen;
  __atomic_fetch_xor(&cells[5], 1 << t % 4, __ATOMIC_RELAXED);
  v += __bscope_atomic_exch_i32(&cells[6], t) + __bscope_atomic_inc_u32(wrapping, 5);
  __bscope_atomic_add_u64(&wide, 1ull << 33);
  __bscope_atomic_add_f32(floats, 0.1f);
  __bscope_atomic_cas_u16(&small[t % 2], 7, 9);
  __bscope_fence_device();
  int* p = (int*)malloc(16);
  p[t % 4] = v;
  out[i] = p[t % 4] + counter[0][1];
  free(p);
  if (i == 3) printf("%d %5.2f|%s|\n", out[i], 2.5, "text");
}

/// Without a loop: a compiler makes vectors of its threads. One block writes elsewhere than those before it.
__global__ void straight(const int* in, int* out, int* other, int n) {
  const int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i >= n) return;
  int* to = blockIdx.x == 3 ? other : out;
  to[i] = in[i] * 3 - i / 7;
}
/// The same between barriers. In one block threads have ended when the others meet.
__global__ void intervals(const int* in, int* out) {
  __shared__ int sums[64];
  const int t = threadIdx.x, i = t + blockDim.x * blockIdx.x;
  if (blockIdx.x == 4 && t % 32 == 0) return;
  sums[t] = in[i];
  __bscope_sync();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) sums[t] += sums[t + d];
    __bscope_sync();
  }
  out[i] = sums[t] + sums[blockDim.x - 1 - t];
}

/// Neighbouring threads go the same way up to some place in the row, by comparisons of each kind; one of them
/// has an index that wraps, and one a stride that only the launch knows.
__global__ void ways(const int* in, int* out, long long n, unsigned stride) {
  const int t = threadIdx.x, i = t + blockDim.x * blockIdx.x;
  const unsigned u = i;
  const long long w = i;
  int v = in[i];
  if (t == 20) v += 1000;
  if (t != 41) v ^= 1;
  if (t > 50) v -= in[i - 50];
  if (t <= 7) v += in[i + 7];
  if (63 - t >= 33) v *= 3;
  if (u < 100u) v += 5;
  if (u - 30u > 70u) v += 3;
  if (2 * w < n) v += in[2 * w];
  if (t * stride < 90u) v += in[t * stride];
  out[blockDim.x * blockIdx.x + 63 - t] = v;
}
/// The same between barriers, with values of each thread's own.
__global__ void shifts(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = t + blockDim.x * blockIdx.x;
  int own[4] = {t, t * 3, in[i], 7}, before = 0;
  s[t] = in[i];
  __bscope_sync();
  for (int d = 1; d < 64; d *= 2) {
    if (t >= d) before = s[t - d];
    __bscope_sync();
    if (t >= d) s[t] += before;
    own[d & 3] += before;
    __bscope_sync();
  }
  out[i] = s[63 - t] + own[blockIdx.x & 3];
}

// Blocks wait for those before them, and threads for a lock.
__global__ void waits(volatile int* flags, int* lock, int* sum) {
  if (threadIdx.x == 0 && blockIdx.x > 0)
    while (flags[blockIdx.x - 1] == 0) {}
  __bscope_sync();
  while (__bscope_atomic_cas_i32(lock, 0, 1) != 0) {}
  *sum = *sum * 3 % 1000 + threadIdx.x;
  __bscope_atomic_exch_i32(lock, 0);
  __bscope_sync();
  if (threadIdx.x == 0) flags[blockIdx.x] = 1;
}

__device__ int try_lock(int* lock) { return __bscope_atomic_cas_i32(lock, 0, 1); }
__device__ int is_set(volatile int* flags, int k) { return flags[k]; }
__device__ bool is_free(int* lock) { return try_lock(lock) == 0; }
/// Threads wait for a lock, and the one that has it for the last thread. What they wait for stands in
/// functions.
__global__ void waits_in_calls(volatile int* flags, int* lock, int* sum) {
  if (threadIdx.x == 63) {
    flags[blockIdx.x] = 1;
    return;
  }
  while (!is_free(lock)) {}
  if (threadIdx.x == 0)
    while (!is_set(flags, blockIdx.x)) {}
  *sum += threadIdx.x;
  __bscope_atomic_exch_i32(lock, 0);
}

/// Its threads meet at its own barriers alone, and take all kinds of variables past them.
__global__ void rounds(const int* in, int* out, Given g, int stay) {
  __shared__ int s[64];
  int t = threadIdx.x, turn = 0, local[3];
  Point p = made(t);
  if (t >= stay) return;
  s[t] = in[t + blockIdx.x * blockDim.x];
  for (int k = 0; k < 3; ++k) local[k] = t * k;
  for (int d = 1; d < 64; d *= 2) {
    __bscope_sync();
    const int other = s[(t + d) % stay];
    __bscope_sync();
    s[t] += other + local[d % 3];
    local[turn++ % 3] ^= s[t];
    if (t % 3 == 0) move(p, g.origin);
  }
  out[t + blockIdx.x * blockDim.x] =
      s[t] + local[0] + local[1] + local[2] + turn + int(p.x * g.factor) + p.tag[1] + g.n;
}

__global__ void goes_wrong(int how, int* data, int n) {
  __shared__ int s[8];
  int local[4] = {0}, i = threadIdx.x + blockIdx.x * blockDim.x;
  data[i % n] += 1;
  if (i != 37) return;
  if (how == 1) data[i + n] = 1;                                                  // LINE outside
  if (how == 2) s[threadIdx.x + 8] = 1;                                           // LINE outside_shared
  if (how == 3) local[how + n] = 3;                                               // LINE outside_local
  if (how == 4) *(int*)((char*)data + 2) = 1;                                     // LINE misaligned
  if (how == 5) __bscope_trap();                                                  // LINE stops
  if (how == 6) __bscope_assert_fail("x > 0", __FILE__, __LINE__, "goes_wrong");  // LINE asserts
  if (how == 7) data[0] = *(int*)(long long)(how);                                // LINE null
  if (how == 8) nobody_knows_this();                                              // LINE unknown
  if (how == 9) *(float*)&weights[how - 8] = 3;                                   // LINE constant
  if (how == 10) asm volatile("setmaxnreg.inc.sync.aligned.u32 24;");             // LINE by_hand
  if (how == 11)
    for (int k = 0; k >= 0; k = (k + 1) & 7) {}  // LINE never_ends
  data[1] = s[i % 8] + local[i % 4];
}

template <int N>
__device__ int nested(int x) {
  if constexpr (N > 0) x += nested<N - 1>(x * 3 % 1000);
  return x;
}
/// More functions than there are bits in any number.
__global__ void calls_many(int* out) { out[threadIdx.x] = nested<150>(threadIdx.x); }

__device__ int deeper(int n) { return n < 2 ? n : deeper(n - 1) + deeper(n - 2); }
__global__ void recurs(int* out) { out[threadIdx.x] = deeper(threadIdx.x % 8); }

/// Both sides wrap, each in another thread.
__global__ void wraps(int* out) {
  const unsigned u = threadIdx.x;
  int v = 1;
  if (u - 30u < u - 40u) v = 2;
  out[u] = v;
}

/// Indices of 64 bits, and casts of what differs from thread to thread.
__global__ void wide_indices(const int* in, const Point* points, int* out) {
  const unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_low = in[i] < 20;
  out[i] = in[6 * 64 - 1 - i] + is_low + 10 * (threadIdx.x < 20) + points[threadIdx.x].tag[1];
}

/// Cells at indices that the data choose, behind a pointer to anywhere, and beside cells of shared memory.
__global__ void elements(int* from, const long long* at, int count, int* out) {
  __shared__ int row[4];
  row[threadIdx.x] = 0;
  int sum = 0;
  for (int k = threadIdx.x; k < count; k += 4) {
    sum += from[at[k]];  // LINE element_read
    row[k % 4] += from[at[k]];
    from[at[k]] = sum;  // LINE element_written
  }
  out[threadIdx.x] = sum + row[threadIdx.x];
}

__global__ void meets_forever() {
  for (int k = 0; k >= 0; k = (k + 1) & 7) __bscope_sync();  // LINE meets_forever
}
