// The app under Dear ImGui Test Engine with a renderer that draws nothing, and helpers to find things in it.
#pragma once

#include <imgui_te_context.h>
#include <imgui_te_engine.h>

#include <string>
#include <vector>

#include "app/shell/app.hpp"

namespace bscope {

/// Registers the tests of every control.
void register_controls(ImGuiTestEngine*);
/// Those of the app itself: palette, key sheet, letters, undo, files, popovers.
void register_shell_controls(ImGuiTestEngine*);

/// Another file of tests: static const RegisterControls more{[](ImGuiTestEngine* e) { add_test(e, ...); }};
using RegisterTests = void (*)(ImGuiTestEngine*);
std::vector<RegisterTests>& more_controls();
struct RegisterControls {
  explicit RegisterControls(RegisterTests tests) { more_controls().push_back(tests); }
};
/// A test that begins on a new app, with the mouse out of the way.
void add_test(ImGuiTestEngine*, const char* group, const char* name, void (*test)(ImGuiTestContext*));

/// The app that the running test drives, opened anew on scan/blelloch before each test.
App& app();
/// A new app on this kernel, with what the request says beside.
void restart(const RunSpec&);
void restart(const std::string& kernel = "scan/blelloch");

/// Frames until it is so, 20 seconds at most: runs are opened in the background.
template <class Condition>
void wait_until(ImGuiTestContext* ctx, const Condition& met) {
  for (int k = 0; k < 200 && !met(); ++k) ctx->SleepNoSkip(0.1f, 0.05f);
}

/// The middle of a hit of a picture that is on screen, in the window. Fails the test if there is none.
ImVec2 place_of(ImGuiTestContext*, const std::string& picture, const std::string& hit);
ImVec2 place_of(ImGuiTestContext*, const std::string& picture, HitRegion::RegionKind, int a, int b = 0);
/// Clicks there.
void click(ImGuiTestContext*, ImVec2);
/// Presses at this share of a slider's width.
void slide(ImGuiTestContext*, const std::string& picture, const std::string& hit, float share);
/// A choice of a list that stands on the tab itself.
void choose(ImGuiTestContext*, const char* list, const char* value);

/// Says that it has made, changed or let go every texture that ImGui asks for.
void pretend_to_draw(const ImDrawData&);

/// That many random events on an app of its own, by a seed that is printed; false: something was found.
/// `given`, if any: a folder of files that the window finds (config, start, lessons), that are dropped on it
/// (drops) and pasted into it (texts).
bool monkey(long events, uint64_t seed, const std::string& given = {});

/// Draws every type of shape with shaders and with ImGui's lists, without a display. False: something
/// differs, and it is printed what.
bool check_shaders();

/// Compares pictures with the approved ones. One that differs is left beside its approved one as *.received,
/// for tools/approve.py, and in `marks` with the differences in red. Returns how many differ.
/// `only`: those whose name has this in it.
int compare_pictures(const std::string& approved, const std::string& marks, const std::string& only = {});

}  // namespace bscope
