# A part is a folder: its sources are found, never listed. A part without sources is an empty library, so that
# deleting a file removes a feature and nothing else.

# bscope_sources(OUT PATTERN... [EXCEPT REGEX]): the project's files that match, relative patterns from the root.
function(bscope_sources out)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXCEPT" "")
  list(TRANSFORM arg_UNPARSED_ARGUMENTS PREPEND "${PROJECT_SOURCE_DIR}/")
  file(GLOB found CONFIGURE_DEPENDS ${arg_UNPARSED_ARGUMENTS})
  if(arg_EXCEPT)
    list(FILTER found EXCLUDE REGEX "${arg_EXCEPT}")
  endif()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# bscope_unity(TARGET): with BARRIERSCOPE_UNITY, up to ten sources of a folder are compiled as one, which saves a quarter
# of their time from nothing. The names of a file's anonymous namespace must then be its own in its folder, which
# tools/check_names.py looks after.
function(bscope_unity target)
  if(NOT BARRIERSCOPE_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(source MATCHES "^\\$<")  # objects
      continue()
    endif()
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER "${folder}" group)
    math(EXPR count_${group} "${count_${group}} + 1")
    math(EXPR batch "${count_${group}} / 10")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${group}_${batch}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# bscope_part(NAME SOURCES files... USES libraries... [USES_PRIVATE libraries...])
function(bscope_part name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;USES;USES_PRIVATE")
  if(arg_SOURCES)
    add_library(${name} STATIC ${arg_SOURCES})
    bscope_unity(${name})
    target_link_libraries(${name} PUBLIC bscope_options ${arg_USES} PRIVATE ${arg_USES_PRIVATE})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE bscope_options ${arg_USES} ${arg_USES_PRIVATE})
  endif()
endfunction()

# bscope_registered(NAME ...): the same for sources that register themselves. A linker drops a static library's
# unreferenced file, so these are handed to it as objects.
function(bscope_registered name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;USES")
  add_library(${name} INTERFACE)
  target_link_libraries(${name} INTERFACE bscope_options ${arg_USES})
  if(arg_SOURCES)
    add_library(${name}_objects OBJECT ${arg_SOURCES})
    target_link_libraries(${name}_objects PUBLIC bscope_options ${arg_USES})
    target_sources(${name} INTERFACE $<TARGET_OBJECTS:${name}_objects>)
  endif()
endfunction()

# bscope_optimised(TARGET...): the executor is optimised in every build: a debug build debugs what is around it,
# and traces stay quick.
function(bscope_optimised)
  foreach(target IN LISTS ARGN)
    if(TARGET ${target})
      get_target_property(type ${target} TYPE)
      if(NOT type STREQUAL "INTERFACE_LIBRARY")
        target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Debug>>:-O2>)
      endif()
    endif()
  endforeach()
endfunction()

# bscope_embed(OUT TEMPLATE files...): a source in which the files' texts stand (see embed.cmake); OUT is its path.
function(bscope_embed out template)
  set(names ${ARGN})
  list(TRANSFORM names REPLACE "^${PROJECT_SOURCE_DIR}/" "")
  string(REPLACE ";" "|" names "${names}")
  string(REGEX REPLACE "\\.in$" "" source ${CMAKE_CURRENT_BINARY_DIR}/${template})
  set(from ${CMAKE_CURRENT_SOURCE_DIR}/${template})
  add_custom_command(OUTPUT ${source} DEPENDS ${ARGN} ${from} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake VERBATIM
    COMMAND ${CMAKE_COMMAND} -DOUT=${source} -DTEMPLATE=${from} -DROOT=${PROJECT_SOURCE_DIR} "-DFILES=${names}"
            -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
  set(${out} ${source} PARENT_SCOPE)
endfunction()

# bscope_precompile(NAME HEADERS headers... FOR targets... [USES libraries...]): the targets, compiled with the flags of
# this folder, find these headers parsed. A target that is not there is an error, for it would silently do without.
# A source includes what it needs all the same: tools/check_alone.py and tools/tidy.py look at it without this.
function(bscope_precompile name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;FOR;USES")
  if(NOT BARRIERSCOPE_PCH)
    return()
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE bscope_options ${arg_USES})
  target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")  # a checkout's times say nothing
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  foreach(target IN LISTS arg_FOR)
    get_target_property(type ${target} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      target_precompile_headers(${target} REUSE_FROM ${name})
    else()
      get_target_property(sources ${target} INTERFACE_SOURCES)
      if(sources)
        message(FATAL_ERROR "${name}: ${target} compiles nothing itself; name the library of its objects")
      endif()
    endif()
  endforeach()
endfunction()
