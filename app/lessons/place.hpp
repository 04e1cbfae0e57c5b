// Where a lesson's step looks in its run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson.hpp"
#include "app/run/cursor.hpp"
#include "engine/trace/cell_ref.hpp"

namespace bscope {

struct Run;

/// "sum[15]" as a cell of the launch; shared arrays go before global ones. Nothing if there is none.
std::optional<CellRef> cell_of(const Run&, int launch, const std::string& cell);
/// "sum[0] to sum[15], in[0] to in[31]": what cells there are.
std::string arrays_of(const Run&, int launch);

/// The first line of a text that holds these words, from 1; 0: none does.
int line_with(std::string_view text, std::string_view words);
/// Where the step's words point to in its run. What is not there becomes a mistake, and the rest stays.
Cursor find_place(const LessonStep&, const Run&, std::vector<Mistake>& mistakes);

}  // namespace bscope
