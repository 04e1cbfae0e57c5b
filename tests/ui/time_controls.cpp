// Every control of the Time tab, by mouse and by keys.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/measure/measurement_store.hpp"
#include "app/run/worker.hpp"
#include "app/session/session_file.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/files.hpp"
#include "app/shell/palette.hpp"
#include "app/tabs/time/time_state.hpp"
#include "engine/trace/scoped_assign.hpp"
#include "tests/at_once.hpp"
#include "tests/places.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;

MeasurementStore& bench() { return app().ui.services.of<MeasurementStore>(); }
TimeState& look() { return app().state.of<TimeState>(); }

/// On the Time tab, with no live figures and the recordings that come with the program.
void begin(ImGuiTestContext* ctx, const char* kernel = "scan/blelloch") {
  restart(kernel);
  bench().measurer.stop();
  for (const Recording& r : bench().measurer.progress().live) bench().measurer.forget(r.device);
  bench().recorded.reset();
  bench().notice.clear();
  app().state.tab = "time";
  ctx->Yield(2);
}
void press(ImGuiTestContext* ctx, const std::string& hit) {
  click(ctx, place_of(ctx, "time", hit));
  ctx->Yield(2);
}
std::vector<std::string> hits(const std::string& prefix) {
  std::vector<std::string> all;
  for (const HitRegion& h : app().ui.pictures.at("time").picture.hits)
    if (h.name.starts_with(prefix)) all.push_back(h.name);
  return all;
}

void tests(ImGuiTestEngine* e) {
  add_test(e, "time", "page_offers_no_measuring", [](ImGuiTestContext* ctx) {
    begin(ctx);
    IM_CHECK_EQ(hits("measure").size(), size_t(2));
    {
      const ScopedAssign page(post_idle, [](const std::function<void()>& work) { work(); });
      begin(ctx);
      IM_CHECK_EQ(hits("measure").size(), size_t(0));
      for (int k = 0; k < 1000 && hits("recording:").empty(); ++k) ctx->Yield();  // read piece by piece
      IM_CHECK(!hits("recording:").empty());
      ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
      ctx->Yield(2);
      IM_CHECK(bench().measurer.progress().error.empty());
      for (const Command* c : listed_commands("time"))
        if (c->id.starts_with("time.measure")) IM_CHECK(!c->can(app().state, app().ui));
    }
  });
  add_test(e, "time", "sliders", [](ImGuiTestContext* ctx) {
    begin(ctx, "reduce/shared");
    slide(ctx, "time", "n", 0.001f);
    IM_CHECK_EQ(look().log_n, 10);
    slide(ctx, "time", "n", 0.999f);
    IM_CHECK_EQ(look().log_n, 31);
    slide(ctx, "time", "block", 0.999f);
    IM_CHECK_EQ(look().block, 1024);
    slide(ctx, "time", "set:unroll", 0.999f);
    IM_CHECK_EQ(look().set["unroll"], std::string("8"));
    press(ctx, "type:double");
    IM_CHECK_EQ(look().type, std::string("double"));
    begin(ctx, "histogram/coarsened");
    slide(ctx, "time", "skew", 0.5f);
    IM_CHECK_EQ(look().skew, 50);
    slide(ctx, "time", "set:items", 0.999f);
    IM_CHECK_EQ(look().set["items"], std::string("64"));
  });
  add_test(e, "time", "curves_are_chosen_by_mouse", [](ImGuiTestContext* ctx) {
    begin(ctx);
    const auto curves = hits("curve:");
    IM_CHECK_GT(curves.size(), size_t(1));
    press(ctx, curves[0]);
    IM_CHECK_EQ(look().hidden.size(), size_t(1));
    IM_CHECK_EQ(hits("curve:").size(), curves.size() - 1);
    press(ctx, "row:" + look().hidden[0]);  // the bar table shows it again
    IM_CHECK_EQ(look().hidden.size(), size_t(0));
    const auto recordings = hits("recording:");
    IM_CHECK_EQ(recordings.size(), bench().recorded->size());
    press(ctx, recordings[0]);
    IM_CHECK_EQ(look().closed.size(), size_t(1));
    press(ctx, recordings[0]);
    IM_CHECK_EQ(look().closed.size(), size_t(0));
  });
  add_test(e, "time", "curves_are_chosen_by_keys", [](ImGuiTestContext* ctx) {
    begin(ctx);
    const int rows = int(hits("row:").size()), thread = app().state.cursor.thread;
    ctx->KeyPress(ImGuiKey_DownArrow);
    IM_CHECK_EQ(look().row, 0);
    IM_CHECK_EQ(app().state.cursor.thread, thread);  // the arrows are the bar table's here
    ctx->KeyPress(ImGuiKey_DownArrow, 30);
    IM_CHECK_EQ(look().row, rows - 1);
    ctx->KeyPress(ImGuiKey_Enter);
    IM_CHECK_EQ(look().hidden.size(), size_t(1));
    ctx->KeyPress(ImGuiKey_Enter);
    IM_CHECK_EQ(look().hidden.size(), size_t(0));
    ctx->KeyPress(ImGuiKey_UpArrow, 30);
    IM_CHECK_EQ(look().row, 0);
    const int n = look().log_n;
    ctx->KeyPress(ImGuiKey_Comma);
    IM_CHECK_EQ(look().log_n, n - 1);
    ctx->KeyPress(ImGuiKey_Period);
    IM_CHECK_EQ(look().log_n, n);
  });
  add_test(e, "time", "facets", [](ImGuiTestContext* ctx) {
    begin(ctx);
    press(ctx, "facet:noise");
    IM_CHECK(look().facet == TimeFacet::noise);
    IM_CHECK(!hits("noise:").empty());
    press(ctx, "facet:roofline");
    IM_CHECK(look().facet == TimeFacet::roofline);
    IM_CHECK(!hits("roof:").empty());
    press(ctx, "facet:speedup");
    IM_CHECK(look().facet == TimeFacet::speedup);
    press(ctx, "over:tbb");
    IM_CHECK(look().over_tbb);
    press(ctx, "over:serial");
    IM_CHECK(!look().over_tbb);
    ctx->KeyPress(ImGuiKey_O);
    IM_CHECK(look().over_tbb);
    ctx->KeyPress(ImGuiKey_V);
    IM_CHECK(look().facet == TimeFacet::noise);
    ctx->KeyPress(ImGuiKey_F5);  // the projector shows one chart at a time
    ctx->Yield(2);
    press(ctx, "facet:throughput");
    IM_CHECK(look().facet == TimeFacet::throughput);
    IM_CHECK(!hits("point:").empty());
  });
  add_test(e, "time", "measuring", [](ImGuiTestContext* ctx) {
    begin(ctx);
    Measurer& m = bench().measurer;
    look().log_n = 12;
    press(ctx, "measure one");
    // by the wall's clock: the test engine's runs ahead
    while (m.progress().measuring) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    IM_CHECK_EQ(m.progress().error.english(), std::string());
    IM_CHECK_EQ(m.progress().live.size(), size_t(1));
    const auto live = m.progress().live;
    for (const Record& r : live[0].records) IM_CHECK_EQ(r.n, 1LL << 12);
    ctx->Yield(2);
    IM_CHECK(!hits("forget:").empty());
    look().log_n = 26;
    press(ctx, "measure");
    IM_CHECK(m.progress().measuring);
    press(ctx, "stop");
    IM_CHECK(!m.progress().measuring);
    IM_CHECK(!m.progress().live.empty());  // what was measured stays
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    IM_CHECK(m.progress().measuring);
    ctx->KeyPress(ImGuiKey_Escape);
    IM_CHECK(!m.progress().measuring);
    ctx->Yield(2);
    press(ctx, hits("forget:").at(0));
    IM_CHECK(m.progress().live.empty());
  });
  add_test(e, "time", "files_come_and_go", [](ImGuiTestContext* ctx) {
    begin(ctx);
    const fs::path before = fs::current_path(), folder = fs::temp_directory_path() / "barrierscope-time-test";
    fs::create_directories(folder);
    fs::current_path(folder);
    press(ctx, "export:json");
    press(ctx, "export:csv");
    IM_CHECK(fs::exists("barrierscope-times.json"));
    const std::vector<Recording> saved = load_recordings("barrierscope-times.csv");
    const size_t there = bench().recorded->size();
    const auto shown = std::ranges::count(*bench().recorded, false, &Recording::aside);
    IM_CHECK_EQ(saved.size(), size_t(shown));  // what is ticked
    // another machine's
    Recording other = saved[0];
    other.device = "Another GPU";
    save_recording(other, "other.json");
    app().drop((folder / "other.json").string());
    ctx->Yield(2);
    IM_CHECK_EQ(app().state.error.english(), std::string());
    IM_CHECK_EQ(bench().recorded->size(), there + 1);
    IM_CHECK_EQ(hits("recording:").size(), there + 1);
    std::ofstream("broken.json") << "{";
    app().drop((folder / "broken.json").string());
    IM_CHECK(app().state.error.english().find("is no JSON") != std::string::npos);
    IM_CHECK_EQ(bench().recorded->size(), there + 1);
    // by the desktop's dialog, where there is one
    struct Answers : FileDialog {
      std::string path;
      std::optional<std::string> chosen() override { return path; }
    };
    other.device = "A third GPU";
    save_recording(other, "third.json");
    app().ui.of<FileDialogs>().ask_desktop = [&](Asks asks,
                                                 const std::string&) -> std::unique_ptr<FileDialog> {
      if (asks != Asks::open) return nullptr;
      auto dialog = std::make_unique<Answers>();
      dialog->path = (folder / "third.json").string();
      return dialog;
    };
    press(ctx, "import");
    ctx->Yield(2);
    app().ui.of<FileDialogs>().ask_desktop = nullptr;
    IM_CHECK_EQ(bench().recorded->size(), there + 2);
    IM_CHECK(bench().notice.find("A third GPU") != std::string::npos);
    fs::current_path(before);
    fs::remove_all(folder);
    // else a path is typed
    press(ctx, "import");
    ctx->Yield(2);
    IM_CHECK(app().ui.of<Palette>().asks == Asks::open);
    ctx->KeyPress(ImGuiKey_Escape);
    bench().recorded.reset();
  });
  add_test(e, "time", "what_a_full_recording_holds", [](ImGuiTestContext* ctx) {
    begin(ctx, "reduce/interleaved-global");
    bench().recorded.emplace();  // none but this one
    app().drop(BARRIERSCOPE_ROOT "/tests/recorded/made_up_times.json");
    ctx->Yield(2);
    IM_CHECK_EQ(app().state.error.english(), std::string());
    press(ctx, "axis:unroll");
    IM_CHECK_EQ(look().axis, std::string("unroll"));
    IM_CHECK_EQ(hits("point:").size(), size_t(4));
    ctx->KeyPress(ImGuiKey_X);
    IM_CHECK_EQ(look().axis, std::string("n"));
    ctx->KeyPress(ImGuiKey_X);
    IM_CHECK_EQ(look().axis, std::string("block"));
    press(ctx, "cache:warm");
    IM_CHECK(look().warm);
    press(ctx, "cache:cold");
    IM_CHECK(!look().warm);
    press(ctx, "facet:gpus");
    IM_CHECK(!hits("gpus:").empty());
    press(ctx, "facet:notes");
    IM_CHECK(look().facet == TimeFacet::notes);
    ctx->KeyPress(ImGuiKey_V);  // round to the first
    IM_CHECK(look().facet == TimeFacet::speedup);
    const std::string text = session_text(app().state);
    restart();
    app().state = with_session(app().state, text);
    IM_CHECK_EQ(look().axis, std::string("block"));
    bench().recorded.reset();
  });
  add_test(e, "time", "a_session_keeps_the_tab", [](ImGuiTestContext* ctx) {
    begin(ctx);
    press(ctx, "facet:roofline");
    press(ctx, hits("row:").at(0));
    const std::string text = session_text(app().state);
    restart();
    app().state = with_session(app().state, text);
    ctx->Yield(2);
    IM_CHECK(app().state.tab == "time");
    IM_CHECK(look().facet == TimeFacet::roofline);
    IM_CHECK_EQ(look().hidden.size(), size_t(1));
  });
}

const RegisterControls time_controls{tests};

}  // namespace
}  // namespace bscope
