// The device code of clang 16 to 21: the same kernel, as each version writes it, is read as the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "engine/cuda/ir/module.hpp"
#include "engine/cuda/machine/builtins.hpp"

namespace bscope::cuda::ir {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// What a version of clang writes for what differs. 16 and 19 are copied from what these compilers write for
/// such a kernel. The others are put together from LLVM's release notes and tests, which are named in place.
class ClangText {
 public:
  explicit ClangText(int version) : version_(version) {}

  /// LLVM 19 writes records: llvm-project pull request 89799, docs/RemoveDIsDebugInfo.md.
  std::string declare(const std::string& address, const std::string& variable) const {
    if (version_ >= 19)
      return "    #dbg_declare(ptr " + address + ", " + variable + ", !DIExpression(), !12)";
    return "  call void @llvm.dbg.declare(metadata ptr " + address + ", metadata " + variable +
           ", metadata !DIExpression()), !dbg !12";
  }
  /// Since LLVM 20: clang/test/CodeGenCUDA/ptx-kernels.cu, llvm-project pull request 120806.
  std::string convention() const { return version_ >= 20 ? "ptx_kernel " : ""; }
  /// Since LLVM 19 the result of a register says its range, LangRef "range".
  std::string index() const {
    return version_ >= 19 ? "call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()"
                          : "call i32 @llvm.nvvm.read.ptx.sreg.tid.x()";
  }
  /// Since LLVM 20 clang says that offsets of members do not wrap: llvm-project pull request 105496.
  std::string member() const { return version_ >= 20 ? "inbounds nuw" : "inbounds"; }
  /// Since LLVM 21: llvm/test/Assembler/auto_upgrade_nvvm_intrinsics.ll, NVPTXUsage.
  std::string barrier() const {
    return version_ >= 21 ? "@llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)" : "@llvm.nvvm.barrier0()";
  }
  /// The range is before the brackets since LLVM 19: its release notes, "inrange".
  std::string table() const {
    return version_ >= 19
               ? "getelementptr inbounds inrange(-16, 8) ({ [3 x ptr] }, ptr @_ZTV6Square, i32 0, i32 0, i32 "
                 "2)"
               : "getelementptr inbounds ({ [3 x ptr] }, ptr @_ZTV6Square, i32 0, inrange i32 0, i32 2)";
  }
  /// A constant of an address in an array: of bytes since LLVM 19, where the type of elements means nothing.
  std::string element() const {
    return version_ >= 20   ? "getelementptr inbounds nuw (i8, ptr @table, i64 8)"
           : version_ >= 19 ? "getelementptr inbounds (i8, ptr @table, i64 8)"
                            : "getelementptr inbounds ([3 x i32], ptr @table, i64 0, i64 2)";
  }
  /// Since LLVM 20: llvm-project pull request 112548.
  std::string fours() const { return version_ >= 20 ? "splat (i32 4)" : "<i32 4, i32 4>"; }
  /// nocapture became captures(none) in LLVM 21, whose release notes say so; writable and dead_on_unwind are
  /// in LLVM 18's, initializes in 20's.
  std::string result() const {
    return std::string("ptr ") + (version_ >= 18 ? "dead_on_unwind noalias writable " : "noalias ") +
           "sret(%struct.Pair) align 4 ";
  }
  std::string input() const {
    return version_ >= 21   ? "ptr noundef readonly captures(address, read_provenance) initializes((0, 4)) "
           : version_ == 20 ? "ptr noundef readonly nocapture initializes((0, 4), (8, 12)) "
                            : "ptr noundef readonly nocapture ";
  }
  std::string attributes() const {
    return R"(attributes #0 = { convergent mustprogress noinline norecurse nounwind optnone "frame-pointer"="all")" +
           // clang/test/CodeGenCUDA/launch-bounds.cu of LLVM 21
           std::string(version_ >= 21 ? R"( "nvvm.maxntid"="128" "nvvm.minctasm"="2")" : "") +
           " \"target-cpu\"=\"sm_70\" }\nattributes #1 = { nounwind }\n";
  }
  std::string notes() const {
    std::string all;
    if (version_ < 20) all += "!31 = !{ptr @_Z4scan4PairPi, !\"kernel\", i32 1}\n";
    // llvm-project pull request 127736
    if (version_ < 21) all += "!32 = !{ptr @_Z4scan4PairPi, !\"maxntidx\", i32 128}\n";
    // clang/test/CodeGenCUDA/grid-constant.cu of LLVM 20
    if (version_ >= 20) all += "!33 = !{ptr @_Z4scan4PairPi, !\"grid_constant\", !34}\n!34 = !{i32 1}\n";
    return all;
  }
  /// Since LLVM 21 a location may name its group, LLVM's docs/KeyInstructionsDebugInfo.md.
  std::string group() const { return version_ >= 21 ? ", atomGroup: 1, atomRank: 2" : ""; }

  std::string text() const {
    return R"(source_filename = "scan.cu"
target triple = "nvptx64-nvidia-cuda"
%struct.Pair = type { i32, i32 }

@_ZTV6Square = linkonce_odr dso_local unnamed_addr constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr null, ptr @_Z4made4Pair] }, comdat, align 8
@table = addrspace(4) constant [3 x i32] [i32 7, i32 -1, i32 9], align 4
@third = addrspace(1) global ptr )" +
           element() + R"(, align 8
@fours = addrspace(1) global <2 x i32> )" +
           fours() + R"(, align 8

define dso_local )" +
           convention() + R"(void @_Z4scan4PairPi(ptr noundef byval(%struct.Pair) align 4 %0, )" + input() +
           R"(%1) #0 !dbg !2 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca <2 x i32>, align 8
  %7 = alloca %struct.Pair, align 4
)" + declare("%0", "!9") +
           R"(
  store ptr %1, ptr %3, align 8
)" + declare("%3", "!10") +
           "\n" + declare("%4", "!11") + R"(
  %8 = )" + index() +
           R"(, !dbg !13
  store i32 %8, ptr %4, align 4, !dbg !12
  store ptr )" +
           table() + R"(, ptr %5, align 8, !dbg !13
  store <2 x i32> )" +
           fours() + R"(, ptr %6, align 8, !dbg !13
  %9 = getelementptr )" +
           member() + R"( %struct.Pair, ptr %0, i32 0, i32 1, !dbg !13
  %10 = load i32, ptr %9, align 4, !dbg !13
  call void )" +
           barrier() + R"( #2, !dbg !13
  %11 = load ptr, ptr %3, align 8, !dbg !13
  %12 = call i32 asm sideeffect "mov.u32 $0, %laneid;", "=r"() #3, !dbg !13, !srcloc !14
  %13 = add nsw i32 %10, %12, !dbg !13
  store i32 %13, ptr %11, align 4, !dbg !13
  call void @_Z4made4Pair()" +
           result() + R"(%7, i32 noundef %13, <2 x i32> noundef )" + fours() + R"() #3, !dbg !13
  ret void, !dbg !13
}

define linkonce_odr dso_local void @_Z4made4Pair()" +
           result() + R"(%0, i32 noundef %1, <2 x i32> noundef %2) #1 comdat align 2 !dbg !3 {
  store i32 %1, ptr %0, align 4, !dbg !13
  ret void, !dbg !13
}

declare void @llvm.nvvm.barrier0() #2
)" + attributes() +
           R"(
!1 = !DIFile(filename: "scan.cu", directory: "/home/student")
!2 = distinct !DISubprogram(name: "scan", linkageName: "_Z4scan4PairPi", scope: !1, file: !1, line: 5)
!3 = distinct !DISubprogram(name: "made", linkageName: "_Z4made4Pair", scope: !1, file: !1, line: 2)
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !5, size: 64)
!9 = !DILocalVariable(name: "pair", arg: 1, scope: !2, file: !1, line: 5, type: !5)
!10 = !DILocalVariable(name: "out", arg: 2, scope: !2, file: !1, line: 5, type: !6)
!11 = !DILocalVariable(name: "i", scope: !2, file: !1, line: 6, type: !5)
!12 = !DILocation(line: 6, column: 3, scope: !2)" +
           group() + R"()
!13 = !DILocation(line: 7, column: 3, scope: !2)" +
           group() + ")\n" + notes();
  }

 private:
  int version_;
};

/// All that is read of a function. An intrinsic counts as the machine's function for it, a constant as its
/// bits: versions differ in their names and arguments.
std::string described(const Function& f) {
  std::ostringstream s;
  const auto operand = [&](Operand o) {
    return o >= 0 ? "%" + std::to_string(o) : std::to_string(f.constants.at(size_t(~o)));
  };
  s << f.name << ' ' << f.source_name << ' ' << f.at.line << ' ' << f.launch_bound << ' ' << f.registers;
  for (const FunctionParameter& p : f.parameters)
    s << "\nparameter " << int(p.type->kind) << ' ' << (p.by_value ? p.by_value->size : 0) << ' ' << p.name
      << ' ' << p.element;
  for (const auto& [at, v] : f.variables) s << "\nvariable " << at << ' ' << v.name << ' ' << v.line;
  for (const BasicBlock& b : f.blocks) {
    s << "\nblock";
    for (const Instruction& i : b.body) {
      s << "\n " << int(i.op) << ' ' << int(i.what) << ' ' << int(i.bits) << ' ' << int(i.from) << ' '
        << i.no_overflow << ' ' << i.to << ' ' << operand(i.a) << ' ' << operand(i.b) << ' ' << operand(i.c)
        << ' ' << i.count << " line " << i.at.line;
      if (const Builtin known = Builtins::all().find(i.callee); known.run) {
        s << " builtin " << reinterpret_cast<uintptr_t>(known.run);
      } else {
        s << ' ' << i.callee;
        for (const Instruction::Argument& argument : i.arguments)
          s << ' ' << operand(argument.value) << '/' << argument.align;
      }
    }
  }
  return s.str();
}
std::string described(const Module& m) {
  std::ostringstream s;
  for (const GlobalVariable& g : m.globals) {
    s << g.name << ' ' << g.space << ' ' << g.address << ':';
    for (const uint8_t byte : g.bytes) s << ' ' << int(byte);
    s << '\n';
  }
  for (const auto& [name, f] : m.functions) s << described(*f) << "\n\n";
  return s.str();
}

class IrOfClang : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Versions, IrOfClang, testing::Values(16, 17, 18, 19, 20, 21));

TEST_P(IrOfClang, IsReadAlike) {
  const std::string of_16 = described(read_module(ClangText(16).text()));
  EXPECT_EQ(described(read_module(ClangText(GetParam()).text())), of_16);
}

TEST_P(IrOfClang, SaysWhatTheSourceSays) {
  const Module m = read_module(ClangText(GetParam()).text());
  const Function& f = *m.function("_Z4scan4PairPi");
  EXPECT_EQ(f.launch_bound, 128u);
  EXPECT_EQ(m.function("_Z4made4Pair")->launch_bound, 0u);
  std::vector<std::string> names;
  for (const auto& [at, v] : f.variables) names.push_back(v.name);
  EXPECT_THAT(names, testing::UnorderedElementsAre("pair", "out", "i"));
  EXPECT_EQ(f.parameters[1].name, "out");
  EXPECT_EQ(f.parameters[0].by_value->size, 8u);
  for (const Instruction& i : f.blocks[0].body) EXPECT_NE(i.op, Opcode::unsupported) << i.callee;
  const auto global = [&](std::string_view name) {
    return *std::ranges::find(m.globals, name, &GlobalVariable::name);
  };
  EXPECT_THAT(global("fours").bytes, ElementsAre(4, 0, 0, 0, 4, 0, 0, 0));
  uint64_t third = 0;
  std::ranges::copy(global("third").bytes, reinterpret_cast<uint8_t*>(&third));
  EXPECT_EQ(third, global("table").address + 8);
}

/// PTX's exit ends a thread in a kernel, and nothing that can be read in a function.
TEST_P(IrOfClang, KnowsItsKernels) {
  std::string text = ClangText(GetParam()).text();
  text.replace(text.find("mov.u32"), 0, "exit; ");
  const auto unsupported = [](const Module& m, std::string_view name) {
    const auto is_unsupported = [](const Instruction& i) { return i.op == Opcode::unsupported; };
    return std::ranges::any_of(m.function(name)->blocks, [&](const BasicBlock& b) {
      return std::ranges::any_of(b.body, is_unsupported);
    });
  };
  EXPECT_FALSE(unsupported(read_module(text), "_Z4scan4PairPi"));
  EXPECT_TRUE(unsupported(
      read_module("define void @f() {\n  call void asm sideeffect \"exit;\", \"\"()\n  ret void\n}\n"), "f"));
}

/// What a function whose body is that line does first. Its types are gone with the module.
Instruction first_of(const std::string& line) {
  const Module m = read_module("define void @f(ptr %0) {\n  " + line + "\n  ret void\n}\n");
  return m.function("f")->blocks.at(0).body.at(0);
}

// ---- single lines, by the version that has them first

/// LLVM 17: clang's isnan and its like, clang/test/CodeGen/isfpclass.c.
TEST(IrVersions, ClassesOfNumbersAreRows) {
  const Instruction i = first_of("%2 = call i1 @llvm.is.fpclass.f32(float 1.0, i32 3) #4");
  EXPECT_EQ(i.op, Opcode::compute);
  EXPECT_EQ(ComputeOp(i.what), ComputeOp::is_fpclass);
  EXPECT_EQ(i.from, 32);
  EXPECT_EQ(i.bits, 1);
}

/// LLVM 18: LangRef of 18, "disjoint" and "nneg"; 19: "nuw" and "nsw" of trunc, "nneg" of uitofp; 20:
/// "samesign", "nusw", release notes of each.
TEST(IrVersions, FlagsDoNotChangeWhatIsComputed) {
  for (const auto& [line, what] :
       {std::pair("%2 = or disjoint i32 1, 2", ComputeOp::bit_or),
        std::pair("%2 = zext nneg i32 1 to i64", ComputeOp::zext),
        std::pair("%2 = uitofp nneg i32 1 to float", ComputeOp::uitofp),
        std::pair("%2 = trunc nuw nsw i32 1 to i8", ComputeOp::trunc),
        std::pair("%2 = trunc nuw i8 1 to i1", ComputeOp::trunc),
        std::pair("%2 = icmp samesign ult i32 1, 2", ComputeOp::icmp_ult),
        std::pair("%2 = fcmp nnan olt float 1.0, 2.0", ComputeOp::fcmp_olt),
        std::pair("%2 = fptrunc nnan ninf double 1.0 to float", ComputeOp::fptrunc)}) {
    const Instruction i = first_of(line);
    EXPECT_EQ(i.op, Opcode::compute) << line;
    EXPECT_EQ(ComputeOp(i.what), what) << line;
  }
  for (const char* flags : {"inbounds", "inbounds nuw", "nusw nuw", "nuw", "nusw"})
    EXPECT_EQ(first_of("%2 = getelementptr " + std::string(flags) + " i8, ptr %0, i64 12").count, 12)
        << flags;
}

/// Only nsw is what C++ says of signed arithmetic.
TEST(IrVersions, OnlySignedOverflowIsNoted) {
  EXPECT_TRUE(first_of("%2 = add nuw nsw i32 1, 2").no_overflow);
  EXPECT_FALSE(first_of("%2 = add nuw i32 1, 2").no_overflow);
}

/// LLVM 19 to 21, LangRef, "Debug Records": what only debuggers need is not read.
TEST(IrVersions, RecordsAreNoInstructions) {
  for (const char* record :
       {"  #dbg_value(i32 0, !8, !DIExpression(), !12)",
        "  #dbg_value(!DIArgList(i32 0, ptr %0), !8, !DIExpression(DW_OP_LLVM_arg, 0), !12)",
        "  #dbg_label(!8, !12)", "  #dbg_declare(ptr poison, !8, !DIExpression(), !12)",
        "  #dbg_declare(ptr %unknown, !8, !DIExpression(), !12)", "  #dbg_declare(",
        "  #dbg_assign(i1 poison, !8, !DIExpression(), !9, ptr %0, !DIExpression(), !12)"})
    EXPECT_EQ(first_of(record).op, Opcode::ret) << record;
}

/// A record does not make a variable need memory.
TEST(IrVersions, RecordsLeaveVariablesInRegisters) {
  const std::string body = R"(define void @f(i32 %0) {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
    #dbg_declare(ptr %2, !8, !DIExpression(), !12)
    #dbg_assign(i1 poison, !8, !DIExpression(), !9, ptr %2, !DIExpression(), !12)
  %3 = load i32, ptr %2, align 4
  ret void
}
)";
  const Module m = read_module(body);
  for (const Instruction& i : m.function("f")->blocks[0].body) EXPECT_NE(i.op, Opcode::local);
}

/// Attributes of LLVM 17 (nofpclass), 18 (writable), 19 (range), 20 (initializes) and 21 (captures), as
/// LangRef has them, and one of 22 in quotes (llvm-project pull request 155489).
TEST(IrVersions, AttributesInBracketsArePassed) {
  for (const char* attribute :
       {"nofpclass(nan inf)", "range(i64 0, 1024)", "writable dead_on_unwind", "captures(none)",
        "captures(ret: address, provenance)", "initializes((0, 4), (-8, 0))", "dead_on_return",
        "\"nvvm.grid_constant\"", "\"a\"=\"b(\"", "align 8 dereferenceable(8)", "noundef nonnull noalias"}) {
    const Instruction i = first_of("%2 = call " + std::string(attribute[0] == '"' ? "noundef" : attribute) +
                                   " ptr @g(ptr " + attribute + " %0, i32 noundef 5)");
    ASSERT_EQ(i.arguments.size(), 2u) << attribute;
    EXPECT_EQ(i.arguments[0].value, 0) << attribute;
  }
  const Module m = read_module(
      "define void @f(ptr noundef captures(none) initializes((0, 4)) \"x\" %p, i32 %n) {\nret void\n}\n");
  EXPECT_EQ(m.function("f")->parameters.size(), 2u);
}

/// LLVM 20, llvm-project pull request 112548.
TEST(IrVersions, SplatsAreVectors) {
  const Module m = read_module(
      "@a = global <4 x i16> splat (i16 -2)\n@b = global <2 x float> splat (float 1.5)\n"
      "@c = global { i8, <2 x i8> } { i8 1, <2 x i8> splat (i8 3) }\n");
  EXPECT_THAT(m.globals[0].bytes, ElementsAre(254, 255, 254, 255, 254, 255, 254, 255));
  EXPECT_THAT(m.globals[1].bytes, ElementsAre(0, 0, 0xc0, 0x3f, 0, 0, 0xc0, 0x3f));
  EXPECT_THAT(m.globals[2].bytes, ElementsAre(1, 0, 3, 3));
  const Module call =
      read_module("define void @f() {\n  call void @g(<2 x i32> noundef splat (i32 7))\n  ret void\n}\n");
  EXPECT_EQ(call.function("f")->blocks.at(0).body.at(0).arguments.at(0).type->slots, 2u);
  for (const char* wrong :
       {"@a = global i32 splat (i32 1)", "@a = global <2 x i32> splat", "@a = global <2 x i32> splat (i32 1",
        "@a = global <99999999 x i32> splat ({ i32, i32 } zeroinitializer)"})
    EXPECT_THROW(read_module(wrong), std::runtime_error) << wrong;
}

/// LLVM 19, llvm/test/Assembler/inrange-errors.ll and ConstantExprGEPNoWrapFlags.
TEST(IrVersions, ConstantAddressesHaveFlags) {
  for (const char* flags :
       {"", "inbounds ", "inbounds nuw ", "nusw ", "nuw ", "nusw inrange(0, 4) ", "inrange(-8, 16) "}) {
    const Module m = read_module("@v = global [4 x i32] zeroinitializer\n@p = global ptr getelementptr " +
                                 std::string(flags) + "(i8, ptr @v, i64 4)\n");
    uint64_t address = 0;
    std::ranges::copy(m.globals[1].bytes, reinterpret_cast<uint8_t*>(&address));
    EXPECT_EQ(address, m.globals[0].address + 4) << flags;
  }
}

/// LLVM 20: usub_cond, usub_sat; 21: fmaximum, fminimum (LangRef, "atomicrmw"). No CUDA function is one of
/// them.
TEST(IrVersions, AtomicsHaveScopesAndNewOperations) {
  for (const auto& [name, what] :
       {std::pair("uinc_wrap", AtomicRmw::inc_wrap), std::pair("udec_wrap", AtomicRmw::dec_wrap)}) {
    const Instruction i =
        first_of("%2 = atomicrmw " + std::string(name) +
                 " ptr %0, i32 5 syncscope(\"block\") monotonic, align 4, !noalias.addrspace !3");
    EXPECT_EQ(AtomicRmw(i.what), what);
    EXPECT_EQ(i.ordering, Ordering::relaxed);
  }
  for (const char* name : {"usub_cond", "usub_sat", "fmaximum", "fminimum"}) {
    const Instruction i = first_of("%2 = atomicrmw " + std::string(name) + " ptr %0, i32 5 seq_cst, align 4");
    EXPECT_EQ(i.op, Opcode::unsupported);
    EXPECT_THAT(i.callee, HasSubstr("CUDA does not have"));
  }
  EXPECT_EQ(first_of("fence syncscope(\"device\") acq_rel").ordering, Ordering::both);
  EXPECT_EQ(first_of("%2 = load atomic i32, ptr %0 syncscope(\"cluster\") acquire, align 4").ordering,
            Ordering::acquire);
}

/// LLVM 21, NVPTXUsage, "nvvm.maxntid": up to three extents.
TEST(IrVersions, BoundsHaveUpToThreeExtents) {
  const auto bound = [](const std::string& extents, const std::string& group = "#7") {
    const Module m =
        read_module("define ptx_kernel void @k(ptr \"#1\" %0) local_unnamed_addr " + group +
                    " section \"#8\" comdat !dbg !2 {\n  ret void\n}\nattributes #7 = { nounwind "
                    "\"nvvm.maxntid\"=\"" +
                    extents + "\" }\nattributes #8 = { \"nvvm.maxntid\"=\"3\" }\n");
    return m.function("k")->launch_bound;
  };
  EXPECT_EQ(bound("256"), 256u);
  EXPECT_EQ(bound("16,16"), 256u);
  EXPECT_EQ(bound("8,8,4"), 256u);
  EXPECT_EQ(bound("many"), 0u);
  EXPECT_EQ(bound("256", "#6"), 0u);
}

/// LLVM 19 (tan and its like), 20 (atan2, minimumnum), 21 (barriers): what C functions and builtins become.
TEST(IrVersions, TheMachineKnowsNewNames) {
  for (const char* name : {"llvm.tan.f32", "llvm.sinh.f64", "llvm.acos.f32", "llvm.exp10.f32",
                           "llvm.atan2.f64", "llvm.minimumnum.f32", "llvm.maximumnum.f64",
                           "llvm.stacksave.p0", "llvm.nvvm.barrier.cta.sync.aligned.all",
                           "llvm.nvvm.barrier.cta.sync.all", "llvm.nvvm.barrier.cta.red.popc.aligned.all"})
    EXPECT_NE(Builtins::all().find(name).run, nullptr) << name;
}

// A file may be cut anywhere: it is read or refused.
TEST_P(IrOfClang, AnyBeginningIsReadOrRefused) {
  const std::string text = ClangText(GetParam()).text();
  for (size_t n = 0; n < text.size(); n += 41) try {
      read_module(text.substr(0, n));
      read_module(text.substr(0, n) + "\n}\n");
    } catch (const std::runtime_error&) {}
}

}  // namespace
}  // namespace bscope::cuda::ir
