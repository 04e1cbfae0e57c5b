// What belongs to the selected cell: the writes that went into its value, those that it flows into.
#pragma once

#include <vector>

namespace bscope {

struct ArrayRange;
struct Moment;
class RunQueries;
struct Step;

/// Relatives of what the selected cell holds at the end of the moment's step. Nodes ascending; they stay good
/// until another cell's are asked for.
struct Related {
  const std::vector<int>*up = nullptr,  ///< every load and store that went into it; null: not asked for
      *down = nullptr;                  ///< that it flows into; null: not asked for
  bool went_in(int node) const;
  bool flows_into(int node) const;
};
Related related(const RunQueries&, const Moment&, bool ancestors, bool descendants);

/// For each cell of a part, before a step or after it: whether it holds the value of a relative.
std::vector<bool> holds_relative(const RunQueries&, const Step&, const ArrayRange&, bool after,
                                 const Related&);

}  // namespace bscope
