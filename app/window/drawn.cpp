#include "app/window/drawn.hpp"

#include <imgui.h>

#include <cstring>

namespace bscope {

uint64_t digest(const ImDrawData& data) {
  uint64_t h = 0xcbf29ce484222325u;
  const auto add = [&h](const void* bytes, size_t n) {
    const auto* p = static_cast<const unsigned char*>(bytes);
    for (; n >= 8; p += 8, n -= 8) {
      uint64_t word;
      std::memcpy(&word, p, 8);
      h = (h ^ word) * 0x9e3779b97f4a7c15u;
      h ^= h >> 29;
    }
    for (; n; ++p, --n) h = (h ^ *p) * 0x100000001b3u;
  };
  add(&data.DisplaySize, sizeof data.DisplaySize);
  for (const ImDrawList* list : data.CmdLists) {
    add(list->VtxBuffer.Data, size_t(list->VtxBuffer.size_in_bytes()));
    add(list->IdxBuffer.Data, size_t(list->IdxBuffer.size_in_bytes()));
    for (const ImDrawCmd& c : list->CmdBuffer) add(&c.ClipRect, sizeof c.ClipRect);
    add(list->_CallbacksDataBuf.Data, size_t(list->_CallbacksDataBuf.Size));  // what shaders draw
  }
  return h;
}

bool textures_changed(const ImDrawData& data) {
  if (!data.Textures) return false;
  for (const ImTextureData* t : *data.Textures)
    if (t->Status != ImTextureStatus_OK && t->Status != ImTextureStatus_Destroyed) return true;
  return false;
}

}  // namespace bscope
