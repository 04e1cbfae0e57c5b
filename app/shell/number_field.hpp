// A whole number that is typed.
#pragma once

namespace bscope {

/// ImGui::InputInt for numbers that do not fit into 32 bits: up to 18 digits, so that no number that can be
/// typed or pasted becomes another one. Takes what is typed when it is done (Enter, Tab, a click elsewhere);
/// the buttons change it by `step`, with Ctrl by `far`. True: `number` is another now.
bool input_whole(const char* id, long long& number, long long step = 1, long long far = 100);

}  // namespace bscope
