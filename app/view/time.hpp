// The Time tab: throughput against length, measured here and recorded elsewhere, and the ladder at one
// length.
#pragma once

#include <string>
#include <vector>

#include "app/view/picture.hpp"
#include "app/view/theme.hpp"
#include "engine/timing/recording.hpp"

namespace bscope {

/// What the tab shows. Plain data: who measures fills it in.
struct TimeInput {
  std::string kernel;               ///< the open kernel: scan/blelloch; its family is shown
  std::vector<Recording> live;      ///< measured on this machine in this session
  std::vector<Recording> recorded;  ///< that came with the program
  int log_n = 24;                   ///< the ladder's length is 2^log_n
  int block = 256;
  bool measuring = false;
  int done = 0, all = 0;  ///< points measured
  std::string doing;      ///< "scan, N = 2^20"
  std::string gpu;        ///< this machine's GPU; empty: none
  std::string no_gpu;     ///< why there is none, one sentence
  std::string error;      ///< what went wrong in the last measurement
};

/// One curve: the records of one kernel on one device.
struct TimeSeries {
  std::string label;
  std::vector<const Record*> points;  ///< by n
  const Recording* run = nullptr;
  bool recorded = false, current = false, reference = false, cpu = false;
};
/// Live curves first, then the newest recording's (not those of kernels measured live on a GPU). The input
/// must outlive them.
std::vector<TimeSeries> time_series(const TimeInput&);

/// Hits: other "n" (a slider of log2), "block" (a slider of log2); button "measure" (or "stop" while
/// measuring).
Picture time_view(const TimeInput&, const Theme&, const Metrics&, float w, float h);

}  // namespace bscope
