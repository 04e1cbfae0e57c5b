// OpenGL 3.3, or what a browser has of it: WebGL 2, which is OpenGL ES 3.0.
#pragma once

#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#else
#include <glad/gl.h>
#endif
