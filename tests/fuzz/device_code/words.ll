%struct.V = type { <4 x float>, [2 x i16] }
@v = addrspace(4) constant <2 x i32> <i32 1, i32 2>, align 8
@p = global ptr getelementptr inbounds ({ i32, [4 x i8] }, ptr @v, i64 0, i32 1, i64 2), align 8
@f = global ptr @g, align 8
define { i32, i1 } @g(ptr noundef byval(%struct.V) align 16 %0, i64 %1, <4 x float> %2) {
  %4 = alloca [8 x float], i32 2, align 16
  %5 = insertelement <4 x float> %2, float 0x3FF8000000000000, i32 1
  %6 = shufflevector <4 x float> %5, <4 x float> %2, <2 x i32> <i32 1, i32 6>
  %7 = extractelement <2 x float> %6, i64 %1
  %8 = fptosi float %7 to i32
  %9 = atomicrmw umax ptr addrspacecast (ptr addrspace(4) @v to ptr), i32 %8 syncscope("block") seq_cst, align 4
  %10 = cmpxchg weak volatile ptr %0, i32 %9, i32 7 acq_rel monotonic, align 4
  %11 = extractvalue { i32, i1 } %10, 1
  %12 = insertvalue { i32, i1 } %10, i32 -5, 0
  %13 = select i1 %11, i64 %1, i64 9
  %14 = load atomic i32, ptr %0 acquire, align 4
  store volatile i32 %14, ptr %4, align 4
  fence release
  %15 = call i32 asm "mov.u32 $0, %laneid;", "=r"()
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %4, ptr align 16 %0, i64 16, i1 false)
  %16 = load ptr, ptr @f, align 8
  %17 = call noundef float %16(float noundef %7) #1
  switch i64 %13, label %18 [ i64 1, label %19 i64 -2, label %18 ]

18:                                               ; preds = %3
  br label %19

19:                                               ; preds = %18, %3
  %20 = phi i32 [ %14, %18 ], [ undef, %3 ]
  ret { i32, i1 } %12
}
