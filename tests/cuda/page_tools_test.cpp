#include "engine/cuda/toolchain/page_tools.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>

#include "engine/cuda/toolchain/clang_options.hpp"
#include "engine/cuda/toolchain/places.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

/// Tools over a pack of one header.
class PageToolsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (find_program("clang-19").empty() || find_program("wasm-ld-19").empty())
      GTEST_SKIP() << "clang-19 and lld-19 are not installed";
    const std::string header = "inline int seven() { return 7; }\n", path = "/barrierscope/include/seven.h";
    fs::create_directories(packs);
    write_scratch(packs / "plain.pack",
                  "[[\"" + path + "\", " + std::to_string(header.size()) + "]]\n" + header);
    tools.emplace(packs);
  }
  void TearDown() override { fs::remove_all(packs); }

  ToolRun compile(const std::string& text, std::vector<std::string> more = {}) const {
    ToolRun asked{.words = {"clang", "-cc1", "-triple", "wasm64-unknown-emscripten", "-emit-llvm",
                            "-debug-info-kind=limited", "-internal-isystem", "/barrierscope/include", "-x",
                            "c++", "-o", "/barrierscope/work/a/out.ll", "/barrierscope/files/a.cpp"},
                  .files = {{"/barrierscope/files/a.cpp", text}}};
    asked.words.insert(asked.words.end(), more.begin(), more.end());
    return tools->run(asked);
  }
  std::string refusal(ToolRun asked) const {
    try {
      tools->run(asked);
    } catch (const UsageError& e) { return e.message().english(); }
    return "";
  }

  const fs::path packs = fs::path(testing::TempDir()) / ("packs-" + std::to_string(getpid()));
  std::optional<PageTools> tools;
};

TEST_F(PageToolsTest, CompilesWithThePagesPaths) {
  const ToolRun run = compile("#include <seven.h>\nint eight() { return seven() + 1; }\n");
  EXPECT_EQ(run.exit, 0) << run.output;
  ASSERT_EQ(run.files.size(), 1u);
  EXPECT_EQ(run.files[0].first, "/barrierscope/work/a/out.ll");
  EXPECT_THAT(run.files[0].second, HasSubstr("/barrierscope/files/a.cpp"));
  EXPECT_THAT(run.files[0].second, Not(HasSubstr(packs.parent_path().string())));
  EXPECT_THAT(compile("int x = y;\n").output,
              HasSubstr("/barrierscope/files/a.cpp:1:9: error: use of undeclared identifier 'y'"));
}

TEST_F(PageToolsTest, ReadsNoFileOfThisMachine) {
  const fs::path secret = fs::path(testing::TempDir()) / ("secret-" + std::to_string(getpid()));
  write_scratch(secret, "int found = 1;\n");
  for (const std::string& text :
       {"#include \"" + secret.string() + "\"\n", std::string("#include \"/etc/shadow\"\n"),
        std::string("#include \"/proc/1/environ\"\n"),
        std::string("#include \"/barrierscope/../etc/hostname\"\n")}) {
    const ToolRun run = compile(text);
    EXPECT_NE(run.exit, 0) << text;
    EXPECT_TRUE(run.files.empty()) << text;
  }
  fs::remove(secret);
}

TEST_F(PageToolsTest, WritesBelowItsWorkAlone) {
  const fs::path to = fs::path(testing::TempDir()) / ("written-" + std::to_string(getpid()));
  compile("int x;\n", {"-o", to.string()});
  EXPECT_FALSE(fs::exists(to));
  for (const char* path : {"/etc/passwd", "/barrierscope/include/x.h", "/barrierscope/files/../../x",
                           "/barrierscope/work/./x", "x"})
    EXPECT_THAT(refusal({.words = {"wasm-ld"}, .files = {{path, "x"}}}),
                HasSubstr("is no path of a page's file"))
        << path;
}

TEST_F(PageToolsTest, OtherProgramsAndOptionsThatLoadCodeAreRefused) {
  EXPECT_THAT(refusal({.words = {"sh", "-c", "true"}}), HasSubstr("only clang -cc1 and wasm-ld"));
  EXPECT_THAT(refusal({.words = {"clang", "a.cpp"}}), HasSubstr("only clang -cc1 and wasm-ld"));
  EXPECT_THAT(refusal({.words = {}}), HasSubstr("only clang -cc1 and wasm-ld"));
  for (const char* option :
       {"-load", "-plugin", "-add-plugin", "-fplugin=x.so", "-fpass-plugin=x.so", "-mllvm", "@file"})
    EXPECT_THAT(refusal({.words = {"clang", "-cc1", option}}), HasSubstr("is not for pages")) << option;
  EXPECT_THAT(refusal({.words = {"wasm-ld", "--mllvm=-load=x"}}), HasSubstr("is not for pages"));
  EXPECT_THAT(refusal({.words = {"clang", "-cc1", "-mllvm", "-load=x"}}), HasSubstr("is not for pages"));
}

TEST_F(PageToolsTest, OptionsOfEveryCompilationAreTaken) {
  int given = 0;
  for (size_t k = 0; k + 1 < std::size(clang_options); ++k) {
    if (clang_options[k].word != std::string_view("-mllvm")) continue;
    ++given;
    const std::string option(clang_options[k + 1].word);
    EXPECT_THAT(refusal({.words = {"clang", "-cc1", "-mllvm", option}}), Not(HasSubstr("is not for pages")))
        << option;
  }
  EXPECT_GT(given, 0);
}

TEST(ToolPackets, AreReadAsTheyAreWritten) {
  const ToolRun run =
      read_tool_run("{\"words\": [\"wasm-ld\", \"a.o\"], \"files\": [[\"/x\", 3], [\"/y\", 0]]}\na\nb");
  EXPECT_THAT(run.words, testing::ElementsAre("wasm-ld", "a.o"));
  EXPECT_THAT(run.files, testing::ElementsAre(testing::Pair("/x", "a\nb"), testing::Pair("/y", "")));
  EXPECT_EQ(tool_answer({.exit = 1, .output = "no", .files = {{"/z", "123"}}}),
            "{\"exit\":1,\"output\":\"no\",\"files\":[[\"/z\",3]]}\n123");
  for (const char* broken :
       {"", "{}", "\n", "{}\n", "{\"words\": [], \"files\": [[\"/x\", 4]]}\nabc",
        "{\"words\": 1, \"files\": []}\n", "{\"words\": [], \"files\": [[\"/x\", -1]]}\n",
        "{\"words\": [], \"files\": [[1]]}\n"})
    EXPECT_THROW(read_tool_run(broken), BadFile) << broken;
}

}  // namespace
}  // namespace bscope::cuda
