// Source: the kernel's text, with the interval's lines marked by what they do.
#pragma once

#include "app/state/prediction.hpp"
#include "app/state/tabs.hpp"
#include "app/view/picture.hpp"
#include "app/view/theme.hpp"
#include "app/view/watch/model.hpp"

namespace bscope {

/// Hits: line (number).
Picture source_panel(const WatchModel&, const Cursor&, const Theme&, const Metrics&, float width,
                     float height, const WatchState& = {}, const Prediction* = nullptr);

}  // namespace bscope
