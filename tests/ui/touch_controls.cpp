// Fingers: what they come to, and what that does to the app.
#include <string>
#include <utility>
#include <vector>

#include "app/session/session_file.hpp"
#include "app/shell/touch.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

using Phase = Touch::Phase;
using Deed = Touch::Deed;

/// Fingers on the app, at the time that the test says.
struct Hand {
  Touch touch;
  double now = 1;
  ImGuiTestContext* ctx;
  explicit Hand(ImGuiTestContext* c) : ctx(c) {
    touch.under = [](Point p) { return app().under(p); };
  }
  void finger(int id, Phase phase, ImVec2 at) {
    std::vector<Deed> deeds;
    touch.finger(id, phase, {at.x, at.y}, now, deeds);
    does(deeds);
  }
  void wait(double seconds) {
    now += seconds;
    std::vector<Deed> deeds;
    touch.wait(now, deeds);
    does(deeds);
  }
  void does(const std::vector<Deed>& deeds) {
    // the engine's own mouse would go back to where it was
    for (const Deed& d : deeds) {
      if (d.kind == Deed::moves) ctx->MouseMoveToPos({d.at.x, d.at.y});
      if (d.kind == Deed::presses) ctx->MouseDown();
      if (d.kind == Deed::releases) ctx->MouseUp();
      if (d.kind == Deed::wheels) ctx->MouseWheel({d.x, d.y});
      if (d.kind == Deed::pinches) app().touched(d);
    }
    ctx->Yield(2);
  }
  void tap(ImVec2 at) {
    finger(1, Phase::begins, at);
    now += 0.1;
    finger(1, Phase::ends, at);
  }
};

std::vector<Deed::Kind> kinds(const std::vector<Deed>& deeds) {
  std::vector<Deed::Kind> all;
  for (const Deed& d : deeds) all.push_back(d.kind);
  return all;
}

void what_fingers_come_to(ImGuiTestContext*) {
  using Kinds = std::vector<Deed::Kind>;
  Touch t;
  std::vector<Deed> d;
  const auto told = [&] { return kinds(std::exchange(d, {})); };
  t.finger(7, Phase::begins, {100, 100}, 0, d);
  t.finger(7, Phase::moves, {104, 101}, 0.1, d);
  IM_CHECK(told().empty());
  t.finger(7, Phase::ends, {104, 101}, 0.2, d);
  IM_CHECK((told() == Kinds{Deed::moves, Deed::presses, Deed::releases, Deed::leaves}));
  // a long press hovers until the next finger, and presses nothing
  t.finger(7, Phase::begins, {100, 100}, 1, d);
  IM_CHECK(t.due() && *t.due() == 1.5);
  t.wait(1.4, d);
  IM_CHECK(told().empty());
  t.wait(1.5, d);
  IM_CHECK((told() == Kinds{Deed::moves}));
  IM_CHECK(t.shows_tip() && !t.due());
  t.finger(7, Phase::ends, {100, 100}, 2, d);
  IM_CHECK(told().empty());
  t.finger(7, Phase::begins, {300, 300}, 3, d);
  IM_CHECK((told() == Kinds{Deed::leaves}));
  // it drags
  t.finger(7, Phase::moves, {340, 300}, 3.1, d);
  IM_CHECK((told() == Kinds{Deed::moves, Deed::presses, Deed::moves}));
  // a second finger ends that; they part: it zooms
  t.finger(8, Phase::begins, {440, 300}, 3.2, d);
  IM_CHECK((told() == Kinds{Deed::releases}));
  t.finger(8, Phase::moves, {540, 300}, 3.3, d);
  IM_CHECK(d.size() == 1 && d[0].kind == Deed::pinches && d[0].y == 2 && d[0].x == 50);
  told();
  t.finger(8, Phase::ends, {540, 300}, 3.4, d);
  t.finger(7, Phase::moves, {10, 10}, 3.5, d);
  t.finger(7, Phase::ends, {10, 10}, 3.6, d);
  IM_CHECK((told() == Kinds{Deed::leaves}));
  // pictures that go line by line turn by whole notches
  t.under = [](Point) { return Under::turns; };
  t.finger(1, Phase::begins, {100, 100}, 4, d);
  t.finger(1, Phase::moves, {100, 70}, 4.1, d);
  t.finger(1, Phase::moves, {100, 55}, 4.2, d);
  IM_CHECK((told() == Kinds{Deed::moves, Deed::wheels}));
  t.finger(1, Phase::ends, {100, 55}, 4.3, d);
  told();
  // the browser took the finger for itself: no tap
  t.finger(1, Phase::begins, {100, 100}, 4.4, d);
  t.finger(1, Phase::cancelled, {100, 100}, 4.5, d);
  IM_CHECK((told() == Kinds{Deed::leaves}));
  // an unknown finger belongs to no gesture
  t.finger(99, Phase::ends, {0, 0}, 5, d);
  t.finger(98, Phase::moves, {0, 0}, 5, d);
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
    const Box area = app().kept.shelf.at(picture).area;
    const ImVec2 c{area.centre().x, area.centre().y};
    const float before = app().state.cursor.zoom;
    Hand hand(ctx);
    hand.finger(1, Phase::begins, {c.x - 20, c.y});
    hand.finger(2, Phase::begins, {c.x + 20, c.y});
    hand.finger(2, Phase::moves, {c.x + 60, c.y});
    hand.finger(2, Phase::ends, {c.x + 60, c.y});
    hand.finger(1, Phase::ends, {c.x - 20, c.y});
    IM_CHECK_GT(app().state.cursor.zoom, before * 1.5f);
  }
}

void a_finger_turns_the_source(ImGuiTestContext* ctx) {
  restart("scan/hierarchical");
  ctx->Yield(2);
  const CachedPicture& source = app().kept.shelf.at("source");
  const ImVec2 c{source.area.centre().x, source.area.centre().y};
  IM_CHECK(app().under({c.x, c.y}) == Under::turns);
  const std::string before = session_text(app().state);
  const Cursor cursor = app().state.cursor;
  Hand hand(ctx);
  hand.finger(1, Phase::begins, c);
  hand.finger(1, Phase::moves, {c.x, c.y - 130});
  hand.finger(1, Phase::ends, {c.x, c.y - 130});
  IM_CHECK(session_text(app().state) != before);
  IM_CHECK(app().state.cursor == cursor);
}

const RegisterControls touch{[](ImGuiTestEngine* e) {
  add_test(e, "touch", "what fingers come to", what_fingers_come_to);
  add_test(e, "touch", "a tap selects", a_tap_selects);
  add_test(e, "touch", "two fingers zoom cells and whole run", two_fingers_zoom);
  add_test(e, "touch", "a finger turns the source and presses nothing", a_finger_turns_the_source);
}};

}  // namespace
}  // namespace bscope
