// What tabs remember as pairs of a name and a text, and back: "watch.words" and "true". The names are those
// of session files (app/session/session_file.hpp), which follow from the tabs' `fields`; so nothing here
// knows a tab.
#pragma once

#include <string>

#include "app/options/options.hpp"

namespace bscope {

struct LoadedState;
struct State;

/// What a state remembers otherwise than another on the same run: cursor, tabs, the question that is asked.
/// Without what belongs to the reader: scores, and progress in lessons; and what other keys
/// say.
Pairs states_beside(const State& other, const State&);
/// The state with what these say. Throws UsageError for a name that there is none of, for a value that
/// cannot be meant, and for files of this machine.
LoadedState with_states(LoadedState, const Pairs&);

}  // namespace bscope
