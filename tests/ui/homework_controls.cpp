// Homework files with a mistake, by the keyboard alone: from opening the file to a run without findings.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "app/run/own_program.hpp"
#include "app/shell/findings.hpp"
#include "app/shell/header.hpp"
#include "app/shell/watch/editor.hpp"
#include "engine/analysis/run.hpp"
#include "tests/places.hpp"
#include "tests/ui/harness.hpp"
#include "tests/ui/seen.hpp"

namespace bscope {

struct SourceEditor;
namespace {

namespace fs = std::filesystem;

/// A key, or what is typed in between.
struct Pressed {
  ImGuiKeyChord key = ImGuiKey_None;
  std::string typed = {};
};
Pressed key(ImGuiKeyChord chord) { return {chord}; }
Pressed typed(std::string words) { return {ImGuiKey_None, std::move(words)}; }

constexpr ImGuiKeyChord up = ImGuiKey_UpArrow, down = ImGuiKey_DownArrow, right = ImGuiKey_RightArrow,
                        home = ImGuiKey_Home, end = ImGuiKey_End, del = ImGuiKey_Delete,
                        to_end = ImGuiMod_Shift | ImGuiKey_End;

/// The line of the cursor becomes this.
std::vector<Pressed> line(const std::string& words) {
  return {key(home), key(to_end), words.empty() ? key(del) : typed(words)};
}
std::vector<Pressed> in_turn(const std::vector<std::vector<Pressed>>& parts) {
  std::vector<Pressed> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}
std::vector<Pressed> times(int count, ImGuiKeyChord chord) {
  return std::vector<Pressed>(size_t(count), key(chord));
}

struct Homework {
  const char* name;
  const char* word;           ///< of the banner
  int line;                   ///< that F8 goes to; 0: the mistake is in no line that a thread ran
  std::vector<Pressed> mend;  ///< from there
};

const std::vector<Homework>& homeworks() {
  static const std::vector<Homework> all{
      {"ks_missing", "race", 15,
       line("    int left = i >= stride ? s[i - stride] : 0; __syncthreads(); s[i] += left;")},
      {"divergent", "fault", 13, in_turn({line(""), {key(down), key(end), typed(" __syncthreads();")}})},
      {"early", "fault", 9,
       in_turn({times(3, up), line(""), times(1, down), line("  if (i < n) s[threadIdx.x] = a[i];"),
                times(2, down),
                line("  if (i < n) a[i] = s[min(64, n - (int)blockIdx.x * 64) - 1 - threadIdx.x];")})},
      {"tail2", "wrong", 8,
       in_turn({{key(ImGuiMod_Ctrl | ImGuiKey_End)},
                times(4, up),
                line("  sum<<<(n + 127) / 128, 128>>>(x, total, n);")})},
      {"uninit", "fault", 11,
       in_turn({times(1, up), line("  if (threadIdx.x < BINS) local[threadIdx.x] = 0; __syncthreads();")})},
      {"hash", "fault", 10,
       in_turn({times(1, up), line("    unsigned h = (keys[i] * 1103515245u + 12345) % BINS;")})},
      {"overflow2", "fault", 8, in_turn({times(1, up), line("  int at = row * 100000000ll / 100000000;")})},
      {"multiblock", "wrong", 25, line("  if (blockIdx.x > 0) out[i] += sums[blockIdx.x - 1];")},
      {"doublebuf", "fault", 14,
       in_turn({times(1, up), line(""), times(1, down),
                line("    to[t] = t >= d ? from[t] + from[t - d] : from[t];"), times(1, down), line("")})},
      {"notouch", "fault", 4, in_turn({times(4, right), times(5, del)})}};  // in[i + 64]
  return all;
}

/// Presses keys, and counts them.
class Keyboard {
 public:
  explicit Keyboard(ImGuiTestContext* ctx) : ctx_(ctx) {}
  void press(const Pressed& p) {
    if (p.typed.empty()) {
      ctx_->KeyPress(p.key);
      ++keys_;
    } else {
      ctx_->KeyChars(p.typed.c_str());
      keys_ += int(p.typed.size());
    }
    ctx_->Yield(2);
  }
  int keys() const { return keys_; }

 private:
  ImGuiTestContext* ctx_;
  int keys_ = 0;
};

const RegisterControls tests{[](ImGuiTestEngine* e) {
  add_test(e, "own_program", "homework_is_mended_by_keys_alone", [](ImGuiTestContext* ctx) {
    const fs::path folder = fs::temp_directory_path() / ("barrierscope-keys-" + std::to_string(::getpid()));
    const std::string before = std::getenv("HOME") ? std::getenv("HOME") : "";
    fs::remove_all(folder);
    fs::create_directories(folder);
    ::setenv("HOME", folder.c_str(), 1);
    allow_programs_in(folder.string());
    const TroublesPanel& told = app().ui.of<TroublesPanel>();
    int all = 0;
    for (const Homework& h : homeworks()) {
      const std::string file = std::string(h.name) + ".cu";
      fs::copy_file(BARRIERSCOPE_ROOT "/tests/cuda/homework/" + file, folder / file);
      Keyboard keyboard(ctx);
      keyboard.press(key(ImGuiMod_Ctrl | ImGuiKey_K));
      keyboard.press(typed("~/" + file));
      keyboard.press(key(ImGuiKey_Enter));
      ctx->Yield(4);
      IM_CHECK_STR_EQ(app().state.target.file.c_str(), (folder / file).c_str());
      IM_CHECK_STR_EQ(told.troubles.word.c_str(), h.word);
      keyboard.press(key(ImGuiMod_Ctrl | ImGuiKey_E));
      ctx->Yield(4);
      keyboard.press(key(ImGuiKey_F8));
      ctx->LogInfo("%s: %s", h.name, told.troubles.messages[0].english().c_str());
      IM_CHECK_EQ(app().state.cursor.line, h.line);
      if (const FindingGroup* shown = finding_shown(app().ui); shown && shown->moment) {
        const Moment at = *shown->moment;
        IM_CHECK_EQ(app().state.cursor.block, at.block);
        IM_CHECK_EQ(app().state.cursor.thread, at.thread);
        IM_CHECK(app().state.cursor.cell == at.cell);
      }
      for (const Pressed& p : h.mend) keyboard.press(p);
      keyboard.press(key(ImGuiMod_Ctrl | ImGuiKey_S));
      ctx->Yield(4);
      IM_CHECK(app().state.error.empty());
      IM_CHECK_STR_EQ(told.troubles.word.c_str(), "");  // nothing is wrong any more
      std::printf("%s: %d keys from opening the file to the mended text\n", h.name, keyboard.keys());
      all += keyboard.keys();
      keyboard.press(key(ImGuiMod_Ctrl | ImGuiKey_E));
      ctx->Yield(2);
    }
    std::printf("%d files: %d keys\n", int(homeworks().size()), all);
    leave_editor(app().ui);
    app().ui.of<std::shared_ptr<SourceEditor>>().reset();
    ::setenv("HOME", before.c_str(), 1);
    fs::remove_all(folder);
  });
  // The list of findings lies over the pictures and takes no key but Escape.
  add_test(e, "own_program", "the_list_of_findings_swallows_no_keys", [](ImGuiTestContext* ctx) {
    const fs::path folder = fs::temp_directory_path() / ("barrierscope-list-" + std::to_string(::getpid()));
    fs::remove_all(folder);
    fs::create_directories(folder);
    allow_programs_in(folder.string());
    const std::string file = (folder / "ks_missing.cu").string();
    fs::copy_file(BARRIERSCOPE_ROOT "/tests/cuda/homework/ks_missing.cu", file);
    app().drop(file);
    ctx->Yield(4);
    const TroublesPanel& told = app().ui.of<TroublesPanel>();
    IM_CHECK(!told.groups.empty());
    ctx->ItemClick("//app/troubles");
    ctx->Yield(2);
    IM_CHECK_EQ(told.at, 0);
    IM_CHECK_EQ(app().state.cursor.line, told.groups[0].at.line);
    IM_CHECK(told.is_open);
    const int step = app().state.cursor.interval;
    ctx->KeyPress(ImGuiKey_RightArrow);
    ctx->Yield(2);
    IM_CHECK_EQ(app().state.cursor.interval, step + 1);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    IM_CHECK(!told.is_open);
    ctx->ItemClick("//app/troubles");
    ctx->Yield(2);
    IM_CHECK_EQ(app().state.cursor.interval, step);  // and back
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    ctx->Yield(4);
    IM_CHECK(edits_program(app().ui));
    leave_editor(app().ui);
    app().ui.of<std::shared_ptr<SourceEditor>>().reset();
    fs::remove_all(folder);
  });
}};

}  // namespace
}  // namespace bscope
