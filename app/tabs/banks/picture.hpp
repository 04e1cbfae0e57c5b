// The Banks tab: which bank each lane of a warp request asks, and how often the banks must answer.
#pragma once

namespace bscope {

struct Metrics;
struct Picture;
struct RequestScene;
struct Theme;

/// Hits: see requests.hpp; beside them `slot B W`, the word that bank B hands out in wavefront W.
Picture banks_view(const RequestScene&, const Theme&, const Metrics&, float w, float h);

}  // namespace bscope
