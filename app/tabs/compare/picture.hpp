// The Compare tab: any two runs side by side, one transport, one scale of work.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/analysis/two_runs.hpp"
#include "engine/timing/recording.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct Fact;
struct Metrics;
struct Picture;
struct Run;
struct Theme;

/// Two open runs, and how they go together.
struct Comparison : TwoRuns {
  std::array<std::shared_ptr<const Run>, 2> runs;
  std::map<const Fact*, std::array<long, 2>> figures;  ///< counted of both whole runs
  bool of_one_file = false;  ///< the right one is of the same program, before it was changed

  long figure(const Fact&, size_t side) const;
};
Comparison comparison(std::shared_ptr<const Run> left, std::shared_ptr<const Run> right);

/// What is looked at.
struct CompareLook {
  SyncBy sync = SyncBy::interval;
  std::string scale = "work";  ///< of TwoRuns::scales; another: the work
  int position = 0;            ///< in Comparison::steps; clamped
  Message awaited = {};        ///< what a page says while it reads recordings; empty: they are there
};
/// `recordings` give the measured panel its bars, the last one first. Hits: row "left 3" (a: the side, b: the
/// row), "right 3".
Picture compare_view(const Comparison&, const CompareLook&, const std::vector<Recording>& recordings,
                     const Theme&, const Metrics&, float w, float h);
/// The strip beside the transport: both sides' phases over the positions, and the choices. Hits: "position",
/// "sync by interval", "sync by phase", "sync by work", "scale work", ...
Picture compare_transport(const Comparison&, const CompareLook&, const Theme&, const Metrics&, float w,
                          float h);

/// "half the adds", "1.4 times the steps": the second count relative to the first, in words.
std::string ratio_words(const std::string& of, long first, long second);
/// What differs between the two, in one sentence.
std::string difference(const Comparison&);
/// What the sides are called: their kernels' titles; where those are equal, with what tells them apart.
std::array<std::string, 2> names_of(const Comparison&);

}  // namespace bscope
