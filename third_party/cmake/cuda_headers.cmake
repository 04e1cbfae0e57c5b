# The headers of NVIDIA's libraries that users' own CUDA files include: CCCL (libcu++, CUB and Thrust) and NVTX.
# cuda_headers_obtain() sets CUDA_HEADERS_DIR, which is empty where they could not be had: everything else works without.
#
# Each file stands under the licence at its head: libcu++ and NVTX under Apache-2.0 WITH LLVM-exception, Thrust under
# Apache-2.0, CUB under BSD-3-Clause. Four files of this CCCL stand under a licence of NVIDIA's own. They are left out, and
# engine/cuda/include/cuda/pipeline is written for the one that courses use.
set(_cccl_wheel nvidia_cuda_cccl_cu12-12.9.27-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl)
set(_cccl_sha256 37869e17ce2e1ecec6eddf1927cca0f8c34e64fd848d40453df559091e2d7117)
set(_cccl_other_licence cuda/annotated_ptr cuda/pipeline cuda/std/detail/__access_property cuda/std/detail/__annotated_ptr)
set(_nvtx_wheel nvidia_nvtx_cu12-12.9.79-py3-none-manylinux1_x86_64.manylinux_2_5_x86_64.whl)
set(_nvtx_sha256 fec150986817f2b4e7eed72ed059f2dcb9ba3856b9a96134e448eac946a6952f)
set(CUDA_HEADERS_DIR "" CACHE PATH "Folder with cub, cuda, nv, nvtx3 and thrust, prepared by an earlier build (empty: obtained with pip)")
set(CUDA_HEADERS_WHEELS "" CACHE PATH "Folder with ${_cccl_wheel} and ${_nvtx_wheel} (offline builds)")
option(BARRIERSCOPE_CUDA_HEADERS "Obtain the headers of CCCL and NVTX, for users' files that include them" ON)

# The platforms are fixed: headers are the same everywhere, and so are the hashes.
function(_cuda_headers_download folder result)
  find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
  message(STATUS "CCCL and NVTX: downloading with pip (3 MiB)")
  set(wanted --no-deps --only-binary=:all: --platform manylinux2014_x86_64 --platform manylinux1_x86_64)
  execute_process(
    COMMAND ${Python3_EXECUTABLE} -m pip download --disable-pip-version-check --quiet ${wanted} --require-hashes
            -r ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../cuda_headers.txt -d "${folder}"
    RESULT_VARIABLE failed ERROR_VARIABLE said OUTPUT_VARIABLE said)
  if(failed)
    list(JOIN wanted " " wanted)
    message(WARNING "CCCL and NVTX could not be downloaded with pip:\n${said}\n"
      "CUDA files that include libcu++, CUB, Thrust or NVTX will not compile. Without a network, fetch them elsewhere with\n"
      "  python3 -m pip download ${wanted} -r third_party/cuda_headers.txt -d FOLDER\n"
      "and configure with -DCUDA_HEADERS_WHEELS=FOLDER.")
    set(${result} OFF PARENT_SCOPE)
  else()
    set(${result} ON PARENT_SCOPE)
  endif()
endfunction()

function(_cuda_headers_check wheel expected)
  file(SHA256 "${wheel}" hash)
  if(NOT hash STREQUAL expected)
    message(FATAL_ERROR "${wheel}: its SHA-256 is ${hash}, expected ${expected}. Delete it and try again.")
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

# Changes CCCL's headers in the folder where clang and Barrierscope want it.
function(_cccl_change include)
  list(TRANSFORM _cccl_other_licence PREPEND "${include}/" OUTPUT_VARIABLE left_out)
  file(REMOVE ${left_out})
  _cccl_fix_destructor("${include}")
  # Our headers define __NVCC__, for users' files ask for it; CCCL is to see the compiler that is there.
  set(clang "defined(__NVCC__) && !defined(__clang__)")
  _cccl_replace("${include}/cuda/std/__cccl/compiler.h" "#if defined(__NVCC__)\n" "#if ${clang} // changed by Barrierscope\n")
  _cccl_replace("${include}/cuda/std/__functional/invoke.h" "#if defined(__NVCC__) && defined(__CUDACC_EXTENDED_LAMBDA__)"
    "#if ${clang} && defined(__CUDACC_EXTENDED_LAMBDA__) /* changed by Barrierscope */")
  # It means all of clang 19, which refuses such indices, and leaves out 19.0 alone.
  _cccl_replace("${include}/cuda/std/__type_traits/type_list.h" "!_CCCL_COMPILER(CLANG, <=, 19)"
    "!_CCCL_COMPILER(CLANG, <, 20) /* changed by Barrierscope */")
  # It makes a block's scope of a thread's. The calls around such an access tell Barrierscope.
  set(scopes "${include}/cuda/std/__atomic/scopes.h")
  _cccl_replace("${scopes}" "struct __thread_scope_thread_tag\n{};\nstruct __thread_scope_block_tag\n{};\n"
    "struct __thread_scope_block_tag\n{};\nstruct __thread_scope_thread_tag // changed by Barrierscope\n{\n#ifdef __CUDA_ARCH__\n  _CCCL_DEVICE operator __thread_scope_block_tag() const\n  {\n    __bscope_thread_scope_begins();\n    return {};\n  }\n  _CCCL_DEVICE ~__thread_scope_thread_tag()\n  {\n    __bscope_thread_scope_ends();\n  }\n#endif\n};\n")
  _cccl_replace("${scopes}" "  using __tag = __thread_scope_block_tag;\n};\ntemplate <>\nstruct __scope_enum_to_tag<(int) thread_scope_block>"
    "  using __tag = __thread_scope_thread_tag; // changed by Barrierscope\n};\ntemplate <>\nstruct __scope_enum_to_tag<(int) thread_scope_block>")
  # A copy into shared memory comes with the phase of its barrier: made at once, it would hide a wait that is missing.
  set(copies "${include}/cuda/__memcpy_async/memcpy_async_barrier.h")
  _cccl_replace("${copies}" "  // 2. Issue actual copy instructions.\n"
    "#ifdef __CUDA_ARCH__ // changed by Barrierscope\n  if (__align >= 4 && __is_local_smem_barrier(__barrier) && __isGlobal(__src_char) && __isShared(__dest_char))\n  {\n    constexpr _CUDA_VSTD::size_t __part = __align < 16 ? __align : 16;\n    for (_CUDA_VSTD::size_t __k = __part * __group.thread_rank(); __k < _CUDA_VSTD::size_t(__size); __k += __part * __group.size())\n    {\n      __bscope_copy_until_arrival(__dest_char + __k, __src_char + __k, __part, __part, &__barrier);\n    }\n    return async_contract_fulfillment::async;\n  }\n#endif\n  // 2. Issue actual copy instructions.\n")
  set(barrier "${include}/cuda/__barrier/barrier_block_scope.h")
  set(arrives "#ifdef __CUDA_ARCH__ // changed by Barrierscope\n    __bscope_arrive_copies(this);\n#endif\n")
  _cccl_replace("${barrier}" "    _CCCL_ASSERT(__update >= 0, \"Arrival count update must be non-negative.\");\n"
    "${arrives}    _CCCL_ASSERT(__update >= 0, \"Arrival count update must be non-negative.\");\n")
  _cccl_replace("${barrier}" "  _LIBCUDACXX_HIDE_FROM_ABI void arrive_and_drop()\n  {\n"
    "  _LIBCUDACXX_HIDE_FROM_ABI void arrive_and_drop()\n  {\n${arrives}")
  # A loop that only reads is a wait, which the interpreter knows; one that counts, yields and looks at the clock is not.
  set(start "  _CUDA_VSTD::chrono::high_resolution_clock::time_point const __start =")
  _cccl_replace("${include}/cuda/std/__thread/threading_support.h" "${start}"
    "#ifdef __CUDA_ARCH__ // changed by Barrierscope\n  if (__max == _CUDA_VSTD::chrono::nanoseconds::zero())\n  {\n    while (!__f())\n    {}\n    return true;\n  }\n#endif\n${start}")
  # Device code is compiled without optimisation. There inlining by force takes a fifth of clang's time, and makes three times
  # as much text, while the interpreter is no quicker.
  set(inlined "_CCCL_FORCEINLINE __inline__ __attribute__((__always_inline__))\n")
  _cccl_replace("${include}/cuda/std/__cccl/visibility.h" "#  define ${inlined}"
    "#  ifdef __CUDA_ARCH__ // changed by Barrierscope\n#    define _CCCL_FORCEINLINE __inline__\n#  else\n#    define ${inlined}#  endif\n")
  # Textures, which no program wants that includes CUB as a whole.
  _cccl_replace("${include}/cub/cub.cuh" "#include <cub/iterator/tex_obj_input_iterator.cuh>\n" "")
endfunction()

function(_cuda_headers_unpack wheels dest)
  file(REMOVE_RECURSE "${dest}" "${dest}.tmp")
  set(root "nvidia/cuda_cccl/include")
  file(ARCHIVE_EXTRACT INPUT "${wheels}/${_cccl_wheel}" DESTINATION "${dest}.tmp" TOUCH PATTERNS
    "${root}/cub/*" "${root}/cuda/*" "${root}/nv/*" "${root}/thrust/*")
  file(ARCHIVE_EXTRACT INPUT "${wheels}/${_nvtx_wheel}" DESTINATION "${dest}.tmp" TOUCH PATTERNS "nvidia/nvtx/include/nvtx3/*")
  set(include "${dest}.tmp/${root}")
  _cccl_change("${include}")
  file(RENAME "${dest}.tmp/nvidia/nvtx/include/nvtx3" "${include}/nvtx3")
  file(RENAME "${include}" "${dest}")
  file(REMOVE_RECURSE "${dest}.tmp")
endfunction()

function(cuda_headers_obtain)
  if(CUDA_HEADERS_DIR OR NOT BARRIERSCOPE_CUDA_HEADERS)
    return()
  endif()
  # As imgui-bundle: shared by all presets of this checkout, and named after what was unpacked and how.
  set(cache "${PROJECT_SOURCE_DIR}/build/_deps")
  file(SHA256 "${CMAKE_CURRENT_FUNCTION_LIST_FILE}" how)
  string(SUBSTRING "${how}" 0 12 short)
  set(dest "${cache}/cuda-headers-${short}")
  file(LOCK "${cache}/lock" GUARD FUNCTION TIMEOUT 600)
  if(NOT EXISTS "${dest}/nvtx3/nvToolsExt.h")
    set(wheels "${CUDA_HEADERS_WHEELS}")
    if(NOT wheels)
      set(wheels "${cache}")
      if(NOT EXISTS "${wheels}/${_cccl_wheel}" OR NOT EXISTS "${wheels}/${_nvtx_wheel}")
        _cuda_headers_download("${wheels}" got)
        if(NOT got)
          return()
        endif()
      endif()
    endif()
    _cuda_headers_check("${wheels}/${_cccl_wheel}" ${_cccl_sha256})
    _cuda_headers_check("${wheels}/${_nvtx_wheel}" ${_nvtx_sha256})
    _cuda_headers_unpack("${wheels}" "${dest}")
  endif()
  set(CUDA_HEADERS_DIR "${dest}" PARENT_SCOPE)
endfunction()
