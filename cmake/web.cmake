# What only WebAssembly needs. bscope_web_program(TARGET [SMALL] [IN_FIBERS functions] options...): links the target by emscripten with
# these options, then makes its fibers; SMALL: then takes a minute and more to make the whole smaller; IN_FIBERS: names of
# further functions of fibers that call the next through a pointer.
#
# A fiber there is a kernel that returns to fiber::run (engine/simt/cpu_fiber_wasm.cpp) and is gone through again later:
# Asyncify rewrites the functions that lie between the two for that. It finds those that call fiber::leave; the one that
# calls the kernel through a pointer is named, and so is where unwinding ends. It knows functions by their names, which
# are taken out afterwards.
set(BARRIERSCOPE_WEB_OPTIMISE "-Oz" CACHE STRING "What wasm-opt does for the page's program: -O1, -Os, -Oz")
# What every browser with WebGL 2 knows. Of all features wasm-opt would take some that few know yet.
set(BARRIERSCOPE_WEB_FEATURES --mvp-features --enable-mutable-globals --enable-sign-ext --enable-bulk-memory
  --enable-nontrapping-float-to-int)
function(bscope_web_program target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SMALL" "IN_FIBERS" "")
  set(optimise $<$<BOOL:${arg_SMALL}>:${BARRIERSCOPE_WEB_OPTIMISE}>)
  target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/web/runtime.c)
  set_target_properties(${target} PROPERTIES SUFFIX .js)
  target_link_options(${target} PRIVATE ${arg_UNPARSED_ARGUMENTS} --profiling-funcs -sALLOW_MEMORY_GROWTH=1
    "SHELL:--js-library ${PROJECT_SOURCE_DIR}/cmake/web/library.js")
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/web/library.js)
  set(wasm $<TARGET_FILE_DIR:${target}>/$<TARGET_FILE_BASE_NAME:${target}>.wasm)
  add_custom_command(TARGET ${target} POST_BUILD VERBATIM COMMAND_EXPAND_LISTS
    COMMAND ${BARRIERSCOPE_WASM_OPT} ${BARRIERSCOPE_WEB_FEATURES} ${wasm} -o ${wasm}.fibers --asyncify ${optimise}
      --pass-arg=asyncify-imports@none.none --pass-arg=asyncify-ignore-indirect
      "--pass-arg=asyncify-removelist@bscope::fiber::run*,bscope::on_cpu::Executor::*,bscope::on_cpu::CpuThread::Body::*"
      "--pass-arg=asyncify-addlist@bscope::on_cpu::CpuThread::run_kernel()$<$<BOOL:${arg_IN_FIBERS}>:$<COMMA>${arg_IN_FIBERS}>"
    # Once more: what Asyncify wrote is small only then (4% of the page's program, compressed).
    COMMAND ${BARRIERSCOPE_WASM_OPT} ${BARRIERSCOPE_WEB_FEATURES} ${wasm}.fibers -o ${wasm} --strip-debug --strip-producers
      ${optimise}
    COMMAND ${CMAKE_COMMAND} -E rm ${wasm}.fibers)
endfunction()
