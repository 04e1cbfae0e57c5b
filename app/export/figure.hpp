// A view of a run as one picture, without a window: what `render` writes into SVG and PDF.
#pragma once

#include "app/cli/options.hpp"
#include "app/view/picture.hpp"

namespace bscope {

/// The view at its step, `width` x `height`; type keeps its size whatever the picture's. Throws UsageError,
/// BadFile, NoDevice.
Picture figure(const RenderOptions&, const Metrics&);
/// Does the file's name say SVG or PDF?
bool is_figure(const std::string& file);
/// figure() into o.out. Returns the exit code. Throws as figure(), and std::system_error.
int figure_command(const RenderOptions&);

}  // namespace bscope
