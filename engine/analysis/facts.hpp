// Counted figures of a run. Each is declared once, and whatever counts shows it: `show` and its JSON,
// lessons, Compare.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bscope {

struct DataflowGraph;
struct EngineCopy;
struct Node;
class Report;
struct WarpAccess;

/// What is counted of one source line of one launch.
struct LineCount {
  int launch = 0, line = 0;
  long count = 0;
};

/// A counted figure. Where it appears follows from the names it has.
struct Fact {
  std::string name = {};     ///< in JSON: "shared_wavefronts"; empty: it stands in none
  std::string words = {};    ///< on screen: "wavefronts"; empty: it is not compared
  std::string asked = {};    ///< in a lesson's braces; empty: as `words`
  std::string ideal = {};    ///< the name of the fact that says how few they could be
  std::string formula = {};  ///< what formulas call it; empty: as `words`
  bool tells = false;        ///< Compare's sentence says how it differs
  /// The line of `show`'s totals that it stands in, and what it says there; `told` empty: "7 wavefronts".
  /// Without `line` it stands in none. A line whose figures are all 0 is left out.
  std::string line = "counted";
  std::function<std::string(const Report&, long)> told = {};
  /// Of the whole run, and of an interval (its number in DataflowGraph::intervals). Either may be empty: then
  /// it is not asked of that.
  std::function<long(const Report&)> of_run = {};
  std::function<long(const Report&, size_t interval)> of_step = {};
  /// Of one request of a warp, or of one operation: what is counted of these adds up, so that the two above
  /// follow where they are empty, and Compare can draw it as a bar beside each step.
  std::function<long(const WarpAccess&)> of_request = {};
  /// Beside `of_request`: of one bulk copy, which the copy engine makes, no warp.
  std::function<long(const EngineCopy&)> of_copy = {};
  std::function<long(const DataflowGraph&, const Node&)> of_node = {};
  /// Of each source line, where that follows from neither; the whole run's is their sum if `of_run` is empty.
  std::function<std::vector<LineCount>(const Report&)> of_lines = {};

  const std::string& asked_as() const { return asked.empty() ? words : asked; }
  bool adds_up() const { return of_request || of_node; }
  const std::string& in_formulas() const { return formula.empty() ? words : formula; }
};

/// static const RegisterFact span{{.name = "span", ...}}; it is known as long as this lives.
struct RegisterFact {
  explicit RegisterFact(Fact, const char* file = __builtin_FILE(), int line = __builtin_LINE());
  ~RegisterFact();
  RegisterFact(const RegisterFact&) = delete;
  RegisterFact& operator=(const RegisterFact&) = delete;
  const Fact fact;
};

/// All of them, in the order of their files (engine/analysis/facts) and within.
std::vector<const Fact*> facts();
/// The one that JSON calls so; null if there is none.
const Fact* fact_named(std::string_view name);
/// The one of a whole run that goes by this name in JSON, in reports or in lessons; null if there is none.
const Fact* fact_of_runs(std::string_view name);
/// The source lines that a figure comes from, the most first; none where it comes from no lines.
std::vector<LineCount> lines_of(const Fact&, const Report&);

}  // namespace bscope
