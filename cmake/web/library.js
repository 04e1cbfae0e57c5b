// What the sources ask for and emscripten 3.1.6 does not have.
mergeInto(LibraryManager.library, {
  // what wasm-opt --asyncify puts into the program takes the place of these (cmake/web.cmake)
  start_unwind: function() {},
  stop_unwind: function() {},
  start_rewind: function() {},
  stop_rewind: function() {},
  // of libc++abi 18: an exception that is made and not thrown
  __cxa_init_primary_exception__deps: ['$ExceptionInfo'],
  __cxa_init_primary_exception: function(object, type, destructor) {
    new ExceptionInfo(object).init(type, destructor);
    return object;
  },
  // files are always ready; emscripten's own asks streams for operations that those of node do not have
  __syscall_poll: function(fds, count, timeout) {
    for (var k = 0; k < count; ++k) HEAP16[fds + 8 * k + 6 >> 1] = HEAP16[fds + 8 * k + 4 >> 1];  // revents = events
    return count;
  },
  // there are no signals
  sigaltstack: function() { return -1; },
});
