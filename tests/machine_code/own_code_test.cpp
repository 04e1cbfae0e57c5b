// Parsing what NVIDIA's tools print of a user's program: tests/machine_code/own holds a program, and what
// nvcc 13.0 and nvdisasm 13.5 said of it.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "engine/machine_code/launched_code.hpp"
#include "engine/machine_code/listing.hpp"
#include "engine/machine_code/occupancy.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/trace.hpp"
#include "tests/places.hpp"

namespace bscope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::string sample(const std::string& name) {
  return read_file(std::string(BARRIERSCOPE_ROOT) + "/tests/machine_code/own/" + name, 1 << 20);
}
int line_of(const std::string& words) {
  const std::string text = sample("own.cu");
  return 1 + int(std::count(text.begin(), text.begin() + ptrdiff_t(text.find(words)), '\n'));
}

TEST(Listing, IsReadAsTheCatalogsToolReadsIt) {
  const Listing l = read_listing(sample("listing.txt"));
  EXPECT_EQ(l.architecture, "sm_90");
  std::string all;
  for (const ListedCode& f : l.functions) {
    EXPECT_EQ(f.file, "/home/x/kernels/own/own.cu") << f.symbol;
    all += f.symbol + "\n";
    for (const MachineInstruction& i : f.instructions) all += std::to_string(i.line) + " " + i.text + "\n";
  }
  EXPECT_EQ(all, sample("lines.txt")) << "written by tools/machine_code.py";
}

TEST(Listing, AnInstructionBelongsToTheLineOfTheFileThatCallsForIt) {
  const Listing l = read_listing(sample("listing.txt"));
  const auto mirror = std::ranges::find(l.functions, "_Z6mirrorIfLi32EEvPKT_PS0_", &ListedCode::symbol);
  ASSERT_NE(mirror, l.functions.end());
  const auto line = [&](const std::string& text) {
    const auto it =
        std::ranges::find_if(mirror->instructions, [&](const auto& i) { return i.text.starts_with(text); });
    return it == mirror->instructions.end() ? -1 : it->line;
  };
  EXPECT_EQ(line("FFMA"), line_of("out[i] = scaled")) << "of a header";
  EXPECT_EQ(line("IMAD R2,R11,R11"), line_of("return x * x")) << "of the same file: the innermost line";
  EXPECT_EQ(line("BAR.SYNC"), line_of("__syncthreads"));
  EXPECT_EQ(mirror->instructions.back().text, "EXIT") << "what fills the end is left out";
  int address = 0;
  for (const MachineInstruction& i : mirror->instructions) {
    EXPECT_EQ(i.address, address);
    address += 16;
  }
}

TEST(Listing, IsNotTrusted) {
  for (const char* none : {"", "\n\n", "no listing", "//-----", "//----- .text.", "/*0000*/ EXIT ;"})
    EXPECT_THAT(read_listing(none).functions,
                testing::Each(testing::Field(&ListedCode::instructions, IsEmpty())))
        << none;
  const std::string odd =
      "//----- .text.k ----\n\t//## File \"a.cu\n\t//## File \"a.cu\", line 99999999999\n/*zz*/ EXIT ;\n"
      "/*0000*/ BRA `(.L_x_9) ;\n/*0010*/ BRA `( ;\n/*0020*/ LDG R1, desc[UR4 ;\n/*0030*/\n/*0040*/ ;\n.L "
      "1:\n";
  const Listing l = read_listing(odd);
  ASSERT_THAT(l.functions, SizeIs(1));
  std::vector<std::string> all;
  for (const auto& i : l.functions[0].instructions) all.push_back(i.text);
  EXPECT_THAT(all, ElementsAre("BRA .L_x_9", "BRA `(", "LDG R1,desc[UR4", ""));
}

TEST(Needs, AreWhatPtxasSays) {
  const auto needs = read_needs(sample("said.txt"));
  ASSERT_THAT(needs, SizeIs(4)) << "a device function is no kernel";
  EXPECT_EQ(needs.at("_Z6mirrorIiLi64EEvPKT_PS0_"), (KernelNeeds{12, 0, 0, 256}));
  EXPECT_EQ(needs.at("_Z5partsPjj").registers, 10);
  const auto spills = read_needs(
      "a.cu(3): warning #177-D: variable \"x\" was declared but never referenced\n"
      "ptxas info    : Compiling entry function 'k' for 'sm_80'\n"
      "ptxas info    : Function properties for k\n"
      "    256 bytes stack frame, 20 bytes spill stores, 24 bytes spill loads\n"
      "ptxas info    : Used 255 registers, used 0 barriers, 264 bytes cumulative stack size, 364 bytes "
      "cmem[0]\n"
      "ptxas info    : Function properties for helper\n"
      "    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n");
  EXPECT_EQ(spills.at("k"), (KernelNeeds{255, 264, 0, 0}));
  EXPECT_THAT(read_needs("ptxas info : Used 8 registers\n : Compiling entry function '"), SizeIs(1));
}

// As nvcc 13.0 says it of two files with a kernel of their own each, one of which calls the other's function.
TEST(Needs, OfLinkedCodeAreWhatNvlinkSays) {
  const std::string by_ptxas =
      "ptxas info    : Compiling entry function '_Z3dynPi' for 'sm_90'\n"
      "ptxas info    : Function properties for _Z3dynPi\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 24 registers, used 1 barriers, 1200 bytes smem\n"
      "ptxas info    : Function properties for _Z5twicei\n"
      "    280 bytes stack frame, 16 bytes spill stores, 16 bytes spill loads\n";
  const std::string by_nvlink =
      "nvlink info    : 0 bytes gmem\n"
      "nvlink info    : Function properties for '_Z3dynPi':\n"
      "nvlink info    : used 126 registers, used 1 barriers, 280 stack, 2224 bytes smem, 536 bytes cmem[0], "
      "0 bytes lmem\n";
  EXPECT_EQ(read_needs(by_ptxas + by_nvlink).at("_Z3dynPi"), (KernelNeeds{126, 280, 0, 1200}))
      << "1 KB is the system's";
  const std::string sm_80 = "ptxas info    : Compiling entry function '_Z3dynPi' for 'sm_80'\n";
  EXPECT_EQ(read_needs(sm_80 + by_nvlink).at("_Z3dynPi").shared, 2224u);
}

// Left clang's, right nvcc's, as both were seen to say it.
TEST(Symbols, AreAlikeWhereTheKernelIs) {
  for (const auto& [clangs, nvccs] : std::initializer_list<std::pair<const char*, const char*>>{
           {"_Z6mirrorIiLi64EEvPKT_PS0_", "_Z6mirrorIiLi64EEvPKT_PS0_"},
           {"_ZL5partsPjj", "_Z5partsPjj"},
           {"_ZN12_GLOBAL__N_17doubledEPi", "_ZN38_GLOBAL__N__b766f216_6_own_cu_db8c358a7doubledEPi"},
           {"_ZN2nsL5stat2EPi", "_ZN2ns5stat2EPi"},
           {"_Z6withopIN12_GLOBAL__N_13AddEEvPiT_",
            "_Z6withopIN36_GLOBAL__N__5e441065_4_b_cu_36f9e7583AddEEvPiT_"},
           {"_Z6byenumIL4Kind1EEvPi", "_Z6byenumIL4Kind1EEvPi"},
           {"_Z1kILi4EN12_GLOBAL__N_13AddEEvT0_",
            "_Z1kILi4EN36_GLOBAL__N__5e441065_4_b_cu_36f9e7583AddEEvT0_"},
           {"_ZL3setPi", "__nv_static_21__1d49a393_4_b_cu_bias__Z3setPi"},
           {"_ZN12_GLOBAL__N_13setEPi",
            "__nv_static_25__a5f5c4f6_4_c_cu_077d38ea__ZN36_GLOBAL__N__a5f5c4f6_4_c_cu_077d38ea3setEPi"},
           {"plain", "plain"}})
    EXPECT_EQ(symbol_alike(clangs), symbol_alike(nvccs)) << clangs;
  EXPECT_NE(symbol_alike("_Z6mirrorIiLi64EEvPKT_PS0_"), symbol_alike("_Z6mirrorIiLi32EEvPKT_PS0_"));
  EXPECT_NE(symbol_alike("_Z6byenumIL4Kind1EEvPi"), symbol_alike("_Z6byenumIL4Kind2EEvPi"));
  for (const char* odd :
       {"", "_Z", "99999999999999999999x", "L", "L9", "__nv_static_", "__nv_static_9", "__nv_static_1_",
        "__nv_static_2_x_", "__nv_static_99999999999_a_b", "S", "_ZL", "3ab"})
    EXPECT_LE(symbol_alike(odd).size(), std::string(odd).size()) << odd;
}

TEST(ProgramMachineCode, EachLaunchFindsItsKernel) {
  ProgramMachineCode made;
  made.add(sample("listing.txt"), sample("said.txt"), "13.0.88");
  EXPECT_THAT(made.kernels, SizeIs(4));
  Trace t;
  t.dialect = Dialect::cuda;
  t.sources = {{"own.cu", sample("own.cu")}};
  for (const char* name : {"mirror<int, 64>", "mirror<float, 32>", "doubled", "parts"})
    t.launches.emplace_back().name = name;
  for (Launch& l : t.launches) l.block = 64;
  const auto found = launched_code(t, 0, made, {"_Z6mirrorIiLi64EEvPKT_PS0_", 0});
  ASSERT_TRUE(found.code);
  EXPECT_EQ(found.code->kernel, "mirror<int, 64>");
  EXPECT_EQ(found.code->source, "own.cu");
  EXPECT_EQ(found.code->nvcc, "13.0.88");
  EXPECT_EQ(found.code->architecture, "sm_90");
  EXPECT_EQ(found.shared_bytes, 256u);
  EXPECT_EQ(found.occupancy.blocks, 32);
  const auto doubled = launched_code(t, 2, made, {"_ZN12_GLOBAL__N_17doubledEPi", 96 << 10});
  ASSERT_TRUE(doubled.code);
  EXPECT_EQ(doubled.shared_bytes, 96u << 10) << "what the launch asks for";
  EXPECT_EQ(doubled.occupancy.limit(), Occupancy::by_shared);
  EXPECT_TRUE(launched_code(t, 3, made, {}).code) << "the only one of its name";
  t.launches.emplace_back().name = "arts";
  EXPECT_EQ(launched_code(t, 4, made, {}).why, LaunchedCode::no_such_kernel);
  EXPECT_EQ(launched_code(t, 1, made, {}).why, LaunchedCode::no_such_kernel) << "there are two";
  EXPECT_EQ(launched_code(t, 9, made, {}).why, LaunchedCode::no_such_kernel);
  t.launches[0].name = "another";
  EXPECT_EQ(launched_code(t, 0, made, {"_Z7anotherv", 0}).why, LaunchedCode::no_such_kernel);
}

TEST(ProgramMachineCode, KernelsOfOneNameAreToldApartByTheirFile) {
  const auto listing = [](const std::string& symbol, const std::string& file, const std::string& text) {
    return "\t.target\tsm_90\n//----- .text." + symbol + " -----\n\t//## File \"" + file +
           "\", line 2\n/*0000*/ " + text + " ;\n";
  };
  const std::string needs = "ptxas info : Compiling entry function '_Z3setPi' for 'sm_90'\n";
  ProgramMachineCode made;
  made.add(listing("_Z3setPi", "/home/x/a.cu", "IADD3"), needs, "13.0.88");
  made.add(listing("_Z3setPi", "/home/x/b.cu", "IMAD"), needs, "13.0.88");
  made.add(listing("_Z3setPi", "/home/x/b.cu", "IMAD"), needs, "13.0.88");
  EXPECT_THAT(made.kernels, SizeIs(2)) << "what stands in one place is one kernel";
  Trace t;
  t.dialect = Dialect::cuda;
  t.sources = {{"/home/x/a.cu", ""}, {"/home/y/../x/b.cu", ""}, {"/home/x/c.cu", ""}};
  for (const int source : {0, 1, 2, -1}) {
    Launch& l = t.launches.emplace_back();
    l.name = "set", l.block = 32, l.source = source;
  }
  const auto text = [&](size_t launch) -> std::string {
    const auto found = launched_code(t, launch, made, {"_ZL3setPi", 0});
    return found.code ? found.code->instructions.at(0).text : "";
  };
  EXPECT_EQ(text(0), "IADD3");
  EXPECT_EQ(text(1), "IMAD");
  EXPECT_EQ(text(2), "") << "nobody knows which";
  EXPECT_EQ(text(3), "");
}

TEST(Multiprocessors, AreThoseOfTheArchitecture) {
  const auto blocks = [](const char* architecture, int threads, uint32_t shared) {
    return occupancy(threads, 32, shared, multiprocessor_of(architecture).value()).blocks;
  };
  EXPECT_EQ(blocks("sm_90", 256, 0), 8);
  EXPECT_EQ(blocks("sm_90a", 256, 0), 8);
  EXPECT_EQ(blocks("sm_86", 256, 0), 6) << "48 warps";
  EXPECT_EQ(blocks("sm_75", 32, 0), 16);
  EXPECT_EQ(blocks("sm_75", 32, 32 << 10), 2) << "the system takes nothing of it";
  EXPECT_EQ(blocks("sm_80", 32, 32 << 10), 4) << "164 KB, 33 a block";
  EXPECT_EQ(blocks("sm_120", 32, 0), 24);
  for (const char* none : {"", "sm_", "sm_35", "compute_90", "sm_900"})
    EXPECT_FALSE(multiprocessor_of(none)) << none;
}

}  // namespace
}  // namespace bscope
