#include "app/shell/gesture_recognizer.hpp"

#include <algorithm>
#include <cmath>

namespace bscope {
namespace {

constexpr float slack = 9;            // pixels that a finger moves while it rests
constexpr double long_press = 0.5;    // seconds
constexpr float notch = 40;           // pixels of a finger that are one of a wheel
constexpr float list_notch = 13 * 5;  // ImGui scrolls five lines a notch
constexpr float least_apart = 24;     // two fingers never touch

float distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

}  // namespace

void GestureRecognizer::finger(int id, TouchPhase phase, Point at, double now,
                               std::vector<PointerEvent>& events) {
  const auto it = std::ranges::find(fingers_, id, &Finger::id);
  if (phase == TouchPhase::begins) {
    if (it != fingers_.end()) return;
    fingers_.push_back({id, at});
    if (fingers_.size() == 1) return one(phase, at, now, events);
    if (fingers_.size() != 2) return;
    if (gesture_ == Gesture::dragging) events.push_back({PointerEvent::releases, last_});
    gesture_ = Gesture::pinching;
    apart_ = 0;
    return pinch(events);
  }
  if (it == fingers_.end()) return;
  const bool first = it == fingers_.begin();
  it->at = at;
  if (phase == TouchPhase::moves) {
    if (gesture_ == Gesture::pinching)
      pinch(events);
    else if (first)
      one(phase, at, now, events);
    return;
  }
  if (fingers_.size() == 1) {
    one(phase, at, now, events);
    gesture_ = Gesture::nothing;
  } else if (gesture_ == Gesture::pinching) {
    gesture_ = Gesture::spent;  // the finger that stays does nothing more
  }
  fingers_.erase(it);
}

void GestureRecognizer::one(TouchPhase phase, Point at, double now, std::vector<PointerEvent>& events) {
  switch (phase) {
    case TouchPhase::begins:
      if (tip_) events.push_back({PointerEvent::leaves});
      tip_ = false;
      gesture_ = Gesture::waiting;
      began_ = last_ = at;
      since_ = now;
      turned_ = 0;
      return;
    case TouchPhase::moves:
      if (gesture_ == Gesture::waiting && distance(at, began_) > slack) {
        const Under what = under(began_);
        gesture_ = what == Under::drags     ? Gesture::dragging
                   : what == Under::scrolls ? Gesture::scrolling
                                            : Gesture::turning;
        events.push_back({PointerEvent::moves, began_});
        if (gesture_ == Gesture::dragging) events.push_back({PointerEvent::presses, began_});
      }
      if (gesture_ == Gesture::dragging) {
        events.push_back({PointerEvent::moves, at});
      } else if (gesture_ == Gesture::scrolling) {
        events.push_back(
            {PointerEvent::wheels, began_, (at.x - last_.x) / list_notch, (at.y - last_.y) / list_notch});
      } else if (gesture_ == Gesture::turning) {
        turned_ += at.y - last_.y;
        const float whole = std::trunc(turned_ / notch);
        turned_ -= whole * notch;
        if (whole != 0) events.push_back({PointerEvent::wheels, began_, 0, whole});
      }
      if (gesture_ != Gesture::waiting) last_ = at;
      return;
    case TouchPhase::ends:
    case TouchPhase::cancelled:
      if (gesture_ == Gesture::waiting && phase == TouchPhase::ends) {
        events.insert(events.end(), {{PointerEvent::moves, began_},
                                     {PointerEvent::presses, began_},
                                     {PointerEvent::releases, began_}});
      } else if (gesture_ == Gesture::dragging) {
        events.push_back({PointerEvent::releases, last_});
      }
      if (gesture_ != Gesture::nothing && !tip_) events.push_back({PointerEvent::leaves});
      return;
  }
}

void GestureRecognizer::pinch(std::vector<PointerEvent>& events) {
  const Point a = fingers_[0].at, b = fingers_[1].at, middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
  const float apart = std::max(least_apart, distance(a, b));
  if (apart_ > 0 && (apart != apart_ || middle.x != middle_))
    events.push_back({PointerEvent::pinches, middle, middle.x - middle_, apart / apart_});
  apart_ = apart;
  middle_ = middle.x;
}

void GestureRecognizer::wait(double now, std::vector<PointerEvent>& events) {
  if (gesture_ != Gesture::waiting || now < since_ + long_press) return;
  gesture_ = Gesture::spent;
  tip_ = true;
  events.push_back({PointerEvent::moves, began_});
}

std::optional<double> GestureRecognizer::due() const {
  if (gesture_ != Gesture::waiting) return {};
  return since_ + long_press;
}

}  // namespace bscope
