// What the colours and shapes of the Watch pictures mean, for legends.
#pragma once

#include <string>

#include "app/draw/picture.hpp"

namespace bscope {

struct Theme;

enum class Sign : uint8_t { read, write, changed, working, idle, barrier, atomic, extra, stuck };
constexpr int sign_count = 9;

/// "changed".
std::string word_for(Sign);
/// The sign itself, as it looks in the pictures.
void draw_sign(Pen&, const Theme&, Sign, Box);

}  // namespace bscope
