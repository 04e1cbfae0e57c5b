// What lights up for the selected cell: the writes that went into its value, those that it flows into.
#pragma once

#include <string>
#include <vector>

#include "app/tabs/watch/model.hpp"
#include "app/tabs/watch/watch_state.hpp"

namespace bscope {

/// Relatives of what the selected cell holds at the end of the cursor's step. Nodes ascending; they stay good
/// until another cell's are asked for.
struct Related {
  const std::vector<int>*up = nullptr,  ///< every load and store that went into it
      *down = nullptr;                  ///< that it flows into; null: not asked for
  bool went_in(int node) const;
  bool flows_into(int node) const;
};
Related related(const WatchModel&, const Cursor&, Relatives);
/// "blue: everything inside sum[3], and everything that it flows into"; empty: nothing lights up.
std::string words_of(const Related&, const std::string& cell);

/// Of each cell of a part, before a step or after it: does it hold the value of a relative?
std::vector<bool> holds_relative(const WatchModel&, const Step&, const Part&, bool after, const Related&);

}  // namespace bscope
