// What is wrong with the open run, one by one: keys and clicks go to where it happens.
#pragma once

#include <cstddef>

#include "app/draw/picture.hpp"

namespace bscope {

struct FindingGroup;
struct LoadedState;
struct UiState;
class View;

/// To where the finding of that number happens, in the pictures, in the source and in the editor, if it is
/// open; the banner says it from now on.
void go_to_finding(LoadedState&, UiState&, size_t number);
/// The next one (`by` 1) or the one before (-1), around the ends; the first one to begin with. Of a text that
/// does not compile: the compiler's errors.
void go_to_next_finding(LoadedState&, UiState&, int by);
/// The finding that the banner says.
const FindingGroup* finding_shown(const UiState&);

/// The box below the banner: all findings, a click goes there; what follows from one is folded under it; the
/// fix. `whole`: the banner has room for all of the sentence that it shows.
void list_findings(View&, Point at, bool whole);

}  // namespace bscope
