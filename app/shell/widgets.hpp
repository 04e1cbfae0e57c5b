// ImGui's controls as the app's panels use them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"

namespace bscope {

struct Algorithm;
struct Parameter;

/// Words in a colour, in lines as long as there is room.
void write(const std::string& words, Colour);
/// One of several: true if it was pressed and is not the one that is on. `id`: for tests, in any language.
bool radio(const std::string& words, const std::string& id, bool on);
/// A list that drops down, its values said; true: one was chosen.
bool choice(const char* id, std::string& chosen, const std::vector<std::string>& values);
/// ImGui::InputInt for numbers that do not fit into 32 bits: up to 18 digits, so that no number that can be
/// typed or pasted becomes another one. Takes what is typed when it is done (Enter, Tab, a click elsewhere);
/// the buttons change it by `step`, with Ctrl by `far`. True: `number` is another now.
bool input_whole(const char* id, long long& number, long long step = 1, long long far = 100);
/// The value of a kernel's parameter: a list, or a number in its range. Empty: its default.
bool input_parameter(const Parameter&, std::string& value);
/// Threads a block, none: the kernel's default, which came out as `used`.
bool choose_block(const Algorithm&, std::optional<long long>& block, const std::string& used);

}  // namespace bscope
