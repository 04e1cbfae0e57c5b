# WebAssembly, for browsers and node: clang 19 compiles for emscripten's C library, and emscripten links. Debian's
# emscripten comes with clang 14 and libc++ 13, which are too old for our sources; third_party/web builds libc++ 19.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(EMSCRIPTEN TRUE)

find_program(BARRIERSCOPE_WEB_CLANG clang++-19)
find_program(BARRIERSCOPE_EMXX em++)
if(NOT BARRIERSCOPE_WEB_CLANG OR NOT BARRIERSCOPE_EMXX)
  message(FATAL_ERROR "The page needs Debian's packages clang-19, lld-19, llvm-19 and emscripten: ./web.sh installs them.")
endif()
file(REAL_PATH "${BARRIERSCOPE_WEB_CLANG}" clang)
cmake_path(GET clang PARENT_PATH BARRIERSCOPE_LLVM)
file(REAL_PATH "${BARRIERSCOPE_EMXX}" emxx)
cmake_path(GET emxx PARENT_PATH BARRIERSCOPE_EMSCRIPTEN)
set(CMAKE_C_COMPILER "${BARRIERSCOPE_LLVM}/clang")
set(CMAKE_CXX_COMPILER "${BARRIERSCOPE_LLVM}/clang++")
set(CMAKE_AR "${BARRIERSCOPE_LLVM}/llvm-ar" CACHE FILEPATH "")
set(CMAKE_RANLIB "${BARRIERSCOPE_LLVM}/llvm-ranlib" CACHE FILEPATH "")
set(CMAKE_C_COMPILER_TARGET wasm32-unknown-emscripten)
set(CMAKE_CXX_COMPILER_TARGET wasm32-unknown-emscripten)
set(CMAKE_SYSROOT "${BARRIERSCOPE_EMSCRIPTEN}/cache/sysroot")
# As emcc calls its clang: exceptions are thrown through JavaScript, which every browser and the pass that makes fibers
# (cmake/web.cmake) know.
set(flags "-D__EMSCRIPTEN_major__=3 -D__EMSCRIPTEN_minor__=1 -D__EMSCRIPTEN_tiny__=6 -Dunix -D__unix -D__unix__ \
-fvisibility=default -mllvm -combiner-global-alias-analysis=false -mllvm -enable-emscripten-cxx-exceptions \
-mllvm -enable-emscripten-sjlj -mllvm -disable-lsr -Xclang -iwithsysroot/include/compat")
set(CMAKE_C_FLAGS_INIT "${flags}")
set(CMAKE_CXX_FLAGS_INIT "${flags} -fexceptions -fno-threadsafe-statics -nostdinc++")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE NEVER)
# emscripten links, with this clang's tools.
set(BARRIERSCOPE_EM_CONFIG "${CMAKE_BINARY_DIR}/emscripten_config.py")
find_program(BARRIERSCOPE_NODE NAMES node nodejs REQUIRED)
find_program(BARRIERSCOPE_WASM_OPT wasm-opt REQUIRED)
cmake_path(GET BARRIERSCOPE_WASM_OPT PARENT_PATH binaryen)
cmake_path(GET binaryen PARENT_PATH binaryen)
file(CONFIGURE OUTPUT "${BARRIERSCOPE_EM_CONFIG}" CONTENT "LLVM_ROOT = '${BARRIERSCOPE_LLVM}'
BINARYEN_ROOT = '${binaryen}'
EMSCRIPTEN_ROOT = '${BARRIERSCOPE_EMSCRIPTEN}'
NODE_JS = '${BARRIERSCOPE_NODE}'
FROZEN_CACHE = True
")
set(CMAKE_CXX_LINK_EXECUTABLE
  "${BARRIERSCOPE_EMXX} --em-config ${BARRIERSCOPE_EM_CONFIG} -fexceptions <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
