// The Compare tab: any two runs side by side, one transport, one scale of work.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/run/run.hpp"
#include "engine/timing/recording.hpp"

namespace bscope {

/// What one side shows: its whole run, a row for each interval of each launch (all blocks together); an
/// interval with shuffles has a row for each round of them.
struct CompareSide {
  /// Something that a row did to a column of the figure.
  struct Dot {
    int column = 0;
    bool add = false;            ///< a computation; else a copy or a constant
    bool lineage = false;        ///< its value flows into the cell that is made from the most others
    bool self = false;           ///< computed from its own column too
    std::vector<int> from = {};  ///< other columns it was computed from
    bool operator==(const Dot&) const = default;
  };
  /// Many columns put together: how many of them computed something, how many only copied.
  struct Part {
    int adds = 0, copies = 0;
  };
  struct Row {
    int launch = 0, interval = 0, round = 0;
    std::string phase = {}, name = {};  ///< the name numbers the rows of a phase: "up-sweep 2"
    std::vector<Dot> dots = {};         ///< of a launch of at most most_columns
    std::vector<Part> parts = {};       ///< of one of more
    std::vector<int> reads = {};        ///< columns that were read and not written
    long threads = 0;                   ///< with at least one access
    long adds = 0, atomics = 0, wavefronts = 0, sectors = 0;
  };
  /// What the columns of a launch's rows are.
  struct Figure {
    bool cells = false;  ///< of `array`; else threads
    std::string array = {};
    int columns = 0;  ///< of all blocks side by side; where those are many, parts of them
    int blocks = 1;
    int all = 0, part = 1;  ///< columns in all, and how many of them a part has
    int in_block() const { return std::max(1, columns / blocks); }
  };
  std::vector<Row> rows;
  std::vector<Figure> figures;  ///< by launch
  long threads = 0;             ///< of the largest launch
  long slots_used = 0, slots = 0;
  long adds = 0, atomics = 0;
};
/// Of a launch with at most so many columns each is known by itself.
inline constexpr int most_columns = 64;
CompareSide compare_side(const Run& run);
/// How many of the columns go together where only `most` can be told apart: a block is whole parts, or a part
/// whole blocks, wherever that costs at most half of them. So what all blocks do alike looks alike.
int columns_together(int columns, int in_block, int most);

/// How the two sides keep step.
enum class SyncBy : int { interval, phase, work };
/// What the bars beside the rows count.
enum class CompareBy : int { work, wavefronts, sectors, threads };
inline constexpr int sync_modes = 3, compare_scales = 4;
constexpr SyncBy last_of(SyncBy) { return SyncBy::work; }
constexpr CompareBy last_of(CompareBy) { return CompareBy::threads; }

/// Two runs, and how they go together.
struct Comparison {
  std::array<std::shared_ptr<const Run>, 2> runs;
  std::array<CompareSide, 2> sides;
  std::array<RequestTotals, 2> totals;  ///< of all requests of each run
  /// For each SyncBy: the rows at which the sides stand, position by position.
  std::array<std::vector<std::array<int, 2>>, sync_modes> steps;
  bool atomics = false;  ///< neither side adds anything but by atomics: those are its work
  long work(const CompareSide::Row& r) const { return atomics ? r.atomics : r.adds; }
  long count(const CompareSide::Row&, CompareBy) const;
};
Comparison comparison(std::shared_ptr<const Run> left, std::shared_ptr<const Run> right);

/// What is looked at.
struct CompareLook {
  SyncBy sync = SyncBy::interval;
  CompareBy scale = CompareBy::work;
  int position = 0;  ///< in Comparison::steps; clamped
};
/// `recordings` give the measured panel its bars, the last one first. Hits: row "left 3" (other; a: the
/// side, b: the row), "right 3".
Picture compare_view(const Comparison&, const CompareLook&, const std::vector<Recording>& recordings,
                     const Theme&, const Metrics&, float w, float h);
/// The strip beside the transport: both sides' phases over the positions, and the choices. Hits:
/// "position" (drag: slider_value), "sync by interval", "sync by phase", "sync by work", "scale work", ...
/// (button; a: the SyncBy, CompareBy).
Picture compare_transport(const Comparison&, const CompareLook&, const Theme&, const Metrics&, float w,
                          float h);

/// "half the adds", "1.4 times the steps": what the second count is to the first, as people say it.
std::string ratio_words(const std::string& of, long first, long second);
/// What differs between the two, in one sentence.
std::string difference(const Comparison&);
/// What the sides are called: their kernels' titles; where those are equal, with what tells them apart.
std::array<std::string, 2> names_of(const Comparison&);

}  // namespace bscope
