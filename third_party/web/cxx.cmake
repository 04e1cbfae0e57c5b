# The C++ library: libc++ 19 from Debian's LLVM, on emscripten's C library and libc++abi. Its namespace is not that of
# emscripten's own libc++ 13, which lies beside it in the link, so that nothing of the two can be mistaken.
debian_source(llvm llvm-toolchain-19
  FOLDERS libcxx/include libcxx/src libcxxabi/include libcxxabi/src libunwind/include libunwind/src)
set(site ${CMAKE_CURRENT_BINARY_DIR}/cxx)
file(CONFIGURE OUTPUT ${site}/__config_site @ONLY CONTENT [[
#ifndef _LIBCPP___CONFIG_SITE
#define _LIBCPP___CONFIG_SITE
#define _LIBCPP_ABI_VERSION 2
#define _LIBCPP_ABI_NAMESPACE __19
#define _LIBCPP_HAS_MUSL_LIBC
#define _LIBCPP_HAS_THREAD_API_PTHREAD
#define _LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS
#define _LIBCPP_HAS_NO_VENDOR_AVAILABILITY_ANNOTATIONS
#define _LIBCPP_HAS_NO_TIME_ZONE_DATABASE
#define _LIBCPP_HAS_NO_STD_MODULES
#define _LIBCPP_PSTL_BACKEND_SERIAL
#define _LIBCPP_HARDENING_MODE_DEFAULT 2
#endif
]])
file(CONFIGURE OUTPUT ${site}/__assertion_handler @ONLY CONTENT [[
#pragma once
#define _LIBCPP_ASSERTION_HANDLER(message) __builtin_trap()
]])
set(cxx_includes "SHELL:-isystem ${site}" "SHELL:-isystem ${llvm}/libcxx/include"
  "SHELL:-isystem ${BARRIERSCOPE_EMSCRIPTEN}/system/lib/libcxxabi/include")

file(GLOB sources ${llvm}/libcxx/src/*.cpp ${llvm}/libcxx/src/filesystem/*.cpp ${llvm}/libcxx/src/ryu/*.cpp)
add_library(cxx STATIC ${sources})
target_include_directories(cxx PRIVATE ${llvm}/libcxx/src)
set_target_properties(cxx PROPERTIES CXX_STANDARD 23)
target_compile_options(cxx PRIVATE -w -Oz ${cxx_includes})
target_compile_definitions(cxx PRIVATE _LIBCPP_BUILDING_LIBRARY LIBCXX_BUILDING_LIBCXXABI)

# What everybody compiles and links with.
add_library(bscope_cxx INTERFACE)
target_compile_options(bscope_cxx INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-isystem ${CMAKE_CURRENT_SOURCE_DIR}/cxx/include>"
  "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-isystem ${site}>"
  "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-isystem ${llvm}/libcxx/include>"
  "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-isystem ${BARRIERSCOPE_EMSCRIPTEN}/system/lib/libcxxabi/include>"
  $<$<COMPILE_LANGUAGE:CXX>:-fexperimental-library>)  # std::jthread
target_include_directories(bscope_cxx INTERFACE ${PROJECT_SOURCE_DIR})  # of <charconv>
target_link_libraries(bscope_cxx INTERFACE cxx)
target_link_libraries(bscope_options INTERFACE bscope_cxx)
