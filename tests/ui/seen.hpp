// What a frame of the app has put on the screen: every text and every item, noted as ImGui receives them.
#pragma once

#include <imgui.h>
#include <imgui_internal.h>

#include <string>
#include <vector>

struct ImGuiTestContext;

namespace bscope {

struct SeenText {
  const ImDrawList* list;
  std::string words;
  ImRect box;      ///< of its letters
  ImRect visible;  ///< what is cut away lies outside
};
struct SeenItem {
  ImGuiID id;
  const ImGuiWindow* window;
  ImRect box;
};
/// Filled while `wanted`.
struct Seen {
  bool wanted = false;
  std::vector<SeenText> texts;
  std::vector<SeenItem> items;
};
Seen& seen_now();
/// What the next frame puts on the screen.
const Seen& next_frame(ImGuiTestContext*);

}  // namespace bscope
