// Arithmetic on the halves and the bytes of a word, sums of products of them, and the least and greatest of
// sums (DPX).
#include <cstdio>

__global__ void of_one(const unsigned* in, int n) {
  for (int k = 0; k < n; ++k) {
    const unsigned a = in[k];
    printf("%08x\n", a);
    printf("abs %08x %08x\n", __vabs2(a), __vabs4(a));
    printf("absss %08x %08x\n", __vabsss2(a), __vabsss4(a));
    printf("neg %08x %08x\n", __vneg2(a), __vneg4(a));
    printf("negss %08x %08x\n", __vnegss2(a), __vnegss4(a));
  }
}

__global__ void of_two(const unsigned* in, int n) {
  for (int k = 0; k < n; ++k) {
    const unsigned a = in[k], b = in[(k * 5 + 3) % n];
    printf("%08x %08x\n", a, b);
    printf("add %08x %08x\n", __vadd2(a, b), __vadd4(a, b));
    printf("addss %08x %08x\n", __vaddss2(a, b), __vaddss4(a, b));
    printf("addus %08x %08x\n", __vaddus2(a, b), __vaddus4(a, b));
    printf("sub %08x %08x\n", __vsub2(a, b), __vsub4(a, b));
    printf("subss %08x %08x\n", __vsubss2(a, b), __vsubss4(a, b));
    printf("subus %08x %08x\n", __vsubus2(a, b), __vsubus4(a, b));
    printf("absdiffs %08x %08x\n", __vabsdiffs2(a, b), __vabsdiffs4(a, b));
    printf("absdiffu %08x %08x\n", __vabsdiffu2(a, b), __vabsdiffu4(a, b));
    printf("avgs %08x %08x\n", __vavgs2(a, b), __vavgs4(a, b));
    printf("avgu %08x %08x\n", __vavgu2(a, b), __vavgu4(a, b));
    printf("haddu %08x %08x\n", __vhaddu2(a, b), __vhaddu4(a, b));
    printf("maxs %08x %08x\n", __vmaxs2(a, b), __vmaxs4(a, b));
    printf("maxu %08x %08x\n", __vmaxu2(a, b), __vmaxu4(a, b));
    printf("mins %08x %08x\n", __vmins2(a, b), __vmins4(a, b));
    printf("minu %08x %08x\n", __vminu2(a, b), __vminu4(a, b));
    printf("sads %08x %08x\n", __vsads2(a, b), __vsads4(a, b));
    printf("sadu %08x %08x\n", __vsadu2(a, b), __vsadu4(a, b));
    printf("cmpeq %08x %08x\n", __vcmpeq2(a, b), __vcmpeq4(a, b));
    printf("cmpne %08x %08x\n", __vcmpne2(a, b), __vcmpne4(a, b));
    printf("cmpges %08x %08x\n", __vcmpges2(a, b), __vcmpges4(a, b));
    printf("cmpgeu %08x %08x\n", __vcmpgeu2(a, b), __vcmpgeu4(a, b));
    printf("cmpgts %08x %08x\n", __vcmpgts2(a, b), __vcmpgts4(a, b));
    printf("cmpgtu %08x %08x\n", __vcmpgtu2(a, b), __vcmpgtu4(a, b));
    printf("cmples %08x %08x\n", __vcmples2(a, b), __vcmples4(a, b));
    printf("cmpleu %08x %08x\n", __vcmpleu2(a, b), __vcmpleu4(a, b));
    printf("cmplts %08x %08x\n", __vcmplts2(a, b), __vcmplts4(a, b));
    printf("cmpltu %08x %08x\n", __vcmpltu2(a, b), __vcmpltu4(a, b));
    printf("seteq %08x %08x\n", __vseteq2(a, b), __vseteq4(a, b));
    printf("setne %08x %08x\n", __vsetne2(a, b), __vsetne4(a, b));
    printf("setges %08x %08x\n", __vsetges2(a, b), __vsetges4(a, b));
    printf("setgeu %08x %08x\n", __vsetgeu2(a, b), __vsetgeu4(a, b));
    printf("setgts %08x %08x\n", __vsetgts2(a, b), __vsetgts4(a, b));
    printf("setgtu %08x %08x\n", __vsetgtu2(a, b), __vsetgtu4(a, b));
    printf("setles %08x %08x\n", __vsetles2(a, b), __vsetles4(a, b));
    printf("setleu %08x %08x\n", __vsetleu2(a, b), __vsetleu4(a, b));
    printf("setlts %08x %08x\n", __vsetlts2(a, b), __vsetlts4(a, b));
    printf("setltu %08x %08x\n", __vsetltu2(a, b), __vsetltu4(a, b));
    printf("dp4a %d %u, dp2a %d %d %u %u\n", __dp4a((int)a, (int)b, 7), __dp4a(a, b, 7u),
           __dp2a_lo((int)a, (int)b, 7), __dp2a_hi((int)a, (int)b, 7), __dp2a_lo(a, b, 7u),
           __dp2a_hi(a, b, 7u));
  }
}

__global__ void of_three(const unsigned* in, int n) {
  for (int k = 0; k < n; ++k) {
    const unsigned a = in[k], b = in[(k * 5 + 3) % n], c = in[(k * 3 + 1) % n];
    bool first, second;
    printf("%08x %08x %08x\n", a, b, c);
    printf("viaddmax_s32 %08x\n", __viaddmax_s32(a, b, c));
    printf("viaddmax_u32 %08x\n", __viaddmax_u32(a, b, c));
    printf("viaddmax_s16x2 %08x\n", __viaddmax_s16x2(a, b, c));
    printf("viaddmax_u16x2 %08x\n", __viaddmax_u16x2(a, b, c));
    printf("viaddmax_s32_relu %08x\n", __viaddmax_s32_relu(a, b, c));
    printf("viaddmax_s16x2_relu %08x\n", __viaddmax_s16x2_relu(a, b, c));
    printf("viaddmin_s32 %08x\n", __viaddmin_s32(a, b, c));
    printf("viaddmin_u32 %08x\n", __viaddmin_u32(a, b, c));
    printf("viaddmin_s16x2 %08x\n", __viaddmin_s16x2(a, b, c));
    printf("viaddmin_u16x2 %08x\n", __viaddmin_u16x2(a, b, c));
    printf("viaddmin_s32_relu %08x\n", __viaddmin_s32_relu(a, b, c));
    printf("viaddmin_s16x2_relu %08x\n", __viaddmin_s16x2_relu(a, b, c));
    printf("vimax3_s32 %08x\n", __vimax3_s32(a, b, c));
    printf("vimax3_u32 %08x\n", __vimax3_u32(a, b, c));
    printf("vimax3_s16x2 %08x\n", __vimax3_s16x2(a, b, c));
    printf("vimax3_u16x2 %08x\n", __vimax3_u16x2(a, b, c));
    printf("vimax3_s32_relu %08x\n", __vimax3_s32_relu(a, b, c));
    printf("vimax3_s16x2_relu %08x\n", __vimax3_s16x2_relu(a, b, c));
    printf("vimin3_s32 %08x\n", __vimin3_s32(a, b, c));
    printf("vimin3_u32 %08x\n", __vimin3_u32(a, b, c));
    printf("vimin3_s16x2 %08x\n", __vimin3_s16x2(a, b, c));
    printf("vimin3_u16x2 %08x\n", __vimin3_u16x2(a, b, c));
    printf("vimin3_s32_relu %08x\n", __vimin3_s32_relu(a, b, c));
    printf("vimin3_s16x2_relu %08x\n", __vimin3_s16x2_relu(a, b, c));
    printf("vimax_s32_relu %08x\n", __vimax_s32_relu(a, b));
    printf("vimax_s16x2_relu %08x\n", __vimax_s16x2_relu(a, b));
    printf("vimin_s32_relu %08x\n", __vimin_s32_relu(a, b));
    printf("vimin_s16x2_relu %08x\n", __vimin_s16x2_relu(a, b));
    printf("vibmax_s32 %08x", __vibmax_s32(a, b, &first));
    printf(" %d\n", first);
    printf("vibmax_u32 %08x", __vibmax_u32(a, b, &first));
    printf(" %d\n", first);
    printf("vibmax_s16x2 %08x", __vibmax_s16x2(a, b, &first, &second));
    printf(" %d %d\n", first, second);
    printf("vibmax_u16x2 %08x", __vibmax_u16x2(a, b, &first, &second));
    printf(" %d %d\n", first, second);
    printf("vibmin_s32 %08x", __vibmin_s32(a, b, &first));
    printf(" %d\n", first);
    printf("vibmin_u32 %08x", __vibmin_u32(a, b, &first));
    printf(" %d\n", first);
    printf("vibmin_s16x2 %08x", __vibmin_s16x2(a, b, &first, &second));
    printf(" %d %d\n", first, second);
    printf("vibmin_u16x2 %08x", __vibmin_u16x2(a, b, &first, &second));
    printf(" %d %d\n", first, second);
  }
}

int main() {
  const unsigned words[] = {0x00000000, 0x80808080, 0x80007fff, 0x7f7f8001, 0xffffffff, 0x12345678,
                            0xfedcba98, 0x01020304, 0x00ff00ff, 0x7fff8000, 0xdeadbeef};
  unsigned* in;
  cudaMalloc(&in, sizeof words);
  cudaMemcpy(in, words, sizeof words, cudaMemcpyHostToDevice);
  of_one<<<1, 1>>>(in, 11);
  of_two<<<1, 1>>>(in, 11);
  of_three<<<1, 1>>>(in, 11);
  cudaDeviceSynchronize();
  cudaFree(in);
}
