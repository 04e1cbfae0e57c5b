// What Atomics remembers, and what it shows of it.
#pragma once

#include <memory>
#include <string>

#include "app/session/run_choice.hpp"

namespace bscope {

struct AtomicsRuns;
struct Run;

struct AtomicsState {
  static constexpr const char* saved_as = "atomics";
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
  /// A histogram's input is what the tab shows.
  void run_opened(const Run&);
};

/// The runs that Atomics shows.
struct AtomicsQueues {
  std::shared_ptr<const AtomicsRuns> runs;  ///< null until the tab asks for them
  std::string made_of;                      ///< what the runs were made from, or failed to be
};

}  // namespace bscope
