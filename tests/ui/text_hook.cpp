// Every text passes by here on its way into a draw list (-Wl,--wrap, mangled names: tests/CMakeLists.txt).
#include <cstring>

#include "tests/ui/seen.hpp"

using Text = void(ImDrawList*, ImFont*, float, const ImVec2&, ImU32, const char*, const char*, float,
                  const ImVec4*);
Text real_text asm("__real__ZN10ImDrawList7AddTextEP6ImFontfRK6ImVec2jPKcS6_fPK6ImVec4");
Text wrapped_text asm("__wrap__ZN10ImDrawList7AddTextEP6ImFontfRK6ImVec2jPKcS6_fPK6ImVec4");

namespace bscope {
Seen& seen_now() {
  static Seen seen;
  return seen;
}
}  // namespace bscope

void wrapped_text(ImDrawList* list, ImFont* font, float size, const ImVec2& at, ImU32 colour,
                  const char* begin, const char* end, float wrap, const ImVec4* clip) {
  real_text(list, font, size, at, colour, begin, end, wrap, clip);
  bscope::Seen& seen = bscope::seen_now();
  if (!seen.wanted || (colour & IM_COL32_A_MASK) == 0) return;
  if (!end) end = begin + std::strlen(begin);
  if (begin == end) return;
  ImFont* f = font ? font : ImGui::GetFont();
  const float em = size > 0 ? size : ImGui::GetFontSize();
  const ImVec2 room = f->CalcTextSizeA(em, 1e30f, wrap, begin, end);
  // the letters of a line fill its middle
  ImRect box{at.x, at.y + em * 0.18f, at.x + room.x, at.y + room.y - em * 0.18f};
  ImRect visible{list->_CmdHeader.ClipRect};
  if (clip) visible.ClipWith(ImRect(*clip));
  seen.texts.push_back({list, std::string(begin, end), box, visible});
}
