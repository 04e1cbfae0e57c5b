// What each tab remembers of its own beside the cursor. Plain data: a session file, undo and the settings
// keep it.
//
// Every struct lists its members in `fields(self, visit)`, which calls visit("name", self.member) for each:
// so whoever saves, loads or compares them needs no edit when one is added. A session may come from anybody:
// a struct whose members must stay in a range puts them right in `void fit(const Run&)`, called after
// loading; an enum that it holds needs `constexpr E last_of(E)`, its greatest value.
#pragma once

#include <cstdint>
#include <string>

namespace bscope {

struct WatchState {
  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}
  bool operator==(const WatchState&) const = default;
};

/// An access pattern to play with, in elements; kernels/patterns run it.
struct PatternState {
  int stride = 2, offset = 0, pad = 0;
  int width = 4;  ///< bytes of an element: 4, 8 or 16
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("stride", s.stride);
    visit("offset", s.offset);
    visit("pad", s.pad);
    visit("width", s.width);
  }
  bool operator==(const PatternState&) const = default;
};

struct BanksState {
  int request = -1;      ///< the node of its first lane's access; -1: the worst of the step
  bool beside = true;    ///< the padded twin, where there is one
  bool playing = false;  ///< with the access pattern instead of the kernel
  PatternState pattern;
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("request", s.request);
    visit("beside", s.beside);
    visit("playing", s.playing);
    visit("pattern", s.pattern);
  }
  bool operator==(const BanksState&) const = default;
};

/// As in the Banks tab.
struct MemoryState {
  int request = -1;
  bool playing = false;
  PatternState pattern;
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("request", s.request);
    visit("playing", s.playing);
    visit("pattern", s.pattern);
  }
  bool operator==(const MemoryState&) const = default;
};

struct CompareState {
  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}
  bool operator==(const CompareState&) const = default;
};

struct TimeState {
  int log_n = 24;   ///< the ladder's length is 2^log_n
  int block = 256;  ///< threads
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("log_n", s.log_n);
    visit("block", s.block);
  }
  bool operator==(const TimeState&) const = default;
};

/// The lesson that is played beside every tab.
struct LessonState {
  bool open = false;     ///< its column (on the projector its strip) is on screen
  std::string lesson;    ///< id of the one that is played; empty: the list
  int step = 0;          ///< from 0
  int part = 0;          ///< how many answers of the step have been asked for
  int scroll = 0;        ///< first line of its text that is shown
  int chosen = 0;        ///< in the list
  std::string progress;  ///< of all lessons, see app/state/lesson_play.hpp
  int right = 0, asked = 0;  ///< the prediction's score when the step began
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("open", s.open);
    visit("lesson", s.lesson);
    visit("step", s.step);
    visit("part", s.part);
    visit("scroll", s.scroll);
    visit("chosen", s.chosen);
    visit("progress", s.progress);
    visit("right", s.right);
    visit("asked", s.asked);
  }
  bool operator==(const LessonState&) const = default;
};

}  // namespace bscope
