// Kernels as users write them, for tests/cuda/machine_test.cpp. LINE comments name lines that tests ask for.
#include "prelude.cuh"

__global__ void blelloch(int* data, int n) {
  extern __shared__ int sum[];
  int i = threadIdx.x;
  sum[2 * i] = data[2 * i];
  sum[2 * i + 1] = data[2 * i + 1];
  int offset = 1;
  for (int d = n / 2; d > 0; d /= 2) {
    __bscope_sync();
    if (i < d) {
      int a = offset * (2 * i + 1) - 1, b = offset * (2 * i + 2) - 1;
      sum[b] += sum[a];
    }
    offset *= 2;
  }
  if (i == 0) sum[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset /= 2;
    __bscope_sync();
    if (i < d) {
      int a = offset * (2 * i + 1) - 1, b = offset * (2 * i + 2) - 1;
      int t = sum[a];
      sum[a] = sum[b];
      sum[b] += t;
    }
  }
  __bscope_sync();
  data[2 * i] = sum[2 * i];
  data[2 * i + 1] = sum[2 * i + 1];
}

__global__ void kogge_stone(const float* in, float* out, int n) {
  __shared__ float s[64];
  int i = threadIdx.x;
  s[i] = i < n ? in[i] : 0;
  for (int d = 1; d < blockDim.x; d *= 2) {
    __bscope_sync();
    float v = i >= d ? s[i - d] : 0;
    __bscope_sync();
    s[i] += v;
  }
  if (i < n) out[i] = s[i];
}

__global__ void reduce(const int* in, int* out, int n) {
  __shared__ int s[128];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __bscope_sync();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __bscope_sync();
  }
  if (t == 0) __bscope_atomic_add_i32(out, s[0]);
}

__global__ void histogram(const unsigned char* in, unsigned* bins, int n) {
  __shared__ int local[8];
  if (threadIdx.x < 8) local[threadIdx.x] = 0;
  __bscope_sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    __bscope_atomic_add_i32(&local[in[i]], 1);
  __bscope_sync();
  if (threadIdx.x < 8) __bscope_atomic_add_i32((int*)&bins[threadIdx.x], local[threadIdx.x]);
}

#define TILE 4
__global__ void matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float ta[TILE][TILE], tb[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += TILE) {
    ta[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
    __bscope_sync();
    for (int j = 0; j < TILE; ++j) sum += ta[threadIdx.y][j] * tb[j][threadIdx.x];
    __bscope_sync();
  }
  c[y * n + x] = sum;
}

__global__ void warp_sum(const int* in, int* out) {
  int v = in[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __bscope_shuffle_down_i32(0xffffffff, v, d, 32);
  if (threadIdx.x == 0) *out = v;
}

__global__ void warp_words(const int* in, int* out) {
  int i = threadIdx.x, v = in[i];
  out[i] = __bscope_ballot(0xffffffff, v > 3);
  out[32 + i] = __bscope_match_any_i32(0xffffffff, v & 1);
  out[64 + i] = __bscope_reduce_add_i32(0xffffffff, v);
  out[96 + i] = __bscope_reduce_max_i32(0xffffffff, v);
  if (i % 2) out[128 + i] = __bscope_active_mask();
  __bscope_sync_warp(0xffffffff);
  out[160 + i] = __bscope_active_mask();
  out[192 + i] = int(__bscope_shuffle_f64(0xffffffff, i + 0.5, 3, 8) * 2);
}

__global__ void votes(int* out) {
  int i = threadIdx.x;
  out[i] = __bscope_sync_count(i % 3 == 0);
  out[64 + i] = __bscope_sync_and(i < 64);
  out[128 + i] = __bscope_sync_or(i == 63);
  out[192 + i] = __bscope_sync_and(i < 63);
}

__global__ void all_atomics(int* cells, unsigned* wrapping, unsigned long long* wide, float* sums,
                            unsigned short* small) {
  __bscope_atomic_sub_i32(&cells[0], 2);
  __bscope_atomic_min_i32(&cells[1], -int(threadIdx.x));
  __bscope_atomic_max_i32(&cells[2], threadIdx.x);
  for (int old = cells[3], seen; (seen = __bscope_atomic_cas_i32(&cells[3], old, old + 3)) != old;)
    old = seen;
  __atomic_fetch_xor(&cells[4], 1 << threadIdx.x % 4, __ATOMIC_RELAXED);
  __bscope_atomic_inc_u32(wrapping, 5);
  __bscope_atomic_add_u64(wide, 1ull << 33);
  __bscope_atomic_add_f32(sums, 0.5f);
  __bscope_atomic_cas_u16(&small[threadIdx.x % 2], 7, 9);
}
// Values that were cut or extended on their way to an atomic: the sign of a short goes through all 64 bits.
__global__ void atomics_of_casts(unsigned long long* sums, const long long* in, const int* words,
                                 unsigned* small) {
  const int i = threadIdx.x;
  __bscope_atomic_add_u64(&sums[0], (unsigned long long)words[i]);
  __bscope_atomic_add_u64(&sums[1], (unsigned long long)(unsigned)words[i]);
  __bscope_atomic_add_u64(&sums[2], (unsigned long long)(int)in[i]);
  __bscope_atomic_add_u64(&sums[3], (unsigned long long)(short)in[i]);
  __bscope_atomic_add_u64(&sums[4], (unsigned long long)in[i]);
  __bscope_atomic_max_u64(&sums[5], (unsigned long long)-words[i]);
  __bscope_atomic_xor_u64(&sums[6], (unsigned long long)(char)words[i]);
  __bscope_atomic_exch_u64(&sums[7], (unsigned long long)words[0]);
  __bscope_atomic_cas_u64(&sums[8], 0, (unsigned long long)words[0]);
  __bscope_atomic_add_u32(small, in[i] & 1);
}

__device__ int counter = 40;
__constant__ float weights[3] = {1, 2, 4};
__device__ float weigh(const float* from, int k) { return from[k] * weights[k]; }
typedef float (*Weigh)(const float*, int);
__device__ Weigh by_pointer = weigh;
struct Given {
  int first;
  float factor;
};
__global__ void functions(const float* in, float* out, Given g) {
  float local[3];
  for (int k = 0; k < 3; ++k) local[k] = weigh(in, k) * g.factor;
  float& last = local[2];
  last += by_pointer(in, 1);
  out[g.first] = local[0] + local[1] + last;
  counter += 2;
}

__global__ void vectors(const float4* in, float4* out) {
  float4 v = in[threadIdx.x];
  v.w = v.x + v.y;
  out[threadIdx.x] = v;
}

__global__ void numbers(const float* in, int* out) {
  out[0] = int(in[0] * 1e20f);
  out[1] = int(__bscope_math_sqrt_f32(in[1]));
  out[2] = int(__bscope_fma_f32(in[1], in[1], 1));
  out[3] = __bscope_popc_u32(0xff00ff);
  out[4] = __bscope_min_i32(-3, 4);
  out[5] = __bscope_mul_hi_u32(1u << 31, 6);
  out[6] = int(in[1]) / 0;
  out[7] = 1 << (out[4] + 40);
  out[8] = -7 % 3;
  out[9] = (unsigned char)(300);
}

__global__ void says(int x) {
  if (threadIdx.x == 0)
    printf("%d %5.2f|%s|%c %u %lld %x %%%p\n", -x, 2.5, "text", 'c', 7u, 1ll << 40, 255, (void*)0);
}

__device__ int table[4][6];
__global__ void fills_table() { table[threadIdx.y][threadIdx.x] = threadIdx.x; }

__global__ void positions(int* out) {
  int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] =
      threadIdx.z * 100 + threadIdx.y * 10 + threadIdx.x;
}

__global__ void meets_grid(int* data) {
  data[blockIdx.x] = blockIdx.x;
  __bscope_sync_grid();
  if (threadIdx.x == 0) data[gridDim.x + blockIdx.x] = data[gridDim.x - 1 - blockIdx.x];
}

__global__ void spins(volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    while (*flag == 0) {}
    out[0] = 7;
  } else {
    *flag = 1;
  }
}

__global__ void locks(int* lock, int* sum) {
  while (__bscope_atomic_cas_i32(lock, 0, 1) != 0) {}
  *sum += 1;
  __bscope_atomic_exch_i32(lock, 0);
}

// ---- mistakes
__global__ void outside(int* data, int n) {
  data[threadIdx.x + n] = 1;  // LINE outside
}
__global__ void outside_shared(int* data) {
  __shared__ int s[8];
  s[threadIdx.x] = 1;  // LINE outside_shared
  __bscope_sync();
  data[0] = s[0];
}
__global__ void outside_local(int* data, int k) {
  int local[4] = {0};
  local[k] = 3;  // LINE outside_local
  data[0] = local[0];
}
__global__ void touches(int* p) {
  *p = 1;  // LINE touches
}
__global__ void misaligned(char* p) {
  *(int*)(p + 2) = 1;  // LINE misaligned
}
__device__ int deeper(int n) {
  return deeper(n + 1) + 1;  // LINE deeper
}
__global__ void recurses(int* out) { *out = deeper(0); }
__global__ void never_ends(int* out) {
  for (int k = 0; out[1] == 0 || k >= 0; k = (k + 1) & 7) {}  // LINE never_ends
}
__global__ void hangs(volatile int* flag) {
  while (*flag == 0) {}  // LINE hangs
}
__global__ void stops() {
  if (threadIdx.x == 1) __bscope_trap();  // LINE stops
}
__global__ void asserts(int x) {
  if (!(x > 0)) __bscope_assert_fail("x > 0", __FILE__, __LINE__, "asserts");  // LINE asserts
}
__global__ void unknown(int x) {
  if (x) nobody_knows_this();  // LINE unknown
}
__global__ void unsupported() {
  __bscope_unsupported("textures");  // LINE unsupported
}
__global__ void by_hand() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 24;");  // LINE by_hand
}
__global__ void uneven(int* out) {
  if (threadIdx.x < 16) __bscope_sync();  // LINE uneven
  out[threadIdx.x] = 1;
}
__global__ void beyond_and_uneven(int* out, int n) {
  if (threadIdx.x < 16) {
    out[threadIdx.x ? threadIdx.x : n] = 1;  // LINE beyond_and_uneven
    __bscope_sync();
  }
  out[threadIdx.x] = 1;
}
__global__ void beyond_before_sync(int* out, int n) {
  out[threadIdx.x ? threadIdx.x : n] = 1;
  __bscope_sync();
  out[threadIdx.x] = 2;
}
__global__ void carved(int* data, int* flag) {
  data[threadIdx.x] = 1;
  flag[threadIdx.x] = 2;
}
__global__ void no_dynamic(int* out) {
  extern __shared__ int sum[];
  sum[threadIdx.x] = 1;  // LINE no_dynamic
  out[0] = sum[0];
}
__global__ void reads_unwritten(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];  // LINE reads_unwritten
}
__global__ void heap(int* out) {
  int* p = (int*)malloc(16);
  p[1] = 5;
  out[0] = p[1];
  free(p);
  if (out[1]) out[0] = p[1];  // LINE heap
}
__device__ void* operator new[](unsigned long);
__device__ void operator delete[](void*) noexcept;
__global__ void makes_room(const int* in, long long* out, int n) {
  long long* own = new long long[n];
  for (int k = 0; k < n; ++k) own[k] = in[k];
  for (int k = 0; k < n; ++k) out[k] = own[n - 1 - k];
  delete[] own;
}
// Pairs of numbers; of each the sum, the difference and the product, and which of them do not fit.
template <class T>
__device__ void checks(const T* in, T* out, int* fits) {
  const int k = threadIdx.x;
  const T a = in[2 * k], b = in[2 * k + 1];
  fits[k] = !__builtin_add_overflow(a, b, &out[3 * k]) | !__builtin_sub_overflow(a, b, &out[3 * k + 1]) << 1 |
            !__builtin_mul_overflow(a, b, &out[3 * k + 2]) << 2;
}
__global__ void checks_i32(const int* in, int* out, int* fits) { checks(in, out, fits); }
__global__ void checks_u32(const unsigned* in, unsigned* out, int* fits) { checks(in, out, fits); }
__global__ void checks_i64(const long long* in, long long* out, int* fits) { checks(in, out, fits); }
__global__ void checks_u64(const unsigned long long* in, unsigned long long* out, int* fits) {
  checks(in, out, fits);
}
// What becomes of it is decided by the order of the threads.
__global__ void rotates(int* data, int n) { data[threadIdx.x] = data[(threadIdx.x + 1) % n]; }
__global__ void increments(int* data) { data[threadIdx.x] += 1; }
__global__ void each_one(int* data, int n) {
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  for (int k = 0; k < n; ++k) data[block * blockDim.x + threadIdx.x] += 1;
}
struct Weighed {
  float sum;
  int count;
};
__global__ void raw_shared(float* data) {
  extern __shared__ char raw[];
  __shared__ Weighed pairs[64];
  float* const s = (float*)raw;
  s[threadIdx.x] = data[threadIdx.x];
  pairs[threadIdx.x].sum = data[threadIdx.x];
  pairs[threadIdx.x].count = threadIdx.x;
  __syncthreads();
  const int other = blockDim.x - 1 - threadIdx.x;
  data[threadIdx.x] = s[other] + pairs[other].sum + pairs[other].count;
}
__global__ void long_one(int* data, int n) {
  for (int k = 0; k < n; ++k) data[threadIdx.x] += 1;
}

// ---- what is wrong with values
__global__ void reads_unset(const float* in, float* out, int n) {
  float sum;
  for (int k = 0; k < n; ++k) sum += in[k];  // LINE reads_unset
  out[0] = sum;
}
__global__ void reads_unset_array(const float* in, float* out, int n) {
  float parts[4];
  for (int k = 0; k < n; ++k) parts[k & 3] += in[k];  // LINE reads_unset_array
  out[0] = parts[0];
}
struct Half {
  float set, not_set;
};
__device__ Half half_set(float v) {
  Half h;
  h.set = v;
  return h;
}
__global__ void sets_first(const float* in, float* out, int n) {
  float sum, best[2];
  int unused;
  if (n > 0)
    sum = in[0];
  else
    sum = 0;
  best[0] = sum;
  best[1] = best[0] + 1;
  Half h = half_set(best[n & 1]), copy = h;
  out[0] = copy.set;
}
__global__ void overflows(const int* in, int* out) {
  int row = threadIdx.x;
  int at = row * 100000000 / 100000000;  // LINE overflows
  out[row] = in[at];
}
__global__ void hashes(const int* in, int* out) {
  int i = threadIdx.x;
  out[i] = (in[i] * 1103515245) & 1;  // LINE hashes
}
__global__ void one_too_far(int* data, int n) {
  int i = threadIdx.x;
  if (i <= n) data[i] = 1;  // LINE one_too_far
}
__global__ void returns_too_late(int* data, int n) {
  int i = threadIdx.x;
  if (i > n) return;  // LINE returns_too_late
  data[i] = 1;
}
__global__ void unguarded(int* data, int n) {
  int i = threadIdx.x;
  data[i] = 1;  // LINE unguarded
}
__global__ void returns_early(int* out, int n) {
  if (threadIdx.x >= n) return;
  __bscope_sync();  // LINE returns_early
  out[threadIdx.x] = 1;
}
__global__ void counts_in_floats(float* sum) {
  __bscope_atomic_add_f32(sum, 1.0f);  // LINE counts_in_floats
}
// Kahan's sum, Neumaier's, and one by Knuth's two-sum: what an addition loses is added up apart.
__global__ void kahan(const float* in, float* out, int n) {
  float sum = 0, lost = 0;
  for (int i = 0; i < n; ++i) {
    const float y = in[i] - lost, t = sum + y;
    lost = (t - sum) - y;
    sum = t;
  }
  *out = sum;
}
__global__ void neumaier(const float* in, float* out, int n) {
  float lost = 0;
  *out = 0;
  for (int i = 0; i < n; ++i) {
    const float t = *out + in[i];
    lost += (*out >= in[i] ? *out : in[i]) - t + (*out >= in[i] ? in[i] : *out);
    *out = t;
  }
  *out += lost;
}
__global__ void two_sum(const float* in, float* out, int n) {
  float sum = 0, lost = 0;
  for (int i = 0; i < n; ++i) {
    const float a = sum, b = in[i], x = a + b, z = x - a;
    lost += (a - (x - z)) + (b - z);
    sum = x;
  }
  *out = sum + lost;
}
__global__ void adds_and_looks(const float* in, float* out, int n) {
  float sum = 0, above = 0;
  for (int i = 0; i < n; ++i) {
    sum += in[i];  // LINE adds_and_looks
    above = sum - 5;
  }
  *out = above;
}
__global__ void halves(const int* in, int* out) {
  __shared__ int s[96];
  s[threadIdx.x] = in[threadIdx.x];
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    __bscope_sync();
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];  // LINE halves
  }
  if (threadIdx.x == 0) out[0] = s[0];
}
__global__ void counts_by_block(int* count) {
  __bscope_block_scope("atomicAdd");
  __bscope_atomic_add_i32(count, 1);  // LINE counts_by_block
}
__global__ void every_round(int* out) {
  for (int r = 0; r < 4; ++r) out[r * 32 + threadIdx.x] = r;  // LINE every_round
}
__global__ void skips_rounds(int* out) {
  for (int r = 0; r < 4; ++r)
    if ((threadIdx.x & 1) == (r & 1)) out[threadIdx.x] = r;  // LINE skips_rounds
}
__global__ void antidiagonals(int* out) {
  for (int d = 0; d < 63; ++d) {
    const int j = d - int(threadIdx.x);
    if (0 <= j && j < 32) out[j * 32 + threadIdx.x] += 1;  // LINE antidiagonals
  }
}
__global__ void inner_lengths(int* out) {
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < ((i + threadIdx.x) & 3); ++j)
      out[(i * 4 + j) * 32 + threadIdx.x] = j;  // LINE inner_lengths
}
__global__ void continues(int* out) {
  int r = -1;
  while (++r < 6) {
    if ((r + threadIdx.x) % 3 > 0) continue;
    out[r * 32 + threadIdx.x] = r;  // LINE continues
  }
  out[threadIdx.x] = r;  // LINE behind_continues
}
__device__ void count_down(int* out, int k) {
  for (;; --k) {
    if (k == 0) return;
    out[k * 32 + threadIdx.x] = k;  // LINE counts_down
  }
}
__global__ void counts_down(int* out) {
  if (threadIdx.x & 1) count_down(out, 2);
  count_down(out, 3);
}
__global__ void rounds_with_barriers(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = out[threadIdx.x];
  for (int d = 32; d > 0; d /= 2) {
    __bscope_sync();                                            // LINE rounds_meet
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];  // LINE rounds_with_barriers
  }
}
