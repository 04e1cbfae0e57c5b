// Two runs side by side: how they keep step, and what each step counts.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/analysis/run_rows.hpp"

namespace bscope {

/// How the two sides keep step.
enum class SyncBy : int { interval, phase, work };
inline constexpr int sync_modes = 3;
constexpr SyncBy last_of(SyncBy) { return SyncBy::work; }

/// Two runs' rows, and how they go together.
struct TwoRuns {
  std::array<RunRows, 2> sides;
  /// For each SyncBy: the rows at which the sides stand, position by position.
  std::array<std::vector<std::array<int, 2>>, sync_modes> steps;
  bool atomics = false;  ///< neither side adds anything but by atomics: those are its work

  long work(const RunRows::RunRow& r) const { return atomics ? r.atomics : r.adds; }
  /// What the bars beside the rows can count: "work", each fact that adds up ("wavefronts"), "threads".
  std::vector<std::string> scales() const;
  long count(const RunRows::RunRow&, const std::string& scale) const;
};
TwoRuns two_runs(const Report& left, const Report& right);
/// The position at which a side stands on this row.
int position_of(const TwoRuns&, SyncBy, size_t side, int row);
/// Whether both sides count the same in every scale, in as many steps.
bool counts_alike(const TwoRuns&);

}  // namespace bscope
