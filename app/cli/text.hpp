// Runs as readable text: what list, show, check and the walk print.
#pragma once
#include <iosfwd>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/cli/console.hpp"
#include "engine/analysis/array_state.hpp"
#include "engine/analysis/globals.hpp"
#include "engine/trace/cell_ref.hpp"

namespace bscope {

struct Arrow;
struct FindingGroup;
struct Interval;
struct Run;
struct Verdict;

/// Writes intervals of one run. The run must outlive it.
class Frames {
 public:
  Frames(const Run&, Ink, int width);

  /// Title, parameters, device, lesson: two or three lines.
  std::string heading() const;
  /// "step 3 of 10  up-sweep  2 of 8 threads, 2 adds" and so on.
  std::string caption(const Interval&, int step) const;
  /// The arrays at the interval's end, changed cells marked; with `before`, above them as they were.
  std::string states(const Interval&, bool before) const;
  /// One line for each value that was written, at most `most` of them.
  std::string sentences(const Interval&, int most) const;
  /// The interval's lines of the source, `around` lines beside them.
  std::string source(const Interval&, int around) const;
  /// The global arrays after the launch, or after an interval; what has changed in it is marked, with the
  /// inputs that the changed cells hold.
  std::string after(const Launch&) const;
  std::string after(const Interval&) const;
  /// The intervals of the block as a strip, by phase, this one marked.
  std::string timeline(const Interval&) const;
  /// Result, totals, formulas, queues.
  std::string totals() const;

 private:
  struct ShownArray {
    int array;
    std::string name;
    ArrayState before, after;
    std::set<int> changed;
    int from, to;      ///< cells of it that are of interest
    int together = 0;  ///< cells of a row, where it was declared with rows: each begins a line
  };
  std::vector<ShownArray> shown(const Interval&) const;
  std::string globals(int launch, int from, int to) const;
  std::string table(const ShownArray&, bool before) const;
  std::string place(const Launch&, CellRef) const;
  std::string sentence(const Launch&, const Arrow&) const;
  const Interval* previous(const Interval&) const;

  const Run& run_;
  Globals globals_;
  Ink ink_;
  int width_;
};

/// A launch's name; of several with its number, from 1.
std::string launch_name(const Trace&, int launch);
std::string list_text(Ink, int width);
/// Written interval by interval: traces are large. The global arrays are shown after each launch and, of the
/// block `globals`, after each interval.
void show_text(std::ostream&, const Run&, Ink, int width, std::optional<int> globals = {});
/// What the run costs, and its totals; no step.
std::string summary_text(const Run&, Ink, int width);
/// What `check` prints: findings as compilers print them, what the run costs, the verdict.
std::string check_text(const Run&, const Verdict&, const std::vector<FindingGroup>&, Ink, int width = 100);

}  // namespace bscope
