// What the sentences of several Watch panels are made of.
#pragma once

#include <string>
#include <vector>

#include "app/draw/phrase.hpp"
#include "app/draw/theme.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

/// A cell by its name; a press selects it.
Text cell_named(const std::string& name, CellRef, Colour, Font = Font::mono_bold);
/// "Thread 3", of another block than `block`: "Thread 3 of block 2".
Text thread_named(const Theme&, const Launch&, int thread, int block);
/// "a, b and c", as the language joins a list.
Text listed(const std::vector<Text>&, Colour);
/// "t0, t2 to t7": at most four runs, then how many more.
std::string threads_listed(const std::vector<int>& ranks);

}  // namespace bscope
