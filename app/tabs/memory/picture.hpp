// The Memory tab: which sectors of global memory a warp's request touches, and how much comes for nothing.
#pragma once

namespace bscope {

struct Metrics;
struct Picture;
struct RequestScene;
struct Theme;

/// Hits: see requests.hpp; beside them `sector K`, by its number in the array.
Picture memory_view(const RequestScene&, const Theme&, const Metrics&, float w, float h);

}  // namespace bscope
