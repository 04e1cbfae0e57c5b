// Samples of a time, and when there are enough of them.
#pragma once

#include <functional>
#include <vector>

namespace bscope {

/// What a list of samples says. Seconds, but for `noise`.
struct Statistics {
  double median = 0, least = 0, most = 0;
  /// How far the median may be off, relative to it: half the distance between the samples sqrt(n)/2 ranks
  /// above and below it (its 68% interval, whatever the distribution), so that a single interrupted sample
  /// does not count. 0.005 is half a percent.
  double noise = 0;
};
/// Of at least one sample; of none, all zero.
Statistics summarise(std::vector<double> seconds);

/// How far the quartiles of the samples lie apart, as a share of their median; 0 of fewer than two.
double quartile_distance(std::vector<double> samples);

/// How many times as fast one is as another, and how far the quartiles of both leave that open (+- spread).
struct Ratio {
  double value = 0, spread = 0;
};

/// When to stop: after `least` samples as soon as the noise is below `noise`, and in any case after `most`
/// samples or `seconds` of wall time.
struct Patience {
  int least = 11, most = 200;
  double noise = 0.005, seconds = 1;
};
/// Whether these samples, taken within so many seconds, are as many as are needed.
bool enough_samples(const std::vector<double>& samples, double seconds, const Patience&);
/// Calls `once` (one sample, in seconds) until there are enough. Always takes at least one sample.
std::vector<double> sample(const Patience&, const std::function<double()>& once);

/// Seconds that one call of `f` takes, over as many calls in a row as last 50 microseconds or more: a clock
/// reads nothing sensible from less. Calls it once before, to warm up.
std::function<double()> wall_clock(std::function<void()> f);

}  // namespace bscope
