// What a frame would draw, and whether that is anything new.
#pragma once

#include <cstdint>

struct ImDrawData;

namespace bscope {

/// A digest of everything that would be drawn: equal digests, equal pictures.
uint64_t digest(const ImDrawData&);
/// Whether there is a texture that the graphics driver has not seen as it is now.
bool textures_changed(const ImDrawData&);

}  // namespace bscope
