// A number of a tab that users set: declared once, with its range, its words and its keys. The slider that
// is drawn, the keys, the palette, the key sheet and the clamp after reading a session follow from it.
#pragma once

#include <functional>
#include <string>

#include "app/draw/picture.hpp"

namespace bscope {

struct LoadedState;
struct Slider;

/// Lives as long as the program: sliders hold on to it.
struct Control {
  std::string name;         ///< "stride": of the slider and its commands
  const char* label;        ///< tr_noop("Stride, elements")
  const char* short_label;  ///< tr_noop("Stride")
  const char* tip;          ///< a sentence
  int least = 0, most = 1;
  int step = 1;  ///< of its keys
  int (*get)(const LoadedState&) = nullptr;
  void (*set)(LoadedState&, int) = nullptr;  ///< of a value in the range
  const char* up = "";                       ///< tr_noop("Stride up"): what the key does
  const char* down = "";                     ///< empty: the one key goes around
  std::string up_key = {}, down_key = {};
  bool (*can)(const LoadedState&) = nullptr;  ///< whether its keys work; null: always
  std::string (*text)(int) = nullptr;         ///< the value in words; null: the number
};

/// The control at a value, put into its range. Nothing happens where it rests already.
void set_control(const Control&, LoadedState&, int value);
/// One further, or back; around the end where there is no way back.
void move_control(const Control&, LoadedState&, int by);
/// To be drawn, where it stands at a value; and where it stands now.
Slider slider_at(const Control&, int now);
Slider slider_of(const Control&, const LoadedState&);

/// For a hit across a tab's own time: dragged, the tab goes to the moment there, of 0 to `last`.
HitAction drags_time(int last);

}  // namespace bscope
