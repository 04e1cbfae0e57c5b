// Lengths that are typed too large, and runs that take longer than a frame: refused in words, or made beside
// the frames with progress and a way out. Nothing here waits for a time: only for what is to come.
#include <imgui_internal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/lessons/play.hpp"
#include "app/lessons/shelf.hpp"
#include "app/run/run.hpp"
#include "app/session/session_file.hpp"
#include "app/shell/panel.hpp"
#include "app/tabs/atomics/atomics_state.hpp"
#include "app/tabs/atomics/picture.hpp"
#include "app/tabs/compare/compare_state.hpp"
#include "engine/analysis/run.hpp"
#include "tests/at_once.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;

LoadedState& state() { return app().state; }
Dispatcher& dispatcher() { return app().ui.dispatcher; }
std::string n_of_run() { return parameter_of(state().run->trace, "n"); }

/// Takes longer than a frame, and not a second.
constexpr long long some = 12'000;
/// So long that no machine has made it before a few frames are over; always given up.
constexpr long long many = 150'000;

/// Provides a wake callback, as in a window, as long as it lives; running work is then cancelled.
struct Woken {
  static inline std::atomic<int> calls = 0;
  static int times() { return calls; }
  Woken() {
    calls = 0;
    app().ui.wake = [] { ++calls; };
    app().ui.runs.patience = std::chrono::milliseconds(0);  // so that progress is shown in the next frame
  }
  ~Woken() {
    app().ui.runs.patience = std::chrono::milliseconds(200);
    app().ui.wake = nullptr;
    dispatcher().cancel();
    app().ui.runs.cancel();
    app().ui.runs.wake = nullptr;
  }
  Woken(const Woken&) = delete;
};

/// Frames until it is so.
template <class F>
bool comes(ImGuiTestContext* ctx, F is_so) {
  for (int k = 0; k < 20'000 && !is_so() && !ctx->IsError(); ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ctx->Yield();
  }
  return is_so();
}

/// The field of n, as an item.
ImGuiTestRef field(ImGuiTestContext* ctx) {
  ctx->SetRef(ctx->WindowInfo("//app/parameters").ID);
  return "##n";
}
void type_n(ImGuiTestContext* ctx, const char* n) {
  ctx->ItemInputValue(field(ctx), n);
  ctx->Yield(2);
}
/// What the field of n shows.
std::string shown_n(ImGuiTestContext* ctx) {
  const ImGuiTestRef n = field(ctx);
  ctx->ItemClick(n);
  const ImGuiInputTextState* text = ImGui::GetInputTextState(ctx->ItemInfo(n).ID);
  const std::string shown = text ? text->TextA.Data : "no field";
  ctx->KeyPress(ImGuiKey_Escape);  // out of the field
  ctx->Yield();
  return shown;
}

bool progress_is_shown(ImGuiTestContext* ctx) {
  return ctx->ItemInfo("//notices/give up", ImGuiTestOpFlags_NoError).ID != 0;
}
/// Waits for the progress, and presses its button (or Escape).
void cancel(ImGuiTestContext* ctx, bool by_key = false) {
  IM_CHECK(comes(ctx, [&] { return progress_is_shown(ctx); }));
  if (by_key)
    ctx->KeyPress(ImGuiKey_Escape);
  else
    ctx->ItemClick("//notices/give up");
  ctx->Yield(2);
}

struct Folder {
  fs::path at = fs::temp_directory_path() / ("barrierscope-huge-" + std::to_string(::getpid()));
  Folder() { fs::create_directories(at); }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(at, ignored);
  }
  Folder(const Folder&) = delete;
};

void tests(ImGuiTestEngine* e) {
  add_test(e, "huge", "lengths_that_do_not_go", [](ImGuiTestContext* ctx) {
    const Woken woken;
    const auto run = state().run;
    const auto refused = [&](const std::string& n) {
      return comes(ctx, [] { return state().error_at == Where::parameters; }) &&
             state().error.english().find("n = " + n + " ") != std::string::npos &&
             state().error.english().find("use at most --n ") != std::string::npos;
    };
    for (const char* n : {"99999999999999", "999999999999999999", "2147483648", "4294967300"}) {
      type_n(ctx, n);
      IM_CHECK(refused(n));
      IM_CHECK(state().run == run);
      IM_CHECK(!dispatcher().awaited());
      IM_CHECK_EQ(shown_n(ctx), std::string(n));
    }
    // more digits than a number has here do not make another number
    type_n(ctx, "123456789012345678901234567890");
    IM_CHECK_EQ(shown_n(ctx), std::string("123456789012345678"));
    IM_CHECK(refused("123456789012345678"));
    type_n(ctx, "-5");
    IM_CHECK_NE(state().error.english().find("too small"), std::string::npos);
    type_n(ctx, "64");
    IM_CHECK_EQ(state().error.english(), std::string());
    IM_CHECK_EQ(n_of_run(), std::string("64"));  // at once: no wake was needed
    IM_CHECK_EQ(Woken::times(), 5);
  });
  add_test(e, "huge", "a_long_run_comes_when_it_is_there", [](ImGuiTestContext* ctx) {
    const Woken woken;
    type_n(ctx, std::to_string(some).c_str());
    IM_CHECK(dispatcher().awaited() || Woken::times() == 1);
    IM_CHECK(comes(ctx, [] { return n_of_run() == std::to_string(some); }));
    IM_CHECK_EQ(Woken::times(), 1);
    IM_CHECK(!dispatcher().awaited());
    IM_CHECK_EQ(state().error.english(), std::string());
    IM_CHECK(state().run->trace.findings.empty());
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    ctx->Yield(2);
    IM_CHECK_EQ(n_of_run(), std::string("16"));
  });
  add_test(e, "huge", "a_long_run_is_given_up_by_button_and_key", [](ImGuiTestContext* ctx) {
    const Woken woken;
    const auto run = state().run;
    for (const bool by_key : {false, true}) {
      type_n(ctx, std::to_string(many).c_str());
      IM_CHECK(dispatcher().awaited() != nullptr);
      IM_CHECK_EQ(shown_n(ctx), std::to_string(many));
      const int step = step_of(*state().run, state().cursor);
      ctx->KeyPress(step ? ImGuiKey_Home : ImGuiKey_End);  // the app answers meanwhile
      ctx->Yield(2);
      IM_CHECK_NE(step_of(*state().run, state().cursor), step);
      cancel(ctx, by_key);
      IM_CHECK(!dispatcher().awaited());
      IM_CHECK(state().run == run);
      IM_CHECK_EQ(state().error.english(), std::string());
      IM_CHECK(!progress_is_shown(ctx));
      IM_CHECK_EQ(shown_n(ctx), std::string("16"));
    }
  });
  add_test(e, "huge", "what_is_asked_for_last_is_what_comes", [](ImGuiTestContext* ctx) {
    const Woken woken;
    type_n(ctx, std::to_string(many).c_str());
    IM_CHECK(dispatcher().awaited() != nullptr);
    type_n(ctx, std::to_string(some).c_str());
    IM_CHECK(comes(ctx, [] { return n_of_run() == std::to_string(some); }));
    type_n(ctx, std::to_string(many).c_str());
    IM_CHECK(dispatcher().awaited() != nullptr);
    type_n(ctx, "99999999999999");  // refused: nothing is waited for any more
    IM_CHECK(comes(ctx, [] { return state().error_at == Where::parameters; }));
    IM_CHECK(!dispatcher().awaited());
    type_n(ctx, std::to_string(many).c_str());
    IM_CHECK_EQ(state().error.english(), std::string());
    // another kernel takes the length along; another run of it ends the wait
    ctx->SetRef(ctx->WindowInfo("//app/kernels").ID);
    ctx->ItemClick("reduce\\/shared/kernel");
    ctx->Yield(2);
    IM_CHECK(comes(ctx, [] { return state().run->trace.kernel == "reduce/shared"; }));
    IM_CHECK_EQ(n_of_run(), std::to_string(some));
    type_n(ctx, "8");
    ctx->Yield(5);
    IM_CHECK(!dispatcher().awaited());
    IM_CHECK_EQ(n_of_run(), std::string("8"));
  });
  add_test(e, "huge", "compare_refuses_in_words_and_can_be_given_up", [](ImGuiTestContext* ctx) {
    const Woken woken;
    ctx->KeyPress(ImGuiKey_5);
    ctx->Yield(3);
    const auto comparison = state().results.of<CompareRuns>().comparison;
    const std::string n = n_of_run();
    IM_CHECK(comparison != nullptr);
    ctx->SetRef("//app");
    ctx->ItemInputValue("right/##n", "99999999999999");
    IM_CHECK(comes(ctx, [] { return state().error_at == Where::compare; }));
    IM_CHECK_NE(state().error.english().find("n = 99999999999999 "), std::string::npos);
    IM_CHECK_NE(state().error.english().find("use at most --n "), std::string::npos);
    IM_CHECK(state().results.of<CompareRuns>().comparison == comparison);
    ctx->ItemInputValue("right/##n", "24");
    ctx->Yield(2);
    IM_CHECK_EQ(state().error.english(), std::string());
    IM_CHECK_EQ(state().results.of<CompareRuns>().other->report.input.size(), size_t(24));
    const auto other = state().results.of<CompareRuns>().other;
    ctx->ItemInputValue("right/##n", std::to_string(many).c_str());
    ctx->Yield(2);
    IM_CHECK(loading_tab(app().ui) != nullptr);
    cancel(ctx);
    IM_CHECK(loading_tab(app().ui) == nullptr);
    IM_CHECK(state().results.of<CompareRuns>().other == other);
    IM_CHECK_EQ(state().of<CompareState>().right.n, 24);
    IM_CHECK_EQ(state().error.english(), std::string());
    // the left side is the open run
    ctx->ItemInputValue("left/##n", std::to_string(many).c_str());
    ctx->Yield(2);
    IM_CHECK(dispatcher().awaited() != nullptr);
    cancel(ctx, true);
    IM_CHECK_EQ(n_of_run(), n);
    IM_CHECK(state().results.of<CompareRuns>().comparison != nullptr);
  });
  add_test(e, "huge", "atomics_can_be_given_up", [](ImGuiTestContext* ctx) {
    RunSpec r;
    r.kernel = "histogram/shared-atomics";
    restart(r);
    ctx->KeyPress(ImGuiKey_4);
    ctx->Yield(3);
    const auto queues = state().results.of<AtomicsQueues>().runs;
    IM_CHECK(queues != nullptr);
    const Woken woken;
    state().of<AtomicsState>().own_input = true;
    state().of<AtomicsState>().left.kernel = state().of<AtomicsState>().right.kernel = "scan/look-back";
    state().of<AtomicsState>().blocks = most_queue_blocks;
    state().of<AtomicsState>().threads = most_queue_threads;
    state().of<AtomicsState>().fit(*state().run);
    ctx->Yield(2);
    IM_CHECK(loading_tab(app().ui) != nullptr);
    cancel(ctx);
    IM_CHECK(loading_tab(app().ui) == nullptr);
    IM_CHECK(state().results.of<AtomicsQueues>().runs == queues);
    IM_CHECK(!state().of<AtomicsState>().own_input);
    IM_CHECK_EQ(state().error.english(), std::string());
  });
  add_test(e, "huge", "files_and_lessons_that_are_long", [](ImGuiTestContext* ctx) {
    const Folder folder;
    const std::string session = folder.at / "long.bscope", lesson = folder.at / "long.md";
    {
      Target t;
      t.request.kernel = "scan/blelloch";
      t.request.n = some;
      save_session(opened(state(), t, Where::nowhere), session);
    }
    const Woken woken;
    ctx->Yield();
    app().drop(session);
    ctx->Yield();
    IM_CHECK(comes(ctx, [&] { return n_of_run() == std::to_string(some); }));
    IM_CHECK_EQ(Woken::times(), 1);
    IM_CHECK_EQ(state().error.english(), std::string());
    restart();
    std::ofstream(lesson)
        << "# Long runs\nabout: Long.\n\n## Short\n```show\nkernel: scan/blelloch\nn: 16\n```\n"
        << "Twenty thousand take {adds of reduce/shared n=20000} adds.\n\n## Long\n```show\nn: " << some
        << "\n```\nHere are {n} elements.\n";
    state() = with_lesson(std::move(state()), lesson);
    const auto says = [](const char* words) {
      const auto& shapes = app().ui.pictures["lesson"].picture.shapes;
      return std::ranges::any_of(shapes,
                                 [&](const auto& t) { return t.words.find(words) != std::string::npos; });
    };
    ctx->Yield(2);
    IM_CHECK(says("kernels") || Woken::times() == 2);
    IM_CHECK(comes(ctx, [&] { return says("thousand"); }));
    IM_CHECK_EQ(Woken::times(), 2);
    ctx->KeyPress(ImGuiKey_N);
    ctx->KeyPress(ImGuiKey_N);  // impatient: that is the same step
    IM_CHECK(comes(ctx, [] { return n_of_run() == std::to_string(some); }));
    IM_CHECK_EQ(state().lesson.step, 1);
    IM_CHECK_EQ(Woken::times(), 2);  // the run was made for the session, and is kept
    state().lesson = {};
  });
}
const RegisterControls huge{tests};

}  // namespace
}  // namespace bscope
