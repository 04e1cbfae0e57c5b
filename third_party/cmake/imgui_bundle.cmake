# The C++ sources inside the imgui-bundle source distribution: imgui_bundle_obtain() sets IMGUI_BUNDLE_DIR.
# pip is used as an ordinary client of whatever index the user has configured.
set(_bundle_version 1.93.0)
set(_bundle_sha256 10ad1dab8258a6787b4f07bb926b08d0efc648a7906242568c8dd778c5e719bf)
set(IMGUI_BUNDLE_DIR "" CACHE PATH "Unpacked imgui-bundle ${_bundle_version} sources (empty: obtained with pip)")
set(IMGUI_BUNDLE_ARCHIVE "" CACHE FILEPATH "imgui_bundle-${_bundle_version}.tar.gz already downloaded (offline builds)")

function(_bundle_download archive folder)
  find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
  message(STATUS "imgui-bundle ${_bundle_version}: downloading with pip (51 MiB)")
  set(here ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/..)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env --modify PYTHONPATH=path_list_prepend:${here}/pip_stub
            PYTHONDONTWRITEBYTECODE=1
            ${Python3_EXECUTABLE} -m pip download --disable-pip-version-check --quiet
            --no-deps --no-binary imgui-bundle --no-build-isolation
            --require-hashes -r ${here}/imgui-bundle.txt -d "${folder}"
    RESULT_VARIABLE failed ERROR_VARIABLE said OUTPUT_VARIABLE said)
  if(failed)
    message(FATAL_ERROR "imgui-bundle ${_bundle_version} could not be downloaded with pip:\n${said}\n"
      "Without a network, fetch it elsewhere with\n"
      "  python3 -m pip download --no-deps --no-binary imgui-bundle imgui-bundle==${_bundle_version}\n"
      "and configure with -DIMGUI_BUNDLE_ARCHIVE=/path/imgui_bundle-${_bundle_version}.tar.gz\n"
      "or -DIMGUI_BUNDLE_DIR=/path/imgui_bundle-${_bundle_version} (unpacked).")
  endif()
endfunction()

function(imgui_bundle_obtain)
  if(IMGUI_BUNDLE_DIR)
    if(NOT EXISTS "${IMGUI_BUNDLE_DIR}/external/imgui/imgui/imgui.h")
      message(FATAL_ERROR "IMGUI_BUNDLE_DIR=${IMGUI_BUNDLE_DIR} has no external/imgui/imgui/imgui.h")
    endif()
    return()
  endif()
  # Shared by all presets of this checkout. The folder is named after the archive's hash: a new version never
  # lands on old files, whose times could make the build tool miss the change.
  set(cache "${PROJECT_SOURCE_DIR}/build/_deps")
  string(SUBSTRING "${_bundle_sha256}" 0 12 short)
  set(dest "${cache}/imgui_bundle-${_bundle_version}-${short}")
  file(LOCK "${cache}/lock" GUARD FUNCTION TIMEOUT 600)
  # The last of what is taken out of it: the folder of an earlier checkout may hold less.
  if(NOT EXISTS "${dest}/.complete" OR NOT EXISTS "${dest}/external/ImGuiColorTextEdit")
    set(archive "${IMGUI_BUNDLE_ARCHIVE}")
    if(NOT archive)
      set(archive "${cache}/imgui_bundle-${_bundle_version}.tar.gz")
      if(NOT EXISTS "${archive}")
        _bundle_download("${archive}" "${cache}")
      endif()
    endif()
    file(SHA256 "${archive}" got)
    if(NOT got STREQUAL _bundle_sha256)
      message(FATAL_ERROR "${archive}: its SHA-256 is ${got}, expected ${_bundle_sha256}. Delete it and try again.")
    endif()
    file(REMOVE_RECURSE "${dest}" "${dest}.tmp")
    set(root "imgui_bundle-${_bundle_version}")
    set(e "${root}/external")
    # In these patterns * also matches /.
    file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${dest}.tmp" TOUCH PATTERNS
      "${root}/LICENSE"
      "${e}/imgui/imgui/im*" "${e}/imgui/imgui/LICENSE.txt"
      "${e}/imgui/imgui/misc/cpp/*" "${e}/imgui/imgui/misc/freetype/*"
      "${e}/imgui/imgui/backends/imgui_impl_glfw.*" "${e}/imgui/imgui/backends/imgui_impl_opengl3*"
      "${e}/imgui_test_engine/imgui_test_engine/imgui_test_engine/*"
      "${e}/portable_file_dialogs/portable_file_dialogs/*"
      "${e}/ImGuiColorTextEdit/ImGuiColorTextEdit/TextEditor.*" "${e}/ImGuiColorTextEdit/ImGuiColorTextEdit/LICENSE")
    file(RENAME "${dest}.tmp/${root}" "${dest}")
    file(REMOVE_RECURSE "${dest}.tmp")
    file(TOUCH "${dest}/.complete")
  endif()
  set(IMGUI_BUNDLE_DIR "${dest}" PARENT_SCOPE)
endfunction()
