// Users' own CUDA files in the window: begun, typed, saved, and the trace is there.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "app/lessons/shelf.hpp"
#include "app/measure/own_code_bench.hpp"
#include "app/run/own_program.hpp"
#include "app/run/verdict.hpp"
#include "app/session/drafts.hpp"
#include "app/shell/header.hpp"
#include "app/shell/palette.hpp"
#include "app/shell/settings_file.hpp"
#include "app/shell/watch/editor.hpp"
#include "app/shell/watch/figure_panels.hpp"
#include "app/tabs/atomics/atomics_state.hpp"
#include "app/tabs/atomics/runs.hpp"
#include "engine/analysis/run.hpp"
#include "engine/cuda/toolchain/own_program.hpp"
#include "engine/trace/scoped_assign.hpp"
#include "tests/places.hpp"
#include "tests/ui/harness.hpp"
#include "tests/ui/seen.hpp"

namespace bscope {

struct SourceEditor;
namespace {

namespace fs = std::filesystem;

/// A home of its own, where new files are written; the real one again at the end.
class Home {
 public:
  Home() {
    if (const char* home = std::getenv("HOME")) before_ = home;
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    ::setenv("HOME", folder_.c_str(), 1);
  }
  ~Home() {
    ::setenv("HOME", before_.c_str(), 1);
    leave_editor(app().ui);
    app().ui.of<std::shared_ptr<SourceEditor>>().reset();
    fs::remove_all(folder_);
  }
  std::string in(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(in(name)) << text;
    return in(name);
  }
  static std::string read(const std::string& file) {
    std::ifstream text(file);
    return {std::istreambuf_iterator<char>(text), {}};
  }

 private:
  fs::path folder_ = fs::temp_directory_path() / ("barrierscope-own-" + std::to_string(::getpid()));
  std::string before_;
};

/// A program that gives n values to this kernel, which leaves as many, and expects this of them.
std::string program(const std::string& kernel, const std::string& expected, const std::string& left) {
  return "// barrierscope: expect out = " + expected +
         "\n"
         "const int n = 64;\n" +
         kernel +
         "int main() {\n"
         "  int host[n], *in, *out;\n"
         "  for (int i = 0; i < n; ++i) host[i] = i;\n"
         "  cudaMalloc(&in, sizeof host);\n"
         "  cudaMalloc(&out, " +
         left +
         " * sizeof(int));\n"
         "  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);\n"
         "  kernel<<<1, n>>>(in, out);\n"
         "  cudaMemcpy(host, out, " +
         left +
         " * sizeof(int), cudaMemcpyDeviceToHost);\n"
         "  cudaFree(in);\n"
         "  cudaFree(out);\n"
         "}\n";
}

/// A tree sum whose loop has this line first; the line of the addition.
constexpr int line_of_add = 9;
std::string tree(const std::string& first_in_loop) {
  return program(
      "__global__ void kernel(const int* in, int* out) {\n"
      "  __shared__ int sum[n];\n"
      "  int i = threadIdx.x;\n"
      "  sum[i] = in[i];\n"
      "  for (int offset = n / 2; offset > 0; offset /= 2) {\n"
      "    " +
          first_in_loop +
          "\n"
          "    if (i < offset) sum[i] += sum[i + offset];\n"
          "  }\n"
          "  if (i == 0) out[0] = sum[0];\n"
          "}\n",
      "sum(in)", "1");
}

/// A Kogge-Stone scan in place: between what a thread reads and what it writes stands this line.
constexpr int line_of_read = 9;
std::string scan(const std::string& between) {
  return program(
      "__global__ void kernel(const int* in, int* out) {\n"
      "  __shared__ int sum[n];\n"
      "  int i = threadIdx.x;\n"
      "  sum[i] = in[i];\n"
      "  __syncthreads();\n"
      "  for (int offset = 1; offset < n; offset *= 2) {\n"
      "    int left = i >= offset ? sum[i - offset] : 0;\n"
      "    " +
          between +
          "\n"
          "    sum[i] += left;\n"
          "    __syncthreads();\n"
          "  }\n"
          "  out[i] = sum[i];\n"
          "}\n",
      "inclusive_scan(in)", "n");
}

const LoadedState& state() { return app().state; }
const Troubles& told() { return app().ui.of<TroublesPanel>().troubles; }
std::string kernel() { return state().run->trace.kernel; }

/// All that stands in the editor becomes this, by the keyboard, and is saved.
void type_and_save(ImGuiTestContext* ctx, const std::string& text) {
  ImGui::SetClipboardText(text.c_str());
  ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
  ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
  ctx->Yield(2);
  ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
  ctx->Yield(4);
}

/// Whether a text of this frame begins so.
bool is_on_screen(ImGuiTestContext* ctx, const std::string& words) {
  ctx->Yield(2);
  const Seen& seen = next_frame(ctx);
  return std::ranges::any_of(seen.texts, [&](const SeenText& t) { return t.words.starts_with(words); });
}
constexpr const char *this_version = "The views show this version", *earlier = "The views show an earlier",
                     *another = "The views show another run";

/// A histogram of 64 keys, each of which is counted by this statement; `before` stands before it.
std::string counting(const std::string& before, const std::string& count) {
  return "// barrierscope: expect bins = histogram(keys)\n"
         "const int n = 64;\n"
         "__global__ void kernel(const int* keys, int* bins) {\n"
         "  __shared__ int local[4];\n"
         "  int i = threadIdx.x;\n"
         "  " +
         before +
         "\n"
         "  __syncthreads();\n"
         "  " +
         count +
         "\n"
         "  __syncthreads();\n"
         "  if (i < 4 && local[i] > 0) atomicAdd(&bins[i], local[i]);\n"
         "}\n"
         "int main() {\n"
         "  int host[n], *keys, *bins;\n"
         "  for (int i = 0; i < n; ++i) host[i] = i % 4 ? 1 : i / 4 % 4;\n"
         "  cudaMalloc(&keys, sizeof host);\n"
         "  cudaMalloc(&bins, 16);\n"
         "  cudaMemcpy(keys, host, sizeof host, cudaMemcpyHostToDevice);\n"
         "  cudaMemset(bins, 0, 16);\n"
         "  kernel<<<1, n>>>(keys, bins);\n"
         "  cudaMemcpy(host, bins, 16, cudaMemcpyDeviceToHost);\n"
         "  cudaFree(keys);\n"
         "  cudaFree(bins);\n"
         "  return host[0] + host[1] + host[2] + host[3] != n;\n"
         "}\n";
}

/// By the palette, as users begin a file.
void begin_file(ImGuiTestContext* ctx, const std::string& name = "empty") {
  ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
  ctx->Yield(2);
  ctx->KeyChars(("new cuda file: " + name).c_str());
  ctx->Yield(2);
  ctx->KeyPress(ImGuiKey_Enter);
  ctx->Yield(4);
}

const RegisterControls tests{[](ImGuiTestEngine* e) {
  add_test(e, "own_program", "a_missing_barrier_is_named_and_put_in", [](ImGuiTestContext* ctx) {
    const Home home;
    begin_file(ctx);
    IM_CHECK(state().error.empty());
    IM_CHECK_STR_EQ(kernel().c_str(), "yours/empty");
    IM_CHECK(edits_program(app().ui));
    const std::string file = state().target.file;
    IM_CHECK(file.starts_with(home.in("barrierscope/")));

    type_and_save(ctx, scan("// a barrier is missing here"));
    IM_CHECK_STR_EQ(Home::read(file).c_str(), scan("// a barrier is missing here").c_str());
    IM_CHECK_STR_EQ(told().word.c_str(), "race");
    IM_CHECK(!told().messages.empty() &&
             told().messages[0].english().find("line " + std::to_string(line_of_read)) != std::string::npos &&
             told().messages[0].english().find("line " + std::to_string(line_of_read + 2)) !=
                 std::string::npos &&
             told().messages[0].english().find("__syncthreads()") != std::string::npos);

    type_and_save(ctx, scan("__syncthreads();"));
    IM_CHECK_STR_EQ(told().word.c_str(), "");
    IM_CHECK(state().run->report.correct);
    IM_CHECK_GE(steps(*state().run), 12);

    type_and_save(ctx, tree("// a barrier is missing here"));
    IM_CHECK_STR_EQ(told().word.c_str(), "race");
    IM_CHECK(!told().messages.empty() &&
             told().messages[0].english().find("line " + std::to_string(line_of_add)) != std::string::npos);
  });
  add_test(e, "own_program", "what_does_not_compile_leaves_the_last_run", [](ImGuiTestContext* ctx) {
    const Home home;
    begin_file(ctx);
    type_and_save(ctx, tree("__syncthreads();"));
    const auto before = state().run;
    app().state = to_step(app().state, 3);
    const int step = state().cursor.interval;

    type_and_save(ctx, tree("__syncthreads()"));  // no semicolon
    IM_CHECK(state().run == before);
    IM_CHECK(state().unbuilt && !state().unbuilt->compiled);
    IM_CHECK(std::ranges::any_of(state().unbuilt->diagnostics,
                                 [](const cuda::Diagnostic& d) { return d.line == line_of_add - 1; }));
    IM_CHECK(state().error.english().find("does not compile") != std::string::npos);

    type_and_save(ctx, tree("__syncthreads();"));
    IM_CHECK(state().run != before);
    IM_CHECK(!state().unbuilt);
    IM_CHECK(state().error.empty());
    IM_CHECK_EQ(state().cursor.interval, step);
  });
  add_test(e, "own_program", "what_was_typed_is_never_lost", [](ImGuiTestContext* ctx) {
    const Home home;
    app().ui.of<SettingsFile>().path = home.in("settings.json");
    begin_file(ctx);
    const std::string file = state().target.file, saved = Home::read(file);
    ctx->KeyChars("typed");
    ctx->Yield(2);
    app().end();
    app().ui.of<std::shared_ptr<SourceEditor>>().reset();  // as after a new start
    ctx->Yield(2);
    IM_CHECK(read_draft(home.in("settings.json"), file));
    IM_CHECK_STR_EQ(Home::read(file).c_str(), saved.c_str());

    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    ctx->Yield(4);
    IM_CHECK(edits_program(app().ui));
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
    ctx->Yield(4);
    IM_CHECK(Home::read(file).find("typed") != std::string::npos);
    IM_CHECK(!read_draft(app().ui.of<SettingsFile>().path, file));
    app().ui.of<SettingsFile>().path.clear();
  });
  add_test(e, "own_program", "keys_of_the_editor", [](ImGuiTestContext* ctx) {
    const Home home;
    begin_file(ctx, "scan");
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    const int step = state().cursor.interval;
    ctx->KeyPress(ImGuiKey_RightArrow);
    ctx->Yield(2);
    IM_CHECK_EQ(state().cursor.interval, step + 1);  // it is nothing typed
    IM_CHECK(edits_program(app().ui));
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    ctx->Yield(2);
    IM_CHECK(!edits_program(app().ui));
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    ctx->Yield(3);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);  // from within the text
    ctx->Yield(2);
    IM_CHECK(!edits_program(app().ui));
  });
  add_test(e, "own_program", "bad_programs_are_a_sentence", [](ImGuiTestContext* ctx) {
    const Home home;
    fs::create_directories(home.in("bad"));
    allow_programs_in(home.in("bad"));
    struct Bad {
      const char *name, *text, *says;
      bool opens;  ///< there is something to show all the same
    };
    const std::string kernel = "__global__ void k(int* p) { p[threadIdx.x] = 1; }\n";
    const std::string launch = "int main() {\n  int* p;\n  cudaMalloc(&p, 16);\n  k<<<1, 4>>>(p);\n";
    const std::string header = "#include <nowhere.h>\n" + kernel + launch + "}\n";
    const std::string crash = kernel + launch + "  cudaDeviceSynchronize();\n  *(volatile int*)0 = 1;\n}\n";
    const std::string null = kernel + "int main() { k<<<1, 4>>>(nullptr); }\n";
    const std::string beyond =
        kernel + "int main() {\n  int* p;\n  cudaMalloc(&p, 12);\n  k<<<1, 4>>>(p);\n}\n";
    for (const Bad& bad :
         {Bad{"binary.cu",
              "\x7f"
              "ELF\x02\x01\x01",
              "binary.cu", false},
          Bad{"header.cu", header.c_str(), "nowhere.h", false},
          Bad{"none.cu", "int main() {}\n", "none.cu", false},
          Bad{"crash.cu", crash.c_str(), "crash.cu:7", true}, Bad{"null.cu", null.c_str(), "line 1", true},
          Bad{"beyond.cu", beyond.c_str(), "line 1", true}}) {
      const auto before = state().run;
      app().drop(home.write(std::string("bad/") + bad.name, bad.text));
      ctx->Yield(4);
      const std::string said = bad.opens ? told().messages.at(0).english() : state().error.english();
      ctx->LogInfo("%s: %s", bad.name, said.c_str());
      IM_CHECK_EQ(state().run != before, bad.opens);
      IM_CHECK(said.find(bad.says) != std::string::npos);
      IM_CHECK_STR_EQ(state().error.english().substr(0, bad.opens ? std::string::npos : 0).c_str(), "");
      if (bad.opens) IM_CHECK_STR_EQ(told().word.c_str(), "fault");
    }
  });
  add_test(e, "own_program", "another_editor_may_save_the_file", [](ImGuiTestContext* ctx) {
    const Home home;
    const std::string file = home.write("tree.cu", tree("// a barrier is missing here"));
    app().drop(file);
    ctx->Yield(2);
    IM_CHECK_STR_EQ(state().asks_to_run.c_str(), file.c_str());  // it came from elsewhere
    IM_CHECK_STR_EQ(kernel().c_str(), "scan/blelloch");
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    IM_CHECK(state().asks_to_run.empty());
    IM_CHECK_STR_EQ(kernel().c_str(), "scan/blelloch");

    app().drop(file);
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK_STR_EQ(kernel().c_str(), "yours/tree");
    IM_CHECK_STR_EQ(told().word.c_str(), "race");
    const auto& recent = app().ui.of<SettingsFile>().settings.recent;
    IM_CHECK(std::ranges::find(recent, file) != recent.end());

    home.write("tree.cu", tree("__syncthreads();"));
    fs::last_write_time(file, fs::file_time_type::clock::now() + std::chrono::seconds(2));
    ctx->SleepNoSkip(1.2f, 0.1f);
    ctx->Yield(3);
    IM_CHECK_STR_EQ(told().word.c_str(), "");
  });
  add_test(e, "own_program", "page_says_how_a_program_is_traced_and_offers_none", [](ImGuiTestContext* ctx) {
    const ScopedAssign runs_none(runs_programs, false);
    const ScopedAssign has_no_compiler(compiles_programs, false);
    const Home home;
    const std::string file = home.write("my sum.cu", tree("__syncthreads();"));
    app().drop(file);
    ctx->Yield(3);
    IM_CHECK(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(2);
    IM_CHECK_STR_EQ(ImGui::GetClipboardText(), "barrierscope trace 'my sum.cu' -o 'my sum.bscope'");
    IM_CHECK_STR_EQ(kernel().c_str(), "scan/blelloch");
    // what is dropped later lies under no dialog
    app().drop(home.write("numbers.txt", "5 4 3 2 1 0 9 8"));
    ctx->Yield(3);
    IM_CHECK(!ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
    IM_CHECK(state().target.request.values.has_value());
    // nor is anything begun that could not run
    for (const PaletteSource source : palette_sources())
      for (const PaletteItem& item : source(state(), app().ui)) IM_CHECK(!item.also.starts_with("program."));
  });
  add_test(e, "own_program", "all_that_check_fails_on_is_told", [](ImGuiTestContext* ctx) {
    const Home home;
    allow_programs_in(home.in(""));
    const std::string clear = "if (i < 4) local[i] = 0;", add = "atomicAdd(&local[keys[i]], 1);";
    const std::string wrong_and_exit = program(
        "__global__ void kernel(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] + 1; }\n",
        "copy(in)", "n");
    const std::string exits = wrong_and_exit.substr(0, wrong_and_exit.rfind('}')) + "  return 1;\n}\n";
    const std::string half = program(
        "__global__ void kernel(const int* in, int* out) {\n"
        "  if (threadIdx.x == 0) *out = 0;\n"
        "  __syncthreads();\n"
        "  if (threadIdx.x < 60) atomicAdd(out, in[threadIdx.x]);\n"
        "}\n",
        "sum(in)", "1");
    struct Case {
      const char* name;
      std::string text;
      const char *word, *first;  ///< of the message
    };
    for (const Case& c :
         {Case{"right", counting(clear, add), "", ""}, Case{"unset", counting("", add), "fault", "Thread "},
          Case{"race", counting(clear, "local[keys[i]]++;"), "race", ""},
          Case{"divergent", scan("if (i < 32) __syncthreads();"), "", ""},
          Case{"beyond", counting(clear, "atomicAdd(&local[keys[i] * 4], 1);"), "fault", ""},
          Case{"wrong", wrong_and_exit, "wrong", "The result is wrong: out[0] is 1, expected 0; 64 of 64"},
          Case{"exits", exits, "wrong", "The result is wrong: out[0] is 1, expected 0; 64 of 64"},
          Case{"unread", half, "wrong", "x60"}}) {
      app().drop(home.write(std::string(c.name) + ".cu", c.text));
      ctx->Yield(4);
      IM_CHECK_STR_EQ(kernel().c_str(), ("yours/" + std::string(c.name)).c_str());
      const Verdict v = check(*state().run, state().program.get());
      const auto& all = told().messages;
      ctx->LogInfo("%s: %s: %s", c.name, told().word.c_str(), all.empty() ? "" : all[0].english().c_str());
      const auto says = [&](const std::string& sentence) {
        return std::ranges::any_of(
            all, [&](const Message& m) { return m.english().find(sentence) != std::string::npos; });
      };
      IM_CHECK_EQ(v.passed(), told().word.empty());
      IM_CHECK_EQ(v.passed(), all.empty());
      if (*c.word) IM_CHECK_STR_EQ(told().word.c_str(), c.word);
      if (*c.first) IM_CHECK(all.at(0).english().starts_with(c.first));
      IM_CHECK(v.ordered || told().word == "race" || !v.well_behaved);  // what ends threads is worse
      if (!v.well_behaved) IM_CHECK(says(v.findings[0].text()));
      if (!v.coverage.whole()) IM_CHECK(says(v.coverage.gaps[0].message.english()));
      if (v.judged && !v.correct) IM_CHECK(says(first_difference(*state().run).english()));
      for (const Message& mistake : v.program) IM_CHECK(says(mistake.english()));
      if (const Message exit = exit_of(*state().program); !exit.empty())
        IM_CHECK(all.back() == exit && all.size() > 1);
      IM_CHECK_EQ(ctx->ItemExists("//app/troubles"), !all.empty());
    }
  });
  add_test(e, "own_program", "what_is_not_judged_is_told", [](ImGuiTestContext* ctx) {
    const Home home;
    allow_programs_in(home.in(""));
    // a cooperative launch is shown as a whole or not at all, and this one is too long
    const auto text = [](const std::string& index) {
      return "#include <cooperative_groups.h>\n"
             "__global__ void whole(int* a) {\n"
             "  for (int i = 0; i < 60000; ++i) a[threadIdx.x] += i;\n"
             "  cooperative_groups::this_grid().sync();\n"
             "}\n"
             "__global__ void one(int* a) { a[" +
             index +
             "] = threadIdx.x; }\n"
             "int main() {\n"
             "  int* a;\n"
             "  cudaMalloc(&a, 128);\n"
             "  cudaMemset(a, 0, 128);\n"
             "  void* all[] = {&a};\n"
             "  cudaLaunchCooperativeKernel(whole, 1, 32, all);\n"
             "  one<<<1, 32>>>(a);\n"
             "  cudaFree(a);\n"
             "}\n";
    };
    const char* in_english = "No launch of whole is shown: make the input smaller";
    app().drop(home.write("whole.cu", text("threadIdx.x")));
    ctx->Yield(4);
    IM_CHECK_STR_EQ(kernel().c_str(), "yours/whole");
    IM_CHECK_STR_EQ(told().word.c_str(), "not judged");
    IM_CHECK(ctx->ItemExists("//app/troubles"));
    IM_CHECK(is_on_screen(ctx, "Not judged"));
    IM_CHECK(is_on_screen(ctx, in_english));
    app().state.language = Language::zh;
    IM_CHECK(is_on_screen(ctx, "没有显示 whole 的任何一次启动"));
    app().state.language = Language::en;
    // beside what is wrong, it is in the list
    app().drop(home.write("both.cu", text("threadIdx.x / 2")));
    ctx->Yield(4);
    IM_CHECK_STR_EQ(told().word.c_str(), "race");
    IM_CHECK(!is_on_screen(ctx, in_english));
    ctx->ItemClick("//app/troubles");
    IM_CHECK(is_on_screen(ctx, in_english));
    ctx->KeyPress(ImGuiKey_Escape);
  });
  add_test(e, "own_program", "a_first_access_out_of_bounds_is_shown", [](ImGuiTestContext* ctx) {
    const Home home;
    allow_programs_in(home.in(""));
    app().drop(home.write("beyond.cu", program("__global__ void kernel(const int* in, int* out) {\n"
                                               "  out[threadIdx.x] = in[threadIdx.x + n];\n"
                                               "}\n",
                                               "copy(in)", "n")));
    IM_CHECK(!is_on_screen(ctx, "This block touches no memory."));
    const Finding& f = state().run->trace.findings.at(0);
    IM_CHECK_EQ(f.line, 4);
    const auto& shapes = app().ui.pictures.at("source").picture.shapes;  // the line is in view
    IM_CHECK(std::ranges::any_of(shapes, [](const Shape& s) { return s.words == "4"; }));
  });
  add_test(e, "own_program", "what_is_typed_is_what_is_saved", [](ImGuiTestContext* ctx) {
    const Home home;
    begin_file(ctx);
    const std::string file = state().target.file;
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
    ctx->KeyPress(ImGuiKey_Delete);
    const std::string text =
        "a[1];\nc[d[2]+1];\nf(g(x));\nchar t = 'x';\nputs(\"a(b[\");\nif (x) { y[i] = (z); "
        "}\n__syncthreads();\n";
    for (const char letter : text) {
      if (letter == '\n')
        ctx->KeyPress(ImGuiKey_Enter);
      else
        ctx->KeyChars(std::string(1, letter).c_str());
      ctx->Yield(2);
    }
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
    ctx->Yield(4);
    IM_CHECK_STR_EQ(Home::read(file).c_str(), text.c_str());
  });
  add_test(e, "own_program", "the_editor_says_what_the_views_show", [](ImGuiTestContext* ctx) {
    const Home home;
    begin_file(ctx);
    const std::string good = tree("__syncthreads();"), bad = tree("__syncthreads()");
    type_and_save(ctx, good);
    const auto run = state().run;
    IM_CHECK(is_on_screen(ctx, this_version));
    ctx->KeyChars("x");
    IM_CHECK(is_on_screen(ctx, earlier));
    IM_CHECK(!is_on_screen(ctx, this_version));

    type_and_save(ctx, bad);
    const std::string error = std::to_string(line_of_add - 1) + ": ";
    IM_CHECK(is_on_screen(ctx, error));
    IM_CHECK(is_on_screen(ctx, earlier));
    ctx->KeyPress(ImGuiKey_Escape);
    for (int k = 0; k < 20 && state().target.is_program(); ++k) {
      ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
      ctx->Yield(4);
      IM_CHECK(edits_program(app().ui));
      IM_CHECK(!is_on_screen(ctx, this_version));
      IM_CHECK(is_on_screen(ctx, error));
    }
    IM_CHECK_STR_EQ(kernel().c_str(), "scan/blelloch");
    IM_CHECK(is_on_screen(ctx, another));
    for (int k = 0; k < 20 && state().run != run; ++k) {
      ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z);
      ctx->Yield(4);
      IM_CHECK(!is_on_screen(ctx, this_version));
    }
    IM_CHECK(state().run == run);
    IM_CHECK(is_on_screen(ctx, error));
    IM_CHECK(is_on_screen(ctx, earlier));

    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);  // leaves the text
    ctx->Yield(4);
    IM_CHECK(!edits_program(app().ui));
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);  // and is back in it
    ctx->Yield(4);
    IM_CHECK(edits_program(app().ui));
    type_and_save(ctx, good);
    IM_CHECK(is_on_screen(ctx, this_version));
    IM_CHECK(!is_on_screen(ctx, error));
  });
  add_test(e, "own_program", "atomics_shows_its_own_queues", [](ImGuiTestContext* ctx) {
    const Home home;
    allow_programs_in(home.in(""));
    const auto opened_on_atomics = [&](const char* name, const std::string& text) {
      app().drop(home.write(name, text));
      ctx->Yield(2);
      ctx->KeyPress(ImGuiKey_4);
      ctx->Yield(4);
    };
    const std::string clear = "if (i < 4) local[i] = 0;";
    const auto model = [] { return state().results.of<AtomicsQueues>().runs->model; };
    opened_on_atomics("queues.cu", counting(clear, "atomicAdd(&local[keys[i]], 1);"));
    IM_CHECK(state().error.empty());
    IM_CHECK_STR_EQ(state().tab.c_str(), "atomics");
    IM_CHECK(state().results.of<AtomicsQueues>().runs != nullptr);
    IM_CHECK(state().results.of<AtomicsQueues>().runs->left == state().run);
    IM_CHECK(model().alone && !model().racy);
    IM_CHECK_STR_EQ(model().sides[0].place.c_str(), "bins[1]");
    IM_CHECK_EQ(model().sides[0].shared_longest, 52);  // 48 keys and a quarter of the other 16
    IM_CHECK(!ctx->ItemExists("//app/left/##kernel"));

    opened_on_atomics("none.cu", tree("__syncthreads();"));
    IM_CHECK(state().results.of<AtomicsQueues>().runs == nullptr);
    IM_CHECK(is_on_screen(ctx, "This run has no atomic operations"));

    opened_on_atomics("lost.cu", counting("if (i < 4) local[i] = 0;", "bins[keys[i]]++;"));
    IM_CHECK(model().alone && model().racy);
    IM_CHECK_EQ(model().racy->lost, state().run->report.lost().lost);
    IM_CHECK_GT(model().racy->lost, 0);
  });
  add_test(e, "own_program", "a_kernel_is_edited_as_its_cuda_program", [](ImGuiTestContext* ctx) {
    const Home home;
    IM_CHECK_STR_EQ(kernel().c_str(), "scan/blelloch");
    IM_CHECK(state().run->trace.dialect == Dialect::ours_in_cuda);
    click(ctx, place_of(ctx, "source", "source:dialect"));
    ctx->Yield(4);
    IM_CHECK(state().run->trace.dialect == Dialect::ours);
    click(ctx, place_of(ctx, "source", "source:cuda"));
    ctx->Yield(4);
    IM_CHECK(state().run->trace.dialect == Dialect::ours_in_cuda);

    const std::string block = "BLOCK = " + std::to_string(state().run->trace.launches[0].block);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    for (int k = 0; k < 200 && kernel() != "yours/blelloch"; ++k) ctx->SleepNoSkip(0.1f, 0.05f);
    IM_CHECK_STR_EQ(kernel().c_str(), "yours/blelloch");
    IM_CHECK(edits_program(app().ui));
    const std::string file = home.in("barrierscope/blelloch.cu");
    IM_CHECK_STR_EQ(state().target.file.c_str(), file.c_str());
    IM_CHECK(Home::read(file).find(block) != std::string::npos);
    IM_CHECK_STR_EQ(told().word.c_str(), "");
  });
  add_test(e, "own_program", "a_lessons_program_is_edited_in_a_copy", [](ImGuiTestContext* ctx) {
    const Home home;
    const std::string course = BARRIERSCOPE_ROOT "/tests/lessons/course";
    const std::string theirs = course + "/programs/neighbours.cu", text = Home::read(theirs);
    allow_programs_in(course);
    app().ui.dispatcher.dispatch(app().state, [&](LoadedState& s) {
      s = with_lesson(std::move(s), course + "/en/01-shift.md", app().ui.runs);
    });
    for (int k = 0; k < 200 && kernel() != "yours/neighbours"; ++k) ctx->SleepNoSkip(0.1f, 0.05f);
    IM_CHECK_STR_EQ(state().target.file.c_str(), theirs.c_str());

    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    for (int k = 0; k < 200 && state().target.file == theirs; ++k) ctx->SleepNoSkip(0.1f, 0.05f);
    IM_CHECK_STR_EQ(state().target.file.c_str(), home.in("barrierscope/neighbours.cu").c_str());
    IM_CHECK_EQ(state().target.program.constants.size(), 2u);
    IM_CHECK(edits_program(app().ui));
    type_and_save(ctx, text + "// mine\n");
    IM_CHECK_STR_EQ(Home::read(theirs).c_str(), text.c_str());
    IM_CHECK_STR_EQ(Home::read(home.in("barrierscope/neighbours.cu")).c_str(), (text + "// mine\n").c_str());
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_L);
    for (int k = 0; k < 200 && state().target.file != theirs; ++k) ctx->SleepNoSkip(0.1f, 0.05f);
    IM_CHECK_STR_EQ(state().target.file.c_str(), theirs.c_str());
  });
  add_test(e, "own_program", "its_machine_code_is_made_when_asked_for", [](ImGuiTestContext* ctx) {
    const Home home;
    const fs::path sample = fs::path(BARRIERSCOPE_ROOT) / "tests" / "machine_code" / "own";
    const auto played = [&](const std::string& name, const std::string& script) {
      const std::string file = home.write(name, "#!/bin/sh\n" + script);
      fs::permissions(file, fs::perms::owner_all);
      return file;
    };
    const cuda::Disassembler tools{played("nvcc", "cat " + (sample / "said.txt").string() + " >&2\n"),
                                   played("nvdisasm", "cat " + (sample / "listing.txt").string() + "\n"),
                                   {}};
    OwnCodeBench& bench = app().ui.services.of<OwnCodeBench>();
    const auto before = bench.tools;
    bool missing = false;
    bench.tools = [&] { return missing ? cuda::Disassembler{} : tools; };
    const auto said_in_source = [](const std::string& words) {
      const auto& shapes = app().ui.pictures.at("source").picture.shapes;
      return std::ranges::any_of(shapes,
                                 [&](const Shape& s) { return s.words.find(words) != std::string::npos; });
    };
    const std::string text = Home::read((sample / "own.cu").string());
    home.write("own.cuh", Home::read((sample / "own.cuh").string()));
    allow_programs_in(home.in(""));
    app().drop(home.write("own.cu", text));
    for (int k = 0; k < 200 && kernel() != "yours/own"; ++k) ctx->SleepNoSkip(0.1f, 0.05f);
    IM_CHECK_STR_EQ(kernel().c_str(), "yours/own");
    IM_CHECK(!hit_on_screen(app().ui, "source", "source:occupancy"));
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_M);
    for (int k = 0; k < 200 && !hit_on_screen(app().ui, "source", "source:occupancy"); ++k)
      ctx->SleepNoSkip(0.05f, 0.05f);
    IM_CHECK(hit_on_screen(app().ui, "source", "source:occupancy"));
    IM_CHECK(said_in_source("14 registers"));  // the first launch is mirror<float, 32>
    click(ctx, place_of(ctx, "source", "source:unfold:17"));
    ctx->Yield(2);
    IM_CHECK(said_in_source("BAR.SYNC"));

    // once more, of another text and where there is no nvcc
    missing = true;
    home.write("own.cu", text + "// more\n");
    fs::last_write_time(home.in("own.cu"), fs::file_time_type::clock::now() + std::chrono::seconds(2));
    for (int k = 0; k < 200 && !said_in_source("no nvcc"); ++k) ctx->SleepNoSkip(0.1f, 0.05f);
    IM_CHECK(said_in_source("no nvcc"));
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_M);
    ctx->Yield(2);
    IM_CHECK(!said_in_source("no nvcc"));
    bench.tools = before;
  });
}};

}  // namespace
}  // namespace bscope
