// Roles, neutrals, phases and type sizes of the three themes (docs/visual: one table, nothing else picks a
// colour).
#pragma once
#include "app/view/picture.hpp"
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
  float scale = 1;  ///< window height / 900
  float px(float v) const { return v * scale; }
  Colour phase(const std::string& name)
      const;  ///< band of a phase by its name: load/store, up..., clear, down..., others by order
  Colour on(Colour fill) const;  ///< ink or white, whichever contrasts more with the fill
};
/// The theme for a window of that height in pixels.
Theme theme(ThemeName, float height);
/// WCAG contrast ratio of two opaque colours, 1 to 21.
float contrast(Colour, Colour);

}  // namespace bscope
