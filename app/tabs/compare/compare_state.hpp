// What Compare remembers, and what it shows of it.
#pragma once

#include <memory>
#include <optional>

#include "app/session/run_choice.hpp"
#include "engine/analysis/two_runs.hpp"

namespace bscope {

struct Comparison;
struct Run;

struct CompareState {
  static constexpr const char* saved_as = "compare";
  RunChoice right;  ///< no kernel: the next of its family
  SyncBy sync = SyncBy::interval;
  std::string scale = "work";  ///< what the bars count, of TwoRuns::scales
  int position = 0;            ///< in Comparison::steps

  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("right", s.right);
    visit("sync", s.sync);
    visit("bars", s.scale);
    visit("position", s.position);
  }
};

/// What Compare shows beside the open run.
struct CompareRuns {
  std::shared_ptr<const Run> open;               ///< the run that was open then; the rest is beside it
  std::shared_ptr<const Run> other;              ///< second run; null until the tab asks for it
  std::shared_ptr<const Comparison> comparison;  ///< of both; null where `other` is
  std::optional<RunChoice> compared_to;          ///< what `other` was made from, or failed to be
};

}  // namespace bscope
