// What lights up for the selected cell, as the user chooses and reads it.
#pragma once

#include <string>

#include "app/tabs/watch/watch_state.hpp"
#include "engine/analysis/moment.hpp"

namespace bscope {

struct Related;
class RunQueries;

/// Those that the user has chosen to see.
Related related(const RunQueries&, const Moment&, Relatives);
/// Whether there are cells besides the selected one to light up.
bool has_relatives(const Related&);
/// "blue: everything inside sum[3], and everything that it flows into"; empty: nothing lights up.
std::string words_of(const Related&, const std::string& cell);

}  // namespace bscope
