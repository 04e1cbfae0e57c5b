// Dear ImGui Test Engine's hooks for programs that do not link the engine. ImGui calls them only while the
// app asks for its items, to put letters on them (app/shell/labels.cpp).
#include "imgui.h"
#include "imgui_internal.h"

void bscope_item_seen(ImGuiContext*, ImGuiID, const ImRect&);

void ImGuiTestEngineHook_ItemAdd(ImGuiContext* c, ImGuiID id, const ImRect& box, const ImGuiLastItemData*) {
  bscope_item_seen(c, id, box);
}
void ImGuiTestEngineHook_ItemInfo(ImGuiContext*, ImGuiID, const char*, ImGuiItemStatusFlags) {}
void ImGuiTestEngineHook_Log(ImGuiContext*, const char*, ...) {}
const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext*, ImGuiID) { return nullptr; }
