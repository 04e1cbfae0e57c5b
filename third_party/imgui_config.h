// Dear ImGui's compile-time options, seen by every translation unit (IMGUI_USER_CONFIG).
#pragma once
// Without values: the libraries write `#define X` too, and an identical redefinition is silent.
#define IMGUI_DEFINE_MATH_OPERATORS
#define IMGUI_ENABLE_TEST_ENGINE  // the hooks only; the engine itself is linked into tests alone
#define IMGUI_DISABLE_OBSOLETE_FUNCTIONS
#define IMGUI_USE_WCHAR32       // code points above U+FFFF
#define ImDrawIdx unsigned int  // more than 64k vertices in one draw list
