// The Atomics tab's runs, and the model made of them.
#pragma once

#include <memory>

#include "app/view/atomics.hpp"

namespace bscope {

struct State;

struct AtomicsRuns {
  std::shared_ptr<const Run> left, right, racy;  ///< racy is null where neither side is a histogram
  std::shared_ptr<const GreyImage> image;
  AtomicsModel model;  ///< of `bin`
  int bin = -1;        ///< as AtomicsState has it
};

/// Does the state ask for other runs, or another model of them, than it has?
bool queues_are_due(const State&);

}  // namespace bscope
