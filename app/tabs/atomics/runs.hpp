// The Atomics tab's runs, and the model made of them.
#pragma once

#include <memory>

#include "app/tabs/atomics/picture.hpp"

namespace bscope {

struct GreyImage;
struct Run;

struct AtomicsRuns {
  std::shared_ptr<const Run> left, right,
      racy;            ///< racy is null where neither side is a histogram, or `alone`
  bool alone = false;  ///< left and right are the open run, of a user's own program
  std::shared_ptr<const GreyImage> image;
  AtomicsModel model;  ///< of `bin`
  int bin = -1;        ///< as in AtomicsState
};

}  // namespace bscope
