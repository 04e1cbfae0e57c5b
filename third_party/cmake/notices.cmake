# The licences of what is linked into the program go along with it, as their authors want it: one text, made of the
# files that come with each library. (Boost and libstdc++ want nothing said with a program; shared libraries bring theirs.)
set(notices ${PROJECT_BINARY_DIR}/third-party.txt)
set(licences "")
set(packages libfmt-dev libcli11-dev nlohmann-json3-dev libcmark-gfm-dev libflatbuffers-dev)
if(BARRIERSCOPE_PAGE)  # its fonts, and the libraries of C and C++, its own and those of users' programs:
  # emscripten has musl, dlmalloc and compiler-rt, and clang-19 the source of libc++, libc++abi and libunwind
  list(APPEND packages emscripten clang-19 fonts-inter fonts-jetbrains-mono fonts-wqy-microhei)
else()
  list(APPEND packages libgcc-12-dev)  # libbacktrace
  if(BARRIERSCOPE_STATIC)
    list(APPEND packages libseccomp-dev)
  endif()
endif()
foreach(package IN LISTS packages)
  list(APPEND licences /usr/share/doc/${package}/copyright)
endforeach()
if(BARRIERSCOPE_PAGE)
  list(APPEND licences ${PROJECT_SOURCE_DIR}/build/_deps/debian-freetype/source/debian/copyright)
endif()
if(BARRIERSCOPE_WITH_CLANG)  # clang-19's copyright is that of clang, lld and LLVM, but for this part
  list(APPEND licences ${PROJECT_SOURCE_DIR}/build/_deps/debian-llvm-toolchain-19-clang/source/llvm/lib/Support/BLAKE3/LICENSE)
endif()
if(BARRIERSCOPE_WINDOW OR BARRIERSCOPE_PAGE)
  list(APPEND licences /usr/share/doc/libstb-dev/copyright ${IMGUI_BUNDLE_DIR}/external/imgui/imgui/LICENSE.txt
    ${IMGUI_BUNDLE_DIR}/external/ImGuiColorTextEdit/ImGuiColorTextEdit/LICENSE)
endif()
set(text "Barrierscope is linked with the following. Each stands under its own licence.\n")
foreach(licence IN LISTS licences)
  if(EXISTS ${licence})
    cmake_path(GET licence PARENT_PATH of)
    cmake_path(GET of FILENAME of)
    if(of STREQUAL debian)  # a source package's
      set(of freetype)
    endif()
    file(READ ${licence} words)
    string(APPEND text "\n======== ${of} ========\n${words}")
  elseif(BARRIERSCOPE_PAGE)
    message(FATAL_ERROR "There is no ${licence}, which the page has to show: ./web.sh installs what it is built with.")
  endif()
endforeach()
if(CCCL_DIR)
  string(APPEND text "\n======== CCCL ========\n"
    "The folders cub, cuda, nv and thrust in lib/barrierscope/cuda/include are headers of the CUDA C++ Core Libraries\n"
    "(Copyright NVIDIA CORPORATION & AFFILIATES and others). Each file stands under the licence at its head: Apache-2.0\n"
    "WITH LLVM-exception (libcu++), Apache-2.0 (Thrust) or BSD-3-Clause (CUB). Changed are cub/cub.cuh, and below\n"
    "cuda: __barrier/barrier_block_scope.h, std/__cccl/compiler.h, std/__functional/invoke.h,\n"
    "std/__thread/threading_support.h. cuda/pipeline is Barrierscope's own.\n")
  set(apache /usr/share/common-licenses/Apache-2.0)
  if(EXISTS ${apache})
    file(READ ${apache} words)
    string(APPEND text "${words}")
  endif()
endif()
file(CONFIGURE OUTPUT ${notices} CONTENT "@text@" @ONLY)
install(FILES ${notices} DESTINATION ${CMAKE_INSTALL_DOCDIR})
