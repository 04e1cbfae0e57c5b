// Inline PTX as it becomes LLVM's own instructions.
#include "engine/cuda/ir/inline_asm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/cuda/ir/ptx.hpp"
#include "engine/cuda/ir/scanner.hpp"

namespace bscope::cuda::ir {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// The lines that an asm becomes, in a kernel with one parameter.
std::vector<std::string> expanded(const std::string& line) {
  const std::vector<std::string_view> body = {line};
  const ExpandedBody all = expand_inline_asm(body, "1", true);
  return {all.lines.begin(), all.lines.end()};
}
std::string joined(const std::string& line) {
  std::string all;
  for (const std::string& l : expanded(line)) all += l + "\n";
  return all;
}

TEST(Ptx, IsReadAsStatements) {
  const auto all = parse_ptx(
      "{ // a comment\n .reg .pred p; .reg .u32 r<2>;\n/* another */ @!p ld.global.v2.u32 {r0, r1}, [$0-8];\n"
      "shfl.sync.up.b32 r0|p, $1, 0x1, 0, -1; }");
  ASSERT_EQ(all.size(), 4u);
  EXPECT_THAT(all[0].words, ElementsAre("reg", "pred"));
  EXPECT_EQ(all[1].operands.at(1).text, "r1");
  EXPECT_EQ(all[2].guard, "p");
  EXPECT_TRUE(all[2].unless);
  EXPECT_EQ(all[2].operands.at(0).parts.size(), 2u);
  EXPECT_EQ(all[2].operands.at(1).offset, -8);
  EXPECT_EQ(all[3].operands.at(0).kind, PtxOperand::pair);
  EXPECT_EQ(all[3].operands.at(4).text, "-1");
}

TEST(Ptx, OfAnotherFormIsRefused) {
  for (const char* text : {"LOOP: add.s32 a, a, 1;", "add.s32 a, [b;", "@", "mov.u32 %, 1;"})
    EXPECT_THROW(parse_ptx(text), Unsupported) << text;
}

TEST(InlineAsm, KeepsItsNameAndItsLine) {
  EXPECT_THAT(
      expanded(
          R"(  %5 = call i32 asm "add.s32 $0, $1, $2;", "=r,r,r"(i32 %3, i32 7) #2, !dbg !9, !srcloc !8)"),
      ElementsAre("  %ptx.0 = add i32 %3, 7, !dbg !9", "  %5 = freeze i32 %ptx.0, !dbg !9"));
}

TEST(InlineAsm, HasSeveralResultsAndOperandsThatAreBoth) {
  const std::string text = joined(
      R"(  %7 = call { i32, i32 } asm sideeffect "mov.b64 {$0, $1}, $2;", "=r,=r,l,~{memory}"(i64 %2), !dbg !4)");
  EXPECT_THAT(text, HasSubstr("%7.ptx.0 = insertvalue { i32, i32 } undef, i32"));
  EXPECT_THAT(text, HasSubstr("%7 = insertvalue { i32, i32 } %7.ptx.0, i32"));
  EXPECT_THAT(joined(R"(  %7 = call i32 asm "add.u32 $0, $0, $1;", "=r,r,0"(i32 %2, i32 %3))"),
              HasSubstr("add i32 %3, %2"));
}

TEST(InlineAsm, UnderAGuardIsABlockOnlyWhereItHasAnEffect) {
  const std::string chosen = joined(
      R"(  %5 = call i32 asm "{ .reg .pred p; setp.lt.s32 p, $1, 3; mov.s32 $0, 1; @p mov.s32 $0, 2; }", "=r,r"(i32 %3))");
  EXPECT_THAT(chosen, HasSubstr("select i1"));
  EXPECT_THAT(chosen, Not(HasSubstr("br i1")));
  const std::string line =
      R"(  call void asm sideeffect "{ .reg .pred p; setp.lt.s32 p, $1, 3; @p st.global.u32 [$0], $1; }", "l,r"(ptr %2, i32 %3))";
  const std::vector<std::string_view> body = {line, "  br label %9"};
  const ExpandedBody all = expand_inline_asm(body, "1", true);
  EXPECT_THAT(all.lines, Contains(HasSubstr("br i1")));
  EXPECT_THAT(all.last_label.at("1"), HasSubstr("ptx.end."));
  EXPECT_EQ(all.lines.back(), "  br label %9");
}

TEST(InlineAsm, OrdersMemoryByFencesOfItsScope) {
  const std::string text = joined(
      R"(  %5 = call i32 asm sideeffect "atom.acq_rel.cta.shared.add.s32 $0, [$1], $2;", "=r,l,r"(ptr %2, i32 %3))");
  const size_t before = text.find("@__bscope_fence_of_release_block"),
               atomic = text.find("@__bscope_atomic_add_i32"),
               behind = text.rfind("@__bscope_fence_of_acquire_block");
  EXPECT_LT(before, atomic);
  EXPECT_LT(atomic, behind);
  const std::string load =
      joined(R"(  %5 = call i32 asm sideeffect "ld.acquire.gpu.b32 $0, [$1];", "=r,l"(ptr %2))");
  EXPECT_LT(load.find("load atomic"), load.find("@__bscope_fence_of_acquire_device"));
  EXPECT_THAT(joined(R"(  %5 = call i32 asm sideeffect "ld.relaxed.gpu.b32 $0, [$1];", "=r,l"(ptr %2))"),
              HasSubstr("load atomic i32, ptr %2 monotonic"));
}

TEST(InlineAsm, ThatIsNotKnownStaysAndIsNamed) {
  for (const auto& [text, named] : std::initializer_list<std::pair<std::string, std::string>>{
           {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 $0, $1;", "mma.sync.aligned.m16n8k8"},
           {"mul.rz.f32 $0, $1, $1;", "mul.rz.f32"},
           {"add.f16 $0, $1, $1;", "add.f16"},
           {"bra AGAIN;", "bra"},
           {"mov.u32 $0, %envreg3;", "%envreg3"},
           {"bar.sync 1, 64;", "bar.sync"}}) {
    const std::string line = "  %5 = call i32 asm \"" + text + "\", \"=r,r\"(i32 %3), !dbg !9";
    EXPECT_THAT(expanded(line), ElementsAre(line)) << text;
    EXPECT_THAT(unsupported_asm_in(line), HasSubstr(named));
  }
}

TEST(InlineAsm, IsNotWhatOnlyLooksLikeIt) {
  EXPECT_FALSE(has_inline_asm("  call void @f(ptr @asm)"));
  EXPECT_FALSE(has_inline_asm("@.str = constant [5 x i8] c\" asm \""));
  EXPECT_TRUE(has_inline_asm("  call void asm sideeffect \"exit;\", \"\"()"));
}

}  // namespace
}  // namespace bscope::cuda::ir
