// What several pictures draw alike on a pen: panels, sliders, wrapped sentences. New forms say it with
// text.hpp, layout.hpp, controls.hpp and charts.hpp instead.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/draw/text.hpp"

namespace bscope {

struct Theme;

/// A panel's frame; returns the room inside its margins.
Box panel(Pen&, const Theme&, Box, Colour stroke = 0);
Point panel_margin(const Theme&);
/// The hit of what tells something and can be pressed, too; none in a printed figure, where nothing is.
void press(Pen&, const Theme&, HitRegion);
/// A box with a tick in it if `on`.
void tick_box(Pen&, const Theme&, Point centre, float size, bool on, Colour);

/// A slider from `least` to `most` (its hit's a and b) with its label and value above the track.
struct Slider {
  std::string name = {}, label = {}, short_label = {}, value = {}, tip = {};
  int least = 0, most = 100;
  float now = 0;      ///< between least and most
  bool idle = false;  ///< it changes nothing now: drawn dim, but it can be moved
  std::function<void(LoadedState&, int value)> does = {};  ///< while its knob is moved
};
void slider(Pen&, const Theme&, Box, const Slider&);
float slider_height(const Theme&);
/// What a press at x on a slider's hit means.
int slider_value(const HitRegion&, float x);

/// Steps of an axis of counts from 0 to `most`: 1, 2 or 5 times a power of ten, at most `ticks` of them.
long nice_step(long most, int ticks);

/// The first of the spellings, longest first, that fits; empty if none does.
std::string first_fit(const Pen&, std::initializer_list<std::string> spellings, float room, float size,
                      Font = Font::text);

/// Writes a sentence into the box, broken between words. Draws nothing and returns the box's top if it does
/// not fit whole; else returns the y below its last line.
/// `backing` is laid behind the words where lines would cross them.
float paragraph(Pen&, const std::vector<Words>&, Box, float size, Colour backing = 0);

}  // namespace bscope
