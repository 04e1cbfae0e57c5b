// Words that are shown whole where there is little room: smaller, or in lines, and not cut.
#pragma once

#include <string>
#include <vector>

#include "app/draw/picture.hpp"

namespace bscope {

/// Is each of the texts, in that size, no wider than `room`?
bool all_fit(const Pen&, const std::vector<std::string>&, float room, float size, Font);
/// The largest size from `most` down to `least` at which the widest of the texts takes no more than `room`,
/// measured at each: fonts on screen come in whole pixels. `least` where none does.
float fitting_size(const Pen&, const std::vector<std::string>&, float room, float most, float least, Font);
/// Of `count` places `pitch` apart, every how many can have a label that takes `need`: 1, 2, 4, ... up to the
/// first that is no less than `count`, also where the places have no room at all.
int label_stride(float pitch, float need, int count);
/// A name in the middle of the box's height: in one line, or in two, or smaller, down to `least`. Cut only
/// where all of that is not enough.
void name_in(Pen&, const Box&, const std::string&, float size, float least, Colour, Font = Font::text,
             Align = Align::left);

}  // namespace bscope
