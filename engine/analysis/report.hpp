// Every question at once, for the command line and the app.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "engine/analysis/dataflow_graph.hpp"

namespace bscope {

struct ActiveLanes;
struct Contention;
struct Lost;
struct Proof;
struct Trace;
struct WarpAccess;
class WordTable;
struct Work;

/// What is known of a run. The replay, what goes in and comes out are there from the beginning. All else is
/// answered when it is first asked for, and kept; any number of threads may ask at once. The trace must
/// outlive the report.
class Report {
 public:
  Report();
  ~Report();
  Report(Report&&) noexcept;
  Report& operator=(Report&&) noexcept;

  const Trace* trace = nullptr;
  DataflowGraph flow;
  long barriers = 0;     ///< opened, counted once a block
  bool correct = false;  ///< output equals expected (floats: to a tolerance that the sum's length allows)
  std::vector<double> input, output, expected;

  const WordTable& words() const;
  /// Those of all intervals, one after the other.
  const std::vector<WarpAccess>& requests() const;
  /// Those of one interval, by its number in DataflowGraph::intervals; asks for no others.
  std::span<const WarpAccess> requests_of(size_t interval) const;
  const Contention& contention() const;
  const Lost& lost() const;
  const Proof& proof() const;
  const Work& work() const;
  /// Of each launch, by line.
  const std::vector<std::map<int, ActiveLanes>>& active_lanes() const;
  int span() const;
  /// Takes results that another process computed.
  void store(WordTable, Lost);

 private:
  struct Answers;
  std::unique_ptr<Answers> answers_;
};
Report analyse(const Trace&);
/// The same where the trace's replay is there already.
Report analyse(const Trace&, DataflowGraph&&);

}  // namespace bscope
