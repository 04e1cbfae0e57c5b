// What Time remembers.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/session/local_path.hpp"

namespace bscope {

/// What the Time tab shows beside throughput. `throughput` is for narrow pictures, which show one at a time.
enum class TimeFacet : uint8_t { throughput, speedup, noise, roofline, cycles, gpus, notes };
constexpr TimeFacet last_of(TimeFacet) { return TimeFacet::notes; }

struct TimeState {
  static constexpr const char* saved_as = "time";
  static constexpr int least_log_n = 10, most_log_n = 31;
  int log_n = 26;                          ///< the bar table's length is 2^log_n; sweeps go up to it
  int block = 0;                           ///< threads; 0: as many as the kernel says are fastest
  std::string type = "int32";              ///< of an element
  int skew = 0;                            ///< percent (histograms)
  std::map<std::string, std::string> set;  ///< what the kernel declares, as chosen here
  TimeFacet facet = TimeFacet::throughput;
  std::string axis = "n";  ///< what throughput is drawn against: n, keys or a parameter that was swept
  bool warm = false;       ///< runs in a row instead of runs on a cache that holds nothing of the input
  bool over_tbb = false;   ///< speed-up over all cores instead of one
  int row = -1;            ///< the legend's cursor: a row of the bar table; -1: none
  std::vector<std::string> hidden;  ///< curves, by TimeSeries::key
  std::vector<std::string> closed;  ///< recordings ticked otherwise than at first, by key_of(Recording)
  LocalPath in_place;               ///< of a user's own program: a recording's file; empty: measured here
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("log_n", s.log_n);
    visit("block", s.block);
    visit("type", s.type);
    visit("skew", s.skew);
    visit("set", s.set);
    visit("facet", s.facet);
    visit("axis", s.axis);
    visit("warm", s.warm);
    visit("over_tbb", s.over_tbb);
    visit("row", s.row);
    visit("hidden", s.hidden);
    visit("closed", s.closed);
    visit("in_place", s.in_place);
  }
  template <class Run>
  void fit(const Run&) {
    block = int(std::bit_floor(unsigned(std::max(0, block))));
    row = std::max(row, -1);
    if (type != "float" && type != "double") type = "int32";
  }
  bool operator==(const TimeState&) const = default;
};

}  // namespace bscope
