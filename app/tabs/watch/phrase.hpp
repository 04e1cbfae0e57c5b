// What the sentences of several Watch panels are made of.
#pragma once

#include <string>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/draw/text.hpp"
#include "engine/trace/cell_ref.hpp"

namespace bscope {

struct Launch;
struct Theme;

/// A cell by its name; a press selects it.
Text cell_named(const std::string& name, CellRef, Colour, Font = Font::mono_bold);
/// "Thread 3", of another block than `block`: "Thread 3 of block 2".
Text thread_named(const Theme&, const Launch&, int thread, int block);
/// "a, b and c", as the language joins a list.
Text listed(const std::vector<Text>&, Colour);
/// "t0, t2 to t7": at most four runs, then how many more.
std::string threads_listed(const std::vector<int>& ranks);

}  // namespace bscope
