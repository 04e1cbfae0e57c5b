// Device code as clang writes it, read into functions that can be interpreted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "engine/cuda/ir/module.hpp"
#include "engine/cuda/ir/natural_loops.hpp"

namespace bscope::cuda::ir {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A scan's first step, as clang 16 writes it.
constexpr std::string_view kernel = R"(source_filename = "scan.cu"
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
  %13 = icmp slt i32 %8, 3, !dbg !17
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
!15 = !DIFile(filename: "compare.cuh", directory: "/home/student")
!16 = distinct !DISubprogram(name: "is_small", scope: !15, file: !15, line: 2)
!17 = !DILocation(line: 3, column: 3, scope: !16, inlinedAt: !13)
!20 = !DIGlobalVariableExpression(var: !21, expr: !DIExpression())
!21 = distinct !DIGlobalVariable(name: "s", linkageName: "_ZZ4scanPiE1s", scope: !2, file: !1, line: 6, type: !3)
)";

Module read() { return read_module(kernel, {"/ours"}); }
const Function& scan(const Module& m) { return *m.function("_Z4scanPi"); }
const GlobalVariable& global(const Module& m, std::string_view name) {
  return *std::ranges::find(m.globals, name, &GlobalVariable::name);
}

TEST(Ir, LaysTypesOutAsTheGpuDoes) {
  const Module m = read();
  const Type& pair = *global(m, "pair").type;
  EXPECT_EQ(pair.size, 24u);
  EXPECT_EQ(pair.align, 8u);
  EXPECT_THAT(pair.offsets, ElementsAre(0, 8));
  EXPECT_THAT(pair.first, ElementsAre(0, 1));
  EXPECT_EQ(pair.slots, 5u);
  EXPECT_EQ(pair.parts[1]->size, 16u);
}

TEST(Ir, KnowsWhatVariablesHoldAtFirst) {
  const Module m = read();
  EXPECT_THAT(global(m, "table").bytes, ElementsAre(7, 0, 0, 0, 255, 255, 255, 255, 9, 0, 0, 0));
  EXPECT_EQ(global(m, "table").space, GlobalVariable::constant);
  EXPECT_THAT(global(m, ".str").bytes, ElementsAre('a', '\n', 'b', 0));
  const std::vector<uint8_t>& pair = global(m, "pair").bytes;
  ASSERT_EQ(pair.size(), 24u);
  EXPECT_EQ(pair[0], 1);
  EXPECT_EQ(pair[15], 0x40);  // 2.5
  EXPECT_EQ(pair[20], 3);
}

TEST(Ir, NamesThingsAsTheSourceDoes) {
  const Module m = read();
  const Function& f = scan(m);
  EXPECT_EQ(f.source_name, "scan");
  ASSERT_EQ(f.parameters.size(), 2u);
  EXPECT_EQ(f.parameters[0].name, "data");
  EXPECT_EQ(f.parameters[0].element, "unsigned int");
  ASSERT_EQ(f.shared.size(), 1u);
  const GlobalVariable& s = m.globals[size_t(f.shared[0])];
  EXPECT_EQ(s.source_name, "s");
  EXPECT_EQ(s.element, "unsigned int");
  EXPECT_TRUE(s.bytes.empty());
}

TEST(Ir, LinesOfInlinedCodeAreThoseOfTheFunctionsFile) {
  const Module m = read();
  for (const Instruction& i : scan(m).blocks[0].body) {
    EXPECT_NE(i.at.line, 3u) << "a line of compare.cuh";
    if (i.at.line) EXPECT_EQ(m.files[size_t(i.at.file)], "/home/student/scan.cu");
  }
}

TEST(Ir, LinesAreThePeoplesOwn) {
  const Module m = read();
  for (const Instruction& i : scan(m).blocks[0].body)
    if (i.callee.ends_with("tid.x")) {
      EXPECT_EQ(i.at.line, 6u);  // not 91, where the header has it
      EXPECT_EQ(m.files[size_t(i.at.file)], "/home/student/scan.cu");
      return;
    }
  FAIL() << "the thread's number is not asked for";
}

TEST(Ir, LocalVariablesAreRegistersUnlessTheirAddressIsUsed) {
  const Module m = read();
  int locals = 0, loads = 0, stores = 0;
  for (const BasicBlock& b : scan(m).blocks)
    for (const Instruction& i : b.body) {
      locals += i.op == Opcode::local;
      loads += i.op == Opcode::load;
      stores += i.op == Opcode::store;
    }
  EXPECT_EQ(locals, 1);  // %5, an array
  EXPECT_EQ(loads, 1);   // data[i]
  EXPECT_EQ(stores, 2);  // s[i] and %5[2]
}

TEST(Ir, KnowsItsWays) {
  const Module m = read();
  const std::vector<BasicBlock>& blocks = scan(m).blocks;
  ASSERT_EQ(blocks.size(), 3u);
  const Instruction &branch = blocks[0].body.back(), &choose = blocks[1].body.back();
  EXPECT_EQ(branch.op, Opcode::branch);
  EXPECT_EQ(branch.b, 1);
  EXPECT_EQ(branch.c, 2);
  EXPECT_EQ(choose.op, Opcode::switch_);
  EXPECT_THAT(choose.cases, ElementsAre(std::pair(0u, 1), std::pair(0xffffffffu, 2)));
  ASSERT_EQ(blocks[2].phis.size(), 1u);
  EXPECT_EQ(blocks[2].phis[0].from.size(), 2u);
  EXPECT_EQ(blocks[2].body.front().count, 8);  // the third element of %5
}

/// What is said of a function whose body is that line.
std::string refusal(const std::string& line) {
  try {
    read_module("define void @f(ptr %0) {\n  " + line + "\n  ret void\n}\n");
  } catch (const std::runtime_error& e) { return e.what(); }
  return "";
}

TEST(Ir, SaysWhatItDoesNotKnowAndInWhichLine) {
  for (const char* line :
       {"%2 = load half, ptr 0x", "%2 = atomicrmw add ptr %0, i32 1 someorder", "br label %77",
        "%2 = add i32 1", "%2 = load %struct.None, ptr %0", "%2 = alloca i32, i32 %1, align 4",
        "%2 = getelementptr { i32 }, ptr %0, i32 0, i32 9", "%2 = icmp like i32 1, 2",
        "%2 = load [99999999999 x i32], ptr %0", "%2 = load [8589934592 x [2147483648 x i32]], ptr %0",
        "%2 = alloca [4 x i32], i64 4616189618054758400, align 4"})
    EXPECT_THAT(refusal(line), HasSubstr("line 2 of the device code")) << line;
}

/// What a function whose body is that line does first.
Instruction first_of(const std::string& line) {
  const Module m = read_module("define void @f(ptr %0) {\n  " + line + "\n  ret void\n}\n");
  return m.function("f")->blocks.at(0).body.at(0);
}

TEST(Ir, OffsetsWrapAroundAsAddressesDo) {
  EXPECT_EQ(first_of("%2 = getelementptr i64, ptr %0, i64 4611686018427387905").count, 8);
}

TEST(Ir, ReadsWhatNobodyCanWalkThrough) {
  for (const auto& [line, why] :
       {std::pair("call void asm sideeffect \"setmaxnreg.inc.sync.aligned.u32 24;\", \"\"()", "setmaxnreg"),
        std::pair("%2 = add i128 1, 2", "more than 64 bits"), std::pair("%2 = fadd half 1.0, 2.0", "16 bits"),
        std::pair("%2 = va_arg ptr %0, i32", "va_arg"),
        std::pair("%2 = atomicrmw nand ptr %0, i32 1 monotonic", "atomic")}) {
    const Instruction i = first_of(line);
    EXPECT_EQ(i.op, Opcode::unsupported) << line;
    EXPECT_THAT(i.callee, HasSubstr(why));
  }
}

TEST(Ir, ReadsAtomics) {
  const Instruction add =
      first_of("%2 = atomicrmw volatile umax ptr %0, i32 5 syncscope(\"block\") seq_cst, align 4");
  EXPECT_EQ(add.op, Opcode::atomic_rmw);
  EXPECT_EQ(AtomicRmw(add.what), AtomicRmw::umax);
  EXPECT_EQ(add.ordering, Ordering::both);
  const Instruction cas = first_of("%2 = cmpxchg weak ptr %0, i64 1, i64 2 acq_rel monotonic, align 8");
  EXPECT_EQ(cas.op, Opcode::compare_exchange);
  EXPECT_EQ(cas.bits, 64);
  const Instruction load = first_of("%2 = load atomic i32, ptr %0 acquire, align 4");
  EXPECT_EQ(load.op, Opcode::load);
  EXPECT_EQ(load.ordering, Ordering::acquire);
  EXPECT_EQ(first_of("fence release").op, Opcode::fence);
  EXPECT_TRUE(first_of("store volatile i32 1, ptr %0, align 4").is_volatile);
  const Instruction copy =
      first_of("call void @llvm.memcpy.p0.p0.i64(ptr align 16 %0, ptr %0, i64 16, i1 false)");
  EXPECT_EQ(copy.arguments.at(0).align, 16u);
  EXPECT_EQ(copy.arguments.at(1).align, 1u);
  EXPECT_EQ(first_of("%2 = call noundef nonnull align 4 dereferenceable(4) ptr @f(ptr align 4 %0)").op,
            Opcode::call);
}

// Found by fuzzing: void has no bits to extend.
TEST(Ir, AnIndexIsAnInteger) {
  for (const char* type : {"void", "{}", "double", "ptr", "i128"}) {
    const std::string index = std::string(type) + " zeroinitializer";
    try {
      read_module("@v = global i32 0\n@p = global ptr getelementptr inbounds ({ i32, [4 x i8] }, ptr @v, " +
                  index + ")\n");
      ADD_FAILURE() << index << " was read";
    } catch (const std::runtime_error& e) {
      EXPECT_THAT(e.what(), testing::HasSubstr("an index that is no integer"));
    }
  }
}

// A file may be cut anywhere, and hold anything: it is read or refused.
TEST(Ir, AnyBeginningIsReadOrRefused) {
  for (size_t n = 0; n < kernel.size(); n += 7) {
    std::string text(kernel.substr(0, n));
    for (const char* more : {"", "\n}\n", "("}) try {
        read_module(text + more);
      } catch (const std::runtime_error&) {}
  }
}

/// Blocks that end by going to one of these each.
Function with_targets(const std::vector<std::vector<int>>& targets) {
  Function f;
  for (const auto& to : targets) {
    Instruction end;
    end.op = to.empty() ? Opcode::ret : to.size() == 1 ? Opcode::jump : Opcode::branch;
    if (!to.empty()) end.b = to[0];
    if (to.size() > 1) end.c = to[1];
    f.blocks.push_back({{}, {end}});
  }
  return f;
}

TEST(NaturalLoops, HoldWhatLeadsBackToTheirHeader) {
  // for (...) { if (...) continue; for (...) {} if (...) return; }
  const Function f = with_targets({{1}, {2, 8}, {6, 3}, {4, 5}, {3}, {7, 6}, {1}, {}, {}, {1}});
  const NaturalLoops loops(f);
  ASSERT_EQ(loops.all().size(), 2u);
  std::vector<int> of_block;
  for (size_t b = 0; b < f.blocks.size(); ++b) of_block.push_back(loops.of_block(b));
  EXPECT_THAT(of_block, ElementsAre(-1, 0, 0, 1, 1, 0, 0, -1, -1, -1));  // no way leads to the last block
  EXPECT_EQ(loops.all()[1].around, 0);
  EXPECT_EQ(loops.all()[1].depth, 2);
  EXPECT_TRUE(loops.lies_in(1, 0));
  EXPECT_FALSE(loops.lies_in(0, 1));
  EXPECT_FALSE(loops.lies_in(-1, 0));
}

TEST(NaturalLoops, AreNoneWithoutOneWayIn) {
  const Function f = with_targets({{1, 2}, {2}, {1, 3}, {}});
  EXPECT_TRUE(NaturalLoops(f).all().empty());
  EXPECT_EQ(NaturalLoops(f).of_block(1), -1);
}

}  // namespace
}  // namespace bscope::cuda::ir
