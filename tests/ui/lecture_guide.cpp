// docs/lecturing.md, driven on the projector: each row of its three tables once, as it stands there.
#include <imgui_internal.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "app/lessons/shelf.hpp"
#include "app/tabs/atomics/atomics_state.hpp"
#include "app/tabs/banks/banks_state.hpp"
#include "app/tabs/time/time_state.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/trace/trace.hpp"
#include "tests/places.hpp"
#include "tests/ui/harness.hpp"
#include "tests/ui/seen.hpp"

namespace bscope {
namespace {

LoadedState& state() { return app().state; }
LessonState& lesson() { return app().state.lesson; }

/// What the guide's tables say: "open" and "press", by row; a heading of a lecture has neither.
struct GuideRow {
  std::string open, press;
};
/// Rows of a lecture's table, by its number from 1.
std::vector<GuideRow> rows_of_lecture(int lecture) {
  std::ifstream in(BARRIERSCOPE_ROOT "/docs/lecturing.md");
  std::vector<GuideRow> rows;
  int now = 0;
  for (std::string words; std::getline(in, words);) {
    if (words.starts_with("## Lecture ")) now = words[11] - '0';
    if (now != lecture || !words.starts_with("| ") || words.starts_with("| minutes")) continue;
    std::vector<std::string> cells;
    for (size_t at = 2; at < words.size();) {
      const size_t end = std::min(words.find(" |", at), words.size());
      cells.push_back(words.substr(at, end - at));
      at = end + 3;
    }
    rows.push_back({cells.at(1), cells.at(2)});
  }
  return rows;
}

/// Goes through the rows of a lecture's table in their order.
class Lecture {
 public:
  Lecture(ImGuiTestContext* ctx, int number) : ctx_(ctx), rows_(rows_of_lecture(number)) {
    app().state.reduced_motion = true;
    ctx->KeyPress(ImGuiKey_F5);
    ctx->Yield(2);
  }
  ~Lecture() { IM_CHECK_NO_RET(at_ == rows_.size()); }

  /// The next row says this.
  void row(const std::string& open, const std::string& press) {
    IM_CHECK(at_ < rows_.size());
    IM_CHECK_STR_EQ(rows_[at_].open.c_str(), open.c_str());
    IM_CHECK_STR_EQ(rows_[at_].press.c_str(), press.c_str());
    ++at_;
  }
  /// Opens a lesson from the list, by the keyboard.
  void opens(const std::string& title) {
    ctx_->KeyPress(ImGuiMod_Alt | ImGuiKey_L);
    ctx_->Yield(2);
    LessonShelf shelf;
    shelf.refresh();
    for (const std::string& id : shelf.ids()) {
      if (shelf.find(id, Language::en)->title != title) continue;
      for (int k = 0; k < int(shelf.ids().size()) && chosen() != id; ++k) {
        ctx_->KeyPress(ImGuiKey_N);
        ctx_->Yield();
      }
      IM_CHECK(on_screen("lesson", "lesson " + id));
      ctx_->KeyPress(ImGuiKey_Enter);
      settle();
      IM_CHECK_STR_EQ(lesson().lesson.c_str(), id.c_str());
      IM_CHECK_EQ(lesson().step, 0);
      return;
    }
    IM_CHECK_NO_RET(title == "a lesson of this title");
  }
  /// `N` up to the step that the guide calls so: each answer before the next step.
  void to_step(int number) {
    for (int presses = 0; presses < 60 && lesson().step < number - 1; ++presses) next();
    IM_CHECK_EQ(lesson().step, number - 1);
  }
  void next() { press(ImGuiKey_N); }
  /// `N` to the answer of the question that this step asks.
  void answer() {
    const int step = lesson().step, part = lesson().part;
    IM_CHECK(lesson().asking);
    // a long text is read on first
    for (int presses = 0; presses < 5 && lesson().part == part && lesson().step == step; ++presses) next();
    IM_CHECK_EQ(lesson().step, step);
    IM_CHECK_EQ(lesson().part, part + 1);
  }
  void press(ImGuiKeyChord key) {
    ctx_->KeyPress(key);
    settle();
  }
  /// Types a guess for each cell that is asked for; returns how many there were.
  int guess_all() {
    IM_CHECK_RETV(state().prediction.hides(), 0);
    const int asked = int(state().prediction.cells.size());
    for (int k = 0; k < asked; ++k) {
      ctx_->KeyChars("7");
      ctx_->KeyPress(ImGuiKey_Tab);
    }
    press(ImGuiKey_Enter);
    IM_CHECK_RETV(state().prediction.revealed, asked);
    return asked;
  }
  /// Until the run that a press asks for is there, and nothing moves.
  void settle() {
    ctx_->Yield(2);
    for (int k = 0; k < 10000 && (app().busy() || app().ui.dispatcher.waits() || state().awaits); ++k) {
      if (app().ui.dispatcher.waits()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ctx_->Yield();
    }
    ctx_->Yield();
  }

  /// Whether a text of the next frame has this in it.
  bool reads(const std::string& words) {
    const Seen& seen = next_frame(ctx_);
    return std::ranges::any_of(seen.texts, [&](const SeenText& t) {
      return t.words.find(words) != std::string::npos && t.visible.GetHeight() > 1;
    });
  }
  bool on_screen(const std::string& picture, const std::string& hit) {
    const auto shown = app().ui.pictures.find(picture);
    return shown != app().ui.pictures.end() &&
           std::ranges::count(shown->second.picture.hits, hit, &HitRegion::name) > 0;
  }
  /// The first hit of a picture whose name begins so, and whose tip has this in it; empty: there is none.
  std::string first_hit(const std::string& picture, const std::string& begin, const std::string& tip = {}) {
    for (const HitRegion& h : app().ui.pictures.at(picture).picture.hits)
      if (h.name.starts_with(begin) && h.tip.find(tip) != std::string::npos) return h.name;
    return {};
  }
  ImGuiTestContext* operator->() { return ctx_; }
  ImGuiTestContext* ctx() { return ctx_; }

 private:
  std::string chosen() const {
    LessonShelf shelf;
    shelf.refresh();
    return shelf.ids().at(size_t(std::clamp(lesson().chosen, 0, int(shelf.ids().size()) - 1)));
  }
  ImGuiTestContext* ctx_;
  std::vector<GuideRow> rows_;
  size_t at_ = 0;
};

int working() { return RunQueries(state().run).step(state().cursor)->working; }
std::string kernel() { return state().run->trace.kernel; }

void lecture_1(ImGuiTestContext* ctx) {
  Lecture l(ctx, 1);
  l.row("lesson *Adding with a tree*, steps 1 and 2", "`Left` for the load, `Right` for the sum, then `N`");
  l.opens("Adding with a tree");
  IM_CHECK(l.reads("Serial"));
  l.press(ImGuiKey_LeftArrow);
  IM_CHECK(l.reads("Load"));
  l.press(ImGuiKey_RightArrow);
  IM_CHECK(l.reads("Serial"));
  IM_CHECK_EQ(working(), 1);
  // the lesson speaks of this row
  IM_CHECK(!l.first_hit("timeline", "step:").empty());
  l.answer();
  l.to_step(2);
  IM_CHECK_EQ(working(), 4);

  l.row("steps 3 to 6", "`N`; in step 5 type the value, `Enter`");
  l.to_step(3);
  IM_CHECK(lesson().asking);
  l.answer();
  l.to_step(5);
  IM_CHECK(!l.reads("36"));
  IM_CHECK_EQ(l.guess_all(), 1);
  IM_CHECK(l.reads("36"));
  l.to_step(6);

  l.row("steps 7 to 9", "`N`");
  while (lesson().step < 8) {
    l.next();
    if (lesson().step >= 6 && state().tab == "watch") IM_CHECK(l.on_screen("array", "thread:63"));
  }

  l.row("lesson *Unrolling*", "`N` through the steps; the last one shows the times");
  l.opens("Unrolling");
  while (state().tab != "time" && lesson().lesson == "unrolling") l.next();
  IM_CHECK(l.reads("GB/s"));
  IM_CHECK(l.reads("Reduction: throughput"));

  l.row("`K`, choose *Warp shuffles*", "`Right` over the barrier");
  l.press(ImGuiKey_1);
  l.press(ImGuiKey_K);
  IM_CHECK(!ImGui::GetCurrentContext()->OpenPopupStack.empty());
  const ImGuiWindow* popover = ImGui::GetCurrentContext()->OpenPopupStack.back().Window;
  const ImGuiWindow* list = nullptr;
  for (const ImGuiWindow* w : ImGui::GetCurrentContext()->Windows)
    if (w->Active && w->ParentWindow == popover && std::string(w->Name).find("/kernels") != std::string::npos)
      list = w;
  IM_CHECK(list != nullptr);
  ctx->SetRef(list->ID);
  ctx->ItemClick("reduce\\/warp-shuffle/kernel");
  ctx->SetRef("//app");
  l.settle();
  ctx->KeyPress(ImGuiKey_Escape);
  l.settle();
  IM_CHECK_STR_EQ(kernel().c_str(), "reduce/warp-shuffle");
  l.press(ImGuiKey_Home);
  const int before = state().cursor.interval;
  l.press(ImGuiKey_RightArrow);
  IM_CHECK_EQ(state().cursor.interval, before + 1);
  IM_CHECK(!l.first_hit("whole run", "run:lanes:").empty());  // which take the barriers' places

  l.row("`6`, the slider of N", "drag it from 2^10 to 2^29");
  l.press(ImGuiKey_6);
  std::set<std::string> shown;
  for (const float share : {0.02f, 0.5f, 0.9f}) {
    slide(ctx, "time", "n", share);
    shown.insert("2^" + std::to_string(state().of<TimeState>().log_n));
    IM_CHECK(l.reads("N = " + *shown.rbegin()) || l.reads(*shown.rbegin()));
  }
  IM_CHECK_EQ(int(shown.size()), 3);
}

void lecture_2(ImGuiTestContext* ctx) {
  Lecture l(ctx, 2);
  l.row("lesson *Hillis and Steele's scan*, steps 1 to 4", "`N`; in step 4 type the values, `Enter`");
  l.opens("Hillis and Steele's scan");
  l.to_step(4);
  IM_CHECK_GE(l.guess_all(), 4);

  l.row("its step *Why two buffers*", "`N` for the answer; click a cell with a red frame");
  l.to_step(5);
  IM_CHECK(l.reads("Why two buffers"));
  l.answer();
  const std::string raced = l.first_hit("array", "after:", "race for it");
  IM_CHECK(!raced.empty());
  click(ctx, place_of(ctx, "array", raced));
  l.settle();
  IM_CHECK(state().cursor.cell.has_value());
  IM_CHECK(l.reads(raced.substr(raced.find(':') + 1)));

  l.row("lesson *Kogge-Stone versus Brent-Kung*", "`N`; step 7 puts both side by side");
  l.opens("Kogge-Stone versus Brent-Kung");
  l.to_step(7);
  IM_CHECK_STR_EQ(state().tab.c_str(), "compare");
  IM_CHECK(l.reads("Kogge-Stone") && l.reads("Brent-Kung"));
  IM_CHECK(l.reads("adds") && l.reads("steps") && l.reads("GB/s"));
  for (const char* side : {"left 8", "right 8"}) IM_CHECK(l.on_screen("compare", side));

  l.row("lesson *Blelloch's scan*", "`N`; in step 7 type the values, `Enter`");
  l.opens("Blelloch's scan");
  l.to_step(7);
  IM_CHECK_GE(l.guess_all(), 2);

  l.row("lesson *Banks and padding*, steps 1 to 4", "`N`; then *Pattern* at the top right, drag the stride");
  l.opens("Banks and padding");
  l.to_step(4);
  click(ctx, place_of(ctx, "banks", "pattern"));
  l.settle();
  std::set<int> strides;
  for (const float share : {0.1f, 0.5f, 0.9f}) {
    slide(ctx, "banks", "stride", share);
    l.settle();
    strides.insert(state().of<BanksState>().pattern.stride);
  }
  IM_CHECK_EQ(int(strides.size()), 3);

  l.row("lesson *Look-back*, steps 1 to 5", "`N`");
  l.opens("Look-back");
  l.to_step(5);
}

void lecture_3(ImGuiTestContext* ctx) {
  Lecture l(ctx, 3);
  l.row("lesson *Races*, steps 1 to 3", "`N`");
  l.opens("Races");
  IM_CHECK(lesson().asking);
  // a look into another tab does not answer it
  state().tab = "atomics";
  l.settle();
  IM_CHECK(!l.reads("keys lost"));
  IM_CHECK(l.reads("open question"));
  l.press(ImGuiMod_Shift | ImGuiKey_L);
  l.answer();
  l.to_step(3);
  IM_CHECK_STR_EQ(state().tab.c_str(), "atomics");
  IM_CHECK(l.reads("keys lost"));

  l.row("its step 4", "`Page Up` and `Page Down` for other blocks");
  l.to_step(4);
  IM_CHECK_STR_EQ(kernel().c_str(), "histogram/global-atomics");
  IM_CHECK(!l.reads("keys lost"));
  const int block = state().cursor.block;
  l.press(ImGuiKey_PageUp);
  IM_CHECK_EQ(state().cursor.block, block - 1);
  l.press(ImGuiKey_PageDown);
  IM_CHECK_EQ(state().cursor.block, block);

  l.row("lesson *Atomics and private copies*", "`N`; in step 2 drag the skew");
  l.opens("Atomics and private copies");
  l.to_step(2);
  IM_CHECK_STR_EQ(state().tab.c_str(), "atomics");
  std::set<double> skews;
  for (const float share : {0.1f, 0.5f, 0.9f}) {
    slide(ctx, "atomics", "skew", share);
    l.settle();
    skews.insert(state().of<AtomicsState>().skew);
  }
  IM_CHECK_EQ(int(skews.size()), 3);

  l.row("lesson *Coarsening*", "`N`");
  l.opens("Coarsening");
  int questions = 0;
  while (lesson().lesson == "coarsening") {
    questions += lesson().asking;
    l.next();
  }
  IM_CHECK_GE(questions, 3);

  l.row("`Ctrl+O`, `night.png` from the examples", "`4`, then `V` for another kernel below");
  l.press(ImGuiMod_Ctrl | ImGuiKey_O);
  ctx->KeyChars("night");
  ctx->Yield(2);
  l.press(ImGuiKey_Enter);
  IM_CHECK_STR_EQ(state().target.request.input_name.c_str(), "night.png");
  l.press(ImGuiKey_4);
  IM_CHECK_STR_EQ(state().tab.c_str(), "atomics");
  IM_CHECK(l.reads("night.png"));
  const std::string below = state().of<AtomicsState>().right.kernel;
  l.press(ImGuiKey_V);
  IM_CHECK(state().of<AtomicsState>().right.kernel != below);

  l.row("`6`, histogram, *keys* above the chart", "the legend");
  l.press(ImGuiKey_6);
  click(ctx, place_of(ctx, "time", "axis:keys"));
  l.settle();
  IM_CHECK_STR_EQ(state().of<TimeState>().axis.c_str(), "keys");
  IM_CHECK(l.reads("uniform") && l.reads("one key"));
  IM_CHECK(l.reads("Shared atomics"));  // beside its curve
}

void tests(ImGuiTestEngine* e) {
  add_test(e, "lecture_guide", "reduction", lecture_1);
  add_test(e, "lecture_guide", "scan", lecture_2);
  add_test(e, "lecture_guide", "histogram", lecture_3);
}

const RegisterControls registered{tests};

}  // namespace
}  // namespace bscope
