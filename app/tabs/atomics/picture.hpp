// The Atomics tab: who waits for one address, with one kernel and with another, and what is lost with no
// atomics at all.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/analysis/queues.hpp"

namespace bscope {

struct GreyImage;
struct Metrics;
struct Picture;
struct Run;
struct Theme;

/// What the pictures need of the tab's runs, for one address.
struct AtomicsModel {
  struct Side : AddressQueues {
    std::string title;  ///< of the kernel
    bool any_served() const {
      return std::ranges::any_of(addresses, [](const Address& a) { return !a.counted.empty(); });
    }
  };
  std::array<Side, 2> sides;
  bool alone = false;  ///< one run, that of a user's own program: both sides are it, one is drawn
  int end = 1;         ///< of the time scale
  int n = 0, bin = 0;
  std::string order;                       ///< whose order it is: "CPU, lockstep"
  std::optional<Losses> racy;              ///< without atomics, of the bin
  std::shared_ptr<const GreyImage> image;  ///< that the keys are the pixels of

  /// Whether any atomic is served. Else there are only lost updates.
  bool has_queues() const { return sides[0].any_served() || sides[1].any_served(); }
  /// -1: when the right side is done; else into the scale.
  int time(int t) const;
};
/// `racy` may be null. bin -1: the one with the left side's longest queue.
AtomicsModel atomics_model(const Run& left, const Run& right, const Run* racy, int bin = -1);
/// Of one run: its queues, and what it loses itself where it updates its output without atomics.
AtomicsModel atomics_model(const Run&, int bin = -1);

/// Where the tab looks, and where its sliders stand.
struct AtomicsLook {
  int t = -1, lost = 0;
  double skew = 0.5;
  int blocks = 7, threads = 32, items = 1, bins = 16;
  bool own_input = false;
  std::string input;  ///< what the keys are, where they are not the sliders': "preset queue-7x20"
};
/// The sliders' ranges. `items` are powers of two.
inline constexpr int most_queue_blocks = 64, most_queue_threads = 512, most_log_items = 6;

/// Hits: bin "bin 5" (a: address), other "time", the sliders by their names, button "lost before", "lost
/// next".
Picture atomics_view(const AtomicsModel&, const AtomicsLook&, const Theme&, const Metrics&, float w, float h);
/// How far both have come by time t. Hit: other "turn".
Picture atomics_timeline(const AtomicsModel&, int t, const Theme&, const Metrics&, float w, float h);

}  // namespace bscope
