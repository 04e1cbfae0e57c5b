// The sliders of the access pattern, on Banks and Memory.
#pragma once

#include <vector>

#include "app/parts/pattern.hpp"
#include "app/session/control.hpp"
#include "app/session/state.hpp"
#include "app/words/words.hpp"

namespace bscope {

/// The tab's pattern, to be changed: the change makes it visible.
template <class T>
PatternState& played_with(State& s) {
  s.of<T>().playing = true;
  return s.of<T>().pattern;
}

/// Stride, offset, width and padding of what T, a RequestState of a tab, remembers.
template <class T>
const std::vector<Control>& pattern_controls() {
  constexpr auto playing = [](const State& s) { return s.of<T>().playing; };
  static const std::vector<Control> all{
      {.name = "stride",
       .label = later("Stride, elements"),
       .short_label = later("Stride"),
       .tip = later("How many elements lie between what neighbouring lanes ask for."),
       .least = 0,
       .most = 64,
       .get = [](const State& s) { return s.of<T>().pattern.stride; },
       .set = [](State& s, int v) { played_with<T>(s).stride = v; },
       .up = later("Stride up"),
       .down = later("Stride down"),
       .up_key = ".",
       .down_key = ",",
       .can = playing},
      {.name = "offset",
       .label = later("Offset, elements"),
       .short_label = later("Offset"),
       .tip = later("Which element lane 0 asks for."),
       .least = 0,
       .most = 31,
       .get = [](const State& s) { return s.of<T>().pattern.offset; },
       .set = [](State& s, int v) { played_with<T>(s).offset = v; },
       .up = later("Offset up"),
       .down = later("Offset down"),
       .up_key = "Shift+.",
       .down_key = "Shift+,",
       .can = playing},
      {.name = "width",
       .label = later("Width, bytes"),
       .short_label = later("Width"),
       .tip = later("Bytes of an element, which one instruction reads."),
       .least = 0,
       .most = 2,
       .get =
           [](const State& s) {
             return s.of<T>().pattern.width >= 16 ? 2 : s.of<T>().pattern.width >= 8 ? 1 : 0;
           },
       .set = [](State& s, int v) { played_with<T>(s).width = 4 << v; },
       .up = later("Change an element's width"),
       .up_key = "W",
       .can = playing,
       .text = [](int v) { return std::to_string(4 << v); }},
      {.name = "pad",
       .label = later("Padding, elements"),
       .short_label = later("Padding"),
       .tip = later("Elements that nobody uses, after each 128 bytes."),
       .least = 0,
       .most = 4,
       .get = [](const State& s) { return s.of<T>().pattern.pad; },
       .set = [](State& s, int v) { played_with<T>(s).pad = v; },
       .up = later("Padding up"),
       .down = later("Padding down"),
       .up_key = "'",
       .down_key = ";",
       .can = playing}};
  return all;
}

}  // namespace bscope
