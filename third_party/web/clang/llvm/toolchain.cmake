# The page's toolchain, for LLVM's own CMake, which refuses a system that is neither UNIX nor Windows.
include(${CMAKE_CURRENT_LIST_DIR}/../../../../cmake/web/toolchain.cmake)
set(CMAKE_SYSTEM_NAME Emscripten)
set(CMAKE_ASM_COMPILER "${BARRIERSCOPE_LLVM}/clang")
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES BARRIERSCOPE_CXX_HEADERS)
foreach(folder IN LISTS BARRIERSCOPE_CXX_HEADERS)
  string(APPEND CMAKE_CXX_FLAGS_INIT " -isystem ${folder}")
endforeach()
