// Fingers: what they come to, and what that does to the app.
#include <string>
#include <utility>
#include <vector>

#include "app/session/session_file.hpp"
#include "app/shell/compact.hpp"
#include "app/shell/gesture_recognizer.hpp"
#include "app/shell/lesson.hpp"
#include "app/shell/touch_input.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

using TouchPhase = GestureRecognizer::TouchPhase;
using PointerEvent = GestureRecognizer::PointerEvent;

/// Fingers on the app, at the time that the test says.
struct Hand {
  GestureRecognizer touch;
  double now = 1;
  ImGuiTestContext* ctx;
  explicit Hand(ImGuiTestContext* c) : ctx(c) {
    touch.under = [](Point p) { return app().under(p); };
  }
  void finger(int id, TouchPhase phase, ImVec2 at) {
    std::vector<PointerEvent> events;
    touch.finger(id, phase, {at.x, at.y}, now, events);
    does(events);
  }
  void wait(double seconds) {
    now += seconds;
    std::vector<PointerEvent> events;
    touch.wait(now, events);
    does(events);
  }
  void does(const std::vector<PointerEvent>& events) {
    // the engine's own mouse would go back to where it was
    for (const PointerEvent& d : events) {
      if (d.action == PointerEvent::moves) ctx->MouseMoveToPos({d.at.x, d.at.y});
      if (d.action == PointerEvent::presses) ctx->MouseDown();
      if (d.action == PointerEvent::releases) ctx->MouseUp();
      if (d.action == PointerEvent::wheels) ctx->MouseWheel({d.x, d.y});
      if (d.action == PointerEvent::pinches) app().touched(d);
    }
    ctx->Yield(2);
  }
  void tap(ImVec2 at) {
    finger(1, TouchPhase::begins, at);
    now += 0.1;
    finger(1, TouchPhase::ends, at);
  }
};

std::vector<PointerEvent::Action> kinds(const std::vector<PointerEvent>& events) {
  std::vector<PointerEvent::Action> all;
  for (const PointerEvent& d : events) all.push_back(d.action);
  return all;
}

void what_fingers_come_to(ImGuiTestContext*) {
  using Kinds = std::vector<PointerEvent::Action>;
  GestureRecognizer t;
  std::vector<PointerEvent> d;
  const auto told = [&] { return kinds(std::exchange(d, {})); };
  t.finger(7, TouchPhase::begins, {100, 100}, 0, d);
  t.finger(7, TouchPhase::moves, {104, 101}, 0.1, d);
  IM_CHECK(told().empty());
  t.finger(7, TouchPhase::ends, {104, 101}, 0.2, d);
  IM_CHECK((told() ==
            Kinds{PointerEvent::moves, PointerEvent::presses, PointerEvent::releases, PointerEvent::leaves}));
  // a long press hovers until the next finger, and presses nothing
  t.finger(7, TouchPhase::begins, {100, 100}, 1, d);
  IM_CHECK(t.due() && *t.due() == 1.5);
  t.wait(1.4, d);
  IM_CHECK(told().empty());
  t.wait(1.5, d);
  IM_CHECK((told() == Kinds{PointerEvent::moves}));
  IM_CHECK(t.shows_tip() && !t.due());
  t.finger(7, TouchPhase::ends, {100, 100}, 2, d);
  IM_CHECK(told().empty());
  t.finger(7, TouchPhase::begins, {300, 300}, 3, d);
  IM_CHECK((told() == Kinds{PointerEvent::leaves}));
  // it drags
  t.finger(7, TouchPhase::moves, {340, 300}, 3.1, d);
  IM_CHECK((told() == Kinds{PointerEvent::moves, PointerEvent::presses, PointerEvent::moves}));
  // a second finger ends that; they part: it zooms
  t.finger(8, TouchPhase::begins, {440, 300}, 3.2, d);
  IM_CHECK((told() == Kinds{PointerEvent::releases}));
  t.finger(8, TouchPhase::moves, {540, 300}, 3.3, d);
  IM_CHECK(d.size() == 1 && d[0].action == PointerEvent::pinches && d[0].y == 2 && d[0].x == 50);
  told();
  t.finger(8, TouchPhase::ends, {540, 300}, 3.4, d);
  t.finger(7, TouchPhase::moves, {10, 10}, 3.5, d);
  t.finger(7, TouchPhase::ends, {10, 10}, 3.6, d);
  IM_CHECK((told() == Kinds{PointerEvent::leaves}));
  // pictures that go line by line turn by whole notches
  t.under = [](Point) { return Under::turns; };
  t.finger(1, TouchPhase::begins, {100, 100}, 4, d);
  t.finger(1, TouchPhase::moves, {100, 70}, 4.1, d);
  t.finger(1, TouchPhase::moves, {100, 55}, 4.2, d);
  IM_CHECK((told() == Kinds{PointerEvent::moves, PointerEvent::wheels}));
  t.finger(1, TouchPhase::ends, {100, 55}, 4.3, d);
  told();
  // the browser took the finger for itself: no tap
  t.finger(1, TouchPhase::begins, {100, 100}, 4.4, d);
  t.finger(1, TouchPhase::cancelled, {100, 100}, 4.5, d);
  IM_CHECK((told() == Kinds{PointerEvent::leaves}));
  // an unknown finger belongs to no gesture
  t.finger(99, TouchPhase::ends, {0, 0}, 5, d);
  t.finger(98, TouchPhase::moves, {0, 0}, 5, d);
  IM_CHECK(told().empty());
}

void a_tap_selects(ImGuiTestContext* ctx) {
  Hand hand(ctx);
  hand.tap(place_of(ctx, "array", HitRegion::cell, first_shared, 3));
  IM_CHECK(app().state.cursor.cell && app().state.cursor.cell->index == 3);
}

void two_fingers_zoom(ImGuiTestContext* ctx) {
  restart("scan/kogge-stone");
  app().state.cursor.zoom = 1;
  ctx->Yield(2);
  for (const char* picture : {"array", "whole run"}) {
    const Box area = app().ui.pictures.at(picture).area;
    const ImVec2 c{area.centre().x, area.centre().y};
    const float before = app().state.cursor.zoom;
    Hand hand(ctx);
    hand.finger(1, TouchPhase::begins, {c.x - 20, c.y});
    hand.finger(2, TouchPhase::begins, {c.x + 20, c.y});
    hand.finger(2, TouchPhase::moves, {c.x + 60, c.y});
    hand.finger(2, TouchPhase::ends, {c.x + 60, c.y});
    hand.finger(1, TouchPhase::ends, {c.x - 20, c.y});
    IM_CHECK_GT(app().state.cursor.zoom, before * 1.5f);
  }
}

void a_finger_turns_the_source(ImGuiTestContext* ctx) {
  restart("scan/hierarchical");
  ctx->Yield(2);
  const CachedPicture& source = app().ui.pictures.at("source");
  const ImVec2 c{source.area.centre().x, source.area.centre().y};
  IM_CHECK(app().under({c.x, c.y}) == Under::turns);
  const std::string before = session_text(app().state);
  const Cursor cursor = app().state.cursor;
  Hand hand(ctx);
  hand.finger(1, TouchPhase::begins, c);
  hand.finger(1, TouchPhase::moves, {c.x, c.y - 130});
  hand.finger(1, TouchPhase::ends, {c.x, c.y - 130});
  IM_CHECK(session_text(app().state) != before);
  IM_CHECK(app().state.cursor == cursor);
}

/// As long as this lives the window is a phone's.
struct Phone {
  ImVec2 usual = ImGui::GetIO().DisplaySize;
  explicit Phone(ImVec2 size) {
    ImGui::GetIO().DisplaySize = size;
    app().ui.of<TouchInput>().coarse = true;
  }
  ~Phone() {
    ImGui::GetIO().DisplaySize = usual;
    app().ui.of<TouchInput>().coarse = false;
  }
};

void a_lesson_stands_beside_its_picture(ImGuiTestContext* ctx) {
  for (const ImVec2 size : {ImVec2{390, 844}, ImVec2{844, 390}, ImVec2{683, 384}}) {
    restart();
    const Phone phone(size);
    ctx->Yield(2);
    start_lesson(app().state, app().ui, "blelloch");
    ctx->Yield(3);
    const Box words = app().ui.pictures.at("lesson").area, cells = app().ui.pictures.at("array").area;
    IM_CHECK_GE(words.w, 300.0f);
    IM_CHECK_GE(words.h, 220.0f);
    IM_CHECK_GE(cells.h, 220.0f);
    IM_CHECK(cells.right() <= words.x || cells.bottom() <= words.y);
    // its whole text, where that is wanted
    app().ui.of<CompactView>().part = 4;
    ctx->Yield(3);
    IM_CHECK_GE(app().ui.pictures.at("lesson").area.w, size.x - 20);
    // the list of all lessons has the whole window
    click(ctx, place_of(ctx, "lesson", "all"));
    ctx->Yield(3);
    IM_CHECK(app().state.lesson.lesson.empty());
    IM_CHECK_GE(app().ui.pictures.at("lesson").area.w, size.x - 20);
  }
}

void the_whole_run_is_opened_by_a_link(ImGuiTestContext* ctx) {
  const Phone phone({390, 844});
  ctx->Yield(2);
  IM_CHECK_EQ(app().ui.of<CompactView>().part, 0);
  app().state = to_view(std::move(app().state), "run");
  ctx->Yield(2);
  IM_CHECK_EQ(app().ui.of<CompactView>().part, 1);
  app().ui.of<CompactView>().part = 2;
  ctx->Yield(2);
  IM_CHECK(!app().state.only_run);
}

void small_windows_show_one_panel(ImGuiTestContext*) {
  IM_CHECK(is_compact({0, 0, 900, 700}, false));
  IM_CHECK(!is_compact({0, 0, 960, 540}, false));
  IM_CHECK(!is_compact({0, 0, 1280, 720}, false));
}

const RegisterControls touch{[](ImGuiTestEngine* e) {
  add_test(e, "touch", "what fingers come to", what_fingers_come_to);
  add_test(e, "touch", "a tap selects", a_tap_selects);
  add_test(e, "touch", "two fingers zoom cells and whole run", two_fingers_zoom);
  add_test(e, "touch", "a lesson stands beside its picture", a_lesson_stands_beside_its_picture);
  add_test(e, "touch", "the whole run is opened by a link", the_whole_run_is_opened_by_a_link);
  add_test(e, "touch", "small windows show one panel", small_windows_show_one_panel);
  add_test(e, "touch", "a finger turns the source and presses nothing", a_finger_turns_the_source);
}};

}  // namespace
}  // namespace bscope
