// Every control, driven by mouse and keyboard.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/measure/measurement_store.hpp"
#include "app/shell/notices.hpp"
#include "app/tabs/banks/banks_state.hpp"
#include "app/tabs/time/time_state.hpp"
#include "engine/analysis/contention.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/simt/algorithm.hpp"
#include "engine/simt/parameter.hpp"
#include "tests/at_once.hpp"
#include "tests/places.hpp"
#include "tests/ui/harness.hpp"
#include "tests/ui/seen.hpp"

namespace bscope {
namespace {

int step() { return step_of(*app().state.run, app().state.cursor); }
const Cursor& cursor() { return app().state.cursor; }

std::string parameter(const std::string& name) {
  for (const auto& [key, value] : app().state.run->trace.parameters)
    if (key == name) return value;
  return {};
}

ImGuiID child(ImGuiTestContext* ctx, const char* name) {
  ImGuiTestItemInfo info = ctx->WindowInfo((std::string("//app/") + name).c_str());
  return info.Window ? info.Window->ID : 0;
}

/// A choice of a combo in the list of parameters.
void choose_parameter(ImGuiTestContext* ctx, const char* combo, const char* value) {
  ctx->SetRef(child(ctx, "parameters"));
  ctx->ItemClick(combo);
  ctx->SetRef("//$FOCUSED");
  ctx->ItemClick(value);
  ctx->SetRef("//app");
}

using Test = void (*)(ImGuiTestContext*);
void add(ImGuiTestEngine* e, const char* group, const char* name, Test test) {
  add_test(e, group, name, test);
}

}  // namespace

void add_test(ImGuiTestEngine* e, const char* group, const char* name, void (*test)(ImGuiTestContext*)) {
  ImGuiTest* t = ImGuiTestEngine_RegisterTest(e, group, name, __FILE__, __LINE__);
  t->UserData = reinterpret_cast<void*>(test);
  t->TestFunc = [](ImGuiTestContext* ctx) {
    restart();
    ctx->MouseMoveToPos({2, 2});
    ctx->SetRef("//app");
    ctx->Yield(2);
    reinterpret_cast<Test>(ctx->Test->UserData)(ctx);
  };
}

namespace {

void header(ImGuiTestEngine* e) {
  add(e, "header", "troubles_open_on_a_click", [](ImGuiTestContext* ctx) {
    IM_CHECK(!ctx->ItemExists("troubles"));
    Target target;
    target.request.kernel = "mistakes/dropped-tail";
    app().state = opened(app().state, target, Where::parameters);
    ctx->Yield(2);
    ctx->ItemClick("troubles");
    IM_CHECK(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
    app().state = first(app().state);
    ctx->KeyPress(ImGuiKey_RightArrow);
    ctx->Yield(2);
    IM_CHECK_EQ(step_of(*app().state.run, app().state.cursor), 1);  // keys go on working
    IM_CHECK(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    IM_CHECK(!ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
  });
}

void transport(ImGuiTestEngine* e) {
  add(e, "transport", "buttons", [](ImGuiTestContext* ctx) {
    const int last_step = steps(*app().state.run) - 1;
    ctx->ItemClick("forward");
    IM_CHECK_EQ(step(), 1);
    ctx->ItemClick("forward");
    IM_CHECK_EQ(step(), 2);
    ctx->ItemClick("back");
    IM_CHECK_EQ(step(), 1);
    ctx->ItemClick("last");
    IM_CHECK_EQ(step(), last_step);
    ctx->ItemClick("first");
    IM_CHECK_EQ(step(), 0);
    ctx->ItemClick("play");
    IM_CHECK(app().state.playing);
    ctx->ItemClick("play");
    IM_CHECK(!app().state.playing);
  });
  add(e, "transport", "play_reaches_the_end_and_rests", [](ImGuiTestContext* ctx) {
    for (int i = 0; i < 4; ++i) ctx->KeyPress(ImGuiKey_RightBracket);
    ctx->KeyPress(ImGuiKey_Space);
    IM_CHECK(app().busy());
    for (int i = 0; i < 2000 && app().state.playing; ++i) ctx->Yield();
    IM_CHECK(!app().state.playing);
    IM_CHECK_EQ(step(), steps(*app().state.run) - 1);
    IM_CHECK(!app().busy());
  });
  add(e, "transport", "keys", [](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_RightArrow);
    IM_CHECK_EQ(step(), 1);
    IM_CHECK_LT(cursor().phase, 1.0f);  // the step is played
    ctx->KeyPress(ImGuiKey_RightArrow);
    ctx->KeyPress(ImGuiKey_LeftArrow);
    IM_CHECK_EQ(step(), 1);
    IM_CHECK_EQ(cursor().phase, 1.0f);
    const std::string phase = interval_at(*app().state.run, cursor()).phase;
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_RightArrow);
    IM_CHECK(interval_at(*app().state.run, cursor()).phase != phase);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_LeftArrow);
    IM_CHECK(interval_at(*app().state.run, cursor()).phase == phase);
    ctx->KeyPress(ImGuiKey_End);
    IM_CHECK_EQ(step(), steps(*app().state.run) - 1);
    ctx->KeyPress(ImGuiKey_Home);
    IM_CHECK_EQ(step(), 0);
    ctx->KeyPress(ImGuiKey_RightBracket);
    IM_CHECK_EQ(app().state.speed, 2.0f);
    ctx->KeyPress(ImGuiKey_LeftBracket, 2);
    IM_CHECK_EQ(app().state.speed, 0.5f);
    ctx->KeyPress(ImGuiKey_Space);
    IM_CHECK(app().state.playing);
    ctx->KeyPress(ImGuiKey_Space);
    IM_CHECK(!app().state.playing);
  });
  add(e, "transport", "blocks", [](ImGuiTestContext* ctx) {
    RunSpec r;
    r.kernel = "scan/blelloch";
    r.n = 40;
    r.block = 4;
    restart(r);
    ctx->Yield();
    ctx->KeyPress(ImGuiKey_PageDown, 2);
    IM_CHECK_EQ(cursor().block, 2);
    ctx->KeyPress(ImGuiKey_PageUp);
    IM_CHECK_EQ(cursor().block, 1);
  });
  add(e, "transport", "scrubbing", [](ImGuiTestContext* ctx) {
    const ImVec2 from = place_of(ctx, "timeline", HitRegion::interval, 1),
                 to = place_of(ctx, "timeline", HitRegion::interval, 4);
    ctx->MouseMoveToPos(from);
    ctx->MouseDown();
    IM_CHECK_EQ(cursor().interval, 1);
    ctx->MouseMoveToPos(to);
    IM_CHECK_EQ(cursor().interval, 4);
    IM_CHECK(std::abs(cursor().phase - 0.5f) < 0.1f);
    ctx->MouseUp();
    ctx->Yield(60);  // left in the middle of a step, the motion runs on to its end
    IM_CHECK_EQ(cursor().phase, 1.0f);
    IM_CHECK_EQ(cursor().interval, 4);
  });
}

void selection(ImGuiTestEngine* e) {
  add(e, "selection", "cells_by_mouse_and_keys", [](ImGuiTestContext* ctx) {
    for (int i = 0; i < 3; ++i) ctx->KeyPress(ImGuiKey_RightArrow);
    ctx->Yield(60);
    const auto& hits = app().ui.pictures.at("array").picture.hits;
    const auto cell =
        std::find_if(hits.begin(), hits.end(), [](const HitRegion& h) { return h.what == HitRegion::cell; });
    IM_CHECK(cell != hits.end());
    const CellRef place{cell->a, cell->b};
    click(ctx, place_of(ctx, "array", HitRegion::cell, place.array, place.index));
    IM_CHECK(cursor().cell == place);
    ctx->KeyPress(ImGuiKey_Escape);
    IM_CHECK(!cursor().cell);
    ctx->KeyPress(ImGuiKey_Tab);
    IM_CHECK(cursor().cell.has_value());
    const auto first_cell = cursor().cell;
    ctx->KeyPress(ImGuiKey_Tab);
    IM_CHECK(cursor().cell != first_cell);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_Tab);
    IM_CHECK(cursor().cell == first_cell);
  });
  add(e, "selection", "threads", [](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_DownArrow, 2);
    IM_CHECK_EQ(cursor().thread, 1);
    ctx->KeyPress(ImGuiKey_UpArrow);
    IM_CHECK_EQ(cursor().thread, 0);
    click(ctx, place_of(ctx, "array", HitRegion::thread, 2));
    IM_CHECK_EQ(cursor().thread, 2);
  });
  add(e, "selection", "lines_and_steps", [](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_RightArrow);
    ctx->Yield(60);
    const auto& hits = app().ui.pictures.at("source").picture.hits;
    const auto line =
        std::find_if(hits.begin(), hits.end(), [](const HitRegion& h) { return h.what == HitRegion::line; });
    IM_CHECK(line != hits.end());
    const int number = line->a;
    click(ctx, place_of(ctx, "source", HitRegion::line, number));
    IM_CHECK_EQ(cursor().line, number);
    click(ctx, place_of(ctx, "whole run", HitRegion::interval, 4));
    IM_CHECK_EQ(cursor().interval, 4);
  });
}

void looks(ImGuiTestEngine* e) {
  add(e, "looks", "tabs", [](ImGuiTestContext* ctx) {
    const char* names[] = {"Watch", "Banks", "Memory", "Atomics", "Compare", "Time", "Schedule"};
    for (int i = 6; i >= 0; --i) {
      ctx->ItemClick(names[i]);
      IM_CHECK_EQ(app().state.tab, tabs()[size_t(i)]->name);
      ctx->Yield(2);
    }
    for (int i = 0; i < 7; ++i) {
      ctx->KeyPress(ImGuiKey(ImGuiKey_1 + i));
      IM_CHECK_EQ(app().state.tab, tabs()[size_t(i)]->name);
    }
  });
  add(e, "looks", "themes_arrows_zoom", [](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F5);
    IM_CHECK(app().state.theme == ThemeName::projector);
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_F5);
    IM_CHECK(app().state.theme == ThemeName::dark);
    ctx->KeyPress(ImGuiKey_T);
    IM_CHECK(app().state.theme == ThemeName::light);
    ctx->KeyPress(ImGuiKey_T);
    ctx->KeyPress(ImGuiKey_A);
    IM_CHECK(!cursor().arrows);
    ctx->KeyPress(ImGuiKey_A);
    IM_CHECK(cursor().arrows);
    ctx->KeyPress(ImGuiKey_Equal, 2);
    IM_CHECK_GT(cursor().zoom, 1.5f);
    ctx->KeyPress(ImGuiKey_Minus);
    IM_CHECK_LT(cursor().zoom, 1.5f);
    ctx->KeyPress(ImGuiKey_0);
    IM_CHECK_EQ(cursor().zoom, 1.0f);
    ctx->MouseMoveToPos(place_of(ctx, "array", HitRegion::thread, 0));
    ctx->MouseWheelY(1);
    IM_CHECK_GT(cursor().zoom, 1.0f);
  });
  add(e, "looks", "nothing_is_made_again_when_nothing_changes", [](ImGuiTestContext* ctx) {
    for (int i = 0; i < 200 && app().busy(); ++i) ctx->Yield();
    const auto made = [] {
      int all = 0;
      for (const auto& [name, shown] : app().ui.pictures) all += shown.made;
      return all;
    };
    const int before = made();
    IM_CHECK_GT(before, 0);
    ctx->Yield(20);
    ctx->MouseMoveToPos({800, 300});  // hovering is no change
    ctx->MouseMoveToPos({400, 600});
    IM_CHECK_EQ(made(), before);
    IM_CHECK(!app().busy());
    ctx->KeyPress(ImGuiKey_End);
    IM_CHECK_GT(made(), before);
  });
}

void choices(ImGuiTestEngine* e) {
  add(e, "choices", "every_kernel", [](ImGuiTestContext* ctx) {
    for (const Algorithm* a : catalog()) {
      std::string path = a->name;
      path.insert(path.find('/'), "\\");  // a slash of the name, not of the path
      ctx->SetRef(child(ctx, "kernels"));
      ctx->ItemClick((path + "/kernel").c_str());
      IM_CHECK_EQ(app().state.error.english(), std::string());
      IM_CHECK_EQ(app().state.run->trace.kernel, a->name);
      for (ImGuiKey k :
           {ImGuiKey_End, ImGuiKey_2, ImGuiKey_3, ImGuiKey_4, ImGuiKey_5, ImGuiKey_6, ImGuiKey_1}) {
        ctx->KeyPress(k);
        ctx->Yield();
      }
    }
  });
  add(e, "choices", "size_seed_block", [](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_RightArrow, 2);
    const int before = step();
    ctx->SetRef(child(ctx, "parameters"));
    ctx->ItemInputValue("##n", 13);
    IM_CHECK_EQ(parameter("n"), std::string("13"));
    IM_CHECK_EQ(step(), before);  // the cursor keeps its place
    ctx->ItemClick("##n/+");
    IM_CHECK_EQ(parameter("n"), std::string("14"));
    const auto input = app().state.run->report.input;
    ctx->ItemInputValue("##seed", 5);
    IM_CHECK(app().state.run->report.input != input);
    choose_parameter(ctx, "##block", "4");
    IM_CHECK_EQ(parameter("block"), std::string("4"));
    choose_parameter(ctx, "##block", "auto");
    IM_CHECK_EQ(parameter("block"), std::string("8"));
  });
  add(e, "choices", "an_error_stands_beside_the_control", [](ImGuiTestContext* ctx) {
    const auto run = app().state.run;
    ctx->SetRef(child(ctx, "parameters"));
    ctx->ItemInputValue("##n", 0);
    IM_CHECK(app().state.error_at == Where::parameters);
    IM_CHECK(!app().state.error.empty());
    IM_CHECK(app().state.run == run);
    ctx->Yield(2);
    ctx->ItemInputValue("##n", 8);
    IM_CHECK(app().state.error.empty());
    ctx->ItemInputValue("##values", "3, x, 7");
    IM_CHECK(app().state.error_at == Where::parameters);
  });
  add(e, "choices", "values", [](ImGuiTestContext* ctx) {
    ctx->SetRef(child(ctx, "parameters"));
    ctx->ItemInputValue("##values", "3,1,7,0,4,1,6,3");
    IM_CHECK(app().state.run->report.input == (std::vector<double>{3, 1, 7, 0, 4, 1, 6, 3}));
    IM_CHECK(app().state.run->report.correct);
  });
  // Whatever changed the input: the field shows what the request says and what was run.
  add(e, "choices", "the_field_of_values_shows_what_was_run", [](ImGuiTestContext* ctx) {
    const auto field = [&]() -> std::string {
      ctx->MouseMoveToPos({2, 2});  // away from the list, which keeps its height below the mouse
      ctx->Yield(4);
      ctx->SetRef(child(ctx, "parameters"));
      ctx->ItemClick("##values");
      const ImGuiInputTextState* text = ImGui::GetInputTextState(ctx->ItemInfo("##values").ID);
      const std::string words = text ? text->TextA.Data : "no field";
      ctx->KeyPress(ImGuiKey_Escape);
      return words;
    };
    const auto& s = app().state;
    IM_CHECK_STR_EQ(field().c_str(), "");
    ctx->ItemInputValue("##values", "3;1 7");
    IM_CHECK_STR_EQ(field().c_str(), "3, 1, 7");
    const auto other = [&](const char* kernel) {
      std::string path = kernel;
      path.insert(path.find('/'), "\\");
      ctx->SetRef(child(ctx, "kernels"));
      ctx->ItemClick((path + "/kernel").c_str());
      IM_CHECK_EQ(s.run->trace.kernel, std::string(kernel));
    };
    other("scan/kogge-stone");
    IM_CHECK_STR_EQ(field().c_str(), "3, 1, 7");
    IM_CHECK(s.run->report.input == (std::vector<double>{3, 1, 7}));
    ImGui::SetClipboardText("-2 5");
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
    IM_CHECK_STR_EQ(field().c_str(), "-2, 5");
    ctx->ItemInputValue("##n", 5);
    IM_CHECK_STR_EQ(field().c_str(), "-2, 5, -2, 5, -2");
    other("histogram/racy");  // which does not take them
    IM_CHECK_STR_EQ(field().c_str(), "");
    IM_CHECK(!app().ui.of<Notices>().all.empty());
    other("scan/blelloch");
    IM_CHECK_STR_EQ(field().c_str(), "-2, 5, -2, 5, -2");
    app().drop(BARRIERSCOPE_ROOT "/assets/inputs/night.png");
    IM_CHECK_STR_EQ(field().c_str(), "");
    IM_CHECK_EQ(s.run->trace.kernel, std::string("histogram/shared-atomics"));
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    IM_CHECK_STR_EQ(field().c_str(), "-2, 5, -2, 5, -2");
    choose_parameter(ctx, "##pattern", "ramp");
    IM_CHECK_STR_EQ(field().c_str(), "");
    // what is refused stays beside the error, and the request is what was run
    ctx->ItemInputValue("##values", "1, 0.5");
    IM_CHECK_STR_EQ(field().c_str(), "1, 0.5");
    IM_CHECK(!s.target.request.values);
    ctx->ItemInputValue("##values", "1, 5");
    IM_CHECK_EQ(s.error.english(), std::string());
    choose_parameter(ctx, "##pattern", "its own input");
    IM_CHECK(s.target.request == RunSpec{.kernel = "scan/blelloch"});
  });
  add(e, "choices", "patterns", [](ImGuiTestContext* ctx) {
    for (const char* pattern : {"ones", "ramp", "sine", "random", "skewed"}) {
      choose_parameter(ctx, "##pattern", pattern);
      IM_CHECK_EQ(app().state.error.english(), std::string());
      IM_CHECK_EQ(app().state.target.request.pattern, std::string(pattern));
    }
  });
  add(e, "choices", "declared_parameters", [](ImGuiTestContext* ctx) {
    for (const Algorithm* a : catalog()) {
      for (const Parameter& p : a->parameters) {
        if (p.values.empty()) continue;
        restart(a->name);  // the last values of all parameters do not always go together
        ctx->Yield(3);
        choose_parameter(ctx, ("##" + p.name).c_str(), p.values.back().text.c_str());
        IM_CHECK_EQ(app().state.error.english(), std::string());
        IM_CHECK_EQ(parameter(p.name), p.values.back().text);
      }
    }
  });
  add(e, "choices", "preset_and_order", [](ImGuiTestContext* ctx) {
    restart("histogram/global-atomics");
    ctx->Yield(3);
    choose_parameter(ctx, "##preset", "queue-7x20");
    IM_CHECK_EQ(app().state.run->report.contention().longest_global, 140);
    choose_parameter(ctx, "##order", "lockstep");
    IM_CHECK_EQ(app().state.error.english(), std::string());
    choose_parameter(ctx, "##order", "shuffled");
    IM_CHECK_EQ(app().state.error.english(), std::string());
    IM_CHECK(app().state.target.schedule.kind == Schedule::shuffled);
  });
  add(e, "choices", "a_dropped_file_that_is_no_trace", [](ImGuiTestContext* ctx) {
    const auto run = app().state.run;
    app().drop(BARRIERSCOPE_ROOT "/LICENSE");
    ctx->Yield(2);
    IM_CHECK(app().state.error_at == Where::file);
    IM_CHECK(app().state.run == run);
    ctx->ItemClick("//notices/dismiss");
    IM_CHECK(app().state.error.empty());
  });
}

void tabs(ImGuiTestEngine* e) {
  add(e, "tabs", "watch_shows_the_array_asked_for", [](ImGuiTestContext* ctx) {
    click(ctx, place_of(ctx, "array", "array:data"));
    IM_CHECK_EQ(cursor().array, 0);
  });
  add(e, "tabs", "banks", [](ImGuiTestContext* ctx) {
    ctx->ItemClick("Banks");
    for (int i = 0; i < 3; ++i) ctx->KeyPress(ImGuiKey_RightArrow);
    ctx->Yield(60);
    const auto& hits = app().ui.pictures.at("banks").picture.hits;
    const auto request = std::find_if(hits.rbegin(), hits.rend(),
                                      [](const HitRegion& h) { return h.what == HitRegion::line; });
    IM_CHECK(request != hits.rend());
    const int number = request->a;
    click(ctx, place_of(ctx, "banks", HitRegion::line, number));
    IM_CHECK_EQ(app().state.of<BanksState>().request, number);
    click(ctx, place_of(ctx, "banks", HitRegion::interval, 6));
    IM_CHECK_EQ(step(), 6);
  });
  add(e, "tabs", "time", [](ImGuiTestContext* ctx) {
    ctx->ItemClick("Time");
    ctx->Yield(2);
    slide(ctx, "time", "n", 0.2f);
    IM_CHECK_LT(app().state.of<TimeState>().log_n, 24);
    slide(ctx, "time", "block", 0.05f);
    IM_CHECK_LT(app().state.of<TimeState>().block, 256);
    click(ctx, place_of(ctx, "time", "measure"));
    IM_CHECK(app().ui.services.of<MeasurementStore>().measurer.progress().measuring);
    ctx->Yield(2);
    click(ctx, place_of(ctx, "time", "stop"));
    IM_CHECK(!app().ui.services.of<MeasurementStore>().measurer.progress().measuring);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    IM_CHECK(app().ui.services.of<MeasurementStore>().measurer.progress().measuring);
    app().ui.services.of<MeasurementStore>().measurer.stop();
  });
}

ImVec2 place(ImGuiTestContext* ctx, const std::string& picture,
             const std::function<bool(const HitRegion&)>& wanted) {
  ctx->Yield();
  const auto shown = app().ui.pictures.find(picture);
  IM_CHECK_RETV(shown != app().ui.pictures.end(), ImVec2());
  for (const HitRegion& h : shown->second.picture.hits)
    if (wanted(h)) {
      const Point c = h.box.centre();
      return {shown->second.area.x + c.x, shown->second.area.y + c.y};
    }
  ctx->LogError("%s has no such place", picture.c_str());
  IM_CHECK_RETV(false, ImVec2());
  return {};
}

}  // namespace

ImVec2 place_of(ImGuiTestContext* ctx, const std::string& picture, const std::string& hit) {
  return place(ctx, picture, [&](const HitRegion& h) { return h.name == hit; });
}
ImVec2 place_of(ImGuiTestContext* ctx, const std::string& picture, HitRegion::RegionKind what, int a, int b) {
  return place(ctx, picture, [&](const HitRegion& h) {
    return h.what == what && h.a == a && (what != HitRegion::cell || h.b == b);
  });
}

const Seen& next_frame(ImGuiTestContext* ctx) {
  Seen& seen = seen_now();
  seen.texts.clear();
  seen.items.clear();
  seen.wanted = true;
  ctx->Yield();
  seen.wanted = false;
  return seen;
}

void click(ImGuiTestContext* ctx, ImVec2 at) {
  ctx->MouseMoveToPos(at);
  ctx->MouseClick();
}

void slide(ImGuiTestContext* ctx, const std::string& picture, const std::string& hit, float share) {
  const ImVec2 middle = place_of(ctx, picture, hit);
  for (const HitRegion& h : app().ui.pictures.at(picture).picture.hits)
    if (h.name == hit) {
      click(ctx, {middle.x + h.box.w * (share - 0.5f), middle.y});
      ctx->Yield(2);
      return;
    }
}

void choose(ImGuiTestContext* ctx, const char* list, const char* value) {
  ctx->SetRef("//app");
  ctx->ItemClick(list);
  ctx->SetRef("//$FOCUSED");
  ctx->ItemClick(value);
  ctx->SetRef("//app");
  ctx->Yield(2);
}

void register_controls(ImGuiTestEngine* e) {
  header(e);
  transport(e);
  selection(e);
  looks(e);
  tabs(e);
  choices(e);
  register_shell_controls(e);
}

}  // namespace bscope
