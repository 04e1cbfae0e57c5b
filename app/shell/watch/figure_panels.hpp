// The whole run, the source, the why panel and predict in the window.
#pragma once

#include <string>

#include "app/draw/picture.hpp"

namespace bscope {

struct LoadedState;
struct Prediction;
struct UiState;
class View;

/// `prediction` is the one that is on, or null.
void show_whole_run(View&, Box, const Prediction* prediction);
void show_source(View&, Box, const Prediction* prediction);
void show_why(View&, Box);
/// The prediction that is on; it must be.
void show_prediction(View&, Box);
/// Before pictures are made: what was typed goes into the focused box.
void take_guesses(View&);
/// Whether the why panel stands over the source's place.
bool why_is_tall(const LoadedState&);
/// A hit of a picture as it is on screen; null: there is none.
const HitRegion* hit_on_screen(const UiState&, const std::string& picture, const std::string& name);
/// As far as the source on screen says that there are lines.
void scroll_source_on_screen(LoadedState&, const UiState&, int by);

}  // namespace bscope
