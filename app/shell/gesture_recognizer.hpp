// Fingers on glass as what a mouse does: a tap is a click, a long press shows what hovering shows, a finger
// that moves drags or scrolls, two that part zoom.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "app/draw/picture.hpp"

namespace bscope {

/// What a finger that begins to move does with what lies under it.
enum class Under : uint8_t {
  drags,    ///< as the mouse with its button held
  scrolls,  ///< a list of ImGui's
  turns     ///< a picture that goes line by line, as a wheel does
};

class GestureRecognizer {
 public:
  enum class TouchPhase : uint8_t { begins, moves, ends, cancelled };
  /// An event of the pointer that fingers stand for.
  struct PointerEvent {
    enum Action : uint8_t { moves, presses, releases, leaves, wheels, pinches } action;
    Point at{};
    float x = 0, y = 0;  ///< wheels: notches; pinches: x is how far it moved, y the factor
  };
  /// Tells what lies at a point.
  std::function<Under(Point)> under = [](Point) { return Under::drags; };

  /// A finger; `now` in seconds. The events that it makes are appended to `events`.
  void finger(int id, TouchPhase, Point, double now, std::vector<PointerEvent>& events);
  /// Time has passed.
  void wait(double now, std::vector<PointerEvent>& events);
  /// When time will bring something; nothing: it will not.
  std::optional<double> due() const;
  /// The tip of a long press stays until the next finger.
  bool shows_tip() const { return tip_; }

 private:
  struct Finger {
    int id;
    Point at;
  };
  enum class Gesture : uint8_t { nothing, waiting, dragging, scrolling, turning, pinching, spent };
  void one(TouchPhase, Point, double now, std::vector<PointerEvent>&);
  void pinch(std::vector<PointerEvent>&);

  std::vector<Finger> fingers_;
  Gesture gesture_ = Gesture::nothing;
  Point began_{}, last_{};
  double since_ = 0;
  float turned_ = 0;              ///< pixels that have not made a notch yet
  float apart_ = 0, middle_ = 0;  ///< of two fingers, at the last event
  bool tip_ = false;
};

}  // namespace bscope
