// The tests link the engine's own hooks; the linker hands each item to the app first (-Wl,--wrap, mangled
// names), as the stub does in the app.
#include <imgui.h>
#include <imgui_internal.h>

void bscope_item_seen(ImGuiContext*, ImGuiID, const ImRect&);

void real_item_add(ImGuiContext*, ImGuiID, const ImRect&, const ImGuiLastItemData*) asm(
    "__real__Z27ImGuiTestEngineHook_ItemAddP12ImGuiContextjRK6ImRectPK17ImGuiLastItemData");
void wrapped_item_add(ImGuiContext*, ImGuiID, const ImRect&, const ImGuiLastItemData*) asm(
    "__wrap__Z27ImGuiTestEngineHook_ItemAddP12ImGuiContextjRK6ImRectPK17ImGuiLastItemData");

void wrapped_item_add(ImGuiContext* context, ImGuiID id, const ImRect& box, const ImGuiLastItemData* data) {
  bscope_item_seen(context, id, box);
  real_item_add(context, id, box, data);
}
