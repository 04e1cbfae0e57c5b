# What nvcc compiles is a module of its own, libbarrierscope_gpu.so, which the program loads when it is there; a static
# program has it linked in. Sets BARRIERSCOPE_CUDA, which says whether it is built. AUTO: where there is an nvcc and a
# GPU to run it, or where the program is static, which is built for other machines.
find_program(BARRIERSCOPE_NVIDIA_SMI nvidia-smi)
set(BARRIERSCOPE_GPU_HERE OFF)
if(BARRIERSCOPE_NVIDIA_SMI OR EXISTS /dev/nvidiactl)
  set(BARRIERSCOPE_GPU_HERE ON)
endif()
set(BARRIERSCOPE_CUDA OFF)
if(BARRIERSCOPE_CUDA_MODE STREQUAL "ON" OR
   (BARRIERSCOPE_CUDA_MODE STREQUAL "AUTO" AND (BARRIERSCOPE_GPU_HERE OR BARRIERSCOPE_STATIC)))
  find_program(BARRIERSCOPE_NVCC nvcc PATHS /usr/local/cuda/bin /opt/cuda/bin)
  if(BARRIERSCOPE_NVCC)
    set(BARRIERSCOPE_CUDA ON)
  elseif(BARRIERSCOPE_CUDA_MODE STREQUAL "ON")
    message(FATAL_ERROR "BARRIERSCOPE_CUDA_MODE is ON, but there is no nvcc on PATH or in /usr/local/cuda/bin.")
  endif()
endif()

# A kernel has many GPU forms: element types, operators, choices, 32-bit and 64-bit positions. All of them take
# nvcc ten minutes and more, so where there is no GPU that could run them, one of each is compiled, to see that nvcc
# takes it. What is built here for another machine (the presets gpu and headless) holds all.
set(BARRIERSCOPE_GPU_FORMS "AUTO" CACHE STRING "GPU forms of each kernel: AUTO (all where there is a GPU), ALL, ONE")
set_property(CACHE BARRIERSCOPE_GPU_FORMS PROPERTY STRINGS AUTO ALL ONE)
set(BARRIERSCOPE_ALL_GPU_FORMS OFF)
if(BARRIERSCOPE_GPU_FORMS STREQUAL "ALL" OR (BARRIERSCOPE_GPU_FORMS STREQUAL "AUTO" AND BARRIERSCOPE_GPU_HERE))
  set(BARRIERSCOPE_ALL_GPU_FORMS ON)
endif()

if(BARRIERSCOPE_CUDA)
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    # This machine's GPU; without one, an H100's, whose PTX newer ones run too.
    set(CMAKE_CUDA_ARCHITECTURES 90)
    if(BARRIERSCOPE_NVIDIA_SMI)
      execute_process(COMMAND ${BARRIERSCOPE_NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
        OUTPUT_VARIABLE capability RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
      if(NOT failed AND capability MATCHES "^([0-9]+)\\.([0-9])")
        set(CMAKE_CUDA_ARCHITECTURES ${CMAKE_MATCH_1}${CMAKE_MATCH_2})
      endif()
    endif()
    set(CMAKE_CUDA_ARCHITECTURES ${CMAKE_CUDA_ARCHITECTURES} CACHE STRING "GPU architectures to build for")
  endif()
  set(CMAKE_CUDA_COMPILER ${BARRIERSCOPE_NVCC} CACHE FILEPATH "")
  enable_language(CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc speaks C++20
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_COMPILE_FEATURES cuda_std_20)
    list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  set(CMAKE_CUDA_EXTENSIONS OFF)
  find_package(CUDAToolkit REQUIRED)
  # For what nvcc compiles alone: position-independent, for the module.
  add_library(bscope_cuda INTERFACE)
  target_link_libraries(bscope_cuda INTERFACE CUDA::cudart_static)
  target_compile_options(bscope_cuda INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fPIC> "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xcompiler -fPIC>"
    "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Werror all-warnings -Werror cross-execution-space-call>"
    "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xcompiler -Wno-unknown-pragmas>"
    "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xcompiler -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>")
  if(NOT BARRIERSCOPE_ALL_GPU_FORMS)
    target_compile_definitions(bscope_cuda INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:BARRIERSCOPE_ONE_FORM>)
  endif()
  message(STATUS "GPU forms: ${BARRIERSCOPE_GPU_FORMS}, nvcc ${CMAKE_CUDA_COMPILER_VERSION} for sm_${CMAKE_CUDA_ARCHITECTURES}")
else()
  message(STATUS "GPU forms: left out (no nvcc, no GPU or switched off; BARRIERSCOPE_CUDA_MODE=ON asks for them)")
endif()

# Several GPUs exchange their sums through NCCL: its header here, its library on demand.
add_library(bscope_nccl INTERFACE)
if(BARRIERSCOPE_CUDA)
  find_path(BARRIERSCOPE_NCCL_INCLUDE nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
  if(BARRIERSCOPE_NCCL_INCLUDE)
    target_compile_definitions(bscope_nccl INTERFACE BARRIERSCOPE_NCCL)
    target_include_directories(bscope_nccl SYSTEM INTERFACE ${BARRIERSCOPE_NCCL_INCLUDE})
    target_link_libraries(bscope_nccl INTERFACE ${CMAKE_DL_LIBS})
  else()
    message(STATUS "Several GPUs: left out (no nccl.h)")
  endif()
endif()
