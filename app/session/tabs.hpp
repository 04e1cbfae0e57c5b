// What each tab remembers of its own beside the cursor. Plain data: a session file, undo and the settings
// keep it.
//
// Every struct lists its members in `fields(self, visit)`, which calls visit("name", self.member) for each:
// so whoever saves, loads or compares them needs no edit when one is added. A session may come from anybody:
// a struct whose members must stay in a range puts them right in `void fit(const Run&)`, called after
// loading; an enum that it holds needs `constexpr E last_of(E)`, its greatest value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/tabs/compare/picture.hpp"

namespace bscope {

struct Run;

/// What lights up in the whole run for the selected cell.
enum class Relatives : uint8_t { ancestors, descendants, both };
constexpr Relatives last_of(Relatives) { return Relatives::both; }
/// What stands beside the source lines.
enum class Profile : uint8_t { values, step, run };
constexpr Profile last_of(Profile) { return Profile::run; }

struct WatchState {
  Relatives relatives = Relatives::ancestors;
  Profile profile = Profile::values;
  int source_shift = 0;  ///< characters that the source is scrolled to the right
  int source_scroll = 0,
      source_scroll_at = -1;  ///< lines that the source is scrolled down, while the step is this one
  bool registration = false;  ///< the source's registration is unfolded
  int run_scroll = 0,
      run_scroll_at = -1;       ///< rows that the whole run is scrolled, while the step is this one
  int why_levels = 0;           ///< levels that are unfolded
  std::vector<int> why_turned;  ///< nodes that are not as their level says: unfolded or folded by hand
  int why_row = -1;             ///< row of the tree with the focus, -1: none
  int why_scroll = 0;           ///< rows that the tree is scrolled
  bool why_tall = false;        ///< the why panel over the source's place
  bool words = false;           ///< cells show which inputs they were made from, not their values
  bool all_blocks = false;      ///< every block of the launch, small
  bool all_arrays = false;      ///< every array that the block touches, small
  bool hand_over = false;       ///< the selected flag's hand-over in the whole run's place
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("relatives", s.relatives);
    visit("profile", s.profile);
    visit("source_shift", s.source_shift);
    visit("source_scroll", s.source_scroll);
    visit("source_scroll_at", s.source_scroll_at);
    visit("registration", s.registration);
    visit("run_scroll", s.run_scroll);
    visit("run_scroll_at", s.run_scroll_at);
    visit("why_levels", s.why_levels);
    visit("why_turned", s.why_turned);
    visit("why_row", s.why_row);
    visit("why_scroll", s.why_scroll);
    visit("why_tall", s.why_tall);
    visit("words", s.words);
    visit("all_blocks", s.all_blocks);
    visit("all_arrays", s.all_arrays);
    visit("hand_over", s.hand_over);
  }
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

/// A run that a tab asks for beside the open one: a file, or a kernel on the open run's input.
struct RunChoice {
  std::string file = {};    ///< a .bscope file; empty: `kernel`
  std::string kernel = {};  ///< empty: the tab's own choice
  long long n = 0;          ///< 0: the open run's input
  int block = 0;            ///< 0: as the open run was asked for
  std::string set = {};     ///< parameters of its own: "items=4 access=contiguous"
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("file", s.file);
    visit("kernel", s.kernel);
    visit("n", s.n);
    visit("block", s.block);
    visit("set", s.set);
  }
  bool operator==(const RunChoice&) const = default;
};

struct CompareState {
  RunChoice right;  ///< no kernel: the ladder's next rung
  SyncBy sync = SyncBy::interval;
  CompareBy scale = CompareBy::work;
  int position = 0;  ///< in Comparison::steps
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("right", s.right);
    visit("sync", s.sync);
    visit("scale", s.scale);
    visit("position", s.position);
  }
  bool operator==(const CompareState&) const = default;
};

struct AtomicsState {
  RunChoice left, right;   ///< no kernel: queue_kernels()
  bool own_input = false;  ///< the sliders' input; else the open histogram's, or the preset's
  double skew = 0.5;       ///< share of the keys in the favourite bin, beside its even share
  int blocks = 7, threads = 32, items = 1;  ///< items: keys a thread, where a kernel takes several
  int bins = 16;
  bool shuffled = true;  ///< warps picked at random; else the executor's own order
  int bin = -1;          ///< the address looked at; -1: the one with the longest queue
  int t = -1;            ///< time, in serialised atomics; -1: when the right side is done
  int lost = 0;          ///< the lost update that is explained
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("left", s.left);
    visit("right", s.right);
    visit("own_input", s.own_input);
    visit("skew", s.skew);
    visit("blocks", s.blocks);
    visit("threads", s.threads);
    visit("items", s.items);
    visit("bins", s.bins);
    visit("shuffled", s.shuffled);
    visit("bin", s.bin);
    visit("t", s.t);
    visit("lost", s.lost);
  }
  /// Into the ranges of the sliders.
  void fit(const Run&);
  bool operator==(const AtomicsState&) const = default;
};

/// What the Time tab shows beside throughput. `throughput` is for narrow pictures, which show one at a time.
enum class TimeFacet : uint8_t { throughput, speedup, noise, roofline, cycles, gpus, notes };
constexpr TimeFacet last_of(TimeFacet) { return TimeFacet::notes; }

struct TimeState {
  static constexpr int least_log_n = 10, most_log_n = 31;
  int log_n = 26;                          ///< the ladder's length is 2^log_n; sweeps go up to it
  int block = 256;                         ///< threads
  std::string type = "int32";              ///< of an element
  int skew = 0;                            ///< percent (histograms)
  std::map<std::string, std::string> set;  ///< what the kernel declares, as chosen here
  TimeFacet facet = TimeFacet::throughput;
  std::string axis = "n";  ///< what throughput is drawn against: n, keys or a parameter that was swept
  bool warm = false;       ///< runs in a row instead of runs on a cache that holds nothing of the input
  bool over_tbb = false;   ///< speed-up over all cores instead of one
  int row = -1;            ///< the legend's cursor: a row of the ladder; -1: none
  std::vector<std::string> hidden;  ///< curves, by TimeSeries::key
  std::vector<std::string> closed;  ///< recordings ticked otherwise than at first, by key_of(Recording)
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("log_n", s.log_n);
    visit("block", s.block);
    visit("type", s.type);
    visit("skew", s.skew);
    visit("set", s.set);
    visit("facet", s.facet);
    visit("axis", s.axis);
    visit("warm", s.warm);
    visit("over_tbb", s.over_tbb);
    visit("row", s.row);
    visit("hidden", s.hidden);
    visit("closed", s.closed);
  }
  template <class Run>
  void fit(const Run&) {
    log_n = std::clamp(log_n, least_log_n, most_log_n);
    block = std::clamp(block, 32, 1024);
    skew = std::clamp(skew, 0, 100);
    row = std::max(row, -1);
    if (type != "float" && type != "double") type = "int32";
  }
  bool operator==(const TimeState&) const = default;
};

/// The lesson that is played beside every tab.
struct LessonState {
  bool open = false;         ///< its column (on the projector its strip) is on screen
  std::string lesson;        ///< id of the one that is played; empty: the list
  int step = 0;              ///< from 0
  int part = 0;              ///< how many answers of the step have been asked for
  int scroll = 0;            ///< first line of its text that is shown
  int chosen = 0;            ///< in the list
  std::string progress;      ///< of all lessons, see app/lessons/play.hpp
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
