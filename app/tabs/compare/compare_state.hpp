// What Compare remembers.
#pragma once

#include <memory>
#include <optional>

#include "app/session/run_choice.hpp"
#include "app/tabs/compare/picture.hpp"

namespace bscope {

struct CompareState {
  static constexpr const char* saved_as = "compare";
  RunChoice right;  ///< no kernel: the next of its family
  SyncBy sync = SyncBy::interval;
  std::string scale = "work";  ///< what the bars count, of TwoRuns::scales
  int position = 0;            ///< in Comparison::steps
  // made of these, and of the open run
  std::shared_ptr<const Run> other;              ///< second run; null until the tab asks for it
  std::shared_ptr<const Comparison> comparison;  ///< of the open run and `other`; null where `other` is
  std::optional<RunChoice> compared_to;          ///< what `other` was made from, or failed to be

  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("right", s.right);
    visit("sync", s.sync);
    visit("bars", s.scale);
    visit("position", s.position);
  }
  void run_opened(const Run&) { let_go(); }
  bool made() const { return other != nullptr; }
  template <class Visit>
  void each_run(Visit&& visit) const {
    if (other) visit(other);
  }
  void let_go() {
    other.reset();
    comparison.reset();
    compared_to.reset();
  }
};

}  // namespace bscope
