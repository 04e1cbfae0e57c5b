// Roles, neutrals, phases and type sizes of the three themes: one table, nothing else picks a
// colour.
#pragma once

#include <cstdint>

#include "app/draw/picture.hpp"
namespace bscope {

enum class ThemeName : uint8_t { dark, light, projector };
struct Theme {
  ThemeName name;
  // roles
  Colour read, write, changed, thread, idle, conflict, atomic, race, barrier;
  // neutrals
  Colour window, panel, cell, selected, line, ink, ink2, ink3;
  // phases, as labelled bands
  Colour phase_load, phase_up, phase_clear, phase_down;
  // type sizes at 900 px height, before `scale`
  float size_changed, size_why, size_value, size_title, size_label, size_code, size_index;
  float scale = 1;       ///< window height / 900
  bool printed = false;  ///< a figure for a page or a slide: without what only serves to be pressed
  bool touch = false;    ///< fingers point, and there may be no keys: no hints of them
  float px(float v) const { return v * scale; }
  /// One measure at a desk, another for the last row.
  float px(float desk, float projected) const { return px(projector() ? projected : desk); }
  // Type sizes in pixels, by what they are for. Nothing that is read is smaller than `least`.
  float changed_value() const { return px(size_changed); }
  float why() const { return px(size_why); }
  float value() const { return px(size_value); }
  float title() const { return px(size_title); }
  float label() const { return px(size_label); }
  float code() const { return px(size_code); }
  float small() const { return px(size_index); }  ///< numbers at axes and cells
  float least() const { return px(9, 22); }
  float squeezed() const { return projector() ? label() : label() * 0.75f; }  ///< a label in too little room
  // Distances in pixels, by what they are between.
  float gap() const { return px(8); }                              ///< neighbours; panels
  float close() const { return px(4); }                            ///< what belongs together
  float apart() const { return px(16); }                           ///< what does not
  float line_height() const { return label() * 1.35f; }            ///< of running text
  float thin(float v = 1) const { return px(v) > 1 ? px(v) : 1; }  ///< a stroke: never under a pixel
  float round() const { return px(4); }                            ///< a box's corners
  Colour paper() const { return dark() ? window : cell; }          ///< what charts are drawn on
  Colour present() const { return dark() ? changed : ink; }        ///< a line round what is now
  /// Band of a phase by its name: load and store, up, clear, down; others get one of the last three, always
  /// the same one for the same name.
  Colour phase(const std::string& name) const;
  Colour on(Colour fill) const;  ///< dark ink or white, whichever contrasts more with the fill
  bool dark() const { return name == ThemeName::dark; }
  bool projector() const { return name == ThemeName::projector; }
};
/// The theme for a window of that height in pixels.
Theme theme(ThemeName, float height);
/// WCAG contrast ratio of two opaque colours, 1 to 21.
float contrast(Colour, Colour);
/// `share` of the first colour over the second, both opaque: what a translucent fill looks like.
Colour mix(Colour, Colour, float share);
/// The same for a text: no fainter than 4.5:1, where the text itself is not.
Colour faint(Colour text, Colour background, float share);
const char* name_of(ThemeName);

}  // namespace bscope
