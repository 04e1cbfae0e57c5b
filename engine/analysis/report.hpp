// Every question at once, for the command line and the app.
#pragma once
#include "engine/analysis/arrows.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/contention.hpp"
#include "engine/analysis/flow.hpp"
#include "engine/analysis/lost.hpp"
#include "engine/analysis/proof.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/why.hpp"
#include "engine/analysis/work.hpp"
namespace bscope {

/// The trace must outlive the report.
struct Report {
  const Trace* trace = nullptr;
  Flow flow;
  std::vector<Word> words;
  std::vector<WarpRequest> requests;
  std::vector<std::pair<int, int>> interval_requests;  ///< for each Flow interval: its range in `requests`
  Contention contention;
  Lost lost;
  Proof proof;
  Work work;
  int span = 0;
  long barriers = 0;     ///< opened, counted once a block
  bool correct = false;  ///< output equals expected (floats: to a tolerance that the sum's length allows)
  std::vector<double> input, output, expected;
};
Report analyse(const Trace&);

}  // namespace bscope
