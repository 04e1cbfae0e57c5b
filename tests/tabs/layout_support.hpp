// What every tab's picture must keep to, whatever it shows.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/run/run.hpp"

namespace bscope {

/// No text outside the picture or across its panel's edge, none over another, none too small for the last
/// row, none under 4.5:1 against anything that lies under its letters (fills one over another, in the order
/// in which they are drawn, on `background`: by default the panel's), none with half a character; hits inside
/// the picture, with names of their own. Failures are GoogleTest's, with `name`.
void expect_clean(const Picture&, const Theme&, const std::string& name, Colour background = 0);

/// The same in both languages, three themes, three window sizes and with every metric there is; `make` gets
/// the room below the tabs.
using MakePicture = std::function<Picture(const Theme&, const Metrics&, float w, float h)>;
void expect_clean_everywhere(const std::string& name, const MakePicture& make);

/// A traced run of an algorithm.
std::shared_ptr<const Run> traced(const std::string& kernel, const std::string& preset = {}, long long n = 0,
                                  long long block = 0);

/// What a picture is drawn with where a test names no theme.
const Theme& dark_theme();

std::string without_blanks(std::string);
/// Whether this text, or a text that begins with it, is in the picture.
bool says(const Picture&, const std::string& words);
const HitRegion* hit_named(const Picture&, const std::string& name);

}  // namespace bscope
