source_filename = "scan.cu"
%struct.Pair = type { i8, %struct.Inner }
%struct.Inner = type { double, [3 x i16] }

@_ZZ4scanPiE1s = internal addrspace(3) global [64 x i32] undef, align 4, !dbg !20
@table = addrspace(4) constant [3 x i32] [i32 7, i32 -1, i32 9], align 4
@pair = addrspace(1) global %struct.Pair { i8 1, %struct.Inner { double 2.5, [3 x i16] [i16 1, i16 2, i16 3] } }, align 8
@.str = private constant [4 x i8] c"a\0Ab\00", align 1

define dso_local void @_Z4scanPi(ptr noundef %0, i32 noundef %1) #0 !dbg !2 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca [4 x i32], align 4
  store ptr %0, ptr %3, align 8
  call void @llvm.dbg.declare(metadata ptr %3, metadata !10, metadata !DIExpression()), !dbg !12
  %6 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !14
  store i32 %6, ptr %4, align 4, !dbg !12
  %7 = load ptr, ptr %3, align 8, !dbg !13
  %8 = load i32, ptr %4, align 4, !dbg !13
  %9 = sext i32 %8 to i64, !dbg !13
  %10 = getelementptr inbounds i32, ptr %7, i64 %9, !dbg !13
  %11 = load i32, ptr %10, align 4, !dbg !13
  %12 = getelementptr inbounds [64 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ4scanPiE1s to ptr), i64 0, i64 %9, !dbg !13
  store i32 %11, ptr %12, align 4, !dbg !13
  %13 = icmp slt i32 %8, 3, !dbg !13
  br i1 %13, label %14, label %16, !dbg !13

14:                                               ; preds = %2
  %15 = add nsw i32 %11, 1, !dbg !13
  switch i32 %15, label %16 [
    i32 0, label %14
    i32 -1, label %16
  ], !dbg !13

16:                                               ; preds = %14, %2
  %17 = phi i32 [ %11, %2 ], [ %15, %14 ]
  %18 = getelementptr inbounds [4 x i32], ptr %5, i64 0, i64 2
  store i32 %17, ptr %18, align 4
  ret void, !dbg !13
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

!1 = !DIFile(filename: "scan.cu", directory: "/home/student")
!2 = distinct !DISubprogram(name: "scan", linkageName: "_Z4scanPi", scope: !1, file: !1, line: 5)
!3 = !DIBasicType(name: "unsigned int", size: 32)
!4 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !3, size: 64)
!5 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !4)
!6 = !DIFile(filename: "/ours/cuda.h", directory: "")
!7 = distinct !DISubprogram(name: "threadIdx", scope: !6, file: !6, line: 90)
!10 = !DILocalVariable(name: "data", arg: 1, scope: !2, file: !1, line: 5, type: !5)
!12 = !DILocation(line: 6, column: 3, scope: !2)
!13 = !DILocation(line: 7, column: 3, scope: !2)
!14 = !DILocation(line: 91, column: 3, scope: !7, inlinedAt: !12)
!20 = !DIGlobalVariableExpression(var: !21, expr: !DIExpression())
!21 = distinct !DIGlobalVariable(name: "s", linkageName: "_ZZ4scanPiE1s", scope: !2, file: !1, line: 6, type: !3)
