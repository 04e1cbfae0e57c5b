# The headers of CCCL (libcu++, CUB and Thrust), which users' own CUDA files include. cccl_obtain() sets CCCL_DIR, which
# is empty where they could not be had: everything else works without them.
#
# Each file stands under the licence at its head: libcu++ under Apache-2.0 WITH LLVM-exception, Thrust under Apache-2.0,
# CUB under BSD-3-Clause. Four files of this version stand under a licence of NVIDIA's own. They are left out, and
# engine/cuda/include/cuda/pipeline is written for the one that courses use.
set(_cccl_version 2.8.2)
set(_cccl_wheel nvidia_cuda_cccl_cu12-12.9.27-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl)
set(_cccl_sha256 37869e17ce2e1ecec6eddf1927cca0f8c34e64fd848d40453df559091e2d7117)
set(_cccl_other_licence cuda/annotated_ptr cuda/pipeline cuda/std/detail/__access_property cuda/std/detail/__annotated_ptr)
set(CCCL_DIR "" CACHE PATH "Folder with CCCL's cub, cuda, nv and thrust, prepared by an earlier build (empty: obtained with pip)")
set(CCCL_ARCHIVE "" CACHE FILEPATH "${_cccl_wheel} already downloaded (offline builds)")
option(BARRIERSCOPE_CCCL "Obtain CCCL's headers, for users' files that include libcu++, CUB or Thrust" ON)

# The platform is fixed: headers are the same everywhere, and so is the hash.
function(_cccl_download folder result)
  find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
  message(STATUS "CCCL ${_cccl_version}: downloading with pip (3 MiB)")
  execute_process(
    COMMAND ${Python3_EXECUTABLE} -m pip download --disable-pip-version-check --quiet --no-deps
            --only-binary=:all: --platform manylinux2014_x86_64 --require-hashes
            -r ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../cccl.txt -d "${folder}"
    RESULT_VARIABLE failed ERROR_VARIABLE said OUTPUT_VARIABLE said)
  if(failed)
    message(WARNING "CCCL ${_cccl_version} could not be downloaded with pip:\n${said}\n"
      "CUDA files that include libcu++, CUB or Thrust will not compile. Without a network, fetch it elsewhere with\n"
      "  python3 -m pip download --no-deps --platform manylinux2014_x86_64 --only-binary=:all: nvidia-cuda-cccl-cu12==12.9.27\n"
      "and configure with -DCCCL_ARCHIVE=/path/${_cccl_wheel}.")
    set(${result} OFF PARENT_SCOPE)
  else()
    set(${result} ON PARENT_SCOPE)
  endif()
endfunction()

# What clang refuses and nvcc takes. A text that is not there is an error: the version has changed.
function(_cccl_replace file from to)
  file(READ "${file}" text)
  string(FIND "${text}" "${from}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${file} has no text \"${from}\", which is replaced for clang.")
  endif()
  string(REPLACE "${from}" "${to}" text "${text}")
  file(WRITE "${file}" "${text}")
endfunction()

# clang initialises no __shared__ variable whose destructor does something.
function(_cccl_fix_destructor include)
  set(file "${include}/cuda/__barrier/barrier_block_scope.h")
  file(READ "${file}" text)
  string(FIND "${text}" "  _LIBCUDACXX_HIDE_FROM_ABI ~barrier()" begin)
  string(FIND "${text}" "  _LIBCUDACXX_HIDE_FROM_ABI friend void init(" end)
  if(begin EQUAL -1 OR end LESS begin)
    message(FATAL_ERROR "${file} has no destructor of barrier before its init, which is replaced for clang.")
  endif()
  math(EXPR length "${end} - ${begin}")
  string(SUBSTRING "${text}" ${begin} ${length} destructor)
  string(REPLACE "${destructor}" "  ~barrier() = default; // changed by Barrierscope: clang refuses another one in shared memory\n\n"
    text "${text}")
  file(WRITE "${file}" "${text}")
endfunction()

function(_cccl_unpack archive dest)
  file(REMOVE_RECURSE "${dest}" "${dest}.tmp")
  set(root "nvidia/cuda_cccl/include")
  file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${dest}.tmp" TOUCH PATTERNS
    "${root}/cub/*" "${root}/cuda/*" "${root}/nv/*" "${root}/thrust/*")
  set(include "${dest}.tmp/${root}")
  list(TRANSFORM _cccl_other_licence PREPEND "${include}/" OUTPUT_VARIABLE left_out)
  file(REMOVE ${left_out})
  _cccl_fix_destructor("${include}")
  # Our headers define __NVCC__, for users' files ask for it; CCCL is to see the compiler that is there.
  set(clang "defined(__NVCC__) && !defined(__clang__)")
  _cccl_replace("${include}/cuda/std/__cccl/compiler.h" "#if defined(__NVCC__)\n" "#if ${clang} // changed by Barrierscope\n")
  _cccl_replace("${include}/cuda/std/__functional/invoke.h" "#if defined(__NVCC__) && defined(__CUDACC_EXTENDED_LAMBDA__)"
    "#if ${clang} && defined(__CUDACC_EXTENDED_LAMBDA__) /* changed by Barrierscope */")
  # A loop that only reads is a wait, which the interpreter knows; one that counts, yields and looks at the clock is not.
  set(start "  _CUDA_VSTD::chrono::high_resolution_clock::time_point const __start =")
  _cccl_replace("${include}/cuda/std/__thread/threading_support.h" "${start}"
    "#ifdef __CUDA_ARCH__ // changed by Barrierscope\n  if (__max == _CUDA_VSTD::chrono::nanoseconds::zero())\n  {\n    while (!__f())\n    {}\n    return true;\n  }\n#endif\n${start}")
  # Textures, which no program wants that includes CUB as a whole.
  _cccl_replace("${include}/cub/cub.cuh" "#include <cub/iterator/tex_obj_input_iterator.cuh>\n" "")
  file(RENAME "${include}" "${dest}")
  file(REMOVE_RECURSE "${dest}.tmp")
endfunction()

function(cccl_obtain)
  if(CCCL_DIR OR NOT BARRIERSCOPE_CCCL)
    return()
  endif()
  # As imgui-bundle: shared by all presets of this checkout, and named after what was unpacked and how.
  set(cache "${PROJECT_SOURCE_DIR}/build/_deps")
  file(SHA256 "${CMAKE_CURRENT_FUNCTION_LIST_FILE}" how)
  string(SUBSTRING "${how}" 0 12 short)
  set(dest "${cache}/cccl-${_cccl_version}-${short}")
  file(LOCK "${cache}/lock" GUARD FUNCTION TIMEOUT 600)
  if(NOT EXISTS "${dest}/cub/cub.cuh")
    set(archive "${CCCL_ARCHIVE}")
    if(NOT archive)
      set(archive "${cache}/${_cccl_wheel}")
      if(NOT EXISTS "${archive}")
        _cccl_download("${cache}" got)
        if(NOT got)
          return()
        endif()
      endif()
    endif()
    file(SHA256 "${archive}" hash)
    if(NOT hash STREQUAL _cccl_sha256)
      message(FATAL_ERROR "${archive}: its SHA-256 is ${hash}, expected ${_cccl_sha256}. Delete it and try again.")
    endif()
    _cccl_unpack("${archive}" "${dest}")
  endif()
  set(CCCL_DIR "${dest}" PARENT_SCOPE)
endfunction()
