# What can be chosen, and how our own code is compiled.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
option(BARRIERSCOPE_WINDOW "Build the window (Dear ImGui, GLFW, OpenGL)" ON)
set(BARRIERSCOPE_PAGE ${EMSCRIPTEN})  # the window of a browser; cmake/web/toolchain.cmake says so
option(BARRIERSCOPE_PICTURES "Build `render`" ON)
option(BARRIERSCOPE_CAIRO "Draw PNG, PDF and videos, by cairo; without it `render` writes SVG alone" ON)
option(BARRIERSCOPE_OWN_CUDA "Build what users' own CUDA programs are linked with" ON)
option(BARRIERSCOPE_WITH_CLANG "Build the compiler of users' own CUDA programs for a page, too (an hour and more)" OFF)
set(BARRIERSCOPE_SITE "" CACHE PATH "A built page (build/web/site) that is installed beside the program; empty: none")
set(BARRIERSCOPE_CUDA_RUNTIME "" CACHE FILEPATH "The same from another build of these sources; empty: it is built here")
option(BARRIERSCOPE_STATIC "Link everything but glibc statically" OFF)
option(BARRIERSCOPE_TESTS "Build the tests" ON)
option(BARRIERSCOPE_UNIT_TESTS "Among them the tests in C++, not scripts alone" ON)
option(BARRIERSCOPE_BENCHMARKS "Build the benchmarks" ON)
option(BARRIERSCOPE_FUZZ "Build the libFuzzer targets (clang only)" OFF)
option(BARRIERSCOPE_UNITY "Compile up to ten sources of a folder as one: a build from nothing is quicker, a rebuild slower" OFF)
option(BARRIERSCOPE_PCH "Parse the library headers that everybody includes once (precompiled headers)" OFF)
option(BARRIERSCOPE_WERROR "Warnings in our own code are errors" ON)
set(BARRIERSCOPE_CUDA_MODE "AUTO" CACHE STRING "GPU module: AUTO (where there are nvcc and a GPU), ON, OFF")
set_property(CACHE BARRIERSCOPE_CUDA_MODE PROPERTY STRINGS AUTO ON OFF)
set(BARRIERSCOPE_SANITIZE "" CACHE STRING "Sanitizers for our own code, e.g. address,undefined")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)

find_package(Threads REQUIRED)
if(NOT EMSCRIPTEN)  # third_party/web has its own
  find_package(Boost 1.81 REQUIRED COMPONENTS context CONFIG)
  find_package(fmt REQUIRED)
  find_package(CLI11 REQUIRED)
  find_package(nlohmann_json REQUIRED)
endif()

# Everything of ours links this: include root and warnings. What differs between a program with a window and a
# headless one is not said here: the engine and the kernels are compiled alike for both, and ccache knows.
add_library(bscope_options INTERFACE)
target_include_directories(bscope_options INTERFACE ${PROJECT_SOURCE_DIR})
# The features that were built in, as compile definitions for targets that need them.
add_library(bscope_built_in INTERFACE)
target_compile_definitions(bscope_built_in INTERFACE
  $<$<BOOL:${BARRIERSCOPE_WINDOW}>:BARRIERSCOPE_WINDOW>
  $<$<BOOL:${BARRIERSCOPE_PICTURES}>:BARRIERSCOPE_PICTURES>)
set(_cxx $<COMPILE_LANGUAGE:CXX>)
target_compile_options(bscope_options INTERFACE
  $<${_cxx}:-Wall> $<${_cxx}:-Wextra> $<${_cxx}:-Wno-unknown-pragmas>
  # Paths in the program are from the root of the project (kernels/scan/5_blelloch.cu), wherever it was built.
  $<${_cxx}:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>)
if(BARRIERSCOPE_WERROR)
  target_compile_options(bscope_options INTERFACE $<${_cxx}:-Werror>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(bscope_options INTERFACE $<${_cxx}:-Wno-restrict>)  # false alarms at -O3: GCC bug 105651
  if(BARRIERSCOPE_PCH)  # the same alarms have other names where std::string comes from a precompiled header; clang has these
    target_compile_options(bscope_options INTERFACE $<${_cxx}:-Wno-stringop-overflow> $<${_cxx}:-Wno-array-bounds>)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND BARRIERSCOPE_UNITY)  # a source is no header, though another file includes it
  target_compile_options(bscope_options INTERFACE $<${_cxx}:-Wno-subobject-linkage>)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(bscope_options INTERFACE $<${_cxx}:-Wno-pass-failed>)  # #pragma unroll is meant for nvcc
endif()
if(BARRIERSCOPE_SANITIZE)
  target_compile_definitions(bscope_options INTERFACE BARRIERSCOPE_SANITIZED)  # tests take fewer sizes then
  target_compile_options(bscope_options INTERFACE $<${_cxx}:-fsanitize=${BARRIERSCOPE_SANITIZE}>
    $<${_cxx}:-fno-omit-frame-pointer>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # False alarms that GCC's manual warns of with -fsanitize; std::regex raises several.
    target_compile_options(bscope_options INTERFACE $<${_cxx}:-Wno-maybe-uninitialized>)
  endif()
  if(BARRIERSCOPE_SANITIZE MATCHES "undefined")
    target_compile_options(bscope_options INTERFACE $<${_cxx}:-fno-sanitize-recover=undefined>)
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      # AddressSanitizer reports what follows from a null or stray pointer, and the others are checks of every member
      # access: without these a file compiles in two thirds of the time.
      target_compile_options(bscope_options INTERFACE
        $<${_cxx}:-fno-sanitize=null,object-size,vptr,pointer-overflow,nonnull-attribute,returns-nonnull-attribute,function>)
    endif()
  endif()
  target_link_options(bscope_options INTERFACE -fsanitize=${BARRIERSCOPE_SANITIZE})
  find_program(BARRIERSCOPE_LLD NAMES ld.lld-19 ld.lld-16 ld.lld)
  if(BARRIERSCOPE_LLD)  # links these large programs in a quarter of the time
    target_link_options(bscope_options INTERFACE --ld-path=${BARRIERSCOPE_LLD})
  endif()
endif()

if(BARRIERSCOPE_STATIC)
  # One file that runs where there is nothing but glibc and, for the GPU, the driver.
  # A library that is loaded into users' own programs shares libstdc++ with them.
  set(_program $<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>)
  target_link_options(bscope_options INTERFACE $<${_program}:-static-libstdc++> $<${_program}:-static-libgcc>
    $<${_program}:LINKER:--gc-sections>)  # unused parts of libstdc++ would need a newer glibc
endif()
# Always the static one: a switch of fibers without a detour through the linkage table. In WebAssembly a pass makes fibers
# (cmake/web.cmake).
add_library(bscope_boost_context INTERFACE)
if(NOT EMSCRIPTEN)
  find_library(BARRIERSCOPE_BOOST_CONTEXT NAMES libboost_context.a REQUIRED)
  target_link_libraries(bscope_boost_context INTERFACE Boost::headers ${BARRIERSCOPE_BOOST_CONTEXT})
endif()
