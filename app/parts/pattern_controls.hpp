// The sliders of the access pattern, on Banks and Memory.
#pragma once

#include <vector>

#include "app/session/control.hpp"
#include "app/session/state.hpp"
#include "app/words/words.hpp"

namespace bscope {

struct PatternState;

/// The tab's pattern, to be changed: the change makes it visible.
template <class T>
PatternState& played_with(LoadedState& s) {
  s.of<T>().playing = true;
  return s.of<T>().pattern;
}

/// Stride, offset, width and padding of what T, a RequestState of a tab, remembers.
template <class T>
const std::vector<Control>& pattern_controls() {
  constexpr auto playing = [](const LoadedState& s) { return s.of<T>().playing; };
  static const std::vector<Control> all{
      {.name = "stride",
       .label = tr_noop("Stride, elements"),
       .short_label = tr_noop("Stride"),
       .tip = tr_noop("How many elements lie between what neighbouring lanes ask for."),
       .least = 0,
       .most = 64,
       .get = [](const LoadedState& s) { return s.of<T>().pattern.stride; },
       .set = [](LoadedState& s, int v) { played_with<T>(s).stride = v; },
       .up = tr_noop("Stride up"),
       .down = tr_noop("Stride down"),
       .up_key = ".",
       .down_key = ",",
       .can = playing},
      {.name = "offset",
       .label = tr_noop("Offset, elements"),
       .short_label = tr_noop("Offset"),
       .tip = tr_noop("Which element lane 0 asks for."),
       .least = 0,
       .most = 31,
       .get = [](const LoadedState& s) { return s.of<T>().pattern.offset; },
       .set = [](LoadedState& s, int v) { played_with<T>(s).offset = v; },
       .up = tr_noop("Offset up"),
       .down = tr_noop("Offset down"),
       .up_key = "Shift+.",
       .down_key = "Shift+,",
       .can = playing},
      {.name = "width",
       .label = tr_noop("Width, bytes"),
       .short_label = tr_noop("Width"),
       .tip = tr_noop("Bytes of an element, which one instruction reads."),
       .least = 0,
       .most = 2,
       .get =
           [](const LoadedState& s) {
             return s.of<T>().pattern.width >= 16 ? 2 : s.of<T>().pattern.width >= 8 ? 1 : 0;
           },
       .set = [](LoadedState& s, int v) { played_with<T>(s).width = 4 << v; },
       .up = tr_noop("Change an element's width"),
       .up_key = "W",
       .can = playing,
       .text = [](int v) { return std::to_string(4 << v); }},
      {.name = "pad",
       .label = tr_noop("Padding, elements"),
       .short_label = tr_noop("Padding"),
       .tip = tr_noop("Unused elements after each 128 bytes."),
       .least = 0,
       .most = 4,
       .get = [](const LoadedState& s) { return s.of<T>().pattern.pad; },
       .set = [](LoadedState& s, int v) { played_with<T>(s).pad = v; },
       .up = tr_noop("Padding up"),
       .down = tr_noop("Padding down"),
       .up_key = "'",
       .down_key = ";",
       .can = playing}};
  return all;
}

}  // namespace bscope
