# bscope_font_advances(OUT): a source with the widths of the figures' letters, made of the fonts' files; OUT is its path.
function(bscope_font_advances out)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  execute_process(COMMAND ${Python3_EXECUTABLE} -c "import fontTools.ttLib" RESULT_VARIABLE missing ERROR_QUIET)
  if(missing)
    message(FATAL_ERROR "Without cairo, letters' widths are read from the fonts' files by fontTools, which "
      "${Python3_EXECUTABLE} does not have: install python3-fonttools")
  endif()
  set(fonts "")  # the medium ones: cairo takes its normal weight for that
  foreach(name opentype/inter/Inter-Medium.otf opentype/inter/Inter-Bold.otf
          truetype/jetbrains-mono/JetBrainsMono-Medium.ttf truetype/jetbrains-mono/JetBrainsMono-Bold.ttf)
    find_file(font ${name} PATHS /usr/share/fonts /usr/local/share/fonts NO_DEFAULT_PATH NO_CACHE)
    if(NOT font)
      message(FATAL_ERROR "The font ${name} is missing: install fonts-inter and fonts-jetbrains-mono")
    endif()
    list(APPEND fonts ${font})
    unset(font)
  endforeach()
  set(script ${PROJECT_SOURCE_DIR}/tools/font_advances.py)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/advance_table.cpp)
  add_custom_command(OUTPUT ${source} DEPENDS ${script} ${fonts} VERBATIM
    COMMAND ${Python3_EXECUTABLE} ${script} ${fonts} -o ${source})
  set(${out} ${source} PARENT_SCOPE)
endfunction()
