// The tests link the engine's own hooks; the linker hands each item to the app first (-Wl,--wrap, mangled
// names), as the stub does in the app. The monkey and the pictures have no engine.
#include "tests/ui/seen.hpp"

void bscope_item_seen(ImGuiContext*, ImGuiID, const ImRect&);

void real_item_add(ImGuiContext*, ImGuiID, const ImRect&, const ImGuiLastItemData*) asm(
    "__real__Z27ImGuiTestEngineHook_ItemAddP12ImGuiContextjRK6ImRectPK17ImGuiLastItemData");
void wrapped_item_add(ImGuiContext*, ImGuiID, const ImRect&, const ImGuiLastItemData*) asm(
    "__wrap__Z27ImGuiTestEngineHook_ItemAddP12ImGuiContextjRK6ImRectPK17ImGuiLastItemData");

void wrapped_item_add(ImGuiContext* context, ImGuiID id, const ImRect& box, const ImGuiLastItemData* data) {
  bscope_item_seen(context, id, box);
  if (bscope::Seen& seen = bscope::seen_now(); seen.wanted && context->CurrentWindow) {
    ImRect visible = box;
    visible.ClipWith(context->CurrentWindow->ClipRect);
    if (visible.GetWidth() > 2 && visible.GetHeight() > 2)
      seen.items.push_back({id, context->CurrentWindow, visible});
  }
  if (context->TestEngine) real_item_add(context, id, box, data);
}

void real_item_info(ImGuiContext*, ImGuiID, const char*,
                    ImGuiItemStatusFlags) asm("__real__Z28ImGuiTestEngineHook_ItemInfoP12ImGuiContextjPKci");
void wrapped_item_info(ImGuiContext*, ImGuiID, const char*, ImGuiItemStatusFlags) asm(
    "__wrap__Z28ImGuiTestEngineHook_ItemInfoP12ImGuiContextjPKci");

void wrapped_item_info(ImGuiContext* context, ImGuiID id, const char* label, ImGuiItemStatusFlags flags) {
  if (context->TestEngine) real_item_info(context, id, label, flags);
}
