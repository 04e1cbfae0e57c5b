// What build files say of their programs: texts of the kinds that courses use, and texts of any kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/cuda/toolchain/project/build_line.hpp"
#include "engine/cuda/toolchain/project/nvcc_step.hpp"
#include "engine/cuda/toolchain/project/project.hpp"
#include "engine/cuda/toolchain/project/shell_line.hpp"
#include "engine/trace/error.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Words = std::vector<std::string>;

constexpr const char* with_main = "__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n";
constexpr const char* without_main = "__device__ int f() { return 1; }\n";

class ProjectTest : public testing::Test {
 protected:
  ProjectTest() {
    std::string name = (fs::temp_directory_path() / "projects-XXXXXX").string();
    folder = fs::canonical(::mkdtemp(name.data()));
  }
  ~ProjectTest() override { fs::remove_all(folder); }

  void file(const std::string& name, const std::string& text) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
  }
  void sources(const Words& names) const {
    for (const std::string& n : names) file(n, n.find("main") != n.npos ? with_main : without_main);
  }
  std::string relative(const std::string& path) const {
    return fs::path(path).lexically_relative(folder).string();
  }
  Words relative(Words all) const {
    for (std::string& one : all) one = relative(one);
    return all;
  }
  Project read(const std::string& name, const std::string& text) const {
    file(name, text);
    return read_project(folder / name);
  }
  ProjectProgram only(const std::string& name, const std::string& text) const {
    const Project p = read(name, text);
    EXPECT_THAT(p.programs, SizeIs(1)) << text;
    return p.programs.empty() ? ProjectProgram{} : p.programs.front();
  }
  fs::path folder;
};

// ---- command lines

TEST(BuildLine, ReadsNvccsOptionsInEveryForm) {
  const BuildLine b = build_line({"-Iinc",
                                  "-I",
                                  "more",
                                  "--include-path=third,fourth",
                                  "-DN=4",
                                  "-D",
                                  "M",
                                  "-DX",
                                  "-UX",
                                  "-std=c++17",
                                  "-gencode",
                                  "arch=compute_60,code=sm_60",
                                  "-gencode=arch=compute_86,code=[sm_86,compute_86]",
                                  "-lineinfo",
                                  "-O3",
                                  "-Xcompiler",
                                  "-Wall,-DHOST",
                                  "-x",
                                  "cu",
                                  "a.cpp",
                                  "b.o",
                                  "-lm",
                                  "-L../lib",
                                  "-o",
                                  "bin/app"},
                                 "/p");
  EXPECT_THAT(b.includes, ElementsAre("/p/inc", "/p/more", "/p/third", "/p/fourth"));
  EXPECT_THAT(b.defines, ElementsAre("N=4", "M", "HOST"));
  EXPECT_EQ(b.standard, "c++17");
  EXPECT_EQ(b.architecture, "sm_86");
  EXPECT_THAT(b.sources, ElementsAre("/p/a.cpp"));
  EXPECT_THAT(b.cuda, ElementsAre("/p/a.cpp"));
  EXPECT_THAT(b.objects, ElementsAre("/p/b.o"));
  EXPECT_THAT(b.libraries, ElementsAre("m"));
  EXPECT_THAT(b.library_folders, ElementsAre("/lib"));
  EXPECT_EQ(b.output, "/p/bin/app");
  EXPECT_EQ(b.makes, Makes::program);
  EXPECT_THAT(b.not_allowed, IsEmpty());
}

TEST(BuildLine, NamesItsOutputAsNvccDoes) {
  EXPECT_EQ(build_line({"-c", "src/a.cu"}, "/p").output, "/p/a.o");
  EXPECT_EQ(build_line({"a.cu"}, "/p").output, "/p/a.out");
  EXPECT_EQ(build_line({"-odir", "o", "-dc", "a.cu"}, "/p").output, "/p/o/a.o");
}

TEST(BuildLine, KnowsWhatNvccDoesNotTake) {
  EXPECT_THAT(build_line({"-Wall", "a.cu"}, "/p").not_allowed, ElementsAre("-Wall"));
  EXPECT_THAT(options_like("-arhc=sm_80"), Contains("-arch"));
  EXPECT_THAT(options_like("--use-fast-math"), Contains("--use_fast_math"));
  EXPECT_EQ(build_line({"-ptx", "a.cu"}, "/p").refused, "-ptx");
}

TEST(ShellLine, TakesALineApart) {
  const auto all =
      shell_commands(R"(mkdir -p o && cd src; A=1 nvcc -DS="\"x y\"" 'a b.cu' > log 2>&1 | tee l)", "/p");
  ASSERT_THAT(all, SizeIs(3));
  EXPECT_THAT(all[1].words, ElementsAre("nvcc", "-DS=\"x y\"", "a b.cu"));
  EXPECT_EQ(all[1].folder, "/p/src");
  EXPECT_THAT(all[2].words, ElementsAre("tee", "l"));
}

// ---- Makefiles

TEST_F(ProjectTest, FollowsObjectsToTheirSources) {
  sources({"src/main.cu", "src/util.cpp", "inc/a.h"});
  const ProjectProgram p = only("Makefile", R"(NVCC ?= nvcc
SRCS := $(wildcard src/*.cu) $(shell find src -name '*.cpp')
OBJS := $(addprefix obj/,$(addsuffix .o,$(basename $(notdir $(SRCS)))))
FLAGS = -Iinc $(DEFS)
DEFS += -DN=1024 # of the exercise
vpath %.cu src
vpath %.cpp src
app: $(OBJS)
	$(NVCC) -arch=sm_80 $^ -o $@
obj/%.o: %.cu
	@mkdir -p $(@D)
	$(NVCC) $(FLAGS) -std=c++20 -c $< \
	  -o $@
obj/%.o: %.cpp
	g++ $(FLAGS) -c $< -o $@
run: app
	./app 64 data.txt
)");
  EXPECT_EQ(p.name, "app");
  EXPECT_THAT(relative(p.files), ElementsAre("src/main.cu", "src/util.cpp"));
  EXPECT_THAT(relative(p.includes), ElementsAre("inc"));
  EXPECT_THAT(p.defines, ElementsAre("N=1024"));
  EXPECT_EQ(p.standard, "c++20");
  EXPECT_EQ(p.architecture, "sm_80");
  EXPECT_THAT(p.arguments, ElementsAre("64", "data.txt"));
  EXPECT_EQ(p.run_by, "run");
}

TEST_F(ProjectTest, DecidesConditionals) {
  sources({"main.cu"});
  const ProjectProgram p = only("Makefile", R"make(DEBUG ?= 0
ifeq ($(DEBUG), 1)
F = -DWRONG
else ifneq "$(shell uname)" "Linux"
F = -DWRONG
else
F = -DRIGHT
endif
ifdef UNKNOWN
F += -DWRONG
endif
ifeq (,$(filter 2 3,3))
F += -DWRONG
endif
all: main
main: F += -DOWN
main: main.cu ; nvcc $(F) $^ -o $@
)make");
  EXPECT_THAT(p.defines, ElementsAre("RIGHT", "OWN"));
}

TEST_F(ProjectTest, MakesProgramsByPatternsAndFunctions) {
  sources({"a_main.cu", "b_main.cu", "c_main.cu"});
  const Project p = read("Makefile", R"(define rule
$(1): $(1)_main.cu
	nvcc -D$(1) $$< -o $$@
endef
$(foreach n,a b,$(eval $(call rule,$(n))))
%.out: %.cu
	nvcc $< -o $@
)");
  ASSERT_THAT(p.programs, SizeIs(5));
  EXPECT_THAT(p.programs[0].defines, ElementsAre("a"));
  EXPECT_THAT(relative(p.programs[1].files), ElementsAre("b_main.cu"));
  EXPECT_EQ(p.programs[4].name, "c_main.out");
}

TEST_F(ProjectTest, LooksIntoArchivesAndSubfolders) {
  sources({"one/main.cu", "one/part.cu"});
  file("one/Makefile",
       "app: main.cu libpart.a\n\tnvcc main.cu -L. -lpart -lGL -o app\n"
       "libpart.a: part.o\n\tar rcs $@ $^\npart.o: part.cu\n\tnvcc -DPART -c part.cu\n");
  const ProjectProgram p = only("Makefile", "all:\n\tfor d in one; do $(MAKE) -C $$d; done\n");
  EXPECT_THAT(relative(p.files), ElementsAre("one/main.cu", "one/part.cu"));
  EXPECT_THAT(p.defines, ElementsAre("PART"));
  EXPECT_THAT(p.link_with, ElementsAre("-lGL"));
}

TEST_F(ProjectTest, RunsNothing) {
  sources({"main.cu"});
  const Project p = read(
      "Makefile",
      "X := $(shell touch ran)\nY != touch ran\nmain: main.cu\n\ttouch ran; nvcc $(X) main.cu -o main\n");
  EXPECT_FALSE(fs::exists(folder / "ran"));
  EXPECT_THAT(p.programs, SizeIs(1));
  EXPECT_THAT(p.left_out, ElementsAre("$(shell touch ran)"));
}

TEST_F(ProjectTest, EndsWhateverAMakefileHolds) {
  sources({"main.cu"});
  const std::string grows = "A = $(B)$(B)\nB = $(C)$(C)\nC = $(A)$(A)\nall: $(A)\n\tnvcc $(A) main.cu\n";
  const std::string doubles = "A:=xxxxxxxxxxxxxxxx\n" + [] {
    std::string all;
    for (int k = 0; k < 60; ++k) all += "A:=$(A)$(A)\n";
    return all;
  }();
  const std::string itself =
      "include Makefile\n%: %.x\n\tnvcc $< -o $@\n%.x: %\n\tnvcc $< -o $@\n$(eval $(value E))\n";
  const std::string open = "ifeq (\ndefine X\n$(foreach a,$(b\n\t\\";
  for (const std::string& text :
       {grows, doubles, itself, open, std::string(3000, '('), std::string("\0\xff:\n\t$", 6)})
    EXPECT_NO_THROW(read("Makefile", text));
}

// ---- CMake

TEST_F(ProjectTest, ReadsCmakesTargets) {
  sources({"main.cu", "lib/part.cu", "lib/host.cpp"});
  fs::create_directories(folder / "inc");
  file("lib/CMakeLists.txt",
       "add_library(part STATIC part.cu)\ntarget_sources(part PRIVATE host.cpp)\n"
       "target_include_directories(part PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})\n"
       "target_compile_definitions(part PUBLIC -DON INTERFACE ALL PRIVATE OWN)\n");
  const ProjectProgram p = only("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.18)
project(app LANGUAGES CXX CUDA) # a comment (with a bracket
set(CMAKE_CUDA_STANDARD 20)
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND (UNIX OR WIN32))
  set(CMAKE_CUDA_ARCHITECTURES 75;86-real)
endif()
include_directories(inc)
file(GLOB FILES *.cu)
add_subdirectory(lib)
function(program name)
  cmake_parse_arguments(P "" "" "FILES" ${ARGN})
  add_executable(${name} ${P_FILES})
  target_link_libraries(${name} PRIVATE part m)
endfunction()
program(${PROJECT_NAME} FILES ${FILES})
target_compile_options(app PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-DCUDA -G> $<$<COMPILE_LANGUAGE:CXX>:-DWRONG>)
)");
  EXPECT_THAT(relative(p.files), ElementsAre("main.cu", "lib/part.cu", "lib/host.cpp"));
  EXPECT_THAT(relative(p.includes), ElementsAre("inc", "lib"));
  EXPECT_THAT(p.defines, testing::UnorderedElementsAre("CUDA", "ON", "OWN", "ALL"));
  EXPECT_EQ(p.standard, "c++20");
  EXPECT_EQ(p.architecture, "sm_86");
}

TEST_F(ProjectTest, ReadsOldCmakeAndLoops) {
  sources({"one_main.cu", "two_main.cu", "util.cu"});
  const Project p = read("CMakeLists.txt", R"(FIND_PACKAGE(CUDA REQUIRED)
SET(CUDA_NVCC_FLAGS "${CUDA_NVCC_FLAGS};-gencode arch=compute_61,code=sm_61;-DOLD")
LIST(APPEND NAMES one two)
FOREACH(n IN LISTS NAMES)
  CUDA_ADD_EXECUTABLE(${n} ${n}_main.cu util.cu OPTIONS -O3)
ENDFOREACH()
)");
  ASSERT_THAT(p.programs, SizeIs(2));
  EXPECT_THAT(relative(p.programs[1].files), ElementsAre("two_main.cu", "util.cu"));
  EXPECT_THAT(p.programs[1].defines, ElementsAre("OLD"));
  EXPECT_EQ(p.programs[1].architecture, "sm_61");
}

TEST_F(ProjectTest, EndsWhateverACmakeListsHolds) {
  sources({"main.cu"});
  for (const std::string& text :
       {std::string("add_subdirectory(.)\ninclude(CMakeLists.txt)\n"),
        std::string("macro(a)\na()\nendmacro()\na()\n"),
        std::string("set(A ${A}${A})\nforeach(i RANGE 100000000)\nset(A x${A}${A})\nendforeach()\n"),
        std::string(5000, '('), std::string("if(((NOT NOT\nelse(\n${${${\n$<$<$<"),
        std::string("while(1)\nendwhile()\n")})
    EXPECT_NO_THROW(read("CMakeLists.txt", text));
}

// ---- compile_commands.json

TEST_F(ProjectTest, ReadsRecordedCommands) {
  sources({"main.cu", "part.cu", "other_main.cu"});
  const auto entry = [&](const std::string& name, const std::string& target) {
    return R"({"directory": ")" + folder.string() +
           R"(/build", "command": "nvcc -DX=\"1\" -I../inc -std=c++20 -x cu -c ../)" + name +
           " -o CMakeFiles/" + target + ".dir/" + name + R"(.o", "file": "../)" + name + "\"}";
  };
  fs::create_directories(folder / "inc");
  const Project p =
      read("compile_commands.json", "[" + entry("main.cu", "app") + "," + entry("part.cu", "lib") + "," +
                                        entry("other_main.cu", "other") + ", 3, {}]");
  ASSERT_THAT(p.programs, SizeIs(2));
  EXPECT_THAT(relative(p.programs[0].files), ElementsAre("main.cu", "part.cu"));
  EXPECT_THAT(relative(p.programs[0].includes), ElementsAre("inc"));
  EXPECT_EQ(p.programs[1].name, "other");
}

// ---- what becomes of it

TEST_F(ProjectTest, GivesAFileWhatItLacks) {
  sources({"src/main.cu", "src/part.cu"});
  file("Makefile", "app: src/main.cu src/part.cu\n\tnvcc -DN=4 -DM=2 -arch=sm_90 $^ -o $@\n");
  Program given{.files = {(folder / "src/main.cu").string()}, .defines = {"N=8"}};
  const auto found = with_project(given);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->files, SizeIs(2));
  EXPECT_THAT(found->defines, ElementsAre("N=8", "M=2"));  // the user's own words win
  EXPECT_EQ(found->architecture, "sm_90");
  EXPECT_EQ(command_name(*found), "./app");
  ASSERT_FALSE(found->read.empty());
  EXPECT_EQ(found->read.front().english(),
            "Makefile builds app of: main.cu, part.cu, -DN=8, -DM=2, -arch=sm_90");
  given.alone = true;
  EXPECT_FALSE(with_project(given));
  given.alone = false;
  given.named_only = true;
  EXPECT_FALSE(with_project(given));
}

TEST_F(ProjectTest, LeavesAFileAloneThatLacksNothing) {
  sources({"main.cu", "b_main.cu"});
  file("Makefile", "%: %.cu\n\tnvcc -O3 $< -o $@\n");
  EXPECT_FALSE(with_project({.files = {(folder / "main.cu").string()}}));
}

TEST_F(ProjectTest, StopsAtTheProjectsRoot) {
  sources({"inner/main.cu", "part.cu"});
  file("Makefile", "app: inner/main.cu part.cu\n\tnvcc $^ -o $@\n");
  EXPECT_TRUE(with_project({.files = {(folder / "inner/main.cu").string()}}));
  file("inner/.git/HEAD", "");
  EXPECT_FALSE(with_project({.files = {(folder / "inner/main.cu").string()}}));
}

TEST_F(ProjectTest, SaysWhatThereIsToChoose) {
  sources({"a_main.cu", "b_main.cu"});
  file("Makefile", "all: a b\na: a_main.cu\n\tnvcc $< -o $@\nb: b_main.cu\n\tnvcc $< -o $@\n");
  EXPECT_EQ(fs::path(program_of_project(folder.string(), "b", {}).files.front()).filename(), "b_main.cu");
  for (const char* chosen : {"", "c"}) try {
      program_of_project(folder.string(), chosen, {});
      ADD_FAILURE();
    } catch (const UsageError& e) { EXPECT_THAT(e.what(), HasSubstr("a or b")); }
}

TEST_F(ProjectTest, TakesAFolderWithoutABuildFile) {
  sources({"main.cpp", "part.cu"});
  EXPECT_EQ(fs::path(program_of_project(folder.string(), "", {}).files.front()).filename(), "main.cpp");
}

TEST_F(ProjectTest, NamesNothingThatTheHomeFolderHides) {
  sources({"home/.keys/main.cu", "home/work/main.cu"});
  const char* before = std::getenv("HOME");
  const std::string kept = before ? before : "";
  ::setenv("HOME", (folder / "home").c_str(), 1);
  fs::create_directory_symlink(folder / "home/.keys", folder / "home/work/link");
  const ProjectProgram p =
      only("home/work/Makefile",
           "app: main.cu\n\tnvcc -I../.keys -Ilink -I. main.cu ../.keys/main.cu link/main.cu -o app\n");
  const Project own = read("home/.keys/Makefile", "app: main.cu\n\tnvcc -I. main.cu -o app\n");
  ::setenv("HOME", kept.c_str(), 1);
  EXPECT_THAT(relative(p.files), ElementsAre("home/work/main.cu"));
  EXPECT_THAT(relative(p.includes), SizeIs(1));
  EXPECT_THAT(own.programs, SizeIs(1));
}

TEST_F(ProjectTest, TakesNoTextForALinkedProgram) {
  file("script", "#!/bin/sh\necho\n");
  EXPECT_FALSE(linked_program(folder / "script"));
  EXPECT_FALSE(linked_program(folder));
  EXPECT_FALSE(linked_program(folder / "none"));
  file("spoilt",
       "#!/bin/sh\n# barrierscope program 1: linked by `barrierscope nvcc`, it runs under "
       "Barrierscope\n{\"files\": 3");
  EXPECT_FALSE(linked_program(folder / "spoilt"));
}

TEST_F(ProjectTest, RefusesInNvccsWords) {
  const auto said = [](const Words& words) -> std::string {
    try {
      nvcc_step(words, "barrierscope");
    } catch (const UsageError& e) { return e.what(); }
    return "nothing";
  };
  EXPECT_THAT(said({}), HasSubstr("no input files"));
  EXPECT_THAT(said({"-arhc=sm_80", "a.cu"}), HasSubstr("did you mean -arch"));
  EXPECT_THAT(said({"-Wall", "a.cu"}), HasSubstr("-Xcompiler"));
  EXPECT_THAT(said({"-ptx", "a.cu"}), HasSubstr("-ptx makes code"));
  EXPECT_THAT(said({(folder / "none.cu").string()}), HasSubstr("there is no file"));
}

}  // namespace
}  // namespace bscope::cuda
